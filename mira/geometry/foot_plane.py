"""The plane of an upright mirror from the line on which it stands: a counter's back edge, say.

Where nothing around a mirror is of its plane, what lies along its lower side may still be: counter,
backsplash or floor meet the glass there. Mirrors over a level thing are upright nearly always, so
that line and the level's normal make a plane. It is fitted in plan, seen from above, where an
upright plane is a line.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.geometry.camera import deproject_pixels
from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.foot_line import FootLine, fit_foot_line
from mira.geometry.foot_policy import FootPolicy
from mira.geometry.ground import Ground, GroundPolicy, find_ground
from mira.geometry.lower_side import LowerSide, find_lower_side
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.geometry.plane import Plane, plane_at, polar_of_plane
from mira.geometry.plane_belief import PlaneBelief
from mira.geometry.plane_fitting import depth_sigma_m
from mira.geometry.ring_readings import Depth, inside_readings
from mira.geometry.surroundings import inside_shares
from mira.schema.capture import CameraIntrinsics

Array = NDArray[np.float64]


class FootPlane(NamedTuple):
    """An upright plane through the line along a surface's lower side.

    Attributes:
        belief: What it says of the mirror.
        share: Share of the outline's columns whose lower end the line holds.
        before_share: Share of the readings inside the surface that are before it.
        residual_m: Root mean square distance from the line of the readings on it.
    """

    belief: PlaneBelief
    share: float
    before_share: float
    residual_m: float

    @property
    def coverage(self) -> float:
        """Share of the whole outline that it holds: a side fills a quarter of the directions."""
        return self.share / 4


def find_foot(
    depth_m: Depth,
    surface: CroppedMask,
    camera: CameraIntrinsics,
    *,
    outlined: NDArray[np.uint8],
    policy: MirrorGeometryPolicy,
    rng: Generator,
) -> FootPlane | None:
    """The upright plane through what a surface stands on.

    Args:
        depth_m: z of every pixel of the picture, metres, shape (height, width); 0 or NaN where
            there is no reading.
        surface: The surface's mask, with a pixel at least.
        camera: The picture's camera.
        outlined: `DIRECT` and `OUTLINED` pixels of the picture, others 0, shape (height, width).
        policy: Thresholds.
        rng: For the search of the level.

    Returns:
        The plane; None where nothing level is seen in the picture, where the readings along the
        lower side are on no line, or where nothing comes forward from it towards the camera.
    """
    foot = policy.foot
    side = find_lower_side(depth_m, surface, camera, outlined=outlined, policy=foot)
    if side is None:
        return None
    level = _find_level(depth_m, camera, outlined, policy, rng)
    if level is None:
        return None
    points = side.feet_m(level.axes)
    sigmas = depth_sigma_m(side.points_cam_m[:, 2], policy.fit.noise)
    line = fit_foot_line(
        points, sigmas, groups=side.columns // policy.fit.noise.block_px, policy=foot
    )
    if line is None or not _holds(line, points, side, level, policy):
        return None
    normal = line.normal @ level.axes[:2]
    middle = np.array((*line.middle_m, points[line.inliers, 2].mean())) @ level.axes
    plane = plane_at(normal, middle)
    if not plane.offset_m > foot.least_offset_m:
        return None
    inside = inside_readings(
        depth_m, surface, camera, outlined=outlined, policy=policy.surroundings
    )
    mount_m = policy.surroundings.mirror_mount_m
    return FootPlane(
        belief=_belief(
            plane, middle, line, level, _outline_doubt_m(line, side, level, foot), policy
        ),
        share=float(line.inliers.sum()) / side.of_columns,
        before_share=inside_shares(inside.points_cam_m, plane, mount_m, policy)[0],
        residual_m=line.residual_m,
    )


def _find_level(
    depth_m: Depth,
    camera: CameraIntrinsics,
    outlined: NDArray[np.uint8],
    policy: MirrorGeometryPolicy,
    rng: Generator,
) -> Ground | None:
    """The floor; where none is seen, the level plane with most readings, such as a counter."""
    rows, columns = np.nonzero((outlined == 0) & (depth_m > 0) & np.isfinite(depth_m))
    chosen = slice(None, None, max(len(rows) // policy.foot.level_points, 1))
    rows, columns = rows[chosen], columns[chosen]
    if not len(rows):
        return None
    z = depth_m[rows, columns].astype(np.float64)
    points = deproject_pixels(camera, np.stack((columns, rows), axis=1), depth_m=z)
    floor = find_ground(points, policy=GroundPolicy(fit=policy.fit), rng=rng)
    if floor is not None:
        return floor
    # A camera that looks down has what is lower than itself anywhere in the picture.
    reach = policy.foot.raised_within_m
    raised = GroundPolicy(fit=policy.fit, heights_m=(-reach, reach), below_share=1.0)
    found = find_ground(points, policy=raised, rng=rng)
    low = found is not None and found.camera_height_m >= policy.foot.least_drop_m
    return found if low else None


def _holds(
    line: FootLine, points: Array, side: LowerSide, level: Ground, policy: MirrorGeometryPolicy
) -> bool:
    """Whether a line is long enough, level, and something level comes forward from it."""
    foot, inliers = policy.foot, line.inliers
    if inliers.sum() < foot.least_share * side.of_columns or line.length_m < foot.least_length_m:
        return False
    slope = np.polyfit(line.along(points[inliers]), points[inliers, 2], 1)[0]
    if abs(math.degrees(math.atan(slope))) > foot.most_slope_deg:
        return False
    return _comes_forward(line, points, side, level, policy) >= foot.least_forward_share


def _comes_forward(
    line: FootLine, points: Array, side: LowerSide, level: Ground, policy: MirrorGeometryPolicy
) -> float:
    """Share of a line's columns under which readings lie before it and hardly lower."""
    foot = policy.foot
    below = side.below_cam_m @ level.axes.T
    before = line.off_m(below) - policy.fit.inlier_sigmas * depth_sigma_m(
        side.below_cam_m[..., 2], policy.fit.noise
    )
    drop = points[:, None, 2] - below[..., 2]
    # Readings that are missing are NaN, which no comparison holds for.
    forward = np.any((before >= foot.forward_m) & (drop <= foot.step_m), axis=1)
    return float(np.mean(forward[line.inliers]))


