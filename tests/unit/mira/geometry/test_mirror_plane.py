from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st

from mira.geometry.cropped_mask import CroppedMask, crop_region
from mira.geometry.mask import decode_rle, rle_from_polygons
from mira.geometry.mirror_plane import estimate_mirror_plane
from mira.geometry.mirror_policy import MirrorGeometryPolicy, VerdictPolicy
from mira.geometry.mirror_verdict import confidence_of, trust_of
from mira.geometry.outlined_areas import OutlinedAreas
from mira.geometry.plane import angle_between_deg
from mira.geometry.polygon import Region, even_odd_area
from mira.geometry.ring_readings import inside_readings, ring_readings

POLICY = MirrorGeometryPolicy()
VERDICT = VerdictPolicy()
_SHARE = st.floats(0, 1)
_COUNT = st.integers(0, 12)


@given(_SHARE, _COUNT, _COUNT)
def test_trust_is_a_share(coverage: float, agreeing: int, others: int) -> None:
    assert 0 <= trust_of(coverage, agreeing, agreeing + others, VERDICT) <= 1


@given(_SHARE, _COUNT, _COUNT)
def test_pairs_that_agree_raise_trust_and_others_lower_it(
    coverage: float, agreeing: int, others: int
) -> None:
    trust = trust_of(coverage, agreeing, agreeing + others, VERDICT)
    assert trust_of(coverage, agreeing + 1, agreeing + 1 + others, VERDICT) >= trust
    assert trust_of(coverage, agreeing, agreeing + others + 1, VERDICT) <= trust
    assert trust_of(min(coverage + 0.1, 1.0), agreeing, agreeing + others, VERDICT) >= trust


def test_a_plane_around_that_no_pair_confirms_is_never_trusted_fully() -> None:
    assert trust_of(1.0, 0, 0, VERDICT) == VERDICT.lone_support
    assert trust_of(1.0, 1, 1, VERDICT) == 1


@given(_SHARE, st.floats(0, 200), st.floats(0, 50))
def test_confidence_is_a_share_of_the_trust(trust: float, angle: float, distance: float) -> None:
    assert 0 <= confidence_of(trust, angle, distance, VERDICT) <= trust


@given(_SHARE, st.floats(0, 20), st.floats(0, 1), st.floats(0, 5), st.floats(0, 0.5))
def test_confidence_falls_with_every_doubt(
    trust: float, angle: float, distance: float, more_angle: float, more_distance: float
) -> None:
    less = confidence_of(trust, angle + more_angle, distance + more_distance, VERDICT)
    assert less <= confidence_of(trust, angle, distance, VERDICT)


def test_confidence_is_the_probability_of_a_good_plane() -> None:
    rng = np.random.default_rng(0)
    angle, distance = 2.5, 0.02
    tilts = rng.standard_normal((50_000, 2)) * angle / np.sqrt(2)
    off = rng.standard_normal(50_000) * distance
    good = (np.linalg.norm(tilts, axis=1) <= 3) & (np.abs(off) <= 0.03)
    assert confidence_of(1.0, angle, distance, VERDICT) == pytest.approx(good.mean(), abs=0.01)


def test_what_is_certain_has_all_of_the_trust() -> None:
    assert confidence_of(0.8, 0.0, 0.0, VERDICT) == pytest.approx(0.8)


def test_the_plane_is_that_of_the_wall_where_nothing_is_reflected(ball_room, ball_camera) -> None:
    room = ball_room(balls=())
    areas = OutlinedAreas(room.annotation())
    found = estimate_mirror_plane(
        room.depth_m(),
        areas.surfaces[100],
        ball_camera,
        surface_type="planar_mirror",
        outlined=areas.outlined,
        policy=POLICY,
        rng=np.random.default_rng(0),
    )
    assert found.source == "surroundings"
    assert found.coverage == 1
    assert found.inlier_share > 0.9
    assert 0 < found.residual_m < 0.03
    assert angle_between_deg(found.plane, room.mirror) < 0.5


def test_the_ring_holds_nothing_outlined_and_the_inside_nothing_before_it(
    ball_room, ball_camera
) -> None:
    room = ball_room()
    areas, depth = OutlinedAreas(room.annotation()), room.depth_m()
    ring, inside = (
        read(
            depth,
            areas.surfaces[100],
            ball_camera,
            outlined=areas.outlined,
            policy=POLICY.surroundings,
        )
        for read in (ring_readings, inside_readings)
    )
    assert len(ring.pixels) > 500
    assert (areas.outlined[ring.pixels[:, 1], ring.pixels[:, 0]] == 0).all()
    assert ring.away.min() > 0
    assert ring.away.max() <= 1
    mask = areas.surfaces[100]
    assert all(mask.covers(int(x), int(y)) for x, y in inside.pixels)
    assert len(inside.pixels) > 300


