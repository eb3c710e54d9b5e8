"""A small drawing that tests of several packages share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    ShapeExtra,
    Surface,
)
from mira.schema.record import FileRef


def _box(x: float, y: float, side: float = 10) -> Ring:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def _annotation(*, image_id: str = "a", annotator: str = "ann") -> ImageAnnotation:
    """A small drawing with all there is: a surface with a hole, parts, a chain, what is ignored."""
    return ImageAnnotation(
        image_id=image_id,
        annotator=annotator,
        revision=1,
        status="done",
        width_px=100,
        height_px=80,
        surfaces=(
            Surface(
                surface_id=100,
                surface_type="planar_mirror",
                polygons_px=(_box(0, 0, 40),),
                holes_px=(_box(30, 30, 5),),
            ),
            Surface(surface_id=101, polygons_px=(_box(45, 0, 20),)),
        ),
        instances=(
            Instance(
                instance_id=1,
                visibility="direct",
                polygons_px=(_box(70, 40), ((85.25, 40.0), (95.5, 40.125), (90.0, 50.0))),
                description="white cup, «größer»",
                category="cup",
            ),
            Instance(
                instance_id=2,
                visibility="reflected",
                seen_in=(100,),
                polygons_px=(_box(5, 5),),
                description="white cup, «größer»",
                category="cup",
            ),
            Instance(
                instance_id=3,
                visibility="reflected",
                seen_in=(101, 100),
                polygons_px=(_box(50, 5),),
                category="cup",
            ),
            Instance(instance_id=4, visibility="reflected", polygons_px=(_box(20, 20),)),
            Instance(
                instance_id=5, visibility="reflected", seen_in=(100,), polygons_px=(_box(5, 25),)
            ),
        ),
        links=(
            Correspondence(reflected_id=2, real_id=1, reflection_of_id=1, counterpart="in_frame"),
            Correspondence(reflected_id=3, real_id=1, reflection_of_id=2, counterpart="in_frame"),
            Correspondence(reflected_id=4),
            Correspondence(reflected_id=5, counterpart="out_of_frame"),
        ),
        ignored_px=(_box(0, 60), _box(20, 60)),
        source=AnnotationSource(
            format="x-anylabeling",
            format_version="4.0.2",
            file=FileRef(path="a.json", sha256="0", size_bytes=1),
            extra={"flags": {}, "description": "window seat", "tags": ["day"], "reviewer": 7},
            shape_extras=(
                ShapeExtra(shape_index=0, owner_id=2, keys={"score": 0.5, "colour": "white"}),
                ShapeExtra(shape_index=3, owner_id=100, keys={"label": "mirror"}),
            ),
        ),
    )


@pytest.fixture
def make_annotation() -> Callable[..., ImageAnnotation]:
    """Makes the annotation of a small drawing with all there is."""
    return _annotation
