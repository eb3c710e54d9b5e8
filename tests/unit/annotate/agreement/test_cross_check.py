from __future__ import annotations

import numpy as np
import pytest

import annotate.agreement.cross_check as module
from annotate.agreement.cross_check import cross_check
from annotate.agreement.overlaps import pixel_overlaps
from annotate.agreement.policy import AgreementPolicy
from mira.store.drawn_shapes import drawn_shapes_of

POLICY = AgreementPolicy()


def test_rounding_is_allowed_for(draw, box) -> None:
    rng = np.random.default_rng(3)
    drawings = []
    for _ in range(40):
        x, y, by = rng.uniform(5, 60, 3)
        side = rng.uniform(4, 30)
        first = draw({1: box(x, y, side)})
        second = draw({2: box(x + by / 60, y - by / 60, side + rng.uniform(0, 2))})
        drawings.append((drawn_shapes_of(first), drawn_shapes_of(second)))

    found = cross_check(drawings, policy=POLICY)

    assert found.n_pairs == 40
    assert found.beyond == ()
    assert found.largest_difference is not None
    assert found.largest_difference > 0.001


def test_a_fault_of_one_way_of_measuring_shows(draw, box, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(drawings, **options):
        return [
            overlaps._replace(iou=overlaps.iou * 0.7)
            for overlaps in pixel_overlaps(drawings, **options)
        ]

    monkeypatch.setattr(module, "pixel_overlaps", faulty)
    drawn = drawn_shapes_of(draw({1: box(10, 10), 2: box(60, 10, 30)}))

    found = cross_check([(drawn, drawn)], policy=POLICY)

    assert {pair.first_id: pair.pixel_iou for pair in found.beyond} == pytest.approx(
        {1: 0.7, 2: 0.7}
    )
    assert found.mean_difference == pytest.approx(0.3)


def test_nothing_shared_is_no_number(draw) -> None:
    drawn = drawn_shapes_of(draw({}))

    found = cross_check([(drawn, drawn)], policy=POLICY)

    assert (found.n_pairs, found.mean_difference, found.beyond) == (0, None, ())
