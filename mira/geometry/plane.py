"""Planes in the camera's frame, and points reflected across them.

Camera frame: +x right, +y down, +z forward, metres. A plane is a unit normal and an offset with
`normal · p + offset_m = 0`; the normal points to the side on which the camera is, so that the
offset is the camera's distance from the plane and never negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mira.errors import GeometryError
from mira.schema.capture import Vector

Array = NDArray[np.float64]

_FLAT = 1e-9
"""Lengths and areas, as a share of the numbers they are made of, that are rounding alone."""


class Plane(NamedTuple):
    """A plane, with its side towards the camera.

    Attributes:
        normal: Unit normal x, y, z, towards the camera.
        offset_m: Distance of the camera from the plane, 0 or more.
    """

    normal: Vector
    offset_m: float


def plane_at(normal: ArrayLike, point_cam_m: ArrayLike) -> Plane:
    """The plane through a point, across a direction.

    Args:
        normal: A direction of any length, to either side; shape (3,).
        point_cam_m: A point of the plane, shape (3,).

    Raises:
        GeometryError: The direction has no length, or a number is not finite.
    """
    direction = np.asarray(normal, dtype=np.float64)
    point = np.asarray(point_cam_m, dtype=np.float64)
    length = float(np.linalg.norm(direction))
    if not (np.isfinite(point).all() and np.isfinite(length) and length > 0):
        found = f"{direction.tolist()} at {point.tolist()}"
        raise GeometryError("plane", f"expected a direction and a point, found {found}")
    unit = direction / length
    offset = -float(unit @ point)
    if offset < 0 or (offset == 0 and unit[2] > 0):
        unit, offset = -unit, -offset
    x, y, z = (float(value) + 0.0 for value in unit)
    return Plane((x, y, z), offset + 0.0)


def plane_through(points_cam_m: ArrayLike) -> Plane:
    """The plane through three points.

    Args:
        points_cam_m: The points, shape (3, 3).

    Raises:
        GeometryError: The points lie on one line, or a number is not finite.
    """
    a, b, c = np.asarray(points_cam_m, dtype=np.float64)
    across = np.cross(b - a, c - a)
    longest = max(float(np.linalg.norm(side)) for side in (b - a, c - a, c - b))
    if not np.linalg.norm(across) > _FLAT * longest**2:
        raise GeometryError("plane", "expected three points that span one, found them on a line")
    return plane_at(across, a)


def bisector_plane(point_cam_m: ArrayLike, image_cam_m: ArrayLike) -> Plane:
    """The mirror in which a point has its image: halfway between the two, across their line.

    Args:
        point_cam_m: Where the point is, shape (3,).
        image_cam_m: Where its image is seen, shape (3,).

    Raises:
        GeometryError: The two are one, or a number is not finite.
    """
    point = np.asarray(point_cam_m, dtype=np.float64)
    image = np.asarray(image_cam_m, dtype=np.float64)
    return plane_at(point - image, (point + image) / 2)


def plane_of_polar(polar: ArrayLike) -> Plane:
    """The plane `polar · p = 1`; every plane that does not go through the camera is one.

    Raises:
        GeometryError: All three numbers are 0, or one is not finite.
    """
    vector = np.asarray(polar, dtype=np.float64)
    squared = float(vector @ vector)
    if not (np.isfinite(squared) and squared > 0):
        raise GeometryError("plane", f"expected a polar vector, found {vector.tolist()}")
    return plane_at(vector, vector / squared)


def polar_of_plane(plane: Plane) -> Array:
    """The vector q with `q · p = 1` on a plane, shape (3,): its direction over its distance.

    Raises:
        GeometryError: The plane goes through the camera.
    """
    if not plane.offset_m > 0:
        raise GeometryError("plane", "expected one away from the camera, found it going through")
    return -np.array(plane.normal) / plane.offset_m


def signed_distances_m(points_cam_m: ArrayLike, plane: Plane) -> Array:
    """How far points are from a plane; positive on the camera's side.

    Args:
        points_cam_m: Points, shape (..., 3).
        plane: The plane.

    Returns:
        Metres, shape (...); NaN for points with a NaN.
    """
    points = np.asarray(points_cam_m, dtype=np.float64)
    distances: Array = points @ np.array(plane.normal) + plane.offset_m
    return distances


def reflect_points(points_cam_m: ArrayLike, plane: Plane) -> Array:
    """Mirror images of points across a plane.

    Stereo depth on a mirror is that of the virtual image behind the glass; reflecting such a point
    gives where the real thing stands.

    Args:
        points_cam_m: Points, shape (..., 3).
        plane: The mirror.

    Returns:
        Reflected points, same shape; NaN rows stay NaN.
    """
    points = np.asarray(points_cam_m, dtype=np.float64)
    moved: Array = points - 2 * signed_distances_m(points, plane)[..., None] * plane.normal
    return moved


def turn_of_mirror(plane: Plane) -> Array:
    """What a mirror does to directions, shape (3, 3): the reflection of Householder."""
    unit = np.array(plane.normal)
    return np.asarray(np.eye(3) - 2 * np.outer(unit, unit))


def reflect_through(points_cam_m: ArrayLike, planes: Sequence[Plane]) -> Array:
    """Points reflected across several planes, one after the other.

    A thing that is seen in mirror B, and B's image in mirror A, has its virtual image at
    `reflect_A(reflect_B(thing))`. To get back, A is undone first: `planes` are in the order in
    which the light meets them from the camera on, as `Instance.seen_in` lists the surfaces.

    Args:
        points_cam_m: Points, shape (..., 3).
        planes: The mirrors where they really are, the one that is on the picture first.

    Returns:
        Reflected points, same shape; the points themselves where there is no plane.
    """
    points = np.array(points_cam_m, dtype=np.float64)
    for plane in planes:
        points = reflect_points(points, plane)
    return points


def intersect_rays(rays: ArrayLike, plane: Plane) -> Array:
    """Where rays from the camera meet a plane.

    Args:
        rays: Directions, such as `deproject_rays` gives; shape (..., 3).
        plane: The plane.

    Returns:
        Points, shape (..., 3); NaN for rays that run along the plane or away from it, and for
        those that meet it farther away than numbers go.
    """
    directions = np.asarray(rays, dtype=np.float64)
    approach = -(directions @ np.array(plane.normal))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ahead = np.where(approach > 0, plane.offset_m / approach, np.nan)
        ahead = np.where(np.isfinite(ahead), ahead, np.nan)
        points: Array = directions * ahead[..., None]
    return points


def angle_between_deg(first: Plane, second: Plane) -> float:
    """The angle between two planes' normals, from 0 to 180 degrees."""
    a, b = np.array(first.normal), np.array(second.normal)
    # The arc cosine of the dot product is blind to angles below a millionth of a degree.
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))
