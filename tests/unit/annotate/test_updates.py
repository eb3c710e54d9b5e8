"""A second import beside pictures that the workspace knows."""

from __future__ import annotations

import pytest

from annotate.checking import check_paths
from annotate.importing import import_annotations
from mira.store.workspace import Workspace

CAMERA = {"width": 100, "height": 100, "fx": 90, "fy": 90, "cx": 50, "cy": 50, "depth_scale": 0.001}


@pytest.fixture
def workspace(tmp_path):
    return Workspace.create(tmp_path / "ws")


@pytest.fixture
def source(tmp_path, document, shape, write_json, write_picture):
    """Pictures `a` and `b`, of which `a` has depth and no camera."""
    folder = tmp_path / "bath"
    for value, name in enumerate("ab"):
        write_picture(folder / f"{name}.png", value=value)
        write_json(folder / f"{name}.json", document(shape(), imagePath=f"{name}.png"))
    write_picture(folder / "a_depth.png", depth=True)
    return folder


@pytest.fixture
def take(workspace, source):
    def run(folder=None, **more):
        given = {"scenes": None, "annotator": "ann", **more}
        return import_annotations(folder or source, workspace, **given)

    return run


def tree(folder):
    return {path: path.stat().st_mtime_ns for path in sorted(folder.rglob("*")) if path.is_file()}


def picked(report, *names):
    return [item for item in report.findings if item.code in names]


def test_a_camera_that_comes_later_is_added_and_counted(take, workspace, source, write_json):
    take()
    write_json(source / "a_intrinsics.json", CAMERA)
    report = take()
    assert (report.unchanged, report.views_updated) == (2, 1)
    assert report.view_changes == {"camera added": 1}
    (note,) = picked(report, "view-updated")
    assert (note.severity, note.message) == ("info", "'a': camera added")
    view = next(workspace.views())
    assert view.intrinsics.fx_px == 90
    assert (workspace.view_folder(view) / "depth.png").read_bytes() == (
        source / "a_depth.png"
    ).read_bytes()
    assert (take().views_updated, take().view_changes) == (0, {})


def test_depth_that_comes_later_is_added(take, workspace, source, write_picture, write_json):
    write_json(source / "b_intrinsics.json", CAMERA)
    take()
    depth = write_picture(source / "b_depth.png", depth=True)
    report = take()
    assert report.view_changes == {"depth added": 1}
    view = next(view for view in workspace.views() if view.image_id == "b")
    assert view.depth_unit_m == 0.001
    assert (workspace.view_folder(view) / "depth.png").read_bytes() == depth.read_bytes()


def test_another_camera_and_step_are_taken(take, source, write_json):
    write_json(source / "intrinsics.json", CAMERA)
    take()
    write_json(source / "intrinsics.json", {**CAMERA, "fx": 80, "depth_scale": 0.0005})
    report = take()
    assert report.views_updated == 2
    assert report.view_changes == {"camera changed": 2, "depth unit changed": 1}


def test_other_files_of_a_view_outlive_its_update(take, workspace, source, write_json):
    take()
    kept = workspace.view_folder(next(workspace.views())) / "calib.json"
    kept.write_bytes(b"{}")
    write_json(source / "a_intrinsics.json", CAMERA)
    take()
    assert kept.read_bytes() == b"{}"


def test_a_changed_scene_file_updates_its_scene(take, workspace, source, write_json):
    write_json(
        source / "scene.json", {"scene_id": "bath", "place": "bathroom", "consent": "granted"}
    )
    take()
    assert {view.scene_id for view in workspace.views()} == {"bath"}
    write_json(source / "scene.json", {"scene_id": "bath", "place": "hotel", "licence": "CC0-1.0"})
    report = take()
    assert (report.scenes_updated, report.views_updated, report.unchanged) == (1, 0, 2)
    found = {(item.severity, item.where, item.message) for item in picked(report, "scene-updated")}
    assert found == {
        ("info", "place", "'bath' had 'bathroom', has 'hotel'"),
        ("info", "licence", "'bath' had None, has 'CC0-1.0'"),
    }
    scene = workspace.scene("bath")
    assert (scene.place, scene.licence, scene.consent) == ("hotel", "CC0-1.0", "granted")
    before = tree(workspace.root)
    assert take().scenes_updated == 0
    assert tree(workspace.root) == before


def test_null_takes_away_what_a_scene_had(take, workspace, source, write_json):
    write_json(source / "scene.json", {"place": "bathroom"})
    take()
    write_json(source / "scene.json", {"place": None})
    assert take().scenes_updated == 1
    assert workspace.scene("bath").place is None


def test_a_field_at_fault_changes_nothing_of_a_known_scene(take, workspace, source, write_json):
    write_json(source / "scene.json", {"lighting": "night"})
    take()
    write_json(source / "scene.json", {"lighting": "nite"})
    report = take()
    assert report.scenes_updated == 0
    assert workspace.scene("bath").lighting == "night"


