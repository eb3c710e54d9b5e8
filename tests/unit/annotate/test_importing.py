from __future__ import annotations

import shutil
import sys

import pytest

from annotate.importing import import_annotations
from mira.errors import AnnotationFormatError, MiraError, SceneSourceError
from mira.store.workspace import Workspace

CAMERA = {"width": 100, "height": 100, "fx": 90, "fy": 90, "cx": 50, "cy": 50, "depth_scale": 0.001}


@pytest.fixture
def workspace(tmp_path):
    return Workspace.create(tmp_path / "ws")


@pytest.fixture
def source(tmp_path, document, shape, write_json, write_picture):
    """A folder with two annotated pictures, of which `a` has depth and a camera."""
    folder = tmp_path / "in"
    write_picture(folder / "a.png", value=1)
    write_picture(folder / "a_depth.png", depth=True)
    write_json(folder / "a_intrinsics.json", CAMERA)
    write_picture(folder / "b.jpg", value=200)
    linked = {"reflection_of": 1, "in_mirror": 9}
    drawn = [
        shape("surface", (50, 0, 100, 100), 9),
        shape("object", (1, 1, 20, 20), 1),
        shape("object_reflection", (60, 60, 80, 80), 2, attributes=linked),
        shape("object_reflection", (82, 82, 90, 90), 3),
    ]
    write_json(folder / "a.json", document(*drawn))
    write_json(folder / "b.json", document(shape(), imagePath="b.jpg"))
    return folder


@pytest.fixture
def take(workspace, source):
    def run(folder=None, **more):
        given = {"scenes": None, "annotator": "ann", **more}
        return import_annotations(folder or source, workspace, **given)

    return run


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.stat().st_mtime_ns
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_pictures_and_annotations_go_into_the_workspace(take, workspace, source):
    report = take()
    assert (report.files, report.imported, report.unchanged, report.refused) == (2, 2, 0, 0)
    assert (report.surfaces, report.instances, report.links) == (1, 4, 1)
    assert report.by_counterpart == {"in_frame": 1, "unset": 1}
    assert (report.categories, report.view_changes) == ({}, {})
    assert (report.views_updated, report.scenes_updated) == (0, 0)
    views = {view.image_id: view for view in workspace.views()}
    assert set(views) == {"a", "b"}
    folder = workspace.view_folder(views["a"])
    assert (folder / "color.png").read_bytes() == (source / "a.png").read_bytes()
    assert (folder / "depth.png").read_bytes() == (source / "a_depth.png").read_bytes()
    assert views["b"].color.path == "color.jpg"
    assert [scene.scene_id for scene in workspace.scenes()] == ["a", "b"]
    held = workspace.annotation("a", "ann")
    assert (held.revision, held.source.file.path) == (1, "a.json")


def test_a_second_import_changes_no_file(take, workspace):
    take()
    before = tree(workspace.root)
    report = take()
    assert (report.imported, report.unchanged, report.instances) == (0, 2, 4)
    assert tree(workspace.root) == before


def test_a_changed_annotation_is_a_new_revision(
    take, workspace, source, document, shape, write_json
):
    take()
    write_json(source / "b.json", document(shape(box=(5, 5, 50, 50)), imagePath="b.jpg"))
    report = take()
    assert (report.imported, report.unchanged) == (1, 1)
    assert workspace.annotation("b", "ann").revision == 2


def test_bad_files_are_left_out_and_the_rest_goes_in(take, workspace, source, codes):
    (source / "c.json").write_bytes(b'{"shapes": [')
    (source / "d.json").write_bytes(b'{"images": [], "annotations": []}')
    (source / "e.json").write_bytes(b'{"shapes": [], "imagePath": "gone.png"}')
    report = take()
    assert (report.files, report.imported, report.refused) == (5, 2, 3)
    found = {code for code, _ in codes(report.findings, "error")}
    assert found == {"json-truncated", "coco-invalid", "picture-missing"}


def test_strict_leaves_out_files_with_any_error(take, source, document, shape, write_json):
    drawn = document(shape(), shape(gid=0, box=(1, 1, 9, 9)), imagePath="b.jpg")
    write_json(source / "b.json", drawn)
    assert take(strict=True).refused == 1
    assert take().refused == 0


def test_strict_counts_faults_of_depth_too(take, source, write_picture):
    write_picture(source / "a_depth.png", depth=True, width=7)
    assert take(strict=True).refused == 1
    assert take().refused == 0


def test_a_picture_that_differs_from_the_workspace_s_is_refused(
    take, workspace, source, write_picture, codes
):
    take()
    held = (workspace.root / "scenes/a/a/color.png").read_bytes()
    write_picture(source / "a.png", value=77)
    report = take(annotator="other")
    assert report.refused == 1
    assert ("picture-differs", "imagePath") in codes(report.findings, "error")
    assert (workspace.root / "scenes/a/a/color.png").read_bytes() == held
    assert workspace.annotators("a") == ("ann",)


def test_a_name_that_differs_from_the_workspace_s_in_case_alone_is_refused(
    take, source, codes, write_picture, write_json, document, shape, tmp_path
):
    take()
    write_picture(tmp_path / "more" / "A.png", value=1)
    write_json(tmp_path / "more" / "A.json", document(shape(), imagePath="A.png"))
    report = take(tmp_path / "more")
    assert codes(report.findings, "error") == {("stem-collision", "imagePath")}


def test_pictures_of_one_stem_are_both_refused(
    take, source, codes, write_picture, write_json, document, shape
):
    for part in ("cam1", "cam2"):
        write_picture(source / part / "0001.png", value=len(part))
        write_json(source / part / "0001.json", document(shape(), imagePath="0001.png"))
    report = take()
    assert (report.imported, report.refused) == (2, 2)
    paths = {item.path for item in report.findings if item.code == "stem-collision"}
    assert len(paths) == 2


