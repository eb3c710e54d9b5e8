from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    Surface,
)
from mira.schema.record import FileRef

WIDTH, HEIGHT = 120, 90
SOURCE = AnnotationSource(format="test", file=FileRef(path="a.json", sha256="0" * 64, size_bytes=1))


def square(x: float, y: float, side: float = 20) -> Ring:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


@pytest.fixture
def box() -> Callable[..., Ring]:
    """A square's ring by its corner and side."""
    return square


@pytest.fixture
def draw() -> Callable[..., ImageAnnotation]:
    """An annotation: instances by id as a ring, reflections with what they show, surfaces."""

    def make(
        instances: dict[int, Ring],
        *,
        shows: dict[int, Any] | None = None,
        surfaces: dict[int, tuple[Ring, str | None]] | None = None,
        image_id: str = "image",
        annotator: str = "a",
        **changes: Any,
    ) -> ImageAnnotation:
        shows = shows or {}
        links = []
        for reflected_id, shown in shows.items():
            counterpart = "in_frame" if isinstance(shown, int) else shown
            real = shown if isinstance(shown, int) else None
            links.append(
                Correspondence(
                    reflected_id=reflected_id,
                    real_id=real,
                    reflection_of_id=real,
                    counterpart=counterpart,
                )
            )
        content = {
            "image_id": image_id,
            "annotator": annotator,
            "revision": 1,
            "width_px": WIDTH,
            "height_px": HEIGHT,
            "surfaces": tuple(
                Surface(surface_id=k, surface_type=kind, polygons_px=(ring,))
                for k, (ring, kind) in (surfaces or {}).items()
            ),
            "instances": tuple(
                Instance(
                    instance_id=k,
                    visibility="reflected" if k in shows else "direct",
                    polygons_px=(ring,),
                )
                for k, ring in instances.items()
            ),
            "links": tuple(links),
            "source": SOURCE,
            **changes,
        }
        return ImageAnnotation(**content)

    return make
