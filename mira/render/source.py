"""Picture files of a scene to arrays."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from mira.errors import SceneSourceError


def decode_color(data: bytes, *, where: str | Path = "colour picture") -> NDArray[np.uint8]:
    """The pixels of a colour picture as they are stored, any EXIF rotation left undone.

    Args:
        data: An encoded picture; 16-bit values keep their high byte, gray is repeated in all
            channels and alpha is dropped.
        where: Named in the error, usually the file.

    Returns:
        Red, green, blue, shape (height, width, 3).

    Raises:
        SceneSourceError: The bytes are no picture that OpenCV reads.
    """
    image_bgr = _decode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION, where)
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def decode_depth(data: bytes, *, where: str | Path = "depth picture") -> NDArray[np.uint16]:
    """The raw readings of a depth picture.

    Args:
        data: An encoded picture of one 16-bit channel.
        where: Named in the error, usually the file.

    Returns:
        Readings in depth units, 0 for none, shape (height, width).

    Raises:
        SceneSourceError: The bytes are no picture, or one of another kind.
    """
    depth = _decode(data, cv2.IMREAD_UNCHANGED, where)
    if depth.ndim != 2 or depth.dtype != np.uint16:
        channels = 1 if depth.ndim == 2 else depth.shape[2]
        raise SceneSourceError(
            where, f"expected one channel of uint16, found {channels} of {depth.dtype}"
        )
    return depth.astype(np.uint16, copy=False)


def _decode(data: bytes, flags: int, where: str | Path) -> MatLike:
    try:
        image = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), flags)
    except cv2.error as error:
        raise SceneSourceError(where, f"expected a picture, OpenCV says: {error.err}") from None
    if image is None:
        raise SceneSourceError(
            where, f"expected a whole picture, found {len(data)} bytes that OpenCV cannot read"
        )
    return image
