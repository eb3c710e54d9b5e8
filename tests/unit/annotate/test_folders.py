"""Which files of a folder are read, and what is said where they cannot stand together."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from annotate.checking import check_paths
from annotate.importing import import_annotations
from mira.errors import AnnotationFormatError
from mira.store.workspace import Workspace


@pytest.fixture
def put(document, shape, write_json, write_picture):
    """Puts an annotation, and its picture unless none is wanted, into a folder."""

    def write(folder, name="a", *, value: int | None = 90):
        if value is not None:
            write_picture(folder / f"{name}.png", value=value)
        drawn = [shape(), shape("surface", (70, 70, 90, 90), 9)]
        return write_json(folder / f"{name}.json", document(*drawn, imagePath=f"{name}.png"))

    return write


@pytest.fixture
def take(tmp_path):
    def run(source: Path, **more):
        workspace = Workspace.create(tmp_path / "ws")
        return import_annotations(source, workspace, scenes=None, annotator="ann", **more)

    return run


@pytest.fixture
def crowded(tmp_path, put, write_json):
    """A folder with one annotation, and with folders that are not to be looked into."""
    root = tmp_path / "root"
    put(root)
    Workspace.create(root / "work" / "ws")
    put(root / "work" / "ws" / "inner", "b")
    write_json(root / "release" / "meta" / "info.json", {})
    put(root / "release", "c")
    put(root / ".trash", "d")
    put(tmp_path / "elsewhere", "e")
    (root / "link").symlink_to(tmp_path / "elsewhere")
    return root


SKIPPED = (
    "not looked into: .trash (hidden), link (a link), release (a release), work/ws (a workspace)"
)


def test_workspaces_releases_links_and_hidden_folders_are_passed_over(crowded, take):
    report = take(crowded)
    assert (report.files, report.imported) == (1, 1)
    (note,) = [item for item in report.findings if item.code == "folder-skipped"]
    assert (note.severity, note.path, note.message) == ("info", str(crowded), SKIPPED)


def test_a_check_passes_them_over_too_and_says_so_once(crowded, put):
    put(crowded, "z")
    checks = list(check_paths([crowded]))
    assert [Path(check.path).name for check in checks] == ["a.json", "z.json"]
    notes = [item for check in checks for item in check.findings if item.code == "folder-skipped"]
    assert [note.message for note in notes] == [SKIPPED]


def test_a_folder_with_nothing_but_such_folders_says_which(crowded):
    (crowded / "a.json").unlink()
    with pytest.raises(AnnotationFormatError, match=r"found none \(not looked into: \.trash"):
        check_paths([crowded])


def test_a_workspace_or_release_is_no_source(crowded):
    with pytest.raises(AnnotationFormatError, match="found a workspace"):
        check_paths([crowded / "work" / "ws"])
    with pytest.raises(AnnotationFormatError, match="found a release"):
        check_paths([crowded / "release"])


def test_pictures_may_lie_behind_links(tmp_path, put):
    path = put(tmp_path / "drawn", value=None)
    put(tmp_path / "disk")
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "one").symlink_to(tmp_path / "disk")
    (tmp_path / "scenes" / "loop").symlink_to(tmp_path / "scenes")
    (check,) = check_paths([path], scenes=tmp_path / "scenes")
    assert check.status == "ok"


def test_a_missing_picture_is_looked_for_elsewhere_with_a_flag(tmp_path, put, take):
    put(tmp_path / "drawn", value=None)
    (check,) = check_paths([tmp_path / "drawn"])
    assert check.findings[0].message.endswith("found none (look elsewhere with --scenes DIR)")
    report = take(tmp_path / "drawn")
    assert report.findings[0].message.endswith("(look elsewhere with --scenes DIR)")
    (tmp_path / "empty").mkdir()
    (check,) = check_paths([tmp_path / "drawn"], scenes=tmp_path / "empty")
    assert check.findings[0].message.endswith("found none")


HINT = "(two annotators? import each folder with its own --annotator)"


def collision(report) -> tuple[str, str]:
    (found,) = {(item.code, item.message) for item in report.findings if "imagePath" in item.where}
    return found


def test_two_annotators_beside_absent_pictures_are_named_by_their_files(tmp_path, put):
    files = [put(tmp_path / "in" / name, value=None).as_posix() for name in ("ann", "bob")]
    checks = list(check_paths([tmp_path / "in"]))
    for check in checks:
        (message,) = [item.message for item in check.findings if item.code == "stem-collision"]
        assert message == (
            f"expected pictures whose names give different ids, found {files[0]}, {files[1]} {HINT}"
        )


def test_two_annotators_with_copies_of_one_picture_are_told_what_to_do(tmp_path, put, take):
    for name in ("ann", "bob"):
        put(tmp_path / "in" / name)
    code, message = collision(take(tmp_path / "in"))
    assert code == "stem-collision"
    assert message.endswith(HINT)
    assert (tmp_path / "in" / "ann" / "a.png").as_posix() in message


def test_two_annotators_of_one_folder_of_pictures_are_told_the_same(tmp_path, put, write_picture):
    write_picture(tmp_path / "pictures" / "a.png")
    for name in ("ann", "bob"):
        put(tmp_path / "in" / name, value=None)
    report = import_annotations(
        tmp_path / "in",
        Workspace.create(tmp_path / "ws"),
        scenes=tmp_path / "pictures",
        annotator="x",
    )
    code, message = collision(report)
    assert code == "picture-annotated-twice"
    assert message.endswith(HINT)


def test_different_pictures_of_one_name_need_another(tmp_path, put, take):
    for number, name in enumerate(("cam1", "cam2")):
        put(tmp_path / "in" / name, value=number)
    code, message = collision(take(tmp_path / "in"))
    assert code == "stem-collision"
    assert message.endswith("(give one a new name)")


def test_a_copy_of_a_file_is_no_second_annotator(tmp_path, put, take):
    shutil.copy(put(tmp_path / "in"), tmp_path / "in" / "a copy.json")
    code, message = collision(take(tmp_path / "in"))
    assert code == "picture-annotated-twice"
    assert HINT not in message


def test_a_folder_of_markup_alone_is_refused_with_what_is_read(tmp_path):
    (tmp_path / "voc.xml").write_text("<annotation/>")
    with pytest.raises(AnnotationFormatError) as caught:
        list(check_paths([tmp_path]))
    assert "X-AnyLabeling, labelme or COCO" in str(caught.value)
    assert "voc.xml" in str(caught.value)
