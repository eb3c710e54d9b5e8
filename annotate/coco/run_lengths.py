"""COCO's run lengths, down the columns of a picture, as pixels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from annotate.findings import Refused, brief
from annotate.reading.pixel_area import Mask

_FIRST, _LAST = 48, 48 + 63
"""Codes of the characters that compressed counts are made of: six bits each."""
_MOST_CHARACTERS = 7
"""Characters of one count: five bits each, for numbers below 2 ** 32 and their signs."""


class Columns(NamedTuple):
    """The columns of a picture from the first to the last that a mask reaches."""

    mask: Mask
    """Shape (height, columns); no column where the mask is empty."""
    left: int
    """The first column."""


def parse_counts(value: Any, where: str) -> list[int]:
    """Run lengths, of empty pixels first, from a list or COCO's compressed text.

    Args:
        value: As read; text may be as Python prints bytes, `b'...'`.
        where: Its field.

    Raises:
        Refused: It is neither, or a length is none.
    """
    if isinstance(value, list):
        for place, count in enumerate(value):
            if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                message = f"expected a number of pixels, found {brief(count)}"
                raise Refused("rle-invalid", f"{where}[{place}]", message)
        return value
    if isinstance(value, str):
        return _decompress(value, where)
    raise Refused("rle-invalid", where, f"expected a list or compressed text, found {brief(value)}")


def columns_of_counts(counts: list[int], *, height_px: int) -> Columns:
    """The pixels of run lengths, of which there must be whole columns."""
    edges = np.concatenate(([0], np.cumsum(np.array(counts, np.int64))))
    begin, end = edges[1:-1:2], edges[2::2]
    begin, end = begin[end > begin], end[end > begin]
    if not len(begin):
        return Columns(np.zeros((height_px, 0), np.bool_), 0)
    left, right = int(begin[0]) // height_px, -(-int(end[-1]) // height_px)
    turns = np.column_stack((begin, end)).ravel()
    lengths = np.diff(turns, prepend=left * height_px, append=right * height_px)
    flat = np.repeat(np.arange(len(lengths)) % 2 == 1, lengths)
    return Columns(flat.reshape(-1, height_px).T, left)


def _decompress(text: str, where: str) -> list[int]:
    """The counts in COCO's text, which from the third on are differences to the one before last."""
    if text.startswith(("b'", 'b"')) and len(text) > 2 and text[-1] == text[1]:
        text = text[2:-1].replace("\\\\", "\\")
    counts: list[int] = []
    value = shift = 0
    for place, letter in enumerate(text):
        code = ord(letter) - _FIRST
        if not 0 <= code <= _LAST - _FIRST or shift >= 5 * _MOST_CHARACTERS:
            message = f"expected compressed counts, found {letter!r} at character {place}"
            raise Refused("rle-invalid", where, message)
        value |= (code & 31) << shift
        shift += 5
        if code & 32:
            continue
        if code & 16:
            value -= 1 << shift
        if len(counts) > 2:
            value += counts[-2]
        if value < 0:
            message = f"expected a number of pixels, found {value} at character {place}"
            raise Refused("rle-invalid", where, message)
        counts.append(value)
        value = shift = 0
    if shift:
        raise Refused("rle-invalid", where, "expected compressed counts, found them cut off")
    return counts
