"""Recordings of the SDK: where they are written, and what is in them."""

from __future__ import annotations

import secrets
import sqlite3
from pathlib import Path
from typing import NamedTuple

from mira.errors import CaptureError
from mira.store.folder_commit import PARTIAL

_COUNT = """
    select t.name, count(*) from messages m join topics t on m.topic_id = t.id
    where t.name like '%/image/data%' group by t.name
"""


class FrameCounts(NamedTuple):
    """Frames in a recording."""

    depth: int
    color: int


def recording_fault(counts: FrameCounts, wanted_pairs: int) -> str | None:
    """What is wrong with the number of frames in a recording.

    The two sensors start and stop at different moments, so their numbers may differ; of each there
    are as many as were wanted.

    Args:
        counts: Frames in it.
        wanted_pairs: Pairs that were asked for; 1 where nobody knows.
    """
    if min(counts) >= max(wanted_pairs, 1):
        return None
    expected = f"expected {wanted_pairs} frames of each stream"
    return f"{expected}, found {counts.depth} of depth and {counts.color} of color"


def partial_recording(folder: Path, view_id: str) -> Path:
    """A name for a recording under way; what a killed process leaves is known by it."""
    return folder / f"{PARTIAL}raw-{view_id}-{secrets.token_hex(4)}.db3"


def count_frames(path: Path) -> FrameCounts:
    """How many frames of each stream a closed `.db3` holds.

    Raises:
        CaptureError: It is none, or damaged.
    """
    try:
        # Immutable: nothing beside the file is made, even on a disk that is read only.
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True)
        try:
            counts = dict(connection.execute(_COUNT).fetchall())
        finally:
            connection.close()
        found = [
            sum(int(count) for name, count in counts.items() if f"/{stream}_" in str(name))
            for stream in ("Depth", "Color")
        ]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise CaptureError(path, f"expected a recording of the SDK (.db3): {error}") from None
    return FrameCounts(*found)
