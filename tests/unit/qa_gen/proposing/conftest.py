"""A room of boxes before a mirror, simple enough to be traced here, with what is true of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.geometry.camera import deproject_rays
from mira.geometry.mirror_policy import DepthNoisePolicy
from mira.geometry.pixel_rings import polygons_of_mask
from mira.geometry.plane_fitting import depth_sigma_m
from mira.geometry.relations import Extents, SpatialRelation, extents_of, relation_of
from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    Surface,
)
from mira.schema.capture import CameraIntrinsics, SurfaceType, View
from mira.schema.qa import QAPolicy
from mira.schema.record import FileRef, Provenance
from qa_gen.facts import image_facts
from qa_gen.proposing.measured import MeasuredPicture, measure_picture
from qa_gen.proposing.policy import ProposalPolicy

Array = NDArray[np.float64]
Box = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Middle and size."""
SIZE = (240, 424)
CAMERA = CameraIntrinsics(
    width_px=424, height_px=240, fx_px=305, fy_px=305, cx_px=211.5, cy_px=119.5
)
FILE = FileRef(path="a.json", sha256="0" * 64, size_bytes=1)
SURFACE = 100
FLOOR, WALL = -1, -2
BOXES: dict[int, Box] = {
    1: ((-0.55, 0.45, 1.5), (0.24, 0.24, 0.24)),
    2: ((0.15, 0.60, 1.3), (0.20, 0.20, 0.20)),
    3: ((0.75, 0.30, 1.7), (0.26, 0.26, 0.26)),
    4: ((-0.35, 0.20, -0.6), (0.36, 0.36, 0.36)),
}
"""The first three are seen both ways, the last is behind the camera."""


