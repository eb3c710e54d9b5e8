"""Pictures as stored, and whether they are whole."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from mira.errors import SceneSourceError
from mira.render.header import PictureHeader, read_header
from mira.schema.record import FileRef


class Picture(NamedTuple):
    """A picture that was read whole and decodes."""

    path: Path
    name: str
    """What gives the id of its image."""
    header: PictureHeader
    sha256: str
    size_bytes: int

    def ref(self, name: str) -> FileRef:
        """The reference to a copy of it."""
        return FileRef(path=name, sha256=self.sha256, size_bytes=self.size_bytes)


def read_picture(path: Path, *, limit_px: int, name: str | None = None) -> Picture:
    """A picture, checked to be whole by decoding it.

    Args:
        path: A PNG or JPEG file; its content decides which, not its name.
        limit_px: Most pixels that are decoded.
        name: What gives the id of its image; the file's own, less its ending, if None.

    Raises:
        SceneSourceError: It is missing, no PNG or JPEG, cut off, damaged or too large.
    """
    raw = _bytes_of(path)
    header = read_header(raw, where=path)
    if header.width_px * header.height_px > limit_px:
        raise SceneSourceError(
            path,
            f"expected at most {limit_px} pixels, found {header.width_px}x{header.height_px}",
        )
    _require_whole(raw, header, path)
    return Picture(
        path=path,
        name=path.stem if name is None else name,
        header=header,
        sha256=hashlib.sha256(raw).hexdigest(),
        size_bytes=len(raw),
    )


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SceneSourceError(path, "expected a picture, found no file") from None
    except OSError as error:
        raise SceneSourceError(path, f"cannot be read: {error.strerror}") from None


def _require_whole(raw: bytes, header: PictureHeader, path: Path) -> None:
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
