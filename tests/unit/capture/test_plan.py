from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from capture.plan import plan_of_scene, read_plan
from mira.errors import MiraError

PLAN = """
session_id: lab
operator: op3
camera: {color: 848x480, depth: [848, 480], fps: 15}
emitter_pair: true
scenes:
  - scene_id: hall
    place: hall
    lighting: night
    surfaces: [{surface_id: m1, surface_type: planar_mirror}]
    views: 3
  - {scene_id: bath, operator: op4, views: [left, right]}
"""


def _read(folder: Path, text: str, name: str = "plan.yaml"):
    (folder / name).write_text(text)
    return read_plan(folder / name)


def test_a_plan_reads_as_it_is_written(tmp_path: Path) -> None:
    plan = _read(tmp_path, PLAN)

    hall, bath = plan.scenes
    assert plan.camera.color == plan.camera.depth == (848, 480)
    assert hall.views == ("v1", "v2", "v3")
    assert bath.views == ("left", "right")
    assert hall.scene(operator=plan.operator).operator == "op3"
    assert bath.scene(operator=plan.operator).operator == "op4"
    assert _read(tmp_path, plan.to_json().decode(), "plan.json") == plan


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("848x480", "848"), "camera.color: expected a size such as 848x480"),
        (("views: 3", "views: 0"), "scenes.0.views: expected 1 to 10000 views"),
        (("[left, right]", "[a, a]"), "expected every id once"),
        (("scene_id: bath", "scene_id: hall"), "expected every scene_id once, found 'hall' twice"),
        (("lab", "''"), "session_id: String should have at least 1 character"),
        (("place:", "palce:"), "scenes.0.palce: is no field of this"),
        (("scene_id: bath", "scene_id: ../bath"), "expected letters, digits"),
        (("left", "le/ft"), "expected letters, digits"),
        (("scenes:", "scenes: ["), "expected YAML or JSON"),
        (("fps: 15", f"fps: {'9' * 5000}"), "expected YAML or JSON"),
        (("op3", "2026-02-31"), "expected YAML or JSON"),
        (("operator: op3", "session_id: again"), "found 'session_id' twice"),
        (("fps: 15", "advanced_json: none.json"), "none.json: No such file"),
        (("[left, right]", "[A, a]"), "expected views that annotation can tell apart"),
        (
            ("scene_id: bath, operator: op4, views: [left, right]", "scene_id: HALL, views: [V1]"),
            "found HALL/V1 and hall/v1",
        ),
    ],
)
def test_a_faulty_plan_is_one_line_with_the_field(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    with pytest.raises(MiraError, match=r"^[^\n]*$") as caught:
        _read(tmp_path, PLAN.replace(*change))

    assert message in str(caught.value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=200))
def test_bytes_that_are_no_plan_are_a_user_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "plan.yaml").write_bytes(data)

    with pytest.raises(MiraError):
        read_plan(tmp_path / "plan.yaml")


def test_a_plan_of_one_scene_needs_no_file() -> None:
    plan = plan_of_scene("hall", views=2, session_id="s")

    assert [(s.scene_id, s.views) for s in plan.scenes] == [("hall", ("v1", "v2"))]
    with pytest.raises(MiraError, match="expected letters"):
        plan_of_scene("a/b", views=1, session_id="s")


def test_options_go_on_top_of_the_usual_ones(tmp_path: Path) -> None:
    plan = _read(tmp_path, PLAN.replace("fps: 15", "options: {depth.laser_power: 150}"))

    assert plan.camera.options == {
        "depth.emitter_enabled": 1.0,
        "color.auto_exposure_priority": 0.0,
        "depth.laser_power": 150.0,
    }
