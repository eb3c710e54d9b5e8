from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

from annotate.importing import import_annotations
from annotate.writing import exporting
from annotate.writing.exporting import export_annotations
from mira.errors import MiraError, WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.store.workspace import Workspace

Json = dict[str, Any]


def _import(source: Path, workspace: Workspace, annotator: str = "ann") -> Any:
    return import_annotations(source, workspace, scenes=None, annotator=annotator)


@pytest.fixture
def workspace(
    tmp_path: Path, shape: Any, document: Any, write_picture: Any, write_json: Any
) -> Workspace:
    """Two pictures, of which `ann` drew on both and `bob` on one."""
    made = Workspace.create(tmp_path / "workspace")
    for annotator, names in (("ann", ("p", "q")), ("bob", ("p",))):
        folder = tmp_path / annotator
        for name in names:
            write_picture(folder / f"{name}.png", value=ord(name))
            shapes = [
                shape("surface", (0, 0, 50, 99), 9, attributes={"surface_type": "glass"}),
                shape(box=(60, 60, 80, 80)),
                shape(
                    "object_reflection",
                    (10, 10, 30, 30),
                    2,
                    attributes={"reflection_of": "1", "in_mirror": "9"},
                ),
            ]
            write_json(folder / f"{name}.json", document(*shapes, imagePath=f"{name}.png"))
        _import(folder, made, annotator)
    return made


