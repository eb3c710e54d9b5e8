from __future__ import annotations

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from capture.importers.policy import ImportPolicy
from capture.importers.scene_table import SceneTable
from capture.importers.source_scene import SourceScene, SourceView
from mira.errors import CaptureError, MiraError

POLICY = ImportPolicy()


def table(path, text) -> SceneTable:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return SceneTable.read(path, policy=POLICY)


def lone(*files: str) -> list[SourceScene]:
    return [
        SourceScene(
            file, (SourceView(file.rpartition("/")[2].split(".")[0], file),), is_single=True
        )
        for file in files
    ]


@pytest.mark.parametrize("name", ["image/1.jpg", "image/1", "1.jpg", "1"])
def test_a_picture_is_known_by_path_or_name(tmp_path, name):
    scenes, notes = table(tmp_path / "t.csv", f"\ufeffname,scene_id,more\n{name},bath,x\n").group(
        lone("image/1.jpg")
    )
    assert [(scene.name, len(scene.views)) for scene in scenes] == [("bath", 1)]
    assert not notes
    assert not scenes[0].is_single


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 'name'"),
        ("name,scene\na,b", "column 'scene_id'"),
        ("name,scene_id\na,../b", "t.csv:2: scene_id"),
        ("name,scene_id\na,", "scene_id"),
        ("name,scene_id\n,b", "expected a picture"),
        ("name,scene_id\na,b\na,c", "t.csv:3: scene_id: expected 'b' as in line 2"),
        (b"name,scene_id\n\xff,b", "UTF-8"),
        ('name,scene_id\n"a,b', "CSV"),
    ],
)
def test_a_faulty_table_is_refused_by_line(tmp_path, text, message):
    with pytest.raises(CaptureError, match=message):
        table(tmp_path / "t.csv", text)


def test_a_name_of_two_pictures_is_refused(tmp_path):
    found = table(tmp_path / "t.csv", "name,scene_id\n1,bath\n")
    with pytest.raises(CaptureError, match="one picture"):
        found.group(lone("train/1.jpg", "test/1.jpg"))


def test_one_picture_under_two_names_is_in_one_scene(tmp_path):
    found = table(tmp_path / "t.csv", "name,scene_id\n1,bath\n1.jpg,hall\n")
    with pytest.raises(CaptureError, match="one scene"):
        found.group(lone("1.jpg"))


@given(
    st.dictionaries(
        st.sampled_from([f"{k}.jpg" for k in range(9)]), st.sampled_from(["a", "b", "c"])
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_picture_is_lost_or_doubled(tmp_path, placed):
    text = io.StringIO()
    csv.writer(text).writerows([("name", "scene_id"), *placed.items()])
    files = [f"{k}.jpg" for k in range(9)]
    scenes, _ = table(tmp_path / "t.csv", text.getvalue()).group(lone(*files))
    assert sorted(view.color for scene in scenes for view in scene.views) == files
    for scene in scenes:
        for view in scene.views:
            assert scene.name == placed.get(view.color, view.color)


@given(st.binary(max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_table_or_one_of_our_errors(tmp_path, more):
    try:
        found = table(tmp_path / "t.csv", b"name,scene_id\n" + more)
        scenes, _ = found.group(lone("1.jpg", "2.jpg"))
    except MiraError:
        return
    assert sorted(view.color for scene in scenes for view in scene.views) == ["1.jpg", "2.jpg"]
