"""Depth for the browser: 16-bit readings in a PNG of 8-bit channels.

A browser reduces a 16-bit PNG to 8 bits when it draws it, so each reading takes two channels.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS, _RGB = 8, 2
_FILTER_UP = 2
# On stereo and time-of-flight depth alike, level 9 saved less than a tenth for ten times the time,
# and filters chosen row by row saved nothing over each row less the one above.
_LEVEL = 6


def pack_depth(depth: NDArray[np.uint16]) -> bytes:
    """A depth map as an RGB PNG without alpha: high byte in red, low byte in green, blue 0.

    The file has no colour profile, gamma or time, so nothing in it invites a browser to change a
    byte, and equal readings give equal files wherever the same zlib is installed.

    Args:
        depth: Readings, 0 for none, shape (height, width), both at least 1.

    Returns:
        The file.

    Raises:
        ValueError: If the array is not a map of 16-bit unsigned readings.
    """
    if depth.dtype != np.uint16 or depth.ndim != 2 or depth.size == 0:
        raise ValueError(
            f"depth: expected uint16 of shape (height, width), found {depth.dtype} {depth.shape}"
        )
    height_px, width_px = depth.shape
    header = struct.pack(">IIBBBBB", width_px, height_px, _BITS, _RGB, 0, 0, 0)
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_FILTERED)
    pixels = packer.compress(_filtered_rows(depth)) + packer.flush()
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _filtered_rows(depth: NDArray[np.uint16]) -> bytes:
    height_px, width_px = depth.shape
    rows = np.zeros((height_px, width_px, 3), dtype=np.uint8)
    rows[..., 0] = depth >> 8
    rows[..., 1] = depth & 0xFF
    filtered = np.empty((height_px, 1 + 3 * width_px), dtype=np.uint8)
    filtered[:, 0] = _FILTER_UP
    flat = rows.reshape(height_px, -1)
    filtered[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=filtered[1:, 1:])
    return filtered.tobytes()


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
