"""A camera that looks down at a counter with a mirror over it, and at nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mira.geometry.camera import deproject_rays
from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.foot_plane import FootPlane, find_foot
from mira.geometry.lower_side import find_lower_side
from mira.geometry.mirror_plane import estimate_mirror_plane
from mira.geometry.mirror_policy import DepthNoisePolicy, MirrorGeometryPolicy
from mira.geometry.mirror_verdict import MirrorPlane
from mira.geometry.plane import (
    Plane,
    angle_between_deg,
    intersect_rays,
    plane_at,
    reflect_points,
    signed_distances_m,
)
from mira.geometry.plane_fitting import depth_sigma_m
from mira.geometry.ring_readings import OUTLINED
from mira.schema.capture import CameraIntrinsics

Array = NDArray[np.float64]
CAMERA = CameraIntrinsics(
    width_px=424, height_px=240, fx_px=305, fy_px=305, cx_px=211.5, cy_px=119.5
)
POLICY = MirrorGeometryPolicy()
VERDICT = POLICY.verdict
_PITCH = math.radians(15)
UP = np.array((0.0, -math.cos(_PITCH), -math.sin(_PITCH)))
AHEAD = np.array((0.0, -math.sin(_PITCH), math.cos(_PITCH)))
RIGHT = np.array((1.0, 0.0, 0.0))


@dataclass(frozen=True)
class Counter:
    """A counter, and a mirror that stands on its back edge, 1.9 m ahead of the camera.

    Attributes:
        turn_deg: How far the mirror, and the counter's edge, turn away from the camera.
        lean_deg: How far the mirror leans back.
        gap_m: How far from the mirror the counter ends.
        from_m: Where it ends to the left, along the mirror from its middle.
        drop_m: How far the counter is below the camera.
        splash_m: How high a backsplash in the mirror's plane is between the two.
        slope_deg: How far the outline's lower side is from level.
        noise: Errors of depth, in standard deviations.
    """

    turn_deg: float = 20.0
    lean_deg: float = 0.0
    gap_m: float = 0.0
    from_m: float = -0.7
    drop_m: float = 0.45
    splash_m: float = 0.0
    slope_deg: float = 0.0
    noise: float = 1.0

    @property
    def foot(self) -> Array:
        """Middle of the mirror's lower edge, shape (3,)."""
        return -self.drop_m * UP + 1.9 * AHEAD

    @property
    def mirror(self) -> Plane:
        """The mirror's plane."""
        back, lean = -self._axes()[1], math.radians(self.lean_deg)
        return plane_at(math.cos(lean) * back + math.sin(lean) * UP, self.foot)

    def seen(self) -> tuple[Array, NDArray[np.bool_]]:
        """Depth in metres, 0 where there is no reading, and the mirror's pixels; (240, 424)."""
        rows, columns = np.mgrid[:240, :424]
        rays = deproject_rays(CAMERA, np.stack((columns, rows), axis=-1))
        along, across = self._axes()
        top = intersect_rays(rays, plane_at(UP, self.foot))
        x, y = (top - self.foot) @ along, (top - self.foot) @ across
        counter = (y <= -self.gap_m) & (y >= -0.5) & (x >= self.from_m) & (x <= 0.7)
        depth = np.where(counter, top[..., 2], 0.0)
        glass = intersect_rays(rays, self.mirror)
        side, height = (glass - self.foot) @ along, (glass - self.foot) @ UP
        slope = math.tan(math.radians(self.slope_deg))
        standing = (np.abs(side) <= 0.5) & (height >= 0) & (height <= 0.9)
        inside = standing & (height >= self.splash_m + slope * side)
        depth = np.where(standing, glass[..., 2], depth)
        # A wall behind the camera, as the mirror shows it, or one beside it.
        turned = AHEAD - 2 * (AHEAD @ self.mirror.normal) * np.array(self.mirror.normal)
        wall = plane_at(turned, reflect_points(-1.5 * AHEAD, self.mirror))
        far = np.fmin(intersect_rays(rays, wall)[..., 2], 5.0)
        image = np.where((y >= 0) & (y <= 0.5), top[..., 2], far)
        depth = np.where(inside, image, depth)
        rng = np.random.default_rng(3)
        sigma = depth_sigma_m(depth, DepthNoisePolicy())
        shared = np.kron(rng.standard_normal((30, 53)) * 0.7, np.ones((8, 8)))[:240, :424]
        errors = self.noise * sigma * (shared + 0.7 * rng.standard_normal(depth.shape))
        return np.where(depth > 0, depth + errors, 0.0), inside

    def _axes(self) -> tuple[Array, Array]:
        """The directions along the mirror, and level into it."""
        turn = math.radians(self.turn_deg)
        along = math.cos(turn) * RIGHT + math.sin(turn) * AHEAD
        return along, math.cos(turn) * AHEAD - math.sin(turn) * RIGHT


