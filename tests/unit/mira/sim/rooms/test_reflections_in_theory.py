"""What the ray tracer shows against geometry that sends no rays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.places.registry import PLACES
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import CameraPolicy, RoomPolicy
from mira.sim.rooms.reflective import ReflectiveSurface, facing, reflect_across
from mira.sim.rooms.things.parts import Finish, box
from mira.sim.rooms.tracing.renderer import RoomRenderer, pixel_directions
from mira.sim.rooms.tracing.sight import Chain, Sights
from mira.sim.rooms.viewpoint import Viewpoint, look_at

pytestmark = pytest.mark.usefixtures("embree")

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
_FINE = 9
"""Odd, so that a fine pixel lies in the middle of each pixel."""
_FRACTION_BITS = 6
_ROOMS = ("bathroom", "bedroom", "living_room", "living_room")
_MIN_AREA_PX = 300
_WHOLE = 0.01
"""Largest difference of area between a whole thing and its silhouette, as a share."""
_FAR_ROOM = 4.0


class _Shown(NamedTuple):
    """A thing as a picture shows it, and the silhouette that it should have.

    Attributes:
        chain: Mirrors by which it is seen.
        mask: Its pixels, in a window around its silhouette.
        silhouette: The silhouette at the pixels' centres, same window.
        centre_px: Centre of the silhouette itself, in the window's pixels.
    """

    chain: Chain
    mask: Mask
    silhouette: Mask
    centre_px: Floats

    @property
    def is_whole(self) -> bool:
        """Whether nothing hides a part of the thing, but for a rim of a pixel."""
        core = cv2.erode(self.silhouette.astype(np.uint8), np.ones((3, 3))) > 0
        return bool(self.mask[core].all()) and self.excess > -_WHOLE

    @property
    def excess(self) -> float:
        """By how much the mask is larger than the silhouette, as a share."""
        return float(np.count_nonzero(self.mask) / np.count_nonzero(self.silhouette)) - 1


@pytest.fixture(scope="module")
def shown(small_room: RoomPlan) -> list[_Shown]:
    """Things in two views of each room, straight on and by flat mirrors."""
    policy = RoomPolicy()
    rngs = (np.random.default_rng(seed) for seed in range(40, 40 + len(_ROOMS)))
    plans = [PLACES[place](rng) for place, rng in zip(_ROOMS, rngs, strict=True)]
    found: list[_Shown] = []
    for plan in (*plans, small_room):
        renderer = RoomRenderer(plan, policy)
        for viewpoint in plan.viewpoints[:2]:
            found += _things(renderer, plan, viewpoint, policy.camera)
    return found


def _things(
    renderer: RoomRenderer, plan: RoomPlan, viewpoint: Viewpoint, camera: CameraPolicy
) -> Iterator[_Shown]:
    straight, _ = renderer.sights(viewpoint, camera)
    item = np.where(straight.triangle >= 0, renderer.mesh.item[straight.triangle], -1)
    for code in np.unique(straight.chain).tolist():
        chain = renderer.chain_of(code)
        for index in np.unique(item[(straight.chain == code) & (item >= 0)]).tolist():
            mask = (item == index) & (straight.chain == code)
            mask = mask.reshape(camera.height_px, camera.width_px)
            corners = renderer.mesh.corners[renderer.mesh.item == index]
            if np.count_nonzero(mask) >= _MIN_AREA_PX:
                yield from _against_silhouette(mask, corners, chain, plan, viewpoint, camera)


def _against_silhouette(
    mask: Mask,
    corners: Floats,
    chain: Chain,
    plan: RoomPlan,
    viewpoint: Viewpoint,
    camera: CameraPolicy,
) -> Iterator[_Shown]:
    """A mask beside the projection of the reflected triangles, if that is all in the picture."""
    for index in reversed(chain):
        corners = reflect_across(plan.surfaces[index], corners)
    seen = viewpoint.to_camera(corners)
    if seen[..., 2].min() < 0.05:
        return
    lens = camera.intrinsics()
    u = lens.fx_px * seen[..., 0] / seen[..., 2] + lens.cx_px
    v = lens.fy_px * seen[..., 1] / seen[..., 2] + lens.cy_px
    if u.min() < 0 or v.min() < 0 or u.max() > lens.width_px - 1 or v.max() > lens.height_px - 1:
        return
    left, top = np.floor((u.min(), v.min())).astype(int).tolist()
    right, bottom = np.ceil((u.max(), v.max())).astype(int).tolist()
    own = np.stack((u - left, v - top), axis=-1)
    silhouette = _silhouette(own, right - left + 1, bottom - top + 1)
    middle = np.s_[_FINE // 2 :: _FINE]
    window = mask[top : bottom + 1, left : right + 1]
    yield _Shown(chain, window, silhouette[middle, middle], _centre(silhouette, _FINE))


def _silhouette(triangles_px: Floats, width: int, height: int) -> Mask:
    """The union of triangles on a raster nine times as fine as the picture."""
    canvas = np.zeros((height * _FINE, width * _FINE), np.uint8)
    fine = (triangles_px + 0.5) * _FINE - 0.5
    for triangle in np.round(fine * (1 << _FRACTION_BITS)).astype(np.int32):
        cv2.fillConvexPoly(canvas, triangle, 1, cv2.LINE_8, _FRACTION_BITS)
    return canvas > 0


def _centre(mask: Mask, fine: int) -> Floats:
    row, column = np.nonzero(mask)
    return (np.array((column.mean(), row.mean())) + 0.5) / fine - 0.5


@pytest.mark.parametrize(("order", "fewest"), [(0, 20), (1, 20), (2, 3)])
def test_whole_things_lie_where_reflection_and_a_pinhole_put_them(
    shown: list[_Shown], order: int, fewest: int
) -> None:
    whole = [thing for thing in shown if thing.is_whole and len(thing.chain) == order]
    apart = [_centre(thing.mask, 1) - _centre(thing.silhouette, 1) for thing in whole]
    apart_from_itself = [_centre(thing.mask, 1) - thing.centre_px for thing in whole]

    assert len(whole) >= fewest
    assert np.abs(apart).max() < 0.3
    # Pixels cannot tell where between two rows a level edge lies; few things have none.
    assert np.median(np.linalg.norm(apart_from_itself, axis=1)) < 0.1


def test_nothing_is_seen_larger_than_its_silhouette(shown: list[_Shown]) -> None:
    assert max(thing.excess for thing in shown) < _WHOLE


class _Bulge(NamedTuple):
    """Rays that a convex mirror throws back: where they come from, meet the mirror, and end."""

    surface: ReflectiveSurface
    eye: Floats
    met: Floats
    before: Floats
    after: Floats
    end: Floats


@pytest.fixture(scope="module", params=[(0.9, 0.0), (0.6, 30.0), (2.0, -45.0)])
def bulge(request: pytest.FixtureRequest, make_plan: Callable[..., RoomPlan]) -> _Bulge:
    """A convex mirror in a large room, seen from straight ahead and from the side."""
    radius, bearing = request.param
    surface = ReflectiveSurface(
        "bulge", "convex_mirror", (0.0, -0.3, 1.5), facing(0), 0.7, 0.7, round=True,
        bulge_radius_m=radius,
    )  # fmt: skip
    side = _FAR_ROOM / 2 + 0.05
    walls = [
        box(Finish(), tuple(_FAR_ROOM + 0.2 if k != axis else 0.1 for k in range(3)),
            tuple((sign * side if k == axis else 0.0) + (0, -1.2, 1.0)[k] for k in range(3)))
        for axis in range(3) for sign in (-1, 1)
    ]  # fmt: skip
    plan = make_plan(structure=tuple(walls), surfaces=(surface,))
    angle = np.radians(bearing)
    viewpoint = look_at(
        (1.6 * float(np.sin(angle)), -0.3 - 1.6 * float(np.cos(angle)), 1.6), (0.0, -0.3, 1.5)
    )
    camera = CameraPolicy(width_px=160, height_px=120, focal_px=130.0)
    renderer = RoomRenderer(plan, RoomPolicy(camera=camera))
    sights, _ = renderer.sights(viewpoint, camera)
    return _thrown_back(sights, surface, viewpoint, pixel_directions(viewpoint, camera))


def _thrown_back(
    sights: Sights, surface: ReflectiveSurface, viewpoint: Viewpoint, rays: NDArray[np.float32]
) -> _Bulge:
    by_mirror = np.flatnonzero((sights.chain == 1) & (sights.triangle >= 0))
    before = rays[by_mirror].astype(np.float64)
    met = viewpoint.eye_m + before * sights.first_length[by_mirror, None]
    after, end = (
        values[by_mirror].astype(np.float64) for values in (sights.direction, sights.point)
    )
    return _Bulge(surface, viewpoint.eye_m, met, before, after, end)


def test_light_leaves_a_convex_mirror_as_steeply_as_it_arrives(bulge: _Bulge) -> None:
    assert bulge.surface.ball_centre_m is not None
    assert len(bulge.met) > 1000
    normal = bulge.met - bulge.surface.ball_centre_m
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)

    turn = bulge.after - bulge.before

    assert np.einsum("ij,ij->i", bulge.after, normal) == pytest.approx(
        -np.einsum("ij,ij->i", bulge.before, normal), abs=1e-5
    )
    assert np.cross(turn, normal) == pytest.approx(0.0, abs=1e-5)
    onward = bulge.end - bulge.met
    onward /= np.linalg.norm(onward, axis=1, keepdims=True)
    assert onward == pytest.approx(bulge.after, abs=1e-3)


def test_light_takes_the_shortest_way_by_a_convex_mirror(bulge: _Bulge) -> None:
    """Fermat: of all ways from the eye by the ball to the end, the one taken is the shortest.

    It lies in the plane of both and the ball's centre, so one angle is searched for.
    """
    centre, radius = bulge.surface.ball_centre_m, bulge.surface.bulge_radius_m
    assert centre is not None
    assert radius is not None
    towards_eye, towards_end = bulge.eye - centre, bulge.end - centre
    first = np.broadcast_to(towards_eye / np.linalg.norm(towards_eye), towards_end.shape)
    second = towards_end - np.einsum("ij,ij->i", towards_end, first)[:, None] * first
    second /= np.linalg.norm(second, axis=1, keepdims=True)

    def on_ball(angle: Floats) -> Floats:
        around = np.cos(angle)[:, None] * first + np.sin(angle)[:, None] * second
        return np.asarray(centre + radius * around, np.float64)

    def way(angle: Floats) -> Floats:
        spot = on_ball(angle)
        parts = [np.linalg.norm(spot - other, axis=1) for other in (bulge.eye, bulge.end)]
        return np.asarray(parts[0] + parts[1], np.float64)

    low = np.zeros(len(bulge.end))
    high = np.arctan2(
        np.einsum("ij,ij->i", towards_end, second), np.einsum("ij,ij->i", towards_end, first)
    )
    for _ in range(80):
        third = (high - low) / 3
        nearer = way(low + third) < way(high - third)
        low, high = np.where(nearer, low, low + third), np.where(nearer, high - third, high)

    assert on_ball((low + high) / 2) == pytest.approx(bulge.met, abs=1e-3)
