from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.geometry.instance_points import InstanceExtent
from mira.geometry.measured_scene import InstanceGeometry, SceneGeometry
from mira.geometry.outlined_areas import OutlinedAreas
from mira.geometry.relations import Extents
from mira.schema.annotation import AnnotationSource, ImageAnnotation, Instance, Ring, Surface
from mira.schema.record import FileRef
from qa_gen.proposing.cut_off import CutOff, cut_off_sides

WIDTH, HEIGHT = 160, 120
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""
WHOLE = CutOff()
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
) -> dict[int, CutOff]:
    """What is cut off, of things that are so far away; those without a distance have no depth."""
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
    return cut_off_sides(annotation, OutlinedAreas(annotation), SceneGeometry((), measured, ()))


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
    assert _sides({1: box}) == {1: WHOLE._replace(**{side: True})}


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
    assert cut == {1: WHOLE._replace(**{side: True}), 2: WHOLE}


@pytest.mark.parametrize("side", BESIDE)
def test_what_is_farther_away_hides_nothing(side) -> None:
    cut = _sides({1: THING, 2: BESIDE[side]}, {1: 2.0, 2: 2.5})
    assert cut[1] == WHOLE
    assert any(cut[2])


def test_what_has_no_depth_may_be_before_it() -> None:
    assert _sides({1: THING, 2: BESIDE["left"]})[1] == CutOff(left=True)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 20))
def test_outlines_touch_within_a_few_pixels(gap_px) -> None:
    beside = (100 + gap_px, 52, 130, 68)
    cut = _sides({1: THING, 2: beside}, {1: 2.0, 2: 1.5})
    assert cut[1].right == (gap_px < 3)
    assert cut[1]._replace(right=False) == WHOLE


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
    assert _sides({1: flush[side]}, in_mirror=(1,))[1] == WHOLE._replace(**{side: True})
