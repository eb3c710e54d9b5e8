from __future__ import annotations

import pytest

from annotate.checking import check_file
from annotate.importing import import_annotations
from mira.store.workspace import Workspace


@pytest.fixture
def image():
    """Builds the entry of a picture of 100 x 100 pixels."""

    def build(number=1, name="a.png", **more):
        return {"id": number, "file_name": name, "width": 100, "height": 100, **more}

    return build


@pytest.fixture
def drawn():
    """Builds an annotation: a box as a polygon unless another outline is given."""

    def build(category=1, box=(10, 10, 60, 60), number=1, image=1, **more):
        x1, y1, x2, y2 = box
        outline = [[x1, y1, x2, y1, x2, y2, x1, y2]]
        head = {"id": number, "image_id": image, "category_id": category}
        return {**head, "segmentation": outline, "bbox": [x1, y1, x2 - x1, y2 - y1], **more}

    return build


@pytest.fixture
def coco(image):
    """Builds a COCO file; categories count from 1 on."""
    names = ["object", "object_reflection", "surface", "cup", "cup_reflection", "hole", "ignore"]

    def build(*annotations, images=None, **more):
        listed = [{"id": place, "name": name} for place, name in enumerate(names, start=1)]
        images = [image()] if images is None else images
        head = {"info": {"year": 2026}, "images": images, "annotations": list(annotations)}
        return {**head, "categories": listed, **more}

    return build


@pytest.fixture
def check(tmp_path, coco, write_json, write_picture):
    """Checks a COCO file beside its picture."""

    def run(*annotations, **more):
        write_picture(tmp_path / "a.png")
        return check_file(write_json(tmp_path / "coco.json", coco(*annotations, **more)))

    return run


@pytest.fixture
def workspace(tmp_path):
    return Workspace.create(tmp_path / "ws")


@pytest.fixture
def take(tmp_path, workspace, coco, write_json, write_picture):
    """Imports a COCO file beside its picture."""

    def run(*annotations, strict=False, **more):
        write_picture(tmp_path / "a.png")
        path = write_json(tmp_path / "coco.json", coco(*annotations, **more))
        return import_annotations(path, workspace, scenes=None, annotator="ann", strict=strict)

    return run
