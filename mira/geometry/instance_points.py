"""Where an instance is seen, from the depth inside its outline.

Depth at outlines is mixed with what lies behind, and small reflected things bleed into the virtual
background until their median tells of the wall. So the outline is drawn in, and the nearest group
of readings that is more than a few of them is taken for the thing.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.geometry.camera import deproject_pixels
from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.mirror_policy import InstancePointsPolicy
from mira.geometry.plane_fitting import depth_sigma_m
from mira.geometry.relations import Extents
from mira.schema.capture import CameraIntrinsics, Vector

Array = NDArray[np.float64]
_OUTER = 10.0
_SHIFTS = 3


class InstanceExtent(NamedTuple):
    """Where the visible side of a thing is, camera frame, metres.

    A reflection's is that of its virtual image.

    Attributes:
        points_cam_m: Its readings as points, shape (n, 3).
        centre_m: Median of the points along each axis.
        extents_m: Box around them, a few percent left out at each end, widened by what was drawn
            in.
        half_width_m: Half of the narrower side of the box, across the line of sight.
        spread_m: From the 10th to the 90th percentile of z of *all* readings inside the outline.
        pixels: Pixels inside the outline drawn in.
        valid_share: Share of them with a reading.
        kept_share: Share of the readings that were taken for the thing.
    """

    points_cam_m: Array
    centre_m: Vector
    extents_m: Extents
    half_width_m: float
    spread_m: float
    pixels: int
    valid_share: float
    kept_share: float


def estimate_extent(
    depth_m: NDArray[np.floating],
    area: CroppedMask,
    camera: CameraIntrinsics,
    *,
    policy: InstancePointsPolicy,
) -> InstanceExtent | None:
    """Where an instance's visible side is.

    Args:
        depth_m: z of every pixel of the picture, metres, shape (height, width); 0 or NaN where
            there is no reading.
        area: The instance's mask.
        camera: The picture's camera.
        policy: Thresholds.

    Returns:
        The extent; None where fewer than `least_pixels` readings are left.
    """
    inner, drawn_in = _drawn_in(area.mask, policy)
    depth = area.of(depth_m)
    rows, columns = np.nonzero(inner & (depth > 0) & np.isfinite(depth))
    readings, pixels = len(rows), int(np.count_nonzero(inner))
    if readings < policy.least_pixels:
        return None
    chosen = slice(None, None, max(readings // policy.points, 1))
    rows, columns = rows[chosen], columns[chosen]
    z = depth[rows, columns].astype(np.float64)
    positions = np.stack((columns + area.left, rows + area.top), axis=1)
    points = deproject_pixels(camera, positions, depth_m=z)
    ordered = np.sort(z)
    first, last = _ends(ordered, _OUTER)
    kept = _near_group(z, ordered, _width_m(points, first), policy)
    points = points[kept]
    low, middle, high = quantiles(points, policy.percentile)
    # Pixels are squares around their positions.
    margin = (drawn_in + 0.5) * middle[2] / np.array((camera.fx_px, camera.fy_px))
    low[:2], high[:2] = low[:2] - margin, high[:2] + margin
    return InstanceExtent(
        points_cam_m=points,
        centre_m=vector_of(middle),
        extents_m=Extents(vector_of(low), vector_of(high)),
        half_width_m=float((high - low)[:2].min() / 2),
        spread_m=float(last - first),
        pixels=pixels,
        valid_share=readings / pixels,
        kept_share=float(kept.mean()),
    )


def quantiles(values: Array, outer: float) -> tuple[Array, Array, Array]:
    """Values at a percentage from the low end, in the middle, and as far from the high end.

    Args:
        values: Shape (n, ...), n at least 1; columns are taken on their own.
        outer: Percentage from 0 to 50.
    """
    ordered = np.sort(values, axis=0)
    low, high = _ends(ordered, outer)
    return low, _middle(ordered), high


def vector_of(values: Array) -> Vector:
    """Three numbers as a vector of a record."""
    x, y, z = (float(value) for value in values)
    return x, y, z


def _drawn_in(
    mask: NDArray[np.bool_], policy: InstancePointsPolicy
) -> tuple[NDArray[np.bool_], int]:
    """The mask without its rim, and the width of the rim; less where little would be left."""
    height, width = mask.shape
    padded = np.zeros((height + 2, width + 2), np.uint8)
    padded[1:-1, 1:-1] = mask
    # The picture's edge is the outline's too: what lies beyond it is not known.
    inside = cv2.distanceTransform(padded, cv2.DIST_L2, cv2.DIST_MASK_3)[1:-1, 1:-1]
    for width in range(policy.erosion_px, 0, -1):
        inner = inside > width
        if np.count_nonzero(inner) >= max(np.count_nonzero(mask) / 3, policy.least_pixels):
            return np.asarray(inner), width
    return mask, 0


def _width_m(points: Array, z_m: Array) -> float:
    """The wider side of points across the line of sight, at their near end."""
    across = points[:, :2] / points[:, 2:] * z_m
    return float((across.max(axis=0) - across.min(axis=0)).max())


def _near_group(
    z: Array, ordered: Array, width_m: float, policy: InstancePointsPolicy
) -> NDArray[np.bool_]:
    """The nearest readings that hold together and are more than a few.

    A group begins at a reading and holds what is within its reach; it counts when it has its share
    of all. It is then moved to its own median, so that it does not begin in the noise before it.
    """
    reach = policy.reach_share * width_m + 4 * depth_sigma_m(ordered, policy.noise)
    counts = np.searchsorted(ordered, ordered + reach, side="right") - np.arange(len(ordered))
    begin = int(np.argmax(counts >= policy.near_share * len(ordered)))
    group = ordered[begin : begin + counts[begin]]
    for _ in range(_SHIFTS):
        middle = _middle(group)
        group = ordered[np.abs(ordered - middle) <= reach[begin]]
    return np.asarray(np.abs(z - middle) <= reach[begin])


def _ends(ordered: Array, outer: float) -> tuple[Array, Array]:
    """The values at a percentage from the low end of values in order, and from the high end."""
    last = len(ordered) - 1
    outside = round(last * outer / 100)
    return ordered[outside], ordered[last - outside]


def _middle(ordered: Array) -> Array:
    """The median of values in order."""
    last = len(ordered) - 1
    return np.asarray((ordered[last // 2] + ordered[(last + 1) // 2]) / 2)
