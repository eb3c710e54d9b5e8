"""Depth readings around a reflective surface and inside it."""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.geometry.camera import deproject_pixels
from mira.geometry.cropped_mask import CroppedMask, evenly_chosen
from mira.geometry.mirror_policy import SurroundingsPolicy
from mira.schema.capture import CameraIntrinsics

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Depth = NDArray[np.floating]

DIRECT = 1
"""Marks pixels of things that are seen directly, in a picture of what is outlined."""
OUTLINED = 2
"""Marks pixels of surfaces and reflections there."""
_LEAST_A_SECTOR = 3
"""Readings with which a direction counts as seen."""


class Readings(NamedTuple):
    """Depth readings as points.

    Attributes:
        pixels: Columns and rows, shape (n, 2).
        points_cam_m: The points, shape (n, 3).
        away: Distance from the surface's outline, as a share of the ring's width, shape (n,).
    """

    pixels: Ints
    points_cam_m: Array
    away: Array


def ring_readings(
    depth_m: Depth,
    surface: CroppedMask,
    camera: CameraIntrinsics,
    *,
    outlined: NDArray[np.uint8],
    policy: SurroundingsPolicy,
) -> Readings:
    """Readings around a surface that are of nothing outlined.

    The ring is as wide as a length in metres is at the distance of what is next to the outline.

    Args:
        depth_m: z of every pixel of the picture, shape (height, width); 0 or NaN for none.
        surface: The surface's mask.
        camera: The picture's camera.
        outlined: Pixels that are outlined, others 0, shape (height, width).
        policy: Thresholds.
    """
    around = surface.widened(policy.most_width_px + policy.gap_px + 1, depth_m.shape)
    beside = cv2.distanceTransform((~around.mask).view(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_3)
    depth = around.of(depth_m)
    beside -= policy.gap_px
    usable = (beside > 0) & (around.of(outlined) == 0) & (depth > 0) & (depth < np.inf)
    width = float(policy.least_width_px)
    near = evenly_chosen(usable & (beside <= width), policy.points)
    if len(near[0]):
        wide = policy.width_m * camera.fx_px / float(np.median(depth[near]))
        width = min(max(wide, width), policy.most_width_px)
    rows, columns = evenly_chosen(usable & (beside <= width), policy.points)
    away = beside[rows, columns] / width
    return _readings(around, camera, rows, columns, depth[rows, columns], away)


def inside_readings(
    depth_m: Depth,
    surface: CroppedMask,
    camera: CameraIntrinsics,
    *,
    outlined: NDArray[np.uint8],
    policy: SurroundingsPolicy,
) -> Readings:
    """Readings inside a surface that are of nothing before it; arguments as `ring_readings`."""
    shown = surface.mask & (surface.of(outlined) != DIRECT)
    rows, columns = evenly_chosen(shown, policy.inside_points)
    z = surface.of(depth_m)[rows, columns]
    read = (z > 0) & np.isfinite(z)
    rows, columns, z = rows[read], columns[read], z[read]
    return _readings(surface, camera, rows, columns, z, np.zeros(len(z)))


def coverage_of(
    ring: Readings,
    on_plane: NDArray[np.bool_],
    surface: CroppedMask,
    *,
    policy: SurroundingsPolicy,
) -> float:
    """Share of the directions from a surface's middle in which a plane is seen next to it.

    The surface's box is taken for square, so that each of its sides fills a quarter of the
    directions. Those that leave the picture count as not seen.

    Args:
        ring: Readings around the surface.
        on_plane: Which of them are on the plane, shape (n,).
        surface: The surface's mask.
        policy: Thresholds.
    """
    near = ring.away <= policy.near_part
    height, width = surface.mask.shape
    x = (ring.pixels[near, 0] - surface.left + 0.5) / width - 0.5
    y = (ring.pixels[near, 1] - surface.top + 0.5) / height - 0.5
    turn = np.arctan2(y, x) / (2 * np.pi) % 1
    sector = (turn * policy.sectors).astype(np.int64) % policy.sectors
    shown = np.bincount(sector, minlength=policy.sectors)
    held = np.bincount(sector, on_plane[near], minlength=policy.sectors)
    return float(np.mean((shown >= _LEAST_A_SECTOR) & (held >= policy.sector_share * shown)))


def blocks_of(readings: Readings, *, size_px: int) -> Ints:
    """A number for each square of the picture, by reading, shape (n,)."""
    block = readings.pixels // size_px
    return np.asarray(block[:, 1] * (int(block[:, 0].max(initial=0)) + 1) + block[:, 0])


def _readings(
    area: CroppedMask,
    camera: CameraIntrinsics,
    rows: Ints,
    columns: Ints,
    z: NDArray[Any],
    away: NDArray[Any],
) -> Readings:
    pixels = np.stack((columns + area.left, rows + area.top), axis=1)
    points = deproject_pixels(camera, pixels, depth_m=z.astype(np.float64))
    return Readings(pixels, points, away.astype(np.float64))