@pytest.mark.parametrize(("more", "severity"), [({}, "info"), ({"scene_id": "x"}, "warning")])
def test_a_scene_file_that_comes_later_updates_scenes_and_moves_no_picture(
    take, workspace, source, write_json, more, severity
):
    take()
    write_json(source / "scene.json", {"licence": "CC0-1.0", **more})
    report = take()
    assert {(item.code, item.severity) for item in picked(report, "scene-kept")} == {
        ("scene-kept", severity)
    }
    assert report.scenes_updated == 2
    assert {view.scene_id for view in workspace.views()} == {"a", "b"}
    assert {scene.licence for scene in workspace.scenes()} == {"CC0-1.0"}
    assert [scene.scene_id for scene in workspace.scenes()] == ["a", "b"]
    before = tree(workspace.root)
    take()
    assert tree(workspace.root) == before


def test_of_two_files_of_one_scene_the_first_counts_every_time(
    take, workspace, source, document, shape, write_json, write_picture
):
    write_json(source / "scene.json", {"scene_id": "bath", "place": "bathroom"})
    write_picture(source / "more" / "c.png", value=7)
    write_json(source / "more" / "c.json", document(shape(), imagePath="c.png"))
    second = {"scene_id": "bath", "place": "hotel", "lighting": "day"}
    write_json(source / "more" / "scene.json", second)
    for _ in range(2):
        report = take()
        (note,) = picked(report, "scene-conflict")
        assert (note.severity, note.where) == ("warning", "place")
        assert note.path == str(source / "more" / "scene.json")
        assert report.scenes_updated == 0
        scene = workspace.scene("bath")
        assert (scene.place, scene.lighting) == ("bathroom", "day")


def test_a_field_at_fault_is_an_error_and_its_pictures_go_in(take, workspace, source, write_json):
    write_json(source / "scene.json", {"environment": "space", "place": "bathroom"})
    report = take()
    assert (report.imported, report.refused) == (2, 0)
    (fault,) = picked(report, "scene-invalid")
    assert (fault.severity, fault.where) == ("error", "environment")
    scene = workspace.scene("bath")
    assert (scene.environment, scene.place) == (None, "bathroom")


def test_strict_refuses_every_picture_of_a_scene_at_fault(take, workspace, source, write_json):
    write_json(source / "scene.json", {"environment": "space"})
    assert take(strict=True).refused == 2
    assert list(workspace.views()) == []


def test_a_scene_that_nobody_can_tell_refuses_its_pictures(take, workspace, source, write_json):
    write_json(source / "scene.json", {"scene_id": "a/b"})
    report = take()
    assert report.refused == 2
    assert len(picked(report, "scene-invalid")) == 2
    assert list(workspace.views()) == []


def test_findings_on_a_file_of_many_pictures_are_reported_once(take, source, write_json):
    write_json(source / "scene.json", {"weather": "x"})
    write_json(source / "intrinsics.json", {})
    report = take()
    assert len(picked(report, "scene-key-unknown")) == 1
    assert len(picked(report, "camera-invalid")) == 1


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("scene.json", {"scene_id": "a/b"}, "scene-invalid"),
        ("scene.json", {"lighting": "dim"}, "scene-invalid"),
        ("scene.json", {"weather": "x"}, "scene-key-unknown"),
        ("intrinsics.json", {}, "camera-invalid"),
        ("intrinsics.json", {**CAMERA, "width": 640}, "camera-size"),
    ],
)
def test_a_check_finds_what_an_import_finds(take, source, write_json, codes, name, data, code):
    write_json(source / name, data)
    checks = list(check_paths([source]))
    report = take()
    found = {item for check in checks for item in check.findings}
    assert code in {item.code for item in found}
    assert found == {item for item in report.findings if item.code != "file-skipped"}
    unusable = [check.status == "unusable" for check in checks]
    assert unusable == [report.refused == 2] * 2


@pytest.mark.parametrize(
    ("more", "code"), [({"width": 7}, "depth-size"), ({"depth": False}, "depth-format")]
)
def test_a_check_looks_at_depth_and_strict_counts_it(source, write_picture, more, code):
    write_picture(source / "a_depth.png", **{"depth": True, **more})
    first, second = check_paths([source])
    assert code in {item.code for item in first.findings}
    assert code not in {item.code for item in second.findings}
    assert [check.status for check in check_paths([source], strict=True)] == [
        "unusable",
        "findings",
    ]


def test_a_check_takes_one_camera_for_all(source, tmp_path, write_json):
    camera = write_json(tmp_path / "camera.json", CAMERA)
    checks = check_paths([source], intrinsics=camera)
    assert {item.code for check in checks for item in check.findings} == {"surface-missing"}


def test_folders_checked_one_by_one_may_have_one_name(
    tmp_path, document, shape, write_json, write_picture
):
    parts = [tmp_path / name / "room" for name in ("one", "two")]
    for part in parts:
        write_picture(part / "a.png")
        write_json(part / "a.json", document(shape()))
        write_json(part / "scene.json", {})
    assert [check.status for check in check_paths(parts)] == ["findings"] * 2
