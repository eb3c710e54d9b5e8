from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from annotate.plausibility.checking import check_plausibility
from annotate.plausibility.doubts import Doubt
from annotate.plausibility.policy import PlausibilityPolicy
from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    ShapeExtra,
    Surface,
)
from mira.schema.record import FileRef

Box = tuple[float, float, float, float]


def _ring(box: Box) -> tuple[tuple[float, float], ...]:
    x1, y1, x2, y2 = box
    return ((x1, y1), (x2, y1), (x2, y2), (x1, y2))


def _surface(number: int, box: Box, kind: Any = "planar_mirror", *holes: Box) -> Surface:
    return Surface(
        surface_id=number,
        surface_type=kind,
        polygons_px=(_ring(box),),
        holes_px=tuple(map(_ring, holes)),
    )


def _direct(number: int, box: Box, category: str | None = None) -> Instance:
    return Instance(
        instance_id=number, visibility="direct", polygons_px=(_ring(box),), category=category
    )


def _reflected(number: int, box: Box, *seen_in: int, category: str | None = None) -> Instance:
    return Instance(
        instance_id=number,
        visibility="reflected",
        seen_in=seen_in,
        polygons_px=(_ring(box),),
        category=category,
    )


def _picture(
    *drawn: Surface | Instance,
    links: Mapping[int, int | None] | None = None,
    size_px: tuple[int, int] = (800, 600),
    lost: int = 0,
    shapes: Iterable[ShapeExtra] = (),
) -> ImageAnnotation:
    surfaces = tuple(one for one in drawn if isinstance(one, Surface))
    instances = {one.instance_id: one for one in drawn if isinstance(one, Instance)}
    targets = {one: None for one in instances if instances[one].visibility == "reflected"}
    return ImageAnnotation(
        image_id="a",
        annotator="ann",
        revision=1,
        width_px=size_px[0],
        height_px=size_px[1],
        surfaces=surfaces,
        instances=tuple(instances.values()),
        links=tuple(
            Correspondence(
                reflected_id=reflected,
                real_id=target if target and instances[target].visibility == "direct" else None,
                reflection_of_id=target,
            )
            for reflected, target in {**targets, **(links or {})}.items()
        ),
        lost_reflections=lost,
        source=AnnotationSource(
            format="x-anylabeling",
            file=FileRef(path="a.json", sha256="0", size_bytes=1),
            shape_extras=tuple(shapes),
        ),
    )


def _doubts(*drawn: Any, policy: PlausibilityPolicy | None = None, **more: Any) -> list[Doubt]:
    found = check_plausibility(_picture(*drawn, **more), policy=policy or PlausibilityPolicy())
    return list(found)


@pytest.fixture
def surface() -> Callable[..., Surface]:
    """A rectangular surface: id, box, type, boxes of holes."""
    return _surface


@pytest.fixture
def direct() -> Callable[..., Instance]:
    """A rectangular object."""
    return _direct


@pytest.fixture
def reflected() -> Callable[..., Instance]:
    """A rectangular reflection: id, box, surfaces it is seen in."""
    return _reflected


@pytest.fixture
def picture() -> Callable[..., ImageAnnotation]:
    """An annotation of a picture of 800 x 600 pixels."""
    return _picture


@pytest.fixture
def doubts() -> Callable[..., list[Doubt]]:
    """Doubts about what is drawn on a picture of 800 x 600 pixels."""
    return _doubts
