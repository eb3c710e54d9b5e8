"""One view and one annotation to put into workspaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from mira.schema.annotation import AnnotationSource, ImageAnnotation, Instance, Surface
from mira.schema.capture import Scene, View
from mira.schema.record import FileRef, Provenance
from mira.store.atomic import file_ref
from mira.store.workspace import Workspace

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.create(tmp_path / "work")


@pytest.fixture
def scene() -> Scene:
    return Scene(scene_id="hall", environment="indoor", source="test")


@pytest.fixture
def pictures(tmp_path: Path) -> dict[str, Path]:
    """The files of the view, by the names they get; stores never look inside."""
    (tmp_path / "from.png").write_bytes(b"colour")
    return {"color.png": tmp_path / "from.png"}


@pytest.fixture
def view(pictures: dict[str, Path], tmp_path: Path) -> View:
    source = file_ref(pictures["color.png"], relative_to=tmp_path)
    return View(
        scene_id="hall",
        image_id="hall-1",
        width_px=8,
        height_px=6,
        color=source.model_copy(update={"path": "color.png"}),
        provenance=Provenance(tool="test", tool_version="0"),
    )


@pytest.fixture
def annotation() -> ImageAnnotation:
    return ImageAnnotation(
        image_id="hall-1",
        annotator="anna",
        revision=1,
        width_px=8,
        height_px=6,
        surfaces=(Surface(surface_id=1, polygons_px=(SQUARE,)),),
        instances=(Instance(instance_id=2, visibility="direct", polygons_px=(SQUARE,)),),
        source=AnnotationSource(
            format="labelme", file=FileRef(path="a.json", sha256="0" * 64, size_bytes=1)
        ),
    )
