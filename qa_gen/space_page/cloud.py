"""The readings of a picture, thinned out, each with what it is of and how it is put back."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.camera import deproject_pixels
from mira.geometry.plane import Plane, signed_distances_m
from mira.schema.capture import CameraIntrinsics
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.room_records import LightWay, SpaceCloud

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
_LARGEST = 65_535


class PixelOwners(NamedTuple):
    """What each pixel shows.

    Attributes:
        instances: 1 + place of its instance in the annotation, 0 for none; shape (height, width).
        ways: 1 + place of its way of light, 0 for seen directly; shape (height, width).
        light_ways: The ways.
    """

    instances: NDArray[np.uint16]
    ways: NDArray[np.uint16]
    light_ways: tuple[LightWay, ...]


def trusted_planes(picture: MeasuredPicture, surface_ids: Sequence[int]) -> list[Plane] | None:
    """Planes across which what is seen in surfaces is put back; None where one is not known."""
    mirrors = {one.surface_id: one.mirror for one in picture.scene.surfaces}
    least = picture.policy.geometry.verdict.trust_to_place
    found = []
    for which in surface_ids:
        mirror = mirrors[which]
        if mirror.plane is None or mirror.trust < least or mirror.depth_shows != "reflection":
            return None
        found.append(mirror.plane)
    return found


def pixel_owners(picture: MeasuredPicture) -> PixelOwners:
    """What each pixel shows; what is seen directly lies over what is seen in mirrors."""
    view, annotation = picture.facts.view, picture.facts.annotation
    instances = np.zeros((view.height_px, view.width_px), np.uint16)
    ways = np.zeros((view.height_px, view.width_px), np.uint16)
    seen: dict[tuple[int, ...], int] = {}
    for surface in annotation.surfaces:
        area = picture.areas.surfaces[surface.surface_id]
        area.of(ways)[area.mask] = _number_of((surface.surface_id,), seen)
    order = sorted(enumerate(annotation.instances), key=lambda one: one[1].visibility == "direct")
    for place, instance in order:
        area = picture.areas.instances[instance.instance_id]
        area.of(instances)[area.mask] = place + 1
        if instance.visibility == "direct":
            area.of(ways)[area.mask] = 0
        elif instance.seen_in:
            area.of(ways)[area.mask] = _number_of(instance.seen_in, seen)
    light_ways = tuple(
        LightWay(surface_ids=way, is_known=trusted_planes(picture, way) is not None) for way in seen
    )
    return PixelOwners(instances, ways, light_ways)


def sample_cloud(
    picture: MeasuredPicture, color_rgb: NDArray[np.uint8], *, policy: SpacePolicy
) -> SpaceCloud | None:
    """The readings that the page shows; None without metric depth, camera or any reading.

    Args:
        picture: The picture in metres.
        color_rgb: Its colours, shape (height, width, 3).
        policy: How many readings.
    """
    camera, depth = picture.camera, picture.depth_m
    if camera is None or depth is None:
        return None
    valid = np.isfinite(depth) & (depth > 0) & (depth <= policy.farthest_m)
    owners = pixel_owners(picture)
    outlined = owners.instances > 0
    fine_share = int(policy.most_points * policy.outlined_share)
    fine = _step_for(valid & outlined, fine_share)
    coarse = _step_for(valid & ~outlined, policy.most_points - fine_share)
    fine = min(fine, coarse)
    picked = (valid & outlined & _grid(depth.shape, fine)) | (
        valid & ~outlined & _grid(depth.shape, coarse)
    )
    rows, columns = np.nonzero(picked)
    if not len(rows):
        return None
    points = _points(camera, columns, rows, depth)
    ways = _ways_behind(picture, points, owners.ways[rows, columns], owners.light_ways)
    low = points.min(axis=0)
    step = np.maximum((points.max(axis=0) - low) / _LARGEST, 1e-9)
    return SpaceCloud(
        count=len(points),
        low_m=(float(low[0]), float(low[1]), float(low[2])),
        step_m=(float(step[0]), float(step[1]), float(step[2])),
        positions=_base64(np.rint((points - low) / step), "<u2"),
        colours=_base64(color_rgb[rows, columns], "u1"),
        owners=_base64(owners.instances[rows, columns], "<u2"),
        ways=_base64(ways, "<u2"),
        light_ways=owners.light_ways,
        step_px=coarse,
        outlined_step_px=fine,
    )


def _points(
    camera: CameraIntrinsics, columns: Numbers, rows: Numbers, depth: NDArray[np.floating]
) -> Array:
    pixels = np.stack((columns, rows), axis=1)
    return deproject_pixels(camera, pixels, depth_m=depth[rows, columns].astype(np.float64))


def _ways_behind(
    picture: MeasuredPicture,
    points: Array,
    ways: NDArray[np.uint16],
    light_ways: Sequence[LightWay],
) -> NDArray[np.uint16]:
    """Ways of readings; one that is measured before its mirror is seen directly."""
    found = ways.copy()
    for number, way in enumerate(light_ways, start=1):
        planes = trusted_planes(picture, way.surface_ids)
        if planes:
            mine = ways == number
            found[mine] = np.where(signed_distances_m(points[mine], planes[0]) < 0, number, 0)
    return found


def _number_of(way: tuple[int, ...], seen: dict[tuple[int, ...], int]) -> int:
    return seen.setdefault(way, len(seen) + 1)


def _step_for(mask: NDArray[np.bool_], most: int) -> int:
    """The smallest step at which a grid meets no more than so many pixels of a mask."""
    step = 1
    while np.count_nonzero(mask & _grid(mask.shape, step)) > most:
        step += 1
    return step


def _grid(shape: tuple[int, ...], step: int) -> NDArray[np.bool_]:
    rows, columns = (np.arange(size) % step == step // 2 for size in shape)
    return np.asarray(rows[:, None] & columns[None, :])


def _base64(values: NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


class CloudPoints(NamedTuple):
    """The readings of a record as arrays.

    Attributes:
        points_m: Where they are seen, shape (n, 3).
        colours: Red, green, blue, shape (n, 3).
        owners: 1 + place of the instance, 0 for none; shape (n,).
        ways: 1 + place of the way of light, 0 for seen directly; shape (n,).
    """

    points_m: Array
    colours: NDArray[np.uint8]
    owners: NDArray[np.uint16]
    ways: NDArray[np.uint16]


def cloud_points(cloud: SpaceCloud) -> CloudPoints:
    """The readings that a record holds."""
    whole = _numbers(cloud.positions, "<u2").reshape(-1, 3)
    return CloudPoints(
        points_m=np.array(cloud.low_m) + whole * np.array(cloud.step_m),
        colours=_numbers(cloud.colours, "u1").reshape(-1, 3),
        owners=_numbers(cloud.owners, "<u2"),
        ways=_numbers(cloud.ways, "<u2"),
    )


def _numbers(text: str, kind: str) -> NDArray[Any]:
    return np.frombuffer(base64.b64decode(text), kind)