def _outline_doubt_m(line: FootLine, side: LowerSide, level: Ground, policy: FootPolicy) -> float:
    """How far a line moves with the outline: centimetres where a counter is near eye level."""
    moved = side.feet_m(level.axes, lower_px=policy.outline_px) - side.feet_m(level.axes)
    return float(np.median(np.abs(moved[line.inliers, :2] @ line.normal)))


def _belief(
    plane: Plane,
    middle: Array,
    line: FootLine,
    level: Ground,
    outline_m: float,
    policy: MirrorGeometryPolicy,
) -> PlaneBelief:
    """A plane whose line is off and turned, and which leans about the line.

    With `q = n / (n · c)` for a point c of the plane and a normal n, a turn of n by w moves q by
    `w / (n · c) - n (w · c) / (n · c)²`, and a shift by s along n by `-s n / (n · c)²`.
    """
    foot, normal = policy.foot, -np.array(plane.normal)
    up = level.axes[2]
    away = float(normal @ middle)
    # Outlines are off as a whole, and differently at their ends.
    mount = math.hypot(policy.surroundings.mirror_mount_m, outline_m)
    ends = math.hypot(policy.surroundings.lean_m, outline_m / 2)
    turned = math.hypot(line.turn_error, ends / line.spread_m)
    tilt = math.hypot(foot.upright_doubt_deg, level.tilt_error_deg or 0.0)
    changes = [-normal * math.hypot(line.place_error_m, mount) / away**2]
    for way, size in ((np.cross(up, normal), turned), (up, math.radians(tilt))):
        turn = way * size
        changes.append(turn / away - normal * float(turn @ middle) / away**2)
    steps = np.array(changes)
    return PlaneBelief(polar_of_plane(plane), steps.T @ steps)