def _foot(depth_m: Array, inside: NDArray[np.bool_]) -> FootPlane | None:
    return find_foot(
        depth_m,
        CroppedMask(0, 0, inside),
        CAMERA,
        outlined=np.where(inside, OUTLINED, 0).astype(np.uint8),
        policy=POLICY,
        rng=np.random.default_rng(0),
    )


def _mirror(depth_m: Array, inside: NDArray[np.bool_], *, kind: str) -> MirrorPlane:
    return estimate_mirror_plane(
        depth_m,
        CroppedMask(0, 0, inside),
        CAMERA,
        surface_type=kind,
        outlined=np.where(inside, OUTLINED, 0).astype(np.uint8),
        policy=POLICY,
        rng=np.random.default_rng(0),
    )


def test_a_counter_alone_gives_the_mirror_over_it_its_plane() -> None:
    room = Counter()
    found = _mirror(*room.seen(), kind="planar_mirror")
    assert found.source == "foot"
    assert angle_between_deg(found.plane, room.mirror) < 2
    assert abs(float(signed_distances_m(room.foot, found.plane))) < 0.03
    assert "one_sided" in found.notes
    assert found.coverage <= 0.25


@settings(max_examples=25, deadline=None)
@given(turn=st.floats(-55, 55), noise=st.floats(0, 2))
def test_planes_of_counters_are_within_their_doubts_and_never_sure(
    turn: float, noise: float
) -> None:
    room = Counter(turn_deg=turn, noise=noise)
    found = _mirror(*room.seen(), kind="planar_mirror")
    assert found.source == "foot"
    assert angle_between_deg(found.plane, room.mirror) < 3 * found.normal_error_deg
    assert abs(float(signed_distances_m(room.foot, found.plane))) < 3 * found.distance_error_m
    assert found.confidence < found.trust <= VERDICT.foot_support


@pytest.mark.parametrize("lean", [-4.0, 2.0, 4.0])
def test_a_lean_is_not_seen_but_doubted(lean: float) -> None:
    room = Counter(lean_deg=lean)
    found = _foot(*room.seen())
    off = angle_between_deg(found.belief.plane, room.mirror)
    assert off > abs(lean) - 1
    assert off < 2.5 * found.belief.normal_error_deg
    assert found.belief.normal_error_deg >= POLICY.foot.upright_doubt_deg


@pytest.mark.parametrize("high", [0.05, 0.1])
def test_a_backsplash_between_counter_and_mirror_is_in_its_plane(high: float) -> None:
    room = Counter(splash_m=high)
    found = _foot(*room.seen())
    assert angle_between_deg(found.belief.plane, room.mirror) < 1
    assert abs(float(signed_distances_m(room.foot, found.belief.plane))) < 0.01


def test_a_mirror_high_above_the_counter_does_not_stand_on_it() -> None:
    assert _foot(*Counter(splash_m=0.4).seen()) is None


@settings(max_examples=25, deadline=None)
@given(turn=st.floats(-50, 50))
def test_exact_readings_of_a_counter_give_its_edge_to_half_a_pixel(turn: float) -> None:
    room = Counter(turn_deg=turn, noise=0.0)
    found = _foot(*room.seen())
    # A pixel there is 2.8 cm of the counter.
    assert abs(float(signed_distances_m(room.foot, found.belief.plane))) < 0.014
    assert angle_between_deg(found.belief.plane, room.mirror) < 1.6


def test_a_counter_near_eye_level_says_less_of_the_mirror() -> None:
    doubts = []
    for drop in (0.3, 0.45, 0.6):
        found = _foot(*Counter(drop_m=drop).seen())
        doubts.append(found.belief.distance_error_m(Counter(drop_m=drop).foot))
    assert doubts[0] > doubts[1] > doubts[2] > POLICY.surroundings.mirror_mount_m