@dataclass(frozen=True)
class BoxRoom:
    """Floor, walls, boxes and a mirror on the wall ahead; the reflection of box k has id 10 + k.

    Level frame: x right, y down, z ahead, camera at the origin; lengths in metres.
    """

    boxes: dict[int, Box] = field(default_factory=lambda: dict(BOXES))
    unlabelled: tuple[int, ...] = ()
    mirror: tuple[float, float, float, float] = (-1.0, 1.0, -0.6, 0.9)
    """Left, right, top and bottom on the wall."""
    height_m: float = 1.4
    wall_m: float = 2.6
    behind_m: float = 1.6
    side_m: float = 1.8
    tilt_deg: float = 10.0
    noise: float = 1.0
    surface_type: SurfaceType | None = "planar_mirror"
    seed: int = 0

    @cached_property
    def annotation(self) -> ImageAnnotation:
        """Its outlines; every reflection is decided."""
        owner, in_mirror = self._traced[1:]
        found = {k: _rings(owner == k) for k in np.unique(owner).tolist() if 0 < k < SURFACE}
        found = {k: rings for k, rings in found.items() if rings and k % 10 not in self.unlabelled}
        return ImageAnnotation(
            image_id="room",
            annotator="test",
            revision=1,
            width_px=SIZE[1],
            height_px=SIZE[0],
            surfaces=(
                Surface(
                    surface_id=SURFACE,
                    surface_type=self.surface_type,
                    polygons_px=_rings(in_mirror),
                ),
            ),
            instances=tuple(
                Instance(
                    instance_id=k,
                    visibility="reflected" if k > 10 else "direct",
                    seen_in=(SURFACE,) if k > 10 else (),
                    polygons_px=found[k],
                    description=f"box {k % 10}",
                )
                for k in sorted(found)
            ),
            links=tuple(
                Correspondence(
                    reflected_id=k,
                    real_id=k - 10 if k - 10 in found else None,
                    reflection_of_id=k - 10 if k - 10 in found else None,
                    counterpart="in_frame" if k - 10 in found else "out_of_frame",
                )
                for k in sorted(found)
                if k > 10
            ),
            source=AnnotationSource(format="test", file=FILE),
        )

    @cached_property
    def depth_m(self) -> Array:
        """What a stereo camera reports of it, shape (240, 424)."""
        depth = self._traced[0]
        rng = np.random.default_rng(self.seed)
        sigma = depth_sigma_m(depth, DepthNoisePolicy())
        # Errors that blocks of pixels share, as those of stereo do.
        shared = np.kron(rng.standard_normal((30, 53)), np.ones((8, 8)))
        both = 0.7 * (shared + rng.standard_normal(depth.shape))
        return np.asarray(depth + self.noise * sigma * both)

    def view(self, **changed: Any) -> View:
        """The record of its picture."""
        known = {"depth_kind": "metric", "intrinsics": CAMERA} | changed
        return View(
            scene_id="room",
            image_id="room",
            width_px=SIZE[1],
            height_px=SIZE[0],
            color=FILE,
            provenance=Provenance(tool="test", tool_version="1"),
            **known,
        )

    def picture(
        self,
        *,
        annotation: ImageAnnotation | None = None,
        depth_m: Array | None = None,
        policy: ProposalPolicy | None = None,
        **changed: Any,
    ) -> MeasuredPicture:
        """The picture as rules see it; what is given takes the place of what is so."""
        return measure_picture(
            image_facts(self.view(**changed), annotation or self.annotation, QAPolicy()),
            self.depth_m if depth_m is None else depth_m,
            policy=policy or ProposalPolicy(),
            rng=np.random.default_rng(0),
        )

    def extents(self, box: int) -> Extents:
        """The box around a box in the camera's frame."""
        low, high = self._ends(box)
        corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
        return extents_of(corners @ self._turn)

    def relation(self, box: int, reference: int) -> SpatialRelation:
        """How one box really stands to another."""
        policy = ProposalPolicy().spatial.relation
        return relation_of(self.extents(box), self.extents(reference), policy)

    @property
    def _turn(self) -> Array:
        """From the camera's frame to the level one."""
        tilt = np.radians(self.tilt_deg)
        cos, sin = float(np.cos(tilt)), float(np.sin(tilt))
        return np.array(((1, 0, 0), (0, cos, sin), (0, -sin, cos)))

    def _ends(self, box: int) -> tuple[Array, Array]:
        middle, size = (np.array(part) for part in self.boxes[box])
        return middle - size / 2, middle + size / 2

    @cached_property
    def _traced(self) -> tuple[Array, NDArray[np.int64], NDArray[np.bool_]]:
        """z, what is seen, and whether that is in the mirror, by pixel."""
        rows, columns = np.mgrid[: SIZE[0], : SIZE[1]]
        rays = deproject_rays(CAMERA, np.stack((columns, rows), axis=-1)) @ self._turn.T
        depth, owner = self._nearest(rays, reflected=False)
        image_depth, image_owner = self._nearest(rays, reflected=True)
        on_wall = rays * depth[..., None]
        left, right, top, bottom = self.mirror
        inside = (owner == WALL) & (np.abs(on_wall[..., 2] - self.wall_m) < 1e-6)
        inside &= (on_wall[..., 0] > left) & (on_wall[..., 0] < right)
        inside &= (on_wall[..., 1] > top) & (on_wall[..., 1] < bottom)
        return (
            np.where(inside, image_depth, depth),
            np.where(inside, image_owner, owner),
            inside,
        )

    def _nearest(self, rays: Array, *, reflected: bool) -> tuple[Array, NDArray[np.int64]]:
        """What rays meet first in the room or, through the whole wall ahead, in its image."""
        x, y, z = (rays[..., axis] for axis in range(3))
        end = 2 * self.wall_m + self.behind_m if reflected else self.wall_m
        with np.errstate(divide="ignore"):
            depth = np.where(z > 0, end / z, np.inf)
            depth = np.minimum(depth, self.side_m / np.abs(x))
            floor = np.where(y > 0, self.height_m / y, np.inf)
        owner = np.full(depth.shape, WALL)
        depth, owner = np.minimum(depth, floor), np.where(floor < depth, FLOOR, owner)
        for k in self.boxes:
            low, high = self._ends(k)
            if reflected:
                low[2], high[2] = 2 * self.wall_m - high[2], 2 * self.wall_m - low[2]
            met = _box_z(rays, low, high)
            owner = np.where(met < depth, 10 + k if reflected else k, owner)
            depth = np.minimum(depth, met)
        return depth, owner


def _box_z(rays: Array, low: Array, high: Array) -> Array:
    """How far along rays a box begins; infinite where they miss it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack((low / rays, high / rays))
    first, last = ends.min(axis=0).max(axis=-1), ends.max(axis=0).min(axis=-1)
    return np.where((first < last) & (first > 0), first, np.inf)


def _rings(mask: NDArray[np.bool_]) -> tuple[Ring, ...]:
    return tuple(
        tuple((float(x), float(y)) for x, y in polygon.exterior.coords[:-1])
        for polygon in polygons_of_mask(mask)
        if polygon.area >= 30
    )


@pytest.fixture
def box_room() -> type[BoxRoom]:
    """Makes a room of boxes before a mirror."""
    return BoxRoom


@pytest.fixture(scope="session")
def plain_room() -> BoxRoom:
    """The room as it is by default, traced once."""
    return BoxRoom()
