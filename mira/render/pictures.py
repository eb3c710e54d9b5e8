"""What goes into a rendering and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mira.errors import SceneSourceError
from mira.geometry.mask import Rle
from mira.render.depth import DepthScale
from mira.render.jpeg import encode_jpeg
from mira.render.png import encode_png
from mira.schema.capture import DepthKind
from mira.schema.record import Record

PictureRole = Literal["rgb", "mask", "depth"]


@dataclass(frozen=True, eq=False)
class ScenePictures:
    """One picture of a scene with what can be shown of it; nothing here is ever changed.

    Attributes:
        color_rgb: Colours, shape (height, width, 3).
        depth: Readings on the colour grid, 0 for none, shape (height, width); absent without depth.
        depth_unit_m: Metres a step of depth; absent where unknown.
        depth_kind: What depth values mean; absent without depth.
        surface_masks: Reflective regions.
        instance_masks: Mask of each instance.
        image_id: Named in errors.

    Raises:
        SceneSourceError: An array has another shape or type, or a mask another size.
    """

    color_rgb: NDArray[np.uint8]
    depth: NDArray[np.uint16] | None = None
    depth_unit_m: float | None = None
    depth_kind: DepthKind | None = None
    surface_masks: tuple[Rle, ...] = ()
    instance_masks: Mapping[int, Rle] = field(default_factory=dict)
    image_id: str = "picture"

    def __post_init__(self) -> None:
        """Refuse parts that do not fit each other."""
        color, depth = self.color_rgb, self.depth
        if color.dtype != np.uint8 or color.ndim != 3 or color.shape[2] != 3 or not color.size:
            self._refuse("colours of shape (height, width, 3), uint8", color.shape, color.dtype)
        if depth is not None and (depth.dtype != np.uint16 or depth.shape != color.shape[:2]):
            self._refuse(f"depth of shape {color.shape[:2]}, uint16", depth.shape, depth.dtype)
        for rle in (*self.surface_masks, *self.instance_masks.values()):
            if rle.size != color.shape[:2]:
                self._refuse(f"masks of shape {color.shape[:2]}", rle.size)

    @property
    def width_px(self) -> int:
        """Picture width."""
        return int(self.color_rgb.shape[1])

    @property
    def height_px(self) -> int:
        """Picture height."""
        return int(self.color_rgb.shape[0])

    @property
    def metric_unit_m(self) -> float | None:
        """Metres a step of depth; absent unless depth is metric."""
        return self.depth_unit_m if self.depth_kind == "metric" else None

    def _refuse(self, expected: str, *found: object) -> None:
        seen = ", ".join(str(value) for value in found)
        raise SceneSourceError(self.image_id, f"expected {expected}, found {seen}")


@dataclass(frozen=True, eq=False)
class SourcePicture:
    """A picture with all that can be shown of it, and its file as it came.

    Attributes:
        pictures: Colours, depth and masks.
        color: Bytes of the colour file.
        ending: How the name of that file ends, such as `.jpg`.
    """

    pictures: ScenePictures
    color: bytes
    ending: str


class PictureMetadata(Record):
    """What a rendered picture shows."""

    width_px: int
    """Picture width."""
    height_px: int
    """Picture height."""
    marked: tuple[str, ...] = ()
    """Labels of the instances that are drawn, whether or not the labels are."""
    mirror_overlay: bool = False
    """Whether any pixel is tinted as part of a reflective region."""
    depth: DepthScale | None = None
    """Meaning of the colours of a depth picture."""


@dataclass(frozen=True, eq=False)
class RenderedPicture:
    """One picture of a question.

    Attributes:
        role: What it shows.
        image_rgb: Colours, shape (height, width, 3).
        metadata: What is drawn, and the depth range.
    """

    role: PictureRole
    image_rgb: NDArray[np.uint8]
    metadata: PictureMetadata

    def png(self) -> bytes:
        """The picture as PNG; equal pixels give equal bytes."""
        return encode_png(self.image_rgb)

    def jpeg(self, *, quality: int = 90) -> bytes:
        """The picture as JPEG; equal pixels give equal bytes."""
        return encode_jpeg(self.image_rgb, quality=quality)
