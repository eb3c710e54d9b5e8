"""Rows of a release in one order, whatever the splits that they are in."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path

from mira.errors import ReleaseError
from mira.release.reader import Row, config_info, read_info, read_rows


def rows_in_order(release: Path, config: str, *, split: str | None) -> Iterator[Row]:
    """Rows of `qa` or `scenes` by scene and picture, as a workspace has them; few in memory.

    Args:
        release: The folder.
        config: Name of the table.
        split: Only this split; all by default.

    Raises:
        ReleaseError: There is no such table or split, or a file is missing or damaged.
    """
    parts = [read_rows(release, config, split=name) for name in split_names(release, split)]
    yield from heapq.merge(*parts, key=lambda row: (row["scene_id"], row["image_id"]))


def picture_count(release: Path, split: str | None) -> int:
    """How many pictures a split has, or all splits.

    Raises:
        ReleaseError: The folder is no release, or has no such split.
    """
    names = split_names(release, split)
    parts = config_info(read_info(release), "scenes", release).splits
    return sum(part.rows for part in parts if part.split in names)


def split_names(release: Path, split: str | None) -> tuple[str, ...]:
    """All splits of a release, or the one that is named.

    Raises:
        ReleaseError: The folder is no release, or has no such split.
    """
    names = tuple(part.split for part in config_info(read_info(release), "scenes", release).splits)
    if split is None:
        return names
    if split not in names:
        problem = f"expected one of its splits ({', '.join(names)}), found split {split!r}"
        raise ReleaseError(release, problem)
    return (split,)
