"""Which pixels show a reflective surface, by an annotation file beside the picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.errors import SimulationError
from mira.sim.depth_fit.frames import BENT, GLASS, MIRROR, ORDINARY, UNKNOWN, Codes
from mira.sim.perturb.drawing import Drawing, Instance, attributes_of, points_of, read_drawing
from mira.sim.perturb.sources import read_document

_CODES = {
    "planar_mirror": MIRROR,
    "glass": GLASS,
    "water": GLASS,
    "screen": GLASS,
    "convex_mirror": BENT,
    "vehicle_side_mirror": BENT,
}
_RIM_PX = 3
"""Outlines are so exact; pixels nearer to one count for neither side."""
_SUBPIXEL_BITS = 4


def read_codes(path: Path, shape: tuple[int, ...]) -> Codes | None:
    """What each pixel shows; None without an annotation file.

    Args:
        path: The annotation file, which may be missing.
        shape: Height and width of the picture.

    Raises:
        SimulationError: It is that of a picture of another size.
        AnnotationFormatError: It cannot be read.
    """
    if not path.exists():
        return None
    drawing = read_drawing(read_document(path))
    height, width = shape[:2]
    for name, found in (("imageWidth", width), ("imageHeight", height)):
        given = drawing.document.get(name)
        if isinstance(given, int) and given > 0 and given != found:
            raise SimulationError(path, f"{name}: expected {found} as of its depth, found {given}")
    codes = np.full((height, width), ORDINARY, np.int8)
    surfaces = [one for one in drawing.instances if one.role == "surface"]
    for surface in surfaces:
        mask = _mask(drawing, surface, (height, width))
        codes[_grown(mask, _RIM_PX)] = UNKNOWN
    for surface in surfaces:
        kind = attributes_of(drawing.shapes[surface.parts[0]]).get("surface_type")
        inside = _grown(_mask(drawing, surface, (height, width)), -_RIM_PX)
        codes[inside] = _CODES.get(str(kind), UNKNOWN)
    for thing in drawing.instances:
        if thing.role == "direct":
            before = _grown(_mask(drawing, thing, (height, width)), _RIM_PX)
            codes[before & ((codes == MIRROR) | (codes == BENT))] = UNKNOWN
    return codes


def _mask(drawing: Drawing, instance: Instance, shape: tuple[int, int]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    for places, value in ((instance.parts, 1), (instance.holes, 0)):
        for place in places:
            points = points_of(drawing.shapes[place])
            if points is not None and len(points) >= 3:
                scaled = np.round((points - 0.5) * 2**_SUBPIXEL_BITS).astype(np.int32)
                cv2.fillPoly(mask, [scaled], (value,), shift=_SUBPIXEL_BITS)
    return mask > 0


def _grown(mask: NDArray[np.bool_], by_px: int) -> NDArray[np.bool_]:
    """A mask grown by some pixels, or shrunk where they are negative."""
    kernel = np.ones((2 * abs(by_px) + 1,) * 2, np.uint8)
    change = cv2.dilate if by_px > 0 else cv2.erode
    return np.asarray(change(mask.astype(np.uint8), kernel) > 0)