def _files(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _drawn(annotation: ImageAnnotation | None) -> Json:
    assert annotation is not None
    return annotation.model_dump(exclude={"source", "revision"})


def test_an_export_imported_elsewhere_is_the_same(workspace: Workspace, tmp_path: Path) -> None:
    export_annotations(workspace, tmp_path / "out", form="xanylabeling")
    other = Workspace.create(tmp_path / "other")
    reports = [_import(tmp_path / "out" / name, other, name) for name in ("ann", "bob")]

    assert [report.imported for report in reports] == [2, 1]
    for name, image in (("ann", "p"), ("ann", "q"), ("bob", "p")):
        assert _drawn(other.annotation(image, name)) == _drawn(workspace.annotation(image, name))


def test_an_export_imported_again_is_known_but_for_its_file(
    workspace: Workspace, tmp_path: Path
) -> None:
    export_annotations(workspace, tmp_path / "out", form="xanylabeling")
    _import(tmp_path / "out" / "ann", workspace)
    before = workspace.annotation("p", "ann")

    export_annotations(workspace, tmp_path / "second", form="xanylabeling")
    report = _import(tmp_path / "second" / "ann", workspace)

    assert report.unchanged == 2
    assert workspace.annotation("p", "ann") == before


@pytest.mark.parametrize("form", ["xanylabeling", "coco"])
@pytest.mark.parametrize("pictures", ["copy", "link", "none"])
def test_one_workspace_gives_the_same_bytes(
    workspace: Workspace, tmp_path: Path, form: Any, pictures: Any
) -> None:
    for name in ("first", "second"):
        export_annotations(workspace, tmp_path / name, form=form, pictures=pictures)

    assert _files(tmp_path / "first") == _files(tmp_path / "second")


@pytest.mark.parametrize("form", ["xanylabeling", "coco"])
def test_the_sums_name_every_file(workspace: Workspace, tmp_path: Path, form: Any) -> None:
    export_annotations(workspace, tmp_path / "out", form=form)

    files = _files(tmp_path / "out")
    lines = files.pop("export.sha256").decode().splitlines()

    assert lines == [f"{hashlib.sha256(data).hexdigest()}  {name}" for name, data in files.items()]


def test_files_lie_by_annotator_with_their_pictures(workspace: Workspace, tmp_path: Path) -> None:
    summary = export_annotations(workspace, tmp_path / "out", form="xanylabeling")

    assert set(_files(tmp_path / "out")) == {
        "ann/p.json",
        "ann/p.png",
        "ann/q.json",
        "ann/q.png",
        "bob/p.json",
        "bob/p.png",
        "export.sha256",
    }
    assert (summary.pictures, summary.annotations, summary.annotated_twice) == (2, 3, 1)
    assert (summary.by_annotator, summary.links) == ({"ann": 2, "bob": 1}, 3)


def test_one_annotator_may_be_taken(workspace: Workspace, tmp_path: Path) -> None:
    summary = export_annotations(workspace, tmp_path / "out", form="coco", annotator="bob")

    document = orjson.loads((tmp_path / "out" / "annotations.json").read_bytes())
    assert [image["name"] for image in document["images"]] == ["p"]
    assert {entry["annotator"] for entry in document["annotations"]} == {"bob"}
    assert summary.annotations == 1


def test_coco_names_its_pictures_where_they_lie(workspace: Workspace, tmp_path: Path) -> None:
    for pictures, name in (("copy", "images/p.png"), ("none", "p.png")):
        export_annotations(workspace, tmp_path / "out", form="coco", pictures=pictures)  # type: ignore[arg-type]
        document = orjson.loads((tmp_path / "out" / "annotations.json").read_bytes())
        assert document["images"][0]["file_name"] == name
        assert (tmp_path / "out" / name).exists() == (pictures == "copy")


def test_linked_pictures_share_their_bytes(workspace: Workspace, tmp_path: Path) -> None:
    export_annotations(workspace, tmp_path / "out", form="xanylabeling", pictures="link")

    view = next(view for view in workspace.views() if view.image_id == "p")
    assert (tmp_path / "out/ann/p.png").samefile(workspace.view_folder(view) / view.color.path)


def test_pictures_are_copied_where_no_link_can_be(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(exporting.os, "link", refuse)
    export_annotations(workspace, tmp_path / "out", form="coco", pictures="link")

    assert (tmp_path / "out/images/p.png").stat().st_nlink == 1


def test_an_untouched_export_is_replaced(workspace: Workspace, tmp_path: Path) -> None:
    export_annotations(workspace, tmp_path / "out", form="xanylabeling")
    export_annotations(workspace, tmp_path / "out", form="coco")

    assert not (tmp_path / "out" / "ann").exists()


@pytest.mark.parametrize("touch", ["change", "add", "foreign"])
def test_what_people_did_in_a_folder_is_never_lost(
    workspace: Workspace, tmp_path: Path, touch: str
) -> None:
    out = tmp_path / "out"
    export_annotations(workspace, out, form="xanylabeling")
    if touch == "change":
        (out / "ann" / "p.json").write_text("{}")
    elif touch == "add":
        (out / "ann" / "new.json").write_text("{}")
    else:
        (out / "export.sha256").unlink()
    before = _files(out)

    with pytest.raises(MiraError):
        export_annotations(workspace, out, form="xanylabeling")

    assert _files(out) == before


def test_a_file_that_was_removed_does_not_bar_a_new_export(
    workspace: Workspace, tmp_path: Path
) -> None:
    export_annotations(workspace, tmp_path / "out", form="xanylabeling")
    shutil.rmtree(tmp_path / "out" / "bob")

    export_annotations(workspace, tmp_path / "out", form="xanylabeling")

    assert (tmp_path / "out" / "bob" / "p.json").exists()


def test_a_fault_on_the_way_leaves_what_was_there(workspace: Workspace, tmp_path: Path) -> None:
    export_annotations(workspace, tmp_path / "out", form="xanylabeling")
    before = _files(tmp_path / "out")
    view = next(view for view in workspace.views() if view.image_id == "q")
    (workspace.view_folder(view) / view.color.path).unlink()

    for form in ("xanylabeling", "coco"):
        with pytest.raises(WorkspaceError, match="cannot be read"):
            export_annotations(workspace, tmp_path / "out", form=form)  # type: ignore[arg-type]

    assert _files(tmp_path / "out") == before
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(".")) == []


def test_nothing_to_export_is_said(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="no annotation by 'eve'"):
        export_annotations(workspace, tmp_path / "out", form="coco", annotator="eve")
    with pytest.raises(WorkspaceError, match="no annotation"):
        export_annotations(Workspace.create(tmp_path / "new"), tmp_path / "out", form="coco")
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_way_is_said(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")

    with pytest.raises(MiraError, match="expected a folder, found a file"):
        export_annotations(workspace, tmp_path / "out", form="coco")


def test_progress_is_told_of_every_picture(workspace: Workspace, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    export_annotations(
        workspace, tmp_path / "out", form="coco", progress=lambda *done: told.append(done)
    )

    assert told == [(1, 2), (2, 2)]


def test_coco_imported_elsewhere_says_the_same(workspace: Workspace, tmp_path: Path) -> None:
    export_annotations(workspace, tmp_path / "out", form="coco", annotator="ann")
    other = Workspace.create(tmp_path / "other")
    report = _import(tmp_path / "out", other)

    assert report.imported == 2
    for image in ("p", "q"):
        before, after = (
            _drawn(workspace.annotation(image, "ann")),
            _drawn(other.annotation(image, "ann")),
        )
        assert after == before | {"status": after["status"]}