def test_two_files_of_one_picture_are_both_refused(take, source, codes):
    shutil.copy(source / "a.json", source / "a copy.json")
    report = take()
    assert (report.imported, report.refused) == (1, 2)
    assert codes(report.findings, "error") == {("picture-annotated-twice", "imagePath")}


def test_a_second_annotator_without_depth_takes_none_away(take, workspace, source, tmp_path):
    take()
    before = tree(workspace.root / "scenes")
    plain = tmp_path / "plain"
    plain.mkdir()
    for name in ("a.png", "a.json"):
        shutil.copy(source / name, plain / name)
    report = take(plain, annotator="second")
    assert report.imported == 1
    assert tree(workspace.root / "scenes") == before
    assert workspace.annotators("a") == ("ann", "second")


def test_another_depth_map_is_refused(take, source, write_picture, codes):
    take()
    write_picture(source / "a_depth.png", depth=True, value=5)
    assert ("depth-differs", "imagePath") in codes(take().findings, "error")


def test_one_camera_may_serve_all_pictures(take, workspace, tmp_path, write_json):
    camera = write_json(tmp_path / "camera.json", {**CAMERA, "fx": 55})
    take(intrinsics=camera)
    assert {view.intrinsics.fx_px for view in workspace.views()} == {55}


def test_pictures_may_lie_apart_from_annotations(take, workspace, source, tmp_path):
    drawn = tmp_path / "drawn" / "deep"
    drawn.mkdir(parents=True)
    for name in ("a.json", "b.json"):
        (source / name).rename(drawn / name)
    report = take(tmp_path / "drawn", scenes=source)
    assert report.imported == 2
    assert workspace.annotation("a", "ann").source.file.path == "deep/a.json"


def test_scenes_come_before_copies_of_pictures_beside_the_annotations(
    take, workspace, source, tmp_path
):
    drawn = tmp_path / "drawn"
    drawn.mkdir()
    for name in ("a.json", "a.png"):
        shutil.copy(source / name, drawn / name)
    take(drawn, scenes=source)
    assert next(workspace.views()).depth_aligned is not None


def test_what_was_not_read_is_named(take, source):
    (source / "classes.txt").write_text("object\n")
    for name in ("scene.json", "z_intrinsics.json"):
        (source / name).write_text("{}")
    report = take()
    (note,) = [item for item in report.findings if item.code == "file-skipped"]
    assert (note.severity, note.path) == ("info", str(source))
    assert note.message == "not read: classes.txt, z_intrinsics.json"


def test_categories_are_counted_as_labels(take, source, document, shape, write_json):
    drawn = [
        shape("cup", (1, 1, 9, 9), 1),
        shape("cup", (11, 1, 19, 9), 2),
        shape("Cup reflection", (21, 1, 29, 9), 3),
        shape("object_relfection", (31, 1, 39, 9), 4),
        shape("object", (41, 1, 49, 9), 5),
    ]
    write_json(source / "b.json", document(*drawn, imagePath="b.jpg"))
    expected = {"cup": 2, "cup_reflection": 1, "object_relfection": 1}
    assert take().categories == expected
    assert take().categories == expected


def test_progress_is_told_of_every_file(take):
    seen = []
    take(progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_one_file_may_be_imported_alone(take, source):
    report = take(source / "b.json")
    assert (report.files, report.imported) == (1, 1)


def test_a_second_writer_is_turned_away(take, workspace):
    with workspace.lock(), pytest.raises(MiraError, match="another process"):
        take()


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"annotator": "a/b"}, MiraError),
        ({"annotator": ""}, MiraError),
        ({"intrinsics": "gone.json"}, SceneSourceError),
        ({"scenes": "gone"}, SceneSourceError),
        ({"folder": "gone"}, AnnotationFormatError),
    ],
)
def test_wrong_use_is_one_error(take, tmp_path, changes, error):
    paths = {key: tmp_path / value for key, value in changes.items() if key != "annotator"}
    with pytest.raises(error):
        take(**{**changes, **paths})


def test_names_become_ids_that_are_safe_as_folders(
    take, workspace, source, write_picture, write_json, document, shape
):
    name = "镜子 (1)" + "长" * 60
    write_picture(source / f"{name}.png", value=3)
    write_json(source / "x.json", document(shape(), imagePath=f"{name}.png"))
    take()
    (image_id,) = {view.image_id for view in workspace.views()} - {"a", "b"}
    assert image_id.startswith("镜子-1-长")
    assert len(image_id.encode()) <= 150


def test_a_file_name_that_is_no_unicode_is_read_and_written(
    take, workspace, source, write_picture, write_json, document, shape
):
    odd = source / "caf\udce9.png"
    try:
        write_picture(source / "plain.png", value=9).rename(odd)
    except (OSError, UnicodeError):
        pytest.skip("this file system takes Unicode names alone")
    write_json(source / "caf\udce9.json", document(shape(gid=None), imagePath=None))
    report = take()
    assert report.imported == 3
    report.model_dump_json()
    assert workspace.annotation("caf", "ann").source.file.path == "caf?.json"


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
@pytest.mark.parametrize("name", ["10:30.json", "a\\b.json"])
def test_a_file_may_have_a_name_that_other_systems_have_not(take, source, workspace, name):
    (source / "b.json").rename(source / name)
    assert take().imported == 2
    held = workspace.annotation("b", "ann").source.file.path
    assert held == name.replace(":", "_").replace("\\", "_")
