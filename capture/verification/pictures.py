"""Pictures of a view: whether they decode and are of the kind and size they have to be."""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.verification.place import Place
from mira.errors import SceneSourceError
from mira.render.header import read_header

Size = tuple[int, int]


class PictureKind(NamedTuple):
    """A kind of picture: Pillow's name of its pixels, and what they decode to."""

    words: str
    mode: str
    dtype: type[np.unsignedinteger[Any]]
    channels: int


COLOR = PictureKind("3 channels of 8 bits", "RGB", np.uint8, 3)
DEPTH = PictureKind("1 channel of 16 bits", "I;16", np.uint16, 1)
LABELS = PictureKind("1 channel of 8 bits", "L", np.uint8, 1)


def read_picture(
    place: Place, name: str, kind: PictureKind, *, limit_px: int
) -> NDArray[Any] | None:
    """The pixels of a picture that is a PNG of a kind.

    Args:
        place: The view.
        name: The picture.
        kind: What it has to be.
        limit_px: Most pixels that are decoded.

    Returns:
        Shape (height, width) or, blue first, (height, width, 3); None where it is not there, or
        not as it has to be, which is noted.
    """
    if not place.has(name):
        return None
    try:
        data = (place.folder / name).read_bytes()
        header = read_header(data, where=name)
    except (SceneSourceError, OSError) as error:
        place.note_error(name, "picture-damaged", error)
        return None
    if header.width_px * header.height_px > limit_px:
        size = format_size_px(header.size_px)
        place.note(name, "picture-damaged", f"expected at most {limit_px} pixels, found {size}")
        return None
    if header.format != "png" or not header.mode.startswith(kind.mode):
        place.note(name, "picture-kind", f"expected a PNG of {kind.words}, found {header.form}")
        return None
    pixels = _decode(data)
    if pixels is None or pixels.shape[:2] != (header.height_px, header.width_px):
        message = "expected a picture, found one that cannot be decoded"
        place.note(name, "picture-damaged", message)
        return None
    channels = 1 if pixels.ndim == 2 else pixels.shape[2]
    if pixels.dtype != kind.dtype or channels != kind.channels:
        found = f"{channels} of {8 * pixels.dtype.itemsize} bits"
        place.note(name, "picture-kind", f"expected a PNG of {kind.words}, found {found}")
        return None
    return pixels


def check_size(place: Place, name: str, pixels: NDArray[Any], expected: dict[str, Size]) -> None:
    """Note a picture that has not the size that other files of its view say.

    Args:
        place: The view.
        name: The picture.
        pixels: Its pixels, shape (height, width, ...).
        expected: Width and height by the name of the file that says so.
    """
    found = size_px(pixels)
    for source, size in expected.items():
        if size != found:
            words = f"expected {format_size_px(size)} by {source}, found {format_size_px(found)}"
            place.note(name, "picture-size", words)


def size_px(pixels: NDArray[Any]) -> Size:
    """Width and height of a picture."""
    return pixels.shape[1], pixels.shape[0]


def format_size_px(size: Size) -> str:
    """Width and height as people write them: `848x480`."""
    return f"{size[0]}x{size[1]}"


def _decode(data: bytes) -> NDArray[Any] | None:
    flags = cv2.IMREAD_UNCHANGED
    try:
        return cv2.imdecode(np.frombuffer(data, dtype=np.uint8), flags)
    except cv2.error:
        return None
