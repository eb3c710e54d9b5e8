"""Where files end that are to have about one size."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

SHARD_BYTES = 250 << 20
"""Files with pictures have this size at least, and no more than twice that."""


def cuts_by_size(sizes: Sequence[int], *, every: int) -> list[tuple[int, int]]:
    """Ranges of rows, each a file: of about one size, as many as have `SHARD_BYTES` at least.

    Args:
        sizes: Bytes of each row.
        every: Files end after a multiple of so many rows.
    """
    total = sum(sizes)
    parts = max(1, total // SHARD_BYTES)
    bounds, done = [0], 0
    for k, size in enumerate(sizes):
        due = done * parts >= total * len(bounds)
        if due and k % every == 0 and len(bounds) < parts:
            bounds.append(k)
        done += size
    return list(pairwise([*bounds, len(sizes)]))
