"""Colour pictures written anew to take less room; nothing else of a release is."""

from __future__ import annotations

import hashlib

from export.rows import PictureFile
from mira.render.jpeg import encode_jpeg
from mira.render.source import decode_color

_JPEG = b"\xff\xd8\xff"


def as_jpeg(picture: PictureFile, *, quality: int, where: str) -> PictureFile:
    """A colour picture as JPEG; one that is a JPEG already stays as it is.

    Args:
        picture: The file.
        quality: From 1 to 100.
        where: Named in errors.

    Raises:
        SceneSourceError: The file does not decode.
    """
    if picture.data.startswith(_JPEG):
        return picture
    data = encode_jpeg(decode_color(picture.data, where=where), quality=quality)
    return PictureFile(data, "jpg", hashlib.sha256(data).hexdigest())
