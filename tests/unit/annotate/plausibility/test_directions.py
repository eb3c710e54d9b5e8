from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotate.plausibility.common_point import Link, bearings_of

FOCAL_PX = 600.0
SIZE_PX = (848, 480)
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


class Seen(NamedTuple):
    """Boxes of objects and of their images, shape (n, 4) each."""

    real: np.ndarray
    image: np.ndarray


def box_of(points_m):
    """The box around projected points; None where they are not all well in front and in view."""
    if (points_m[:, 2] < 0.3).any():
        return None
    centre = np.array(SIZE_PX) / 2
    pixels = points_m[:, :2] / points_m[:, 2:] * FOCAL_PX + centre
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    inside = (low > 5).all() and (high < np.array(SIZE_PX) - 5).all()
    return np.concatenate((low, high)) if inside and (high - low).min() > 4 else None


def look(rng, *, count, half_m, turn_deg=70.0, cut=0.0, slip_px=0.0):
    """Boxes before a flat mirror as a camera sees them, and their images.

    Args:
        rng: Draws everything.
        count: Objects.
        half_m: Smallest and largest half extent.
        turn_deg: The mirror's normal is at most this far from the optical axis.
        cut: Share of boxes of which one side hides up to two fifths.
        slip_px: Standard deviation of the sides of boxes.
    """
    axis, angle = rng.normal(size=3) * (1, 1, 0), math.radians(rng.uniform(0, turn_deg))
    axis /= np.linalg.norm(axis)
    normal = np.array((0.0, 0, -1)) * math.cos(angle) + axis * math.sin(angle)
    offset = rng.uniform(1, 4)
    real, image = [], []
    for _ in range(4000):
        if len(real) == count:
            break
        far = rng.uniform(0.6, 5)
        middle = np.array((rng.uniform(-0.6, 0.6) * far, rng.uniform(-0.35, 0.35) * far, far))
        turned = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        points = middle + (CORNERS * rng.uniform(*half_m, size=3)) @ turned
        heights = points @ normal + offset
        if (heights <= 0).any():
            continue
        boxes = [box_of(points), box_of(points - 2 * heights[:, None] * normal)]
        if any(box is None for box in boxes):
            continue
        for box in boxes:
            box += rng.normal(scale=slip_px, size=4) if slip_px else 0
            if rng.random() < cut:
                side = rng.integers(4)
                box[side] += (box[(side + 2) % 4] - box[side]) * rng.uniform(0, 0.4)
        real.append(boxes[0])
        image.append(boxes[1])
    return Seen(np.array(real), np.array(image)) if len(real) == count else None


@pytest.fixture(scope="module")
def world():
    """Four hundred simulated views of four to eight objects, cut and drawn as people do."""
    rng = np.random.default_rng(0)
    views = []
    while len(views) < 400:
        count = int(rng.integers(4, 9))
        seen = look(rng, count=count, half_m=(0.03, 0.2), cut=0.25, slip_px=1.0)
        if seen is not None:
            views.append(seen)
    return views


@pytest.fixture
def doubted(doubts, surface, direct, reflected):
    """Ids that the directions of links give doubts about; object k has the image 100 + k."""

    def of(seen, *, order=None, kind="planar_mirror", chain=(900,), size_px=SIZE_PX):
        count = len(seen.real)
        order = range(count) if order is None else order
        drawn = [surface(900, (0, 0, *size_px), kind), surface(901, (0, 0, 1, 1), kind)]
        drawn += [direct(k + 1, tuple(box)) for k, box in enumerate(seen.real.tolist())]
        drawn += [
            reflected(k + 101, tuple(box), *chain) for k, box in enumerate(seen.image.tolist())
        ]
        links = {k + 101: target + 1 for k, target in enumerate(order)}
        found = doubts(*drawn, links=links, size_px=size_px)
        return [doubt for doubt in found if doubt.code == "link-direction"]

    return of


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(3, 8))
def test_right_links_of_small_things_are_never_doubted(doubted, seed, count):
    seen = look(np.random.default_rng(seed), count=count, half_m=(0.01, 0.04))
    assert seen is None or doubted(seen) == []


def test_right_links_of_cut_things_are_hardly_ever_doubted(doubted, world):
    named = sum(len(doubted(seen)) for seen in world)
    assert named <= 0.005 * sum(len(seen.real) for seen in world)


