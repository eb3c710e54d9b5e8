from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.geometry.instance_points import InstanceExtent
from mira.geometry.measured_scene import InstanceGeometry, SceneGeometry
from mira.geometry.mirror_policy import DepthNoisePolicy
from mira.geometry.outlined_areas import OutlinedAreas
from mira.geometry.relations import Extents
from mira.schema.annotation import AnnotationSource, ImageAnnotation, Instance, Ring, Surface
from mira.schema.record import FileRef
from qa_gen.proposing.cut_off import CutOff, cut_off_sides

WIDTH, HEIGHT = 160, 120
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""
WHOLE = CutOff()
BACKGROUND_M = 4.0
THING: Box = (60, 40, 100, 80)
MIRROR: Box = (50, 20, 130, 100)


def _ring(box: Box) -> Ring:
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _sides(
    things: dict[int, Box],
    far_m: dict[int, float] | None = None,
    *,
    in_mirror: tuple[int, ...] = (),
    depth_m: np.ndarray | None = None,
) -> dict[int, CutOff]:
    """What is cut off, of things that are so far away; those without a distance have no depth."""
    if depth_m is None:
        depth_m = np.full((HEIGHT, WIDTH), BACKGROUND_M)
    far_m = {1: 2.0} if far_m is None else far_m
    annotation = ImageAnnotation(
        image_id="image",
        annotator="a",
        revision=1,
        width_px=WIDTH,
        height_px=HEIGHT,
        surfaces=(
            Surface(surface_id=100, surface_type="planar_mirror", polygons_px=(_ring(MIRROR),)),
        ),
        instances=tuple(
            Instance(
                instance_id=k,
                visibility="reflected" if k in in_mirror else "direct",
                seen_in=(100,) if k in in_mirror else (),
                polygons_px=(_ring(box),),
            )
            for k, box in things.items()
        ),
        source=AnnotationSource(
            format="test", file=FileRef(path="a.json", sha256="0" * 64, size_bytes=1)
        ),
    )
    measured = tuple(
        InstanceGeometry(k, _seen(far_m[k]) if k in far_m else None, None, None) for k in things
    )
    areas, scene = OutlinedAreas(annotation), SceneGeometry((), measured, ())
    return cut_off_sides(annotation, areas, scene, depth_m, DepthNoisePolicy())


def _names(cut: CutOff) -> set[str]:
    """Sides that are cut off."""
    return {name for name, px in cut._asdict().items() if px > 0}


def _seen(z: float) -> InstanceExtent:
    side = Extents((0, 0, z), (0, 0, z))
    return InstanceExtent(
        points_cam_m=None,  # type: ignore[arg-type]
        centre_m=(0, 0, z),
        extents_m=side,
        half_width_m=0.1,
        spread_m=0.0,
        pixels=100,
        valid_share=1.0,
        kept_share=1.0,
    )


def test_a_thing_that_touches_nothing_is_whole() -> None:
    assert _sides({1: THING}) == {1: WHOLE}
    assert not any(WHOLE)


@pytest.mark.parametrize(
    ("side", "box"),
    [
        ("left", (0, 40, 40, 80)),
        ("right", (120, 40, 160, 80)),
        ("top", (60, 0, 100, 40)),
        ("bottom", (60, 80, 100, 120)),
    ],
)
def test_the_edge_of_the_picture_cuts_off_the_side_that_lies_at_it(side, box) -> None:
    assert _sides({1: box}) == {1: WHOLE._replace(**{side: math.inf})}


def test_a_thing_as_large_as_the_picture_is_cut_off_on_all_sides() -> None:
    assert all(_sides({1: (0, 0, WIDTH, HEIGHT)})[1])


# Something before it

BESIDE = {
    "left": (40, 52, 60, 68),
    "right": (100, 52, 120, 68),
    "top": (72, 20, 88, 40),
    "bottom": (72, 80, 88, 100),
}


@pytest.mark.parametrize("side", BESIDE)
def test_what_touches_a_thing_and_is_nearer_hides_that_side_and_is_whole_itself(side) -> None:
    cut = _sides({1: THING, 2: BESIDE[side]}, {1: 2.0, 2: 1.5})
    assert (_names(cut[1]), cut[2]) == ({side}, WHOLE)


