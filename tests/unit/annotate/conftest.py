from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import pytest

from annotate.findings import FindingLog
from annotate.policy import AnnotationPolicy, LinksMode
from annotate.reading.annotation import Subject, read_annotation
from annotate.reading.document import parse_document
from mira.schema.annotation import ImageAnnotation
from mira.schema.record import FileRef

Json = dict[str, Any]
SHARED = Path(__file__).parents[3].parent / "shared" / "data"


def _shape(
    label: str = "object", box: tuple[float, ...] = (10, 10, 60, 60), gid: Any = 1, **more: Any
) -> Json:
    x1, y1, x2, y2 = box
    drawn = {
        "label": label,
        "score": None,
        "points": [[x1, y1], [x2, y1], [x2, y2], [x1, y2]],
        "group_id": gid,
        "description": "",
        "difficult": False,
        "shape_type": "polygon",
        "flags": {},
        "attributes": {},
        "kie_linking": [],
    }
    return {**drawn, **more}


def _document(*shapes: Json, **more: Any) -> Json:
    top = {
        "version": "4.0.2",
        "flags": {},
        "checked": False,
        "shapes": list(shapes),
        "imagePath": "a.png",
        "imageData": None,
        "imageHeight": 100,
        "imageWidth": 100,
        "description": "",
    }
    return {**top, **more}


def _read(
    *shapes: Json, links: LinksMode = "attributes", **more: Any
) -> tuple[ImageAnnotation, FindingLog]:
    log = FindingLog("a.json")
    parsed = parse_document(orjson.dumps(_document(*shapes, **more)), log)
    subject = Subject(
        image_id="a",
        annotator="ann",
        size_px=(100, 100),
        file=FileRef(path="a.json", sha256="0", size_bytes=1),
    )
    policy = AnnotationPolicy()
    return read_annotation(parsed, subject, log=log, policy=policy, links=links), log


def _codes(findings: Any, *severities: str) -> set[tuple[str, str]]:
    wanted = severities or ("warning", "error")
    return {(item.code, item.where) for item in findings if item.severity in wanted}


@pytest.fixture(name="shape")
def shape_builder() -> Callable[..., Json]:
    """Builds one shape as X-AnyLabeling writes it: a box unless other points are given."""
    return _shape


@pytest.fixture(name="document")
def document_builder() -> Callable[..., Json]:
    """Builds an annotation of a picture of 100 x 100 pixels."""
    return _document


@pytest.fixture(name="read")
def reader() -> Callable[..., tuple[ImageAnnotation, FindingLog]]:
    """Reads shapes as the annotation of a picture of 100 x 100 pixels."""
    return _read


@pytest.fixture(name="codes")
def code_picker() -> Callable[..., set[tuple[str, str]]]:
    """Picks code and field of findings: warnings and errors unless severities are given."""
    return _codes


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the shared files are not on this machine")
    return SHARED


@pytest.fixture
def write_picture() -> Callable[..., Path]:
    def write(
        path: Path, *, width: int = 100, height: int = 100, depth: bool = False, value: int = 90
    ) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        shape_px = (height, width) if depth else (height, width, 3)
        pixels = np.full(shape_px, value, dtype=np.uint16 if depth else np.uint8)
        assert cv2.imwrite(str(path), pixels)
        return path

    return write


@pytest.fixture
def write_json() -> Callable[[Path, Any], Path]:
    def write(path: Path, data: Any) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(orjson.dumps(data))
        return path

    return write
