"""labelme's masks: a picture of the pixels in a box, as PNG in base64.

The corners of the box are its first and last pixel: a mask from (2, 3) to (4, 5) has 3 x 3 pixels.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

import cv2
import numpy as np

from annotate.findings import FindingLog, Refused, brief
from annotate.policy import AnnotationPolicy
from annotate.reading.outline import parse_points
from annotate.reading.pixel_area import Mask, area_of_mask
from mira.errors import SceneSourceError
from mira.geometry.polygon import Region
from mira.render.header import read_header
from mira.schema.annotation import Point

Size = tuple[int, int]


def masked_area(
    shape: dict[str, Any], where: str, size_px: Size, policy: AnnotationPolicy, log: FindingLog
) -> Region:
    """The area of a shape of the type `mask`, cut to the picture.

    Args:
        shape: As read.
        where: Its field.
        size_px: Width and height of the picture.
        policy: Thresholds.
        log: Takes a warning where the mask is cut.

    Raises:
        Refused: The box or the mask is none, they do not fit, or nothing is in the picture.
    """
    corners = parse_points(shape.get("points"), f"{where}.points", policy.coordinate_limit_px)
    if len(corners) != 2:
        message = f"expected the 2 corners of a mask, found {len(corners)}"
        raise Refused("points-count", f"{where}.points", message)
    field = f"{where}.mask"
    mask = _read_mask(shape.get("mask"), corners, field, size_px)
    first = (round(corners[0][0]), round(corners[0][1]))
    return area_of_mask(mask, first, field, size_px, policy, log)


def _read_mask(value: Any, corners: tuple[Point, ...], where: str, size_px: Size) -> Mask:
    if not isinstance(value, str):
        raise _no_mask(where, f"found {brief(value)}")
    try:
        raw = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise _no_mask(where, "found text that is no base64") from None
    try:
        header = read_header(raw, where=where)
    except SceneSourceError as error:
        raise _no_mask(where, error.problem.partition("found ")[2] or error.problem) from None
    if header.format != "png":
        raise _no_mask(where, f"found {header.form}")
    _require_size(header.size_px, corners, where, size_px)
    try:
        pixels = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        pixels = None
    if pixels is None:
        raise _no_mask(where, "found one that cannot be decoded")
    if pixels.shape != (header.height_px, header.width_px):
        raise _no_mask(where, f"found {header.form}")
    return np.asarray(pixels > 0)


def _no_mask(where: str, found: str) -> Refused:
    return Refused("mask-invalid", where, f"expected a PNG of one channel in base64, {found}")


def _require_size(found: Size, corners: tuple[Point, ...], where: str, size_px: Size) -> None:
    """Refuse a mask that is not of its box, or that nobody can have drawn on the picture.

    labelme rounds a box between pixels corner by corner, so that it may seem a pixel off.
    """
    (x1, y1), (x2, y2) = corners
    box = (x2 - x1 + 1, y2 - y1 + 1)
    if any(abs(length - side) >= 1 for length, side in zip(found, box, strict=True)):
        message = f"expected the {box[0]:g}x{box[1]:g} pixels of its box"
    elif found[0] > size_px[0] or found[1] > size_px[1]:
        message = f"expected at most the {size_px[0]}x{size_px[1]} pixels of the picture"
    else:
        return
    raise Refused("mask-size", where, f"{message}, found {found[0]}x{found[1]}")
