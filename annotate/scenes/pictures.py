"""Pictures as stored: size from the header, EXIF orientation, and whether they are whole."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path
from typing import Literal, NamedTuple

import cv2
import numpy as np

from mira.errors import SceneSourceError
from mira.schema.record import FileRef

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8"
_SIZED = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})
"""JPEG markers that start a frame and carry its size."""
_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
"""JPEG markers without a length."""
_ORIENTATION_TAG = 0x0112
_TURNED = frozenset({5, 6, 7, 8})


class Header(NamedTuple):
    """What a picture says of itself before any pixel."""

    format: Literal["png", "jpg"]
    width_px: int
    height_px: int
    bits: int
    """Bits of one channel."""
    channels: int
    orientation: int = 1
    """EXIF orientation; 1 where it is absent."""

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height as stored."""
        return self.width_px, self.height_px

    @property
    def turned(self) -> bool:
        """Whether EXIF swaps width and height when the picture is shown."""
        return self.orientation in _TURNED

    @property
    def form(self) -> str:
        """The kind of pixels, for messages."""
        return f"{self.bits}-bit {self.format.upper()} of {self.channels} channel(s)"


class Picture(NamedTuple):
    """A picture that was read whole and decodes."""

    path: Path
    header: Header
    sha256: str
    size_bytes: int

    def ref(self, name: str) -> FileRef:
        """The reference to a copy of it."""
        return FileRef(path=name, sha256=self.sha256, size_bytes=self.size_bytes)


def read_picture(path: Path, *, limit_px: int) -> Picture:
    """A picture, checked to be whole by decoding it.

    Args:
        path: A PNG or JPEG file; its content decides which, not its name.
        limit_px: Most pixels that are decoded.

    Raises:
        SceneSourceError: It is missing, no PNG or JPEG, cut off, damaged or too large.
    """
    raw = _bytes_of(path)
    header = parse_header(raw, path)
    if header.width_px * header.height_px > limit_px:
        raise SceneSourceError(
            path,
            f"expected at most {limit_px} pixels, found {header.width_px}x{header.height_px}",
        )
    _require_whole(raw, header, path)
    return Picture(
        path=path,
        header=header,
        sha256=hashlib.sha256(raw).hexdigest(),
        size_bytes=len(raw),
    )


def parse_header(raw: bytes, path: Path) -> Header:
    """The header of a PNG or JPEG file.

    Args:
        raw: The file, or as much of it as holds the header.
        path: Named in errors.

    Raises:
        SceneSourceError: The bytes are neither, or end within the header.
    """
    try:
        if raw.startswith(_PNG):
            return _png_header(raw)
        if raw.startswith(_JPEG):
            return _jpeg_header(raw)
    except (struct.error, IndexError):
        raise SceneSourceError(path, "expected a whole picture, found its header cut off") from None
    except ValueError as error:
        raise SceneSourceError(path, f"expected a picture, found {error}") from None
    raise SceneSourceError(path, f"expected PNG or JPEG, found a file that starts {raw[:8]!r}")


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SceneSourceError(path, "expected a picture, found no file") from None
    except OSError as error:
        raise SceneSourceError(path, f"cannot be read: {error.strerror}") from None


def _require_whole(raw: bytes, header: Header, path: Path) -> None:
    cut = SceneSourceError(path, "expected a whole picture, found it cut off", "copy it again")
    if header.format == "png" and b"IEND" not in raw[-4096:]:
        raise cut
    if header.format == "jpg" and raw.rfind(b"\xff\xd9") < raw.rfind(b"\xff\xda"):
        raise cut
    try:
        pixels = cv2.imdecode(np.frombuffer(raw, dtype=np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        pixels = None
    if pixels is None or pixels.shape[:2] != (header.height_px, header.width_px):
        raise SceneSourceError(path, "expected a picture, found one that cannot be decoded")


def _png_header(raw: bytes) -> Header:
    if raw[12:16] != b"IHDR":
        raise ValueError("a PNG without a header")
    width, height, bits, colour = struct.unpack_from(">IIBB", raw, 16)
    channels = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}.get(colour, 0)
    if not width or not height or not channels:
        raise ValueError("a PNG with a damaged header")
    return Header("png", width, height, bits, channels, _png_orientation(raw))


def _png_orientation(raw: bytes) -> int:
    start = 8
    while start + 8 <= len(raw):
        length, kind = struct.unpack_from(">I4s", raw, start)
        if kind == b"eXIf":
            return _exif_orientation(raw[start + 8 : start + 8 + length])
        start += 12 + length
    return 1


def _jpeg_header(raw: bytes) -> Header:
    orientation = 1
    start = 2
    while True:
        while raw[start] == 0xFF and raw[start + 1] == 0xFF:
            start += 1
        if raw[start] != 0xFF:
            raise ValueError("a JPEG with a damaged header")
        marker = raw[start + 1]
        if marker in _BARE:
            start += 2
            continue
        (length,) = struct.unpack_from(">H", raw, start + 2)
        body = start + 4
        if marker in _SIZED:
            bits, height, width, channels = struct.unpack_from(">BHHB", raw, body)
            if not width or not height:
                raise ValueError("a JPEG without a size")
            return Header("jpg", width, height, bits, channels, orientation)
        if marker == 0xDA or length < 2:
            raise ValueError("a JPEG without a size")
        if marker == 0xE1 and raw[body : body + 6] == b"Exif\0\0":
            orientation = _exif_orientation(raw[body + 6 : start + 2 + length])
        start += 2 + length


def _exif_orientation(tiff: bytes) -> int:
    """Orientation in an EXIF block; 1 where it is absent or cannot be read."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (first,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, first)
        for entry in range(first + 2, first + 2 + 12 * count, 12):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, entry)
            if tag == _ORIENTATION_TAG:
                return int(value) if 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1