@pytest.mark.parametrize("side", BESIDE)
def test_a_thing_goes_on_no_farther_than_what_hides_it(side) -> None:
    cut = _sides({1: THING, 2: BESIDE[side]}, {1: 2.0, 2: 1.5})
    assert getattr(cut[1], side) == 20


@pytest.mark.parametrize("side", BESIDE)
def test_nobody_knows_how_far_it_goes_on_where_nothing_is_measured(side) -> None:
    depth = np.zeros((HEIGHT, WIDTH))
    cut = _sides({1: THING, 2: BESIDE[side]}, {1: 2.0, 2: 1.5}, depth_m=depth)
    assert cut[1] == WHOLE._replace(**{side: math.inf})
    assert _sides({1: THING}, depth_m=depth) == {1: WHOLE}


@pytest.mark.parametrize("side", BESIDE)
def test_what_nobody_outlined_hides_a_side_when_it_is_measured_nearer(side) -> None:
    left, top, right, bottom = BESIDE[side]
    for z, sides in ((1.5, {side}), (1.99, set()), (2.5, set())):
        depth = np.full((HEIGHT, WIDTH), BACKGROUND_M)
        depth[top:bottom, left:right] = z
        cut = _sides({1: THING}, depth_m=depth)[1]
        assert _names(cut) == sides
        assert getattr(cut, side) == (20 if sides else 0)


def test_the_table_that_a_thing_stands_on_hides_nothing() -> None:
    depth = np.full((HEIGHT, WIDTH), BACKGROUND_M)
    depth[80:] = 2.0 - 0.006 * np.arange(HEIGHT - 80)[:, None]
    assert _sides({1: THING}, depth_m=depth) == {1: WHOLE}


def test_a_few_stray_readings_next_to_an_outline_hide_nothing() -> None:
    depth = np.full((HEIGHT, WIDTH), BACKGROUND_M)
    depth[50:53, 40:60] = 1.0
    assert _sides({1: THING}, depth_m=depth) == {1: WHOLE}


@pytest.mark.parametrize("side", BESIDE)
def test_what_is_farther_away_hides_nothing(side) -> None:
    cut = _sides({1: THING, 2: BESIDE[side]}, {1: 2.0, 2: 2.5})
    assert cut[1] == WHOLE
    assert any(cut[2])


def test_what_has_no_depth_may_be_before_it() -> None:
    assert _sides({1: THING, 2: BESIDE["left"]})[1] == CutOff(left=20)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 20))
def test_outlines_touch_within_a_few_pixels(gap_px) -> None:
    beside = (100 + gap_px, 52, 130, 68)
    cut = _sides({1: THING, 2: beside}, {1: 2.0, 2: 1.5})
    assert cut[1].right == (30 if gap_px < 3 else 0)
    assert cut[1]._replace(right=0) == WHOLE


def test_a_corner_that_slips_over_by_a_pixel_or_two_is_no_touch() -> None:
    assert _sides({1: THING, 2: (102, 81, 130, 110)}, {1: 2.0, 2: 1.5})[1] == WHOLE


# The edge of a mirror

OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


@pytest.mark.parametrize(
    ("side", "box"),
    [
        ("left", (50, 40, 80, 80)),
        ("right", (100, 40, 130, 80)),
        ("top", (70, 20, 110, 50)),
        ("bottom", (70, 70, 110, 100)),
    ],
)
def test_the_edge_of_its_mirror_cuts_off_a_reflection_and_not_a_thing_before_it(side, box) -> None:
    (cut,) = _sides({1: box}, in_mirror=(1,)).values()
    assert getattr(cut, side)
    assert not getattr(cut, OPPOSITE[side])
    assert _sides({1: box}) == {1: WHOLE}


def test_a_reflection_in_the_middle_of_its_mirror_is_whole() -> None:
    assert _sides({1: (80, 50, 100, 70)}, in_mirror=(1,)) == {1: WHOLE}


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_straight_edge_cuts_off_one_side_alone(side) -> None:
    flush = {
        "left": (50, 40, 80, 80),
        "right": (100, 40, 130, 80),
        "top": (70, 20, 110, 50),
        "bottom": (70, 70, 110, 100),
    }
    assert _sides({1: flush[side]}, in_mirror=(1,))[1] == WHOLE._replace(**{side: math.inf})
