"""What a picture file says of itself before any pixel is decoded."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from mira.errors import SceneSourceError

_FORMATS: dict[str | None, Literal["png", "jpg"]] = {"PNG": "png", "JPEG": "jpg", "MPO": "jpg"}
_TURNED = frozenset({5, 6, 7, 8})


class PictureHeader(NamedTuple):
    """Size and kind of a picture as stored."""

    format: Literal["png", "jpg"]
    width_px: int
    height_px: int
    mode: str
    """Pillow's name of the kind of pixels, such as `RGB`."""
    orientation: int = 1
    """EXIF orientation; 1, upright, where it is absent."""

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height as stored."""
        return self.width_px, self.height_px

    @property
    def turned(self) -> bool:
        """Whether EXIF swaps width and height when the picture is shown."""
        return self.orientation in _TURNED

    @property
    def holds_depth(self) -> bool:
        """Whether it is a PNG of one channel of 16 bits."""
        return self.format == "png" and self.mode.startswith("I;16")

    @property
    def form(self) -> str:
        """The kind of file and pixels, for messages."""
        return f"{self.format.upper()} of mode {self.mode}"


def read_header(data: bytes, *, where: str | Path) -> PictureHeader:
    """The header of a PNG or JPEG file.

    Args:
        data: The file.
        where: Named in errors.

    Raises:
        SceneSourceError: It is neither, its header is damaged, or it claims a size that nobody
            should decode.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            # Large pictures are refused by a policy with a number, not by a warning.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as picture:
                return PictureHeader(
                    _FORMATS[picture.format],
                    *picture.size,
                    mode=picture.mode,
                    orientation=_orientation(picture, data),
                )
    except UnidentifiedImageError:
        raise SceneSourceError(
            where, f"expected PNG or JPEG with a whole header, found {data[:8]!r}"
        ) from None
    except Image.DecompressionBombError as error:
        message = f"expected at most the pixels that Pillow decodes: {error}"
        raise SceneSourceError(where, message) from None
    except (OSError, SyntaxError, ValueError, struct.error, IndexError, KeyError) as error:
        raise SceneSourceError(
            where, f"expected a picture, found its header damaged: {error}"
        ) from None


def may_be_turned(data: bytes) -> bool:
    """Whether a picture file holds anything that can say how it is to be turned.

    It is told without opening the file, and therefore without looking whether it is sound.
    """
    if data.startswith(_PNG):
        return any(kind in _TELLING_CHUNKS for kind in _chunk_kinds(data))
    return not data.startswith(_JPEG) or b"Exif" in data or b"tiff:Orientation" in data


_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_TELLING_CHUNKS = frozenset({b"eXIf", b"iTXt", b"tEXt", b"zTXt"})
"""Chunks of PNG that Pillow takes an orientation from: EXIF as such or as text, and XMP."""


def _chunk_kinds(data: bytes) -> Iterator[bytes]:
    place = len(_PNG)
    while place + 8 <= len(data):
        yield data[place + 4 : place + 8]
        place += 12 + int.from_bytes(data[place : place + 4])


def _orientation(picture: Any, data: bytes) -> int:
    """The orientation by EXIF or XMP; a PNG that can have none is not decoded just to look."""
    from PIL import ExifTags

    if not may_be_turned(data):
        return 1
    found = picture.getexif().get(ExifTags.Base.Orientation, 1)
    return found if isinstance(found, int) and 1 <= found <= 8 else 1
