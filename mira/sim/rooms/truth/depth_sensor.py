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
_WIDEST_SHADOW_PX = 48
_FINEST_SIGMA_PX = 1.5
_JUMP_PX = 1.0
"""Neighbours whose disparity differs by more lie on two sides of an edge."""
_FLYING_PX = 2.0
_AROUND = np.ones((5, 5), np.uint8)


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
    from_edge = _distance_to_edges(true)
    seen = _flying(true, from_edge, policy, rng)
    noise = _grain(rng, true.shape, policy.noise_grain_px) * np.float32(policy.disparity_noise_px)
    steps = np.round((seen + noise) / policy.disparity_step_px)
    measured = scale / np.maximum(steps * policy.disparity_step_px, policy.disparity_step_px)
    lost = _lost(rng, dropout, policy) | _shadowed(true) | _beside_the_second_picture(true, policy)
    ragged = np.abs(_grain(rng, true.shape, policy.dropout_grain_px))
    lost |= from_edge < np.float32(policy.edge_loss_px) * ragged
    lost |= (depth_m < policy.min_range_m) | (depth_m > policy.max_range_m)
    return np.where(lost, 0, np.round(measured / DEPTH_UNIT_M)).clip(0, 65535).astype(np.uint16)


def _distance_to_edges(disparity_px: NDArray[np.float32]) -> NDArray[np.float32]:
    """Pixels to the next jump of disparity; far away where there is none."""
    edge = np.zeros(disparity_px.shape, bool)
    for axis in (0, 1):
        jump = np.abs(np.diff(disparity_px, axis=axis)) > _JUMP_PX
        rows, columns = (
            (slice(1, None), slice(None)) if axis == 0 else (slice(None), slice(1, None))
        )
        edge[rows, columns] |= jump
        edge[: jump.shape[0], : jump.shape[1]] |= jump
    return np.asarray(
        cv2.distanceTransform((~edge).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_3), np.float32
    )


def _flying(
    disparity_px: NDArray[np.float32],
    from_edge: NDArray[np.float32],
    policy: DepthSensorPolicy,
    rng: Generator,
) -> NDArray[np.float32]:
    """Disparity in which some readings at edges lie between their two sides."""
    row, column = np.nonzero(from_edge < _FLYING_PX)
    flies = rng.random(len(row), dtype=np.float32) < policy.flying_share
    row, column = row[flies], column[flies]
    near, far = cv2.dilate(disparity_px, _AROUND), cv2.erode(disparity_px, _AROUND)
    between = rng.random(len(row), dtype=np.float32)
    mixed = disparity_px.copy()
    mixed[row, column] = far[row, column] + between * (near - far)[row, column]
    return mixed


def _beside_the_second_picture(
    disparity_px: NDArray[np.float32], policy: DepthSensorPolicy
) -> NDArray[np.bool_]:
    """Pixels at the left rim whose partner lies outside the second imager's picture."""
    if policy.left_rim_px is None:
        return np.zeros(disparity_px.shape, bool)
    column = np.arange(disparity_px.shape[1], dtype=np.float32)
    return np.asarray(column < disparity_px + np.float32(policy.left_rim_px))


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
    widest = min(int(np.ptp(disparity_px)), _WIDEST_SHADOW_PX)
    for reach in range(1, widest + 1):
        step = disparity_px[:, reach:] - disparity_px[:, :-reach]
        hidden[:, :-reach] |= step >= reach
    return hidden


def _lost(
    rng: Generator, dropout: NDArray[np.float32], policy: DepthSensorPolicy
) -> NDArray[np.bool_]:
    """Blobs without a reading, the more of them the larger the local share."""
    grain = _grain(rng, dropout.shape, policy.dropout_grain_px)
    lost = np.zeros(dropout.shape, bool)
    for share in filter(None, np.unique(dropout).tolist()):
        limit = np.quantile(grain[::3, ::3], 1 - share)
        lost |= (dropout == np.float32(share)) & (grain > limit)
    return lost


def _grain(rng: Generator, shape: tuple[int, ...], sigma_px: float) -> NDArray[np.float32]:
    """Blurred noise of unit variance."""
    # A wide blur holds no detail: it is drawn smaller and enlarged.
    shrink = max(int(sigma_px / _FINEST_SIGMA_PX), 1)
    small = (-(-shape[0] // shrink), -(-shape[1] // shrink))
    white = rng.standard_normal(small, dtype=np.float32)
    blurred = cv2.GaussianBlur(white, (0, 0), sigma_px / shrink)
    if shrink > 1:
        blurred = cv2.resize(blurred, shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(blurred / blurred.std(), np.float32)
