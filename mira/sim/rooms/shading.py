"""Light that a rasteriser leaves out: dark creases and contacts, and a camera's exposure."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.policy import RoomPolicy

_RINGS_PX = (3, 8, 20)
_DIRECTIONS = 6
_LUMA = np.array((0.299, 0.587, 0.114), np.float32)
_BIAS = 0.12


def ambient_occlusion(depth_m: NDArray[np.float32], policy: RoomPolicy) -> NDArray[np.float32]:
    """Share of ambient light that reaches each pixel, from its depth map alone.

    Args:
        depth_m: z of the first surface, shape (height, width).
        policy: Strength and reach.

    Returns:
        Factors in (0, 1], shape (height, width).
    """
    if policy.shading.occlusion_strength == 0:
        return np.ones_like(depth_m)
    points = _points(depth_m, policy)
    normals = _normals(points)
    margin = max(_RINGS_PX)
    padded = np.pad(points, ((0, 0), (margin, margin), (margin, margin)), mode="edge")
    total = np.zeros(depth_m.shape, np.float32)
    for number, reach in enumerate(_RINGS_PX):
        for step in range(_DIRECTIONS):
            angle = 2 * np.pi * (step + number / len(_RINGS_PX)) / _DIRECTIONS
            rows = _window(margin + round(reach * np.sin(angle)), depth_m.shape[0])
            columns = _window(margin + round(reach * np.cos(angle)), depth_m.shape[1])
            towards = padded[:, rows, columns] - points
            total += _blocked(towards, normals, policy.shading.occlusion_radius_m)
    share = np.asarray(total / (len(_RINGS_PX) * _DIRECTIONS), np.float32)
    share = np.asarray(cv2.bilateralFilter(share, 5, 0.1, 2.0), np.float32)
    return np.asarray(np.exp(-2.2 * policy.shading.occlusion_strength * share), np.float32)


def expose(
    colour: NDArray[np.float32], occlusion: NDArray[np.float32], policy: RoomPolicy
) -> NDArray[np.uint8]:
    """The camera's picture: averaged over samples, exposed, with soft highlights.

    Args:
        colour: Samples in [0, 1], shape (height * s, width * s, 3).
        occlusion: Ambient light for each pixel, shape (height, width).
        policy: Samples a pixel side, exposure.

    Returns:
        Picture, shape (height, width, 3), uint8 RGB.
    """
    camera = policy.camera
    size = (camera.width_px, camera.height_px)
    lit = cv2.resize(colour, size, interpolation=cv2.INTER_AREA) * occlusion[..., None]
    luma = float((lit @ _LUMA).mean())
    gain = min(policy.shading.max_gain, policy.shading.target_luma / max(luma, 1e-3))
    bright = lit * np.float32(gain)
    knee = np.float32(0.8)
    over = np.maximum(bright - knee, 0)
    soft = np.minimum(bright, knee) + over / (1 + over / (1 - knee))
    return np.asarray(np.clip(soft, 0, 1) * 255 + 0.5, np.uint8)


def _points(depth_m: NDArray[np.float32], policy: RoomPolicy) -> NDArray[np.float32]:
    """Camera-frame points of all pixels, shape (3, height, width)."""
    camera = policy.camera.intrinsics()
    y, x = np.mgrid[0 : camera.height_px, 0 : camera.width_px].astype(np.float32)
    scale = depth_m / np.float32(camera.fx_px)
    across, down = x - np.float32(camera.cx_px), y - np.float32(camera.cy_px)
    return np.stack((across * scale, down * scale, depth_m))


def _normals(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit normals towards the camera; each difference is taken on its smoother side."""
    along_x = _smoother_difference(points, axis=2)
    along_y = _smoother_difference(points, axis=1)
    normals = np.cross(along_y, along_x, axis=0)
    length = np.sqrt((normals**2).sum(axis=0))
    return np.asarray(normals / np.maximum(length, 1e-12), np.float32)


def _smoother_difference(points: NDArray[np.float32], *, axis: int) -> NDArray[np.float32]:
    """The forward or the backward difference, whichever jumps less in z."""
    step = np.diff(points, axis=axis)
    forward = np.concatenate((step, step.take([-1], axis=axis)), axis=axis)
    backward = np.concatenate((step.take([0], axis=axis), step), axis=axis)
    return np.where(np.abs(forward[2]) < np.abs(backward[2]), forward, backward)


def _window(start: int, length: int) -> slice:
    return slice(start, start + length)


def _blocked(
    towards: NDArray[np.float32], normals: NDArray[np.float32], radius_m: float
) -> NDArray[np.float32]:
    """How much one neighbour stands in each pixel's sky, in [0, 1].

    Args:
        towards: From each pixel's point to its neighbour's, metres, shape (3, height, width).
        normals: Unit normals, same shape.
        radius_m: Distance from which a neighbour does not count.
    """
    distance = np.sqrt((towards * towards).sum(axis=0)) + np.float32(1e-6)
    rise = (towards * normals).sum(axis=0) / distance
    reach = np.clip(1 - distance / np.float32(radius_m), 0, 1)
    return np.asarray(np.clip(rise - np.float32(_BIAS), 0, 1) * reach, np.float32)
