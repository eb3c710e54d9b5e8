"""Pictures of other people: checked before they are decoded, and after."""

from __future__ import annotations

import hashlib
import zlib
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.importers.source_tree import SourceTree
from mira.errors import SceneSourceError
from mira.render.header import PictureHeader, read_header
from mira.schema.record import FileRef

_COLOUR_MODES = frozenset({"1", "L", "LA", "P", "PA", "RGB", "RGBA"})
_PNG_SIGNATURE_BYTES, _PNG_BITS_AT = 8, 24
_CUT = "expected a whole picture, found it cut off"
_AGAIN = "copy it again"


class SourcePicture(NamedTuple):
    """A picture file that was read, and is small enough to be decoded."""

    path: str
    """Its path below the source."""
    header: PictureHeader
    data: bytes

    def ref(self) -> FileRef:
        """The file and its digest."""
        sha256 = hashlib.sha256(self.data).hexdigest()
        return FileRef(path=self.path, sha256=sha256, size_bytes=len(self.data))


def read_picture(tree: SourceTree, path: str, *, limit_px: int) -> SourcePicture:
    """A picture file, whole and upright.

    Args:
        tree: The source.
        path: The file's path below it.
        limit_px: Most pixels that are decoded.

    Raises:
        SceneSourceError: It cannot be read, is no PNG or JPEG, too large, cut off, damaged, or
            turned by its EXIF data.
    """
    data = tree.read_picture_bytes(path)
    header = read_header(data, where=path)
    if header.width_px * header.height_px > limit_px:
        size = f"{header.width_px}x{header.height_px}"
        raise SceneSourceError(path, f"expected at most {limit_px:,} pixels, found {size}")
    if header.orientation != 1:
        problem = f"expected an upright picture, found EXIF orientation {header.orientation}"
        raise SceneSourceError(path, problem, "turn its pixels and those of its depth and mask")
    if header.format == "png":
        _require_whole_png(data, path)
    elif data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda"):
        raise SceneSourceError(path, _CUT, _AGAIN)
    return SourcePicture(path, header, data)


def decode_color(picture: SourcePicture) -> NDArray[np.uint8]:
    """The picture, RGB, shape (height, width, 3).

    Raises:
        SceneSourceError: It has other channels, or more than 8 bits each, or cannot be decoded.
    """
    header = picture.header
    if header.mode not in _COLOUR_MODES or _is_deep(picture):
        found = f"16 bits in {header.form}" if _is_deep(picture) else header.form
        raise SceneSourceError(picture.path, f"expected colours of 8 bits a channel, found {found}")
    image_bgr = decode(picture, cv2.IMREAD_COLOR)
    return np.ascontiguousarray(image_bgr[..., ::-1])


def decode_depth(picture: SourcePicture) -> NDArray[np.uint16]:
    """Depth, shape (height, width), 0 = no reading.

    Raises:
        SceneSourceError: It is no PNG of one channel of 16 bits, or cannot be decoded.
    """
    if not picture.header.holds_depth:
        problem = f"expected depth as a 16-bit PNG of 1 channel, found {picture.header.form}"
        why = "8 bits are a picture of depth, not depth; look for the original"
        raise SceneSourceError(picture.path, problem, why)
    depth: NDArray[np.uint16] = decode(picture, cv2.IMREAD_UNCHANGED)
    return depth


def decode(picture: SourcePicture, flags: int) -> NDArray[Any]:
    """Pixels as OpenCV gives them.

    Raises:
        SceneSourceError: It cannot be decoded.
    """
    raw = np.frombuffer(picture.data, dtype=np.uint8)
    try:
        pixels: Any = cv2.imdecode(raw, flags | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        pixels = None
    if pixels is None or pixels.shape[1::-1] != picture.header.size_px:
        raise SceneSourceError(picture.path, "expected a picture, found one that is damaged")
    return np.asarray(pixels)


def _is_deep(picture: SourcePicture) -> bool:
    """Whether it has 16 bits a channel, of which a JPEG has none."""
    return picture.header.format == "png" and picture.data[_PNG_BITS_AT] == 16


def _require_whole_png(data: bytes, path: str) -> None:
    """Follow the chunks to the last one; the decoder would take what is missing for black."""
    place = _PNG_SIGNATURE_BYTES
    while True:
        length, kind = int.from_bytes(data[place : place + 4]), data[place + 4 : place + 8]
        end = place + 12 + length
        if end > len(data) or len(kind) < 4:
            raise SceneSourceError(path, _CUT, _AGAIN)
        if zlib.crc32(data[place + 4 : end - 4]) != int.from_bytes(data[end - 4 : end]):
            problem = f"expected a whole picture, found its part {kind!r} damaged"
            raise SceneSourceError(path, problem, _AGAIN)
        if kind == b"IEND":
            return
        place = end
