"""The way of light from a thing over mirrors to the camera, and what it would go through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.camera import project_points
from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.plane import Plane, reflect_points, signed_distances_m
from mira.schema.capture import CameraIntrinsics

Array = NDArray[np.float64]


class SeenMirror(NamedTuple):
    """A mirror as a picture shows it.

    Attributes:
        plane: Its plane.
        area: Its pixels.
    """

    plane: Plane
    area: CroppedMask


def last_leg(image_cam_m: Array, planes: Sequence[Plane]) -> tuple[Array, Array]:
    """Where light leaves the last mirror on its way back from the camera, and where it ends.

    Args:
        image_cam_m: The virtual image that the camera sees, shape (3,).
        planes: The mirrors on the way, from the camera on.

    Returns:
        Two points, shape (3,) each: on the last mirror (the camera itself without mirrors; not
        finite where a mirror is not between), and the thing.
    """
    start, end = np.zeros(3), np.asarray(image_cam_m, dtype=np.float64)
    for plane in planes:
        start = _meeting(start, end, plane)
        end = reflect_points(end, plane)
    return start, end


def mirror_in_the_way(
    image_cam_m: Array,
    seen_in: Sequence[int],
    mirrors: Mapping[int, SeenMirror],
    camera: CameraIntrinsics,
    *,
    slack_m: float,
) -> int | None:
    """A mirror that light would have to go through: then it was thrown back there too.

    Such a thing is seen in that mirror as well, but nobody said so, and its place is wrong.

    Args:
        image_cam_m: The virtual image that the camera sees, shape (3,).
        seen_in: Mirrors on the way as they were named, from the camera on.
        mirrors: All mirrors that let no light through, by id; those named among them.
        camera: The picture's camera.
        slack_m: Ends that are so near behind a mirror may as well be before it.

    Returns:
        The id of the first such mirror, by id; None where the way is free.
    """
    start, end = last_leg(image_cam_m, [mirrors[which].plane for which in seen_in])
    for which in sorted(mirrors.keys() - {seen_in[-1]}):
        plane, area = mirrors[which]
        before, behind = (float(signed_distances_m(point, plane)) for point in (start, end))
        if not (before > 0 and behind < -slack_m):
            continue
        column, row = project_points(camera, _meeting(start, end, plane))
        if np.isfinite(column) and area.covers(round(float(column)), round(float(row))):
            return which
    return None


def _meeting(start: Array, end: Array, plane: Plane) -> Array:
    """Where the line through two points meets a plane."""
    first, last = signed_distances_m(np.stack((start, end)), plane)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(start + (end - start) * (first / (first - last)))
