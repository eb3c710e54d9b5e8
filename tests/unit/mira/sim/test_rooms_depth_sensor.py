from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.depth_sensor import sense_depth
from mira.sim.rooms.policy import DepthSensorPolicy

_FOCAL_PX = 560.0
_QUIET = DepthSensorPolicy(disparity_noise_px=0.0, dropout_share=0.0, mirror_dropout_share=0.0)


def _flat(metres: float) -> NDArray[np.float32]:
    return np.full((120, 160), metres, np.float32)


def _sense(
    depth_m: NDArray[np.float32],
    policy: DepthSensorPolicy,
    *,
    mirror: NDArray[np.bool_] | None = None,
    seed: int = 0,
) -> NDArray[np.uint16]:
    on_mirror = np.zeros(depth_m.shape, bool) if mirror is None else mirror
    rng = np.random.default_rng(seed)
    return sense_depth(depth_m, on_mirror, focal_px=_FOCAL_PX, policy=policy, rng=rng)


def test_readings_are_true_to_one_disparity_step() -> None:
    for metres in (0.5, 1.0, 2.0, 4.0, 8.0):
        step_m = metres**2 / (_FOCAL_PX * _QUIET.baseline_m) * _QUIET.disparity_step_px
        reading = _sense(_flat(metres), _QUIET)
        assert reading.dtype == np.uint16
        assert np.abs(reading / 1000 - metres).max() <= step_m / 2 * 1.1 + 0.0005


def test_the_error_grows_with_the_square_of_the_distance() -> None:
    policy = DepthSensorPolicy(dropout_share=0.0, disparity_step_px=1e-4)

    near, far = (_sense(_flat(metres), policy).std() for metres in (1.5, 3.0))

    assert far / near == pytest.approx(4, rel=0.1)


def test_out_of_range_gives_no_reading() -> None:
    assert not _sense(_flat(0.2), _QUIET).any()
    assert not _sense(_flat(12.0), _QUIET).any()


def test_mirrors_lose_more_pixels() -> None:
    mirror = np.zeros((120, 160), bool)
    mirror[:, 80:] = True

    lost = _sense(_flat(2.0), DepthSensorPolicy(), mirror=mirror) == 0

    assert lost[:, 80:].mean() > 3 * lost[:, :80].mean()
    assert lost[:, 80:].mean() < 0.15


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
