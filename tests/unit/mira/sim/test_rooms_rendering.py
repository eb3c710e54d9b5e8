from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.mirror import reflect_across
from mira.sim.rooms.parts import Finish, Item, Placed, sphere
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import CameraPolicy, RoomPolicy, ShadingPolicy
from mira.sim.rooms.rendering import Chain, ViewTruth, open_room
from mira.sim.rooms.scene import SceneView, render_views

_RADIUS_M = 0.035
_POLICY = RoomPolicy(
    camera=CameraPolicy(supersample=1), shading=ShadingPolicy(occlusion_strength=0)
)


@pytest.fixture(scope="session")
def balls(gl: None) -> tuple[RoomPlan, tuple[SceneView, ...]]:
    """Three balls in the air before two mirrors, pictured from two sides."""
    from mira.sim.rooms.layout import plan_room

    plan = plan_room(np.random.default_rng(5), index=2, view_count=2)
    half = plan.shell.width_m / 2
    spots = ((half - 0.55, -0.45, 1.2), (half - 0.95, -0.3, 1.35), (half - 0.3, -0.7, 1.1))
    placed = tuple(
        Placed(Item("ball", f"ball {k}", (sphere(Finish(), _RADIUS_M, (0, 0, 0)),), 0.1), spot)
        for k, spot in enumerate(spots)
    )
    plan = dataclasses.replace(plan, items=placed)
    return plan, render_views(plan, _POLICY, np.random.default_rng(0))


def _seen(truth: ViewTruth) -> list[tuple[int, Chain, NDArray[np.bool_]]]:
    """Every ball that is wholly visible, by the way it is seen."""
    found = []
    for chain_id, chain in enumerate(truth.chains):
        for item in np.unique(truth.item[truth.item >= 0]).tolist():
            mask = (truth.item == item) & (truth.chain_id == chain_id)
            if _is_disc(mask):
                found.append((item, chain, mask))
    return found


def _is_disc(mask: NDArray[np.bool_]) -> bool:
    rows, columns = np.nonzero(mask)
    if len(rows) < 80:
        return False
    height, width = np.ptp(rows) + 1, np.ptp(columns) + 1
    whole = np.pi / 4 * height * width
    return bool(abs(height - width) <= 1 and abs(len(rows) / whole - 1) < 0.06)


def _virtual(plan: RoomPlan, point: NDArray[np.float64], chain: Chain) -> NDArray[np.float64]:
    """Where a point seems to be: the last mirror of the chain reflects it first."""
    for index in reversed(chain):
        point = reflect_across(plan.mirrors[index], point)
    return point


def test_balls_are_seen_directly_reflected_and_twice_reflected(
    balls: tuple[RoomPlan, tuple[SceneView, ...]],
) -> None:
    _, views = balls
    orders = {len(chain) for view in views for _, chain, _ in _seen(view.truth)}
    assert orders == {0, 1, 2}


def test_reflected_masks_lie_where_reflection_puts_them(
    balls: tuple[RoomPlan, tuple[SceneView, ...]],
) -> None:
    plan, views = balls
    camera = _POLICY.camera.intrinsics()
    checked = 0
    for view in views:
        for item, chain, mask in _seen(view.truth):
            point = _virtual(plan, np.array(plan.items[item].at_m), chain)
            x, y, z = view.viewpoint.to_camera(point)
            expected = (
                camera.fx_px * x / z + camera.cx_px,
                camera.fy_px * y / z + camera.cy_px,
            )
            rows, columns = np.nonzero(mask)
            assert (columns.mean(), rows.mean()) == pytest.approx(expected, abs=0.25)
            checked += len(chain) > 0
    assert checked >= 6


def test_depth_on_a_mirror_is_that_of_the_virtual_image(
    balls: tuple[RoomPlan, tuple[SceneView, ...]],
) -> None:
    plan, views = balls
    camera = _POLICY.camera.intrinsics()
    for view in views:
        for item, chain, mask in _seen(view.truth):
            rows, columns = np.nonzero(mask)
            z = view.truth.depth_m[mask].astype(np.float64)
            x = (columns - camera.cx_px) * z / camera.fx_px
            y = (rows - camera.cy_px) * z / camera.fy_px
            points = view.viewpoint.to_room(np.stack((x, y, z), axis=-1))
            centre = _virtual(plan, np.array(plan.items[item].at_m), chain)
            distance = np.linalg.norm(points - centre, axis=-1)
            assert distance == pytest.approx(_RADIUS_M, abs=0.001)


def test_sensor_depth_on_a_mirror_reads_behind_its_plane(
    balls: tuple[RoomPlan, tuple[SceneView, ...]],
) -> None:
    _, views = balls
    for view in views:
        truth = view.truth
        read = (truth.first_mirror >= 0) & (view.sensor_depth > 0)
        ratio = view.sensor_depth[read] / 1000 / truth.depth_m[read]
        assert np.median(np.abs(ratio - 1)) < 0.02
        assert read.sum() / (truth.first_mirror >= 0).sum() > 0.8


def test_what_a_mirror_shows_belongs_to_a_chain_that_starts_with_it(
    balls: tuple[RoomPlan, tuple[SceneView, ...]],
) -> None:
    _, views = balls
    for view in views:
        truth = view.truth
        first = np.array([chain[0] if chain else -1 for chain in truth.chains])
        assert np.array_equal(first[truth.chain_id], truth.first_mirror)


@pytest.mark.slow
def test_supersampled_and_plain_pictures_have_the_same_truth(
    gl: None, corner_room: RoomPlan
) -> None:
    truths = []
    for samples in (1, 3):
        policy = RoomPolicy(camera=CameraPolicy(supersample=samples))
        with open_room(corner_room, policy) as renderer:
            truths.append(renderer.view(corner_room.viewpoints[0]))

    assert np.mean(truths[0].item != truths[1].item) < 1e-4
    difference = truths[0].colour.astype(int) - truths[1].colour
    assert np.abs(difference).mean() < 4
