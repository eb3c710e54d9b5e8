"""The numbers of one view."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.selection.pictures import ViewPictures
from capture.selection.policy import SelectionPolicy, SurfacePolicy
from capture.selection.records import SurfaceMeasures, ViewMeasures
from capture.selection.regions import ViewRegions
from capture.selection.structure import count_structure
from mira.render.quality import measure_quality


def measure_view(
    pictures: ViewPictures, regions: ViewRegions, *, policy: SelectionPolicy
) -> ViewMeasures:
    """All that decides on a view but its likeness to others.

    Args:
        pictures: What it shows.
        regions: Its surfaces.
        policy: Says how to measure.
    """
    width_px, height_px = pictures.size_px
    surfaces = structure = None
    if regions.known:
        surfaces = measure_surfaces(
            regions.masks,
            shape=(height_px, width_px),
            depth=pictures.depth if pictures.depth_fits else None,
            policy=policy.surface,
        )
        if regions.objects is None and regions.masks:
            grey = np.asarray(cv2.cvtColor(pictures.color_rgb, cv2.COLOR_RGB2GRAY), np.uint8)
            union = union_of(regions.masks, (height_px, width_px))
            structure = count_structure(grey, union, policy=policy.objects)
    return ViewMeasures(
        width_px=width_px,
        height_px=height_px,
        region=regions.source,
        surfaces=surfaces,
        objects=regions.objects,
        structure=structure,
        quality=measure_quality(pictures.color_rgb, pictures.depth),
    )


def measure_surfaces(
    masks: tuple[NDArray[np.bool_], ...],
    *,
    shape: tuple[int, int],
    depth: NDArray[np.uint16] | None,
    policy: SurfacePolicy,
) -> SurfaceMeasures:
    """How surfaces lie in a picture.

    Args:
        masks: One a surface, each of `shape`.
        shape: Height and width of the picture.
        depth: Readings on its grid, 0 for none; None without.
        policy: Width of the rim, and when a side is touched.
    """
    union = union_of(masks, shape)
    rim_px = max(1, round(policy.rim_width * min(shape)))
    sides = (union[:rim_px], union[-rim_px:], union[:, :rim_px], union[:, -rim_px:])
    rim = np.ones(shape, np.bool_)
    rim[rim_px:-rim_px, rim_px:-rim_px] = False
    inside = depth[union] if depth is not None else np.zeros(0, np.uint16)
    return SurfaceMeasures(
        count=len(masks),
        share=_rounded(union.mean()),
        rim_share=_rounded(union[rim].mean()),
        sides_touched=sum(bool(side.mean() >= policy.side_touched) for side in sides),
        width=_rounded(max(map(_widest_px, masks), default=0.0) / min(shape)),
        valid_depth_fraction=_rounded((inside > 0).mean()) if inside.size else None,
    )


def union_of(masks: tuple[NDArray[np.bool_], ...], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Pixels in any of the masks, shape (height, width)."""
    union = np.zeros(shape, np.bool_)
    for mask in masks:
        union |= mask
    return union


def _widest_px(mask: NDArray[np.bool_]) -> float:
    """Diameter of the largest circle in a mask that does not leave the picture; 0 for no mask."""
    framed = cv2.copyMakeBorder(mask.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    radius = float(cv2.distanceTransform(framed, cv2.DIST_L2, cv2.DIST_MASK_PRECISE).max())
    return max(0.0, 2 * radius - 1)


def _rounded(value: float | np.floating) -> float:
    return round(float(value), 6)
