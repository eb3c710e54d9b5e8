"""A camera whose parameters are known is found again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mira.sim.depth_fit.fitting import fit_depth
from mira.sim.depth_fit.records import DepthFit
from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.policy import DepthSensorPolicy, RoomPolicy

TOLERANCES = {
    "disparity_step_px": 0.10,
    "disparity_noise_px": 0.15,
    "noise_grain_px": 0.25,
    "min_range_m": 0.05,
    "max_range_m": 0.05,
    "dropout_share": 0.20,
    "mirror_dropout_share": 0.20,
    "glass_dropout_share": 0.20,
    "bent_dropout_share": 0.20,
    "dropout_grain_px": 0.25,
}


def require_found(
    fit: DepthFit, policy: DepthSensorPolicy, names: set[str], *, slack: float = 1.0
) -> None:
    """All these parameters are there and as they were, others within `slack` times as much."""
    found = {one.parameter: one.value for one in fit.estimates if one.value is not None}
    assert names <= found.keys()
    for name, value in found.items():
        true = getattr(policy, name)
        rel = TOLERANCES[name] * (1 if name in names else slack)
        assert value == pytest.approx(true, rel=rel), name
        assert getattr(fit.policy, name) == value


@pytest.mark.slow
@pytest.mark.parametrize(
    "policy",
    [
        # With noise of 0.1 px the end of the range is smeared over more than it may be off.
        DepthSensorPolicy(disparity_noise_px=0.04),
        DepthSensorPolicy(
            disparity_step_px=1 / 16,
            disparity_noise_px=0.08,
            noise_grain_px=1.2,
            dropout_share=0.03,
            dropout_grain_px=2.0,
            mirror_dropout_share=0.15,
            glass_dropout_share=0.3,
            min_range_m=0.4,
            max_range_m=8.0,
        ),
    ],
    ids=["default", "coarser"],
)
def test_all_parameters_are_recovered(
    capture: Callable[[DepthSensorPolicy], tuple[Path, ...]], policy: DepthSensorPolicy
) -> None:
    fit = fit_depth(capture(policy))
    assert fit.frames == 5
    assert fit.faults == ()
    require_found(fit, policy, set(TOLERANCES))


@pytest.mark.slow
def test_a_simulated_room_gives_its_camera_back(tmp_path: Path) -> None:
    pytest.importorskip("embreex", reason="needs the sim extra")
    depth = DepthSensorPolicy(
        disparity_step_px=0.05,
        disparity_noise_px=0.07,
        noise_grain_px=2.0,
        dropout_share=0.02,
        edge_loss_px=0.0,  # else what a cluttered mirror loses at edges counts as its dropout
    )
    policy = RoomPolicy(places=("bathroom",), depth=depth, views_per_scene=2)
    make_rooms(tmp_path / "rooms", count=1, seed=3, policy=policy)
    fit = fit_depth((tmp_path / "rooms",))
    assert fit.frames == 2
    wanted = {"disparity_step_px", "disparity_noise_px", "noise_grain_px", "dropout_share"}
    # A single mirror holds too few blobs for an exact share.
    require_found(fit, depth, wanted, slack=2.5)
    assert fit.policy.max_range_m == depth.max_range_m
