"""Drawings of small pictures, and rounds of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from annotate.agreement.comparing import compare_images
from annotate.agreement_report.pictures import Pictures
from annotate.agreement_report.rounds import ComparedRound
from mira.errors import WorkspaceError
from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    Surface,
)
from mira.schema.audit import AuditPolicy
from mira.schema.record import FileRef
from mira.store.drawn_shapes import drawn_shapes_of

WIDTH, HEIGHT = 160, 120
SOURCE = AnnotationSource(format="test", file=FileRef(path="a.json", sha256="0" * 64, size_bytes=1))
Draw = Callable[..., ImageAnnotation]
Compare = Callable[..., ComparedRound]


def square(x: float, y: float, side: float = 20) -> Ring:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def _link(reflected_id: int, shown: Any) -> Correspondence:
    """A link to an instance by its id, or a counterpart without one, or an open one (None)."""
    real = shown if isinstance(shown, int) else None
    return Correspondence(
        reflected_id=reflected_id,
        real_id=real,
        reflection_of_id=real,
        counterpart="in_frame" if real else shown,
    )


@pytest.fixture
def box() -> Callable[..., Ring]:
    """A square's ring by its corner and side."""
    return square


@pytest.fixture
def draw() -> Draw:
    """An annotation: instances by id as one ring, reflections with what they show, surfaces."""

    def make(
        instances: dict[int, Ring] | None = None,
        *,
        shows: dict[int, Any] | None = None,
        surfaces: dict[int, tuple[Ring, str | None]] | None = None,
        holes: dict[int, Ring] | None = None,
        image_id: str = "image",
        annotator: str = "anna",
    ) -> ImageAnnotation:
        shows, holes = shows or {}, holes or {}
        return ImageAnnotation(
            image_id=image_id,
            annotator=annotator,
            revision=1,
            width_px=WIDTH,
            height_px=HEIGHT,
            surfaces=tuple(
                Surface(surface_id=k, surface_type=kind, polygons_px=(ring,))
                for k, (ring, kind) in (surfaces or {}).items()
            ),
            instances=tuple(
                Instance(
                    instance_id=k,
                    visibility="reflected" if k in shows else "direct",
                    polygons_px=(ring,),
                    holes_px=(holes[k],) if k in holes else (),
                )
                for k, ring in (instances or {}).items()
            ),
            links=tuple(_link(*entry) for entry in shows.items()),
            source=SOURCE,
        )

    return make


@pytest.fixture
def compare() -> Compare:
    """A round of two drawings of each of some pictures."""

    def make(
        pairs: Sequence[tuple[ImageAnnotation, ImageAnnotation]],
        *,
        people: tuple[str, str] = ("anna", "ben"),
        title: str = "anna and ben",
        **more: Any,
    ) -> ComparedRound:
        by_image = {
            first.image_id: (drawn_shapes_of(first), drawn_shapes_of(second))
            for first, second in pairs
        }
        return ComparedRound(
            title=title,
            annotator=people[0],
            auditor=people[1],
            comparison=compare_images(pairs, policy=AuditPolicy()),
            method="polygon",
            drawings_of=by_image.__getitem__,
            **more,
        )

    return make


@pytest.fixture
def disputed(draw: Draw, compare: Compare) -> ComparedRound:
    """A round with a dispute of every kind, on one picture."""
    anna = draw(
        {1: square(5, 5), 2: square(40, 5), 3: square(75, 5), 4: square(5, 40), 8: square(5, 80)},
        shows={2: 1, 3: None},
        surfaces={20: (square(80, 60, 50), "planar_mirror")},
    )
    ben = draw(
        {
            11: square(5, 5),
            12: square(40, 5),
            13: square(75, 5),
            14: square(13, 45),
            15: square(120, 5),
        },
        shows={12: "out_of_frame", 13: 11},
        surfaces={30: (square(80, 63, 50), "glass")},
        annotator="ben",
    )
    return compare([(anna, ben)])


@pytest.fixture
def pictures() -> Pictures:
    """Noise for every picture but the one that is called gone."""

    def give(image_id: str) -> NDArray[np.uint8]:
        if image_id == "gone":
            raise WorkspaceError(image_id, "expected an image of the workspace, found none")
        rng = np.random.default_rng([*image_id.encode()])
        return rng.integers(0, 255, (HEIGHT, WIDTH, 3), dtype=np.uint8)

    return give
