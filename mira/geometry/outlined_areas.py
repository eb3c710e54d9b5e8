"""The pixels of everything that is outlined in a picture."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from mira.geometry.camera import deproject_rays
from mira.geometry.cropped_mask import CroppedMask, crop_region
from mira.geometry.plane import Plane, intersect_rays
from mira.geometry.polygon import Region
from mira.geometry.relations import Extents, extents_of
from mira.geometry.ring_readings import DIRECT, OUTLINED
from mira.schema.annotation import ImageAnnotation, Instance, Surface
from mira.schema.capture import CameraIntrinsics


class OutlinedAreas:
    """Masks of a picture's surfaces and instances, and all of them in one picture.

    Attributes:
        surfaces: Masks by id.
        instances: Masks by id.
        outlined: `DIRECT` where a thing is seen directly, else `OUTLINED` where anything is
            outlined, else 0; shape (height, width).
    """

    def __init__(self, annotation: ImageAnnotation) -> None:
        """Rasterise an annotation."""
        size = (annotation.width_px, annotation.height_px)
        self.surfaces = {one.surface_id: _crop(one, size) for one in annotation.surfaces}
        self.instances = {one.instance_id: _crop(one, size) for one in annotation.instances}
        self.outlined: NDArray[np.uint8] = np.zeros(size[::-1], np.uint8)
        for area in (*self.surfaces.values(), *self.instances.values()):
            area.of(self.outlined)[area.mask] = OUTLINED
        for one in annotation.instances:
            if one.visibility == "direct":
                area = self.instances[one.instance_id]
                area.of(self.outlined)[area.mask] = DIRECT

    def share_in(self, instance_id: int, surface_ids: Iterable[int]) -> float:
        """Share of an instance's pixels that lie in the surface that holds most of them."""
        area = self.instances[instance_id]
        shared = [area.shared_px(self.surfaces[which]) for which in surface_ids]
        return max(shared, default=0) / max(int(np.count_nonzero(area.mask)), 1)


def extents_on_plane(area: CroppedMask, plane: Plane, camera: CameraIntrinsics) -> Extents | None:
    """The box around an area of a picture that lies on a plane, camera frame, metres.

    Args:
        area: The pixels.
        plane: The plane on which they are.
        camera: The picture's camera.

    Returns:
        The box around where the rays of each row's first and last pixel meet the plane; None
        where none does.
    """
    rows = np.flatnonzero(area.mask.any(axis=1))
    first = area.mask[rows].argmax(axis=1)
    last = area.mask.shape[1] - 1 - area.mask[rows, ::-1].argmax(axis=1)
    columns = np.concatenate((first, last)) + area.left
    pixels = np.stack((columns, np.tile(rows + area.top, 2)), axis=1)
    points = intersect_rays(deproject_rays(camera, pixels), plane)
    points = points[np.isfinite(points).all(axis=1)]
    return extents_of(points) if len(points) else None


def _crop(one: Surface | Instance, size_px: tuple[int, int]) -> CroppedMask:
    return crop_region(Region(one.polygons_px, one.holes_px), size_px=size_px)
