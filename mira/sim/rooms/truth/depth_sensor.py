"""What a stereo depth camera would report of a room."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import DepthSensorPolicy

DEPTH_UNIT_M = 0.001
"""Metres in one step of a depth picture."""
_WIDEST_SHADOW_PX = 24


def sense_depth(
    depth_m: NDArray[np.float32],
    dropout: NDArray[np.float32],
    *,
    focal_px: float,
    policy: DepthSensorPolicy,
    rng: Generator,
) -> NDArray[np.uint16]:
    """Sensor depth from true depth.

    Stereo finds a mirror's virtual image, so mirrors read the virtual distance. The error is one
    of disparity, so that of depth grows with the square of the distance.

    Args:
        depth_m: True z, on mirrors of the virtual image, infinite in the sky, shape (height,
            width).
        dropout: Share of readings that is lost around each pixel, same shape.
        focal_px: Focal length.
        policy: The camera's parameters.
        rng: Source of noise and holes.

    Returns:
        Depth in steps of `DEPTH_UNIT_M`, same shape; 0 where there is no reading.
    """
    scale = focal_px * policy.baseline_m
    true = scale / depth_m
    noise = _grain(rng, true.shape, policy.noise_grain_px) * np.float32(policy.disparity_noise_px)
    steps = np.round((true + noise) / policy.disparity_step_px)
    measured = scale / np.maximum(steps * policy.disparity_step_px, policy.disparity_step_px)
    lost = _lost(rng, dropout, policy) | _shadowed(true)
    lost |= (depth_m < policy.min_range_m) | (depth_m > policy.max_range_m)
    return np.where(lost, 0, np.round(measured / DEPTH_UNIT_M)).clip(0, 65535).astype(np.uint16)


def dropout_of(
    first_surface: NDArray[np.int32], plan: RoomPlan, policy: DepthSensorPolicy
) -> NDArray[np.float32]:
    """Share of readings that is lost around each pixel, by the surface it shows first."""
    shares = [policy.dropout_share]
    for surface in plan.surfaces:
        if surface.see_through > 0:
            shares.append(policy.glass_dropout_share)
        elif surface.bulge_radius_m is not None:
            shares.append(policy.bent_dropout_share)
        else:
            shares.append(policy.mirror_dropout_share)
    return np.asarray(np.array(shares, np.float32)[first_surface + 1])


def _shadowed(disparity_px: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Pixels that a nearer thing to their right hides from the second imager."""
    hidden = np.zeros(disparity_px.shape, bool)
    for reach in range(1, _WIDEST_SHADOW_PX + 1):
        step = disparity_px[:, reach:] - disparity_px[:, :-reach]
        hidden[:, :-reach] |= step >= reach
    return hidden


def _lost(
    rng: Generator, dropout: NDArray[np.float32], policy: DepthSensorPolicy
) -> NDArray[np.bool_]:
    """Blobs without a reading, the more of them the larger the local share."""
    grain = _grain(rng, dropout.shape, policy.dropout_grain_px)
    lost = np.zeros(dropout.shape, bool)
    for share in np.unique(dropout).tolist():
        limit = np.quantile(grain[::3, ::3], 1 - share)
        lost |= (dropout == np.float32(share)) & (grain > limit)
    return lost


def _grain(rng: Generator, shape: tuple[int, ...], sigma_px: float) -> NDArray[np.float32]:
    """Blurred noise of unit variance."""
    white = rng.standard_normal(shape, dtype=np.float32)
    blurred = cv2.GaussianBlur(white, (0, 0), sigma_px)
    return np.asarray(blurred / blurred.std(), np.float32)
