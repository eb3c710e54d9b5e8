from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import DepthSensorPolicy
from mira.sim.rooms.reflective import ReflectiveSurface, facing
from mira.sim.rooms.truth.depth_sensor import dropout_of, sense_depth

_FOCAL_PX = 560.0
_CLEAN = DepthSensorPolicy(noise_grain_px=2.5, edge_loss_px=0.0, flying_share=0.0, left_rim_px=None)
"""Without what happens at edges and rims."""
_QUIET = _CLEAN.model_copy(update={"disparity_noise_px": 0.0, "dropout_share": 0.0})


def _flat(metres: float) -> NDArray[np.float32]:
    return np.full((120, 160), metres, np.float32)


def _sense(
    depth_m: NDArray[np.float32],
    policy: DepthSensorPolicy,
    *,
    dropout: NDArray[np.float32] | None = None,
    seed: int = 0,
) -> NDArray[np.uint16]:
    if dropout is None:
        dropout = np.full(depth_m.shape, policy.dropout_share, np.float32)
    rng = np.random.default_rng(seed)
    return sense_depth(depth_m, dropout, focal_px=_FOCAL_PX, policy=policy, rng=rng)


def test_readings_are_true_to_one_disparity_step() -> None:
    for metres in (0.5, 1.0, 2.0, 4.0, 8.0):
        step_m = metres**2 / (_FOCAL_PX * _QUIET.baseline_m) * _QUIET.disparity_step_px
        reading = _sense(_flat(metres), _QUIET)
        assert reading.dtype == np.uint16
        assert np.abs(reading / 1000 - metres).max() <= step_m / 2 * 1.1 + 0.0005


def test_the_error_grows_with_the_square_of_the_distance() -> None:
    policy = _CLEAN.model_copy(update={"dropout_share": 0.0, "disparity_step_px": 1e-4})

    near, far = (_sense(_flat(metres), policy).std() for metres in (1.5, 3.0))

    assert far / near == pytest.approx(4, rel=0.1)


def test_the_error_is_that_of_the_policy() -> None:
    policy = _CLEAN.model_copy(update={"dropout_share": 0.0, "disparity_step_px": 1e-4})
    scale = _FOCAL_PX * policy.baseline_m

    error_px = scale / (_sense(_flat(1.0), policy) / 1000) - scale

    assert error_px.std() == pytest.approx(policy.disparity_noise_px, rel=0.1)
    assert np.corrcoef(error_px[:, 1:].ravel(), error_px[:, :-1].ravel())[0, 1] > 0.8


def test_out_of_range_gives_no_reading() -> None:
    assert not _sense(_flat(0.2), _QUIET).any()
    assert not _sense(_flat(12.0), _QUIET).any()


def test_the_sky_gives_no_reading() -> None:
    depth = _flat(2.0)
    depth[:60] = np.inf

    reading = _sense(depth, _QUIET)

    assert not reading[:60].any()
    assert reading[60:].all()


@pytest.mark.parametrize("share", [0.02, 0.1, 0.4])
def test_each_pixel_loses_as_often_as_its_surface_does(share: float) -> None:
    dropout = np.full((120, 160), 0.005, np.float32)
    dropout[:, 80:] = share

    lost = np.mean([_sense(_flat(2.0), _QUIET, dropout=dropout, seed=k) == 0 for k in range(8)], 0)

    assert lost[:, 80:].mean() == pytest.approx(share, rel=0.35)
    assert lost[:, :80].mean() < 0.015


def test_where_nothing_is_lost_every_pixel_is_read() -> None:
    for seed in range(8):
        assert _sense(_flat(2.0), _QUIET, seed=seed).all()


def test_losses_come_in_blobs() -> None:
    dropout = np.full((120, 160), 0.1, np.float32)
    lost = _sense(_flat(2.0), _QUIET, dropout=dropout) == 0

    assert (lost[:, 1:] & lost[:, :-1]).sum() > 0.6 * lost.sum()


@pytest.fixture
def plan(make_plan: Callable[..., RoomPlan]) -> RoomPlan:
    """A mirror, a convex mirror and a pane."""
    flat = ReflectiveSurface("m", "planar_mirror", (0, 0, 1), facing(0), 1.0, 1.0)
    bent = ReflectiveSurface(
        "b", "convex_mirror", (0, 0, 1), facing(0), 1.0, 1.0, bulge_radius_m=2.0
    )
    pane = ReflectiveSurface("p", "glass", (0, 0, 1), facing(0), 1.0, 1.0, see_through=0.8)
    return make_plan(surfaces=(flat, bent, pane))


def test_every_kind_of_surface_loses_its_own_share(plan: RoomPlan) -> None:
    policy = DepthSensorPolicy()
    first_surface = np.array([[-1, 0], [1, 2]], np.int32)

    found = dropout_of(first_surface, plan, policy)

    assert found.dtype == np.float32
    assert found.ravel() == pytest.approx(
        (
            policy.dropout_share,
            policy.mirror_dropout_share,
            policy.bent_dropout_share,
            policy.glass_dropout_share,
        )
    )


def test_reflections_lose_more_pixels_than_walls(plan: RoomPlan) -> None:
    policy = _CLEAN
    first_surface = np.repeat(np.array([-1, 0, 2, 1], np.int32), 40)[None].repeat(120, axis=0)
    dropout = dropout_of(first_surface, plan, policy)

    lost = np.mean([_sense(_flat(2.0), policy, dropout=dropout, seed=k) == 0 for k in range(8)], 0)

    wall, mirror, pane, bent = (float(part.mean()) for part in np.split(lost, 4, axis=1))
    assert 3 * wall < mirror < pane < bent


def test_a_near_thing_hides_a_strip_to_its_left() -> None:
    depth = _flat(2.0)
    depth[:, 100:130] = 1.0
    shadow_px = _FOCAL_PX * _QUIET.baseline_m * (1 / 1.0 - 1 / 2.0)

    lost = _sense(depth, _QUIET) == 0

    assert lost[60].sum() == pytest.approx(shadow_px, abs=1)
    assert lost[60, 99]
    assert not lost[60, 100:].any()


def test_equal_seeds_give_equal_readings() -> None:
    policy = DepthSensorPolicy()

    assert np.array_equal(_sense(_flat(2.0), policy, seed=3), _sense(_flat(2.0), policy, seed=3))
    assert not np.array_equal(_sense(_flat(2.0), policy), _sense(_flat(2.0), policy, seed=1))


def test_nothing_is_read_left_of_what_the_second_imager_sees() -> None:
    policy = _QUIET.model_copy(update={"left_rim_px": 5.0})
    disparity_px = _FOCAL_PX * policy.baseline_m / 2.0

    lost = _sense(_flat(2.0), policy) == 0

    assert lost.all(axis=0).sum() == pytest.approx(disparity_px + 5, abs=1)
    assert not lost[:, round(disparity_px + 7) :].any()


def test_edges_are_ragged_and_some_readings_lie_between() -> None:
    depth = _flat(3.0)
    depth[:, :80] = 1.5
    policy = _QUIET.model_copy(update={"edge_loss_px": 2.0, "flying_share": 0.2})

    reading = _sense(depth, policy) / 1000

    beside = reading[:, 74:86]
    assert 0.05 < (beside == 0).mean() < 0.5
    assert ((beside > 1.6) & (beside < 2.8)).any()
    assert (reading[:, :60] > 0).all()
