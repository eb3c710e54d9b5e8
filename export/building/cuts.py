"""Where files end that are to have about one size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from export.building.records import Shard

SHARD_BYTES = 250 << 20
"""Files have this size at least, but for the only one, and hardly more than twice that: a file ends
with a row, however large that is."""


def cuts_by_size(sizes: Sequence[int], *, every: int) -> list[tuple[int, int]]:
    """Ranges of rows, each a file, of about one size.

    Args:
        sizes: Bytes of each row.
        every: Files end after a multiple of so many rows.
    """
    total = sum(sizes)
    wanted = total / max(1, total // SHARD_BYTES)
    bounds, begun, done = [0], 0, 0
    for k, size in enumerate(sizes):
        is_full = done - begun >= wanted and total - done >= SHARD_BYTES
        if k % every == 0 and is_full:
            bounds.append(k)
            begun = done
        done += size
    return list(pairwise([*bounds, len(sizes)]))


def shards_of(
    table: str,
    split: str,
    bounds: Sequence[tuple[int, int]],
    rows: Sequence[int],
    *,
    group_rows: int | None = None,
) -> Iterator[Shard]:
    """Files with those ranges of what makes rows; a range that makes none is no file.

    Args:
        table: The table.
        split: The split.
        bounds: Ranges.
        rows: How many rows each thing in them makes.
        group_rows: Rows a row group, where it is not what suits the table.
    """
    counts = [(bound, sum(rows[slice(*bound)])) for bound in bounds]
    filled = [(bound, count) for bound, count in counts if count]
    for number, ((first, last), count) in enumerate(filled):
        yield Shard(
            table=table,
            split=split,
            number=number,
            total=len(filled),
            first=first,
            last=last,
            rows=count,
            group_rows=group_rows,
        )
