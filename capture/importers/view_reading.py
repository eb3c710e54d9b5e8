"""From the files of a view to what a session takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from capture.importers.masks import decode_mask, index_surfaces
from capture.importers.pictures import (
    SourcePicture,
    decode_color,
    decode_depth,
    read_picture,
)
from capture.importers.policy import ImportPolicy
from capture.importers.source_scene import SourceView
from capture.importers.source_tree import SourceTree
from capture.view_files import ViewContent
from mira.errors import GeometryError, SceneSourceError
from mira.geometry.alignment import align_depth_to_color
from mira.render.quality import measure_quality
from mira.schema.capture import Calibration, ViewFrame

Depth = NDArray[np.uint16]


class ViewReader:
    """Reads and decodes the files of views, one at a time."""

    def __init__(self, tree: SourceTree, *, policy: ImportPolicy) -> None:
        self._tree = tree
        self._policy = policy

    def read_color(self, view: SourceView) -> NDArray[np.uint8]:
        """The picture alone, RGB, shape (height, width, 3).

        Raises:
            SceneSourceError: It cannot be used.
        """
        return decode_color(self._open(view.color))

    def read_mask(self, view: SourceView) -> NDArray[np.int32] | None:
        """The mask alone, as `decode_mask` gives it; None where there is none.

        Raises:
            SceneSourceError: It cannot be used.
        """
        return decode_mask(self._open(view.mask), policy=self._policy) if view.mask else None

    def read(self, view: SourceView, *, surfaces: Sequence[int]) -> ViewContent:
        """All of a view, checked.

        Args:
            view: Its files.
            surfaces: Numbers that the masks of the view's scene give its surfaces, in order.

        Raises:
            SceneSourceError: A file cannot be used, or its size is not that of the picture.
        """
        opened = [self._open(view.color)]
        color = decode_color(opened[0])
        size_px = opened[0].header.size_px
        calibration = view.camera.calibration(size_px, of=view.color)
        mask = depth = depth_aligned = None
        if view.depth is not None:
            opened.append(self._open(view.depth))
            depth = decode_depth(opened[-1])
            if opened[-1].header.size_px == size_px:
                depth, depth_aligned = None, depth
            else:
                depth_aligned = _align(depth, calibration, view, opened)
        if view.mask is not None:
            opened.append(self._open(view.mask))
            _require_size(opened[-1], size_px)
            mask = index_surfaces(decode_mask(opened[-1], policy=self._policy), surfaces)
        meaning = view.meaning if view.depth is not None else None
        frame = ViewFrame(
            depth_kind=meaning.kind if meaning else None,
            depth_unit_m=meaning.unit_m if meaning else None,
            depth_scope=meaning.scope if meaning else None,
            timing=view.timing,
            quality=measure_quality(color, depth_aligned if depth is None else depth),
            inputs=tuple(picture.ref() for picture in opened),
        )
        return ViewContent(
            color=color,
            frame=frame,
            depth=depth,
            depth_aligned=depth_aligned,
            calibration=calibration,
            surfaces=mask,
            device=view.device,
        )

    def _open(self, path: str) -> SourcePicture:
        return read_picture(self._tree, path, limit_px=self._policy.picture_limit_px)


def _align(
    depth: Depth, calibration: Calibration | None, view: SourceView, opened: list[SourcePicture]
) -> Depth:
    """Depth of the sensor's own grid on that of the picture."""
    color, raw = opened[0].header, opened[-1]
    size = f"{color.width_px}x{color.height_px}"
    found = f"{raw.header.width_px}x{raw.header.height_px}"
    if calibration is None or calibration.depth is None:
        problem = f"expected {size} as the picture has, found {found} and no depth camera"
        raise SceneSourceError(raw.path, problem, "name a calibration of both cameras")
    unit_m = view.meaning.unit_m if view.meaning else None
    if unit_m is None:
        raise SceneSourceError(raw.path, f"expected {size} as depth is not metric, found {found}")
    try:
        return align_depth_to_color(depth, calibration, depth_unit_m=unit_m)
    except GeometryError as error:
        problem = f"cannot be aligned to its picture: {error.where}: {error.problem}"
        raise SceneSourceError(raw.path, problem) from None


def _require_size(picture: SourcePicture, size_px: tuple[int, int]) -> None:
    if picture.header.size_px != size_px:
        expected, found = ("x".join(map(str, size)) for size in (size_px, picture.header.size_px))
        problem = f"expected {expected} as the picture has, found {found}"
        raise SceneSourceError(picture.path, problem)