def test_a_lower_side_that_slopes_stands_on_nothing() -> None:
    assert _foot(*Counter(splash_m=0.1, slope_deg=2.0).seen()) is not None
    assert _foot(*Counter(splash_m=0.1, slope_deg=9.0).seen()) is None


def test_rays_at_eye_level_meet_nothing_level() -> None:
    depth, inside = Counter().seen()
    side = find_lower_side(
        depth,
        CroppedMask(0, 0, inside),
        CAMERA,
        outlined=np.where(inside, OUTLINED, 0).astype(np.uint8),
        policy=POLICY.foot,
    )
    axes = np.stack((RIGHT, AHEAD, UP))
    assert np.isfinite(side.feet_m(axes)).all()
    assert np.isnan(side._replace(edge_rays=side.edge_rays + 0.5 * UP).feet_m(axes)).all()


def test_a_counter_that_ends_before_the_mirror_gives_nothing() -> None:
    assert _foot(*Counter(gap_m=0.3).seen()) is None


def test_a_counter_under_less_than_half_of_the_mirror_gives_nothing() -> None:
    assert _foot(*Counter(from_m=0.1).seen()) is None


def test_a_counter_under_most_of_the_mirror_counts_for_its_share() -> None:
    whole, part = _foot(*Counter().seen()), _foot(*Counter(from_m=-0.2).seen())
    assert whole.share > 0.9
    assert 0.55 < part.share < 0.8
    assert angle_between_deg(part.belief.plane, Counter().mirror) < 3
    assert part.belief.normal_error_deg > whole.belief.normal_error_deg


def test_a_wall_that_goes_on_below_the_mirror_is_no_foot() -> None:
    room = Counter()
    depth, inside = room.seen()
    rows, columns = np.mgrid[:240, :424]
    rays = deproject_rays(CAMERA, np.stack((columns, rows), axis=-1))
    wall = intersect_rays(rays, room.mirror)[..., 2]
    floor = intersect_rays(rays, plane_at(UP, room.foot - 0.3 * UP))[..., 2]
    around = np.fmin(wall, floor)
    assert _foot(np.where(inside, depth, around), inside) is None


def test_things_nearer_in_the_reflection_are_before_the_foot() -> None:
    depth, inside = Counter().seen()
    rows = np.nonzero(inside)[0]
    assert _foot(depth, inside).before_share == 0
    near = np.where(inside & (np.arange(240)[:, None] < np.quantile(rows, 0.3)), 1.0, depth)
    found = _foot(near, inside)
    assert 0.2 < found.before_share < 0.4
    # It would have trust enough.
    assert VERDICT.foot_support * found.share * (1 - found.before_share) > VERDICT.least_trust
    assert _mirror(near, inside, kind="planar_mirror").refusal.code == "thin_evidence"


@pytest.mark.parametrize("kind", ["glass", "screen", "water"])
def test_panes_stand_on_nothing(kind: str) -> None:
    assert _mirror(*Counter().seen(), kind=kind).source != "foot"


def test_the_same_readings_give_the_same_plane() -> None:
    first, second = (_foot(*Counter().seen()) for _ in range(2))
    assert (first.belief.polar == second.belief.polar).all()
    assert (first.belief.covariance == second.belief.covariance).all()


@pytest.mark.parametrize("fill", [0.0, np.nan, np.inf, -1.0])
def test_pictures_without_readings_give_nothing(fill: float) -> None:
    depth, inside = Counter().seen()
    assert _foot(np.full(depth.shape, fill), inside) is None


@pytest.mark.parametrize(
    "part",
    [np.s_[:1, :1], np.s_[:, 200:201], np.s_[100:101, :], np.s_[:, :], np.s_[239:, :]],
    ids=["a pixel", "a column", "a row", "the picture", "the last row"],
)
def test_degenerate_outlines_give_a_finite_plane_or_nothing(part) -> None:
    depth, _ = Counter().seen()
    inside = np.zeros(depth.shape, dtype=bool)
    inside[part] = True
    found = _foot(depth, inside)
    assert found is None or np.isfinite(found.belief.covariance).all()
