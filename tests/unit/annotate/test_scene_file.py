from __future__ import annotations

import pytest

from annotate.findings import FindingLog
from annotate.scenes.scene_file import read_scene
from mira.errors import SceneSourceError


@pytest.fixture
def scene(tmp_path, write_json):
    def read(data):
        log = FindingLog("a.json")
        found = read_scene(write_json(tmp_path / "bath" / "scene.json", data), log)
        return found, log.findings

    return read


def test_a_scene_file_says_what_it_gives_and_no_more(scene):
    found, findings = scene({"environment": "indoor", "licence": None, "simulator": {"seed": 1}})
    assert (found.scene.scene_id, found.gives_id) == ("bath", False)
    assert found.said == {"environment": "indoor", "licence": None}
    assert findings == ()
    found, _ = scene({"scene_id": "x", "schema_version": 1})
    assert (found.scene.scene_id, found.gives_id, found.said) == ("x", True, {})


def test_without_a_file_there_is_no_scene(tmp_path):
    assert read_scene(tmp_path / "scene.json", FindingLog("a.json")) is None


def test_every_field_at_fault_is_named_with_what_was_found_and_left_unset(scene, tmp_path):
    found, findings = scene(
        {
            "scene_id": "bath",
            "environment": "space",
            "lighting": "Day",
            "consent": None,
            "place": 5,
            "licence": "CC0-1.0",
            "surfaces": [{"surface_id": "a", "surface_type": "puddle"}, {"kind": 1}],
        }
    )
    assert {item.code for item in findings} == {"scene-invalid"}
    assert {item.path for item in findings} == {str(tmp_path / "bath" / "scene.json")}
    assert {item.severity for item in findings} == {"error"}
    said = {item.where: item.message for item in findings}
    types = "'planar_mirror', 'glass', 'convex_mirror', 'vehicle_side_mirror', 'water' or 'screen'"
    assert said == {
        "environment": "expected 'indoor' or 'outdoor', found 'space'; not taken",
        "lighting": "expected 'day' or 'night', found 'Day'; not taken",
        "consent": "expected 'not_needed', 'granted' or 'unknown', found None; not taken",
        "place": "expected a valid string, found 5; not taken",
        "surfaces[0].surface_type": f"expected {types}, found 'puddle'; not taken",
        "surfaces[1].surface_id": "expected a value, found none; not taken",
        "surfaces[1].surface_type": "expected a value, found none; not taken",
        "surfaces[1].kind": "expected no such field, found 1; not taken",
    }
    assert found.said == {"licence": "CC0-1.0"}


def test_unknown_keys_are_named_with_what_may_be_meant(scene):
    _, findings = scene({"license": "MIT", "weather": "x", "Lighting": "day"})
    (note,) = findings
    assert (note.code, note.severity) == ("scene-key-unknown", "warning")
    assert note.message == (
        "not kept: 'Lighting' (is 'lighting' meant?), 'license' (is 'licence' meant?), 'weather'"
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"scene_id": "a/b"}, "scene_id: .*'a/b'"),
        ({"scene_id": 5}, "scene_id: .*found 5"),
        ({"scene_id": None}, "scene_id: .*found None"),
        ({"scene_id": ""}, "scene_id: .*found ''"),
        ({"schema_version": 99}, "schema_version: this program reads 1 to 1, found 99"),
        ([], "expected an object"),
    ],
)
def test_a_file_that_does_not_tell_its_scene_is_refused(scene, data, words):
    with pytest.raises(SceneSourceError, match=rf"scene\.json: {words}"):
        scene(data)


def test_an_id_at_fault_does_not_hide_the_other_faults(tmp_path, write_json):
    log = FindingLog("a.json")
    path = write_json(tmp_path / "scene.json", {"scene_id": 5, "lighting": "dim", "place": 1})
    with pytest.raises(SceneSourceError):
        read_scene(path, log)
    assert [item.where for item in log.findings] == ["lighting", "place"]


@pytest.mark.parametrize("raw", [b"{", b"\xff", b""])
def test_what_is_no_json_is_refused(tmp_path, raw):
    (tmp_path / "scene.json").write_bytes(raw)
    with pytest.raises(SceneSourceError, match="expected JSON"):
        read_scene(tmp_path / "scene.json", FindingLog("a.json"))