def test_most_swapped_links_are_caught(doubted, world):
    caught = 0
    for seen in world:
        order = list(range(len(seen.real)))
        order[0], order[1] = order[1], order[0]
        caught += bool(doubted(seen, order=order))
    assert caught >= 0.7 * len(world)


def test_the_wrong_link_is_the_one_that_is_named(doubted, world):
    right = wrong = 0
    for seen in world:
        order = [1, *range(1, len(seen.real))]
        for doubt in doubted(seen, order=order):
            right += doubt.owner_id in {101, 900}
            wrong += doubt.owner_id not in {101, 900}
    assert right >= 0.6 * len(world)
    assert wrong <= 0.05 * right


ROW = Seen(
    real=np.array([(100.0 + 150 * k, 400 + 20 * k, 130 + 150 * k, 440 + 20 * k) for k in range(5)]),
    image=np.array([(160.0 + 120 * k, 120, 180 + 120 * k, 150) for k in range(5)]),
)
"""Objects in a row and images on lines through one point."""
ROW = ROW._replace(
    image=np.concatenate([0.4 * ROW.real[:, :2] + 0.6 * np.array((420.0, 60))] * 2, axis=1)
    + np.array((-10, -12, 10, 12))
)


def test_the_link_that_differs_is_named_with_its_angle(doubted):
    assert doubted(ROW) == []
    (doubt,) = doubted(ROW, order=[0, 1, 2, 3, 0])
    assert (doubt.severity, doubt.owner_id) == ("warning", 105)
    assert "object 1 to its reflection 105 points" in doubt.message
    assert "reflections 101, 102, 103 and 104 in surface 900" in doubt.message


def test_three_links_that_do_not_agree_are_named_together(doubted):
    three = Seen(*(boxes[[0, 2, 4]] for boxes in ROW))
    assert doubted(three) == []
    (doubt,) = doubted(three, order=[1, 1, 2])
    assert doubt.owner_id == 900
    assert "101, 102 and 103" in doubt.message


def test_two_links_tell_nothing(doubted):
    assert doubted(Seen(*(boxes[:2] for boxes in ROW)), order=[1, 0]) == []


def test_parallel_links_meet_at_infinity(doubted):
    level = Seen(ROW.real, ROW.real + np.array((40.0, -200, 40, -200)))
    assert doubted(level) == []
    assert [doubt.owner_id for doubt in doubted(level, order=[4, 1, 2, 3, 4])] == [101]


def test_a_reflection_on_the_other_side_of_its_object_is_doubted(doubted):
    over = Seen(ROW.real[:, [0, 1, 2, 3]].copy(), ROW.image.copy())
    over.real[2], over.image[2] = ROW.image[2], ROW.real[2]
    assert [doubt.owner_id for doubt in doubted(over)] == [103]


@pytest.mark.parametrize("kind", ["convex_mirror", "vehicle_side_mirror", None])
def test_bent_and_undecided_surfaces_are_left_out(doubted, kind):
    assert doubted(ROW, order=[1, 0, 2, 4, 3], kind=kind) == []
    assert doubted(ROW, order=[1, 0, 2, 4, 3], kind="water") != []


def test_reflections_of_reflections_are_left_out(doubted):
    assert doubted(ROW, order=[1, 0, 2, 4, 3], chain=(900, 901)) == []


def test_one_that_misses_the_point_is_measured_across_its_line():
    links = [Link(complex(x, 0), 40j, 5 + 5j, 1.0) for x in (0, 100, 200)]
    tilted = Link(300, 3 + 4j, 1 + 1j, 1.0)
    found = bearings_of([*links, tilted], spread=0.2, most=16)
    assert [bearing.miss for bearing in found] == pytest.approx([0, 0, 0, 3])
    assert found[3].degrees == pytest.approx(math.degrees(math.atan2(3, 4)))


def test_links_on_one_line_agree():
    links = [Link(complex(x, 7), 10 + 0j, 1 + 1j, 1.0) for x in (0, 50, 90)]
    assert all(
        bearing.miss <= 0 or bearing.miss > 1 for bearing in bearings_of(links, spread=0.2, most=16)
    )