def _rings(low: float, high: float) -> st.SearchStrategy:
    coordinate = st.floats(low, high).map(lambda value: round(value, 3))
    ring = st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=7).map(tuple)
    return st.lists(ring, min_size=1, max_size=3)


@given(_rings(0, 30))
@example([((1.0, 0.0), (1.0, 1.0), (4.1, 0.0))])
@example([((8.0, 0.0), (12.0, 29.0), (29.0, 2.25))])
def test_a_cropped_mask_is_the_whole_one_cut_out(rings: list) -> None:
    region = Region(tuple(rings), ())
    cropped = crop_region(region, size_px=(40, 30))
    whole = np.zeros((30, 40), dtype=bool)
    cropped.of(whole)[cropped.mask] = True
    expected = decode_rle(rle_from_polygons(region.parts, width_px=40, height_px=30))
    differs = np.argwhere(whole != expected)[:, ::-1]
    outline = shapely.union_all([shapely.LinearRing(ring) for ring in rings])
    # An edge that halves a pixel, after its ends were rounded to fifths.
    assert (shapely.distance(outline, shapely.points(differs + 0.5)) < 0.25).all()
    assert len(differs) <= 3


@given(_rings(-30, 70))
def test_rings_that_leave_the_picture_cover_what_they_do_there(rings: list) -> None:
    cropped = crop_region(Region(tuple(rings), ()), size_px=(40, 30))
    area = shapely.union_all([even_odd_area(ring) for ring in rings])
    outline = shapely.union_all([shapely.LinearRing(ring) for ring in rings])
    rows, columns = np.mgrid[:30, :40]
    centres = shapely.points(columns + 0.5, rows + 0.5)
    inside = shapely.contains(area, centres)
    clear = shapely.distance(outline, centres) > 0.75
    whole = np.zeros((30, 40), dtype=bool)
    cropped.of(whole)[cropped.mask] = True
    assert (whole == inside)[clear].all()


@pytest.mark.parametrize("far", [1e4, 1e9, 1e18])
def test_rings_that_leave_the_picture_far_behind_cost_no_memory(far: float) -> None:
    around = ((-far, -far), (far, -far), (far, far), (-far, far))
    assert crop_region(Region((around,), ()), size_px=(40, 30)).mask.sum() == 1200


@pytest.mark.parametrize(
    "ring",
    [
        ((40.0, 30.0), (40.0, 30.0), (40.0, 30.0)),
        ((5.0, 3.0), (5.0, 9.0), (5.0, 7.0)),
        ((-9.0, -9.0), (-1.0, -9.0), (-5.0, -2.0)),
        ((41.0, 3.0), (60.0, 9.0), (50.0, 20.0)),
    ],
    ids=["a corner", "a line", "before", "beyond"],
)
def test_rings_without_a_pixel_have_an_empty_mask(ring) -> None:
    cropped = crop_region(Region((ring,), ()), size_px=(40, 30))
    assert cropped.mask.size == 0
    assert cropped.of(np.zeros((30, 40)))[cropped.mask].size == 0


def test_shared_pixels_are_those_in_both() -> None:
    first = CroppedMask(2, 3, np.ones((4, 5), dtype=bool))
    assert first.shared_px(CroppedMask(5, 5, np.ones((9, 9), dtype=bool))) == 2 * 2
    assert first.shared_px(CroppedMask(7, 3, np.ones((4, 4), dtype=bool))) == 0
    assert first.shared_px(CroppedMask(0, 0, np.zeros((0, 0), dtype=bool))) == 0
    assert first.shared_px(first) == 20


def test_a_wider_box_holds_the_same_mask() -> None:
    area = CroppedMask(2, 3, np.eye(4, dtype=bool))
    wide = area.widened(3, (8, 20))
    assert (wide.left, wide.top, wide.mask.shape) == (0, 0, (8, 9))
    assert wide.mask.sum() == 4
    assert wide.covers(2, 3)
    assert not wide.covers(3, 3)
    assert not area.covers(1, 3)
