"""Memory that numpy frees stays with the process, where the C library allows it."""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's mallopt(3)."""
_KEPT_BYTES = 1 << 30


def keep_freed_memory() -> None:
    """Let freed arrays be used again instead of going back to the system one by one.

    By default glibc maps every array of some megabytes anew and unmaps it after use, so that the
    kernel clears its pages each time; a renderer that makes thousands of them loses some per cent
    of its time to that, an eighth at worst. Does nothing without glibc.
    """
    if sys.platform != "linux":
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return
    mallopt(_MMAP_THRESHOLD, _KEPT_BYTES)
    mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
