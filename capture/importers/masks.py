"""Masks of reflective surfaces, whatever their values are."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.importers.pictures import SourcePicture, decode
from capture.importers.policy import ImportPolicy
from mira.errors import SceneSourceError

SOFT_ID = 255
"""The value of the one surface of a mask that is white where there is one."""
_CHANNEL_BITS = 8


def decode_mask(picture: SourcePicture, *, policy: ImportPolicy) -> NDArray[np.int32]:
    """Which surface is seen where: the file's own number of it, 0 for none.

    Grey levels are numbers, 8 or 16 bits; colours are `red << 16 | green << 8 | blue`, black and
    transparent for none. A JPEG in grey, or a PNG of black, white and a few pixels or very many
    levels between, is a blurred mask of one surface.

    Args:
        picture: The mask.
        policy: How many surfaces there may be, and from which level on a blurred mask counts.

    Returns:
        Numbers, shape (height, width).

    Raises:
        SceneSourceError: It has too many colours, or cannot be decoded.
    """
    numbers = _numbers_of(decode(picture, cv2.IMREAD_UNCHANGED), picture.path)
    found = numbers_in(numbers)
    if found and found[-1] <= SOFT_ID:
        if picture.header.format == "jpg" or _is_blurred(numbers, found, policy):
            return np.where(numbers >= policy.soft_mask_level, SOFT_ID, 0).astype(np.int32)
    elif picture.header.format == "jpg" and found:
        problem = "expected a mask in colours as PNG, found JPEG, which blurs them"
        raise SceneSourceError(picture.path, problem)
    if len(found) > policy.surface_limit:
        problem = f"expected at most {policy.surface_limit} surfaces in a mask"
        raise SceneSourceError(picture.path, f"{problem}, found {len(found)} values")
    return numbers


def numbers_in(numbers: NDArray[np.int32]) -> tuple[int, ...]:
    """The surfaces that a decoded mask has, in order."""
    if int(numbers.max(initial=0)) < 1 << 16:
        return tuple(int(k) for k in np.flatnonzero(np.bincount(numbers.ravel())) if k)
    return tuple(int(k) for k in np.unique(numbers) if k)


def index_surfaces(numbers: NDArray[np.int32], order: Sequence[int]) -> NDArray[np.uint8]:
    """A decoded mask as a session has it: 0, or k + 1 for surface k, shape (height, width).

    Args:
        numbers: The mask.
        order: Numbers of all surfaces of the scene, in order.
    """
    place = np.searchsorted(np.array((0, *order), dtype=np.int32), numbers)
    return place.astype(np.uint8)


def _is_blurred(numbers: NDArray[np.int32], found: Sequence[int], policy: ImportPolicy) -> bool:
    """Whether grey levels are edges between black and white rather than surfaces."""
    if found[-1] != SOFT_ID:
        return False
    white = int(np.count_nonzero(numbers == SOFT_ID))
    between = int(np.count_nonzero(numbers)) - white
    return len(found) > policy.surface_limit or between <= policy.soft_mask_share * white


def _numbers_of(pixels: NDArray[np.uint8] | NDArray[np.uint16], path: str) -> NDArray[np.int32]:
    if pixels.ndim == 2:
        return pixels.astype(np.int32)
    if pixels.dtype != np.uint8:
        raise SceneSourceError(path, "expected 8 bits a channel of a mask in colours, found 16")
    blue, green, red = (pixels[..., k].astype(np.int32) for k in range(3))
    if (blue == green).all() and (green == red).all():
        numbers = red
    else:
        numbers = (red << (2 * _CHANNEL_BITS)) | (green << _CHANNEL_BITS) | blue
    if pixels.shape[2] == 4:
        numbers = np.where(pixels[..., 3] > 0, numbers, 0)
    return numbers
