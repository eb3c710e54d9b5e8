"""Lists of frames with their times, and which frames of two lists belong together."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from capture.importers.policy import ImportPolicy
from mira.errors import SceneSourceError

_LATEST_S = 1e12
"""Far beyond any clock in seconds; a later time is one in smaller units."""


class FrameEntry(NamedTuple):
    """A line of a list."""

    number: int
    """Which frame it is, from 0; comments do not count."""
    time_s: float
    """When it was taken, in seconds of the list's clock."""
    path: str
    """Its file."""


def parse_frame_list(text: bytes, *, where: str) -> list[FrameEntry]:
    """Frames in order of time.

    Args:
        text: `<seconds> <file>` a line; empty lines and those that start with `#` are passed over.
        where: Named in errors.

    Raises:
        SceneSourceError: A line is another, or a file is listed twice.
    """
    try:
        lines = text.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise SceneSourceError(where, f"expected UTF-8, found a fault: {error}") from None
    entries: list[FrameEntry] = []
    seen: set[str] = set()
    for row, line in enumerate(lines, start=1):
        words = line.split(maxsplit=1)
        if not words or words[0].startswith("#"):
            continue
        time_s = _seconds(words[0])
        if len(words) != 2 or time_s is None:
            problem = f"expected seconds and a file, found {line[:90]!r}"
            raise SceneSourceError(f"{where}:{row}", problem)
        path = words[1].strip().removeprefix("./")
        if path in seen:
            raise SceneSourceError(
                f"{where}:{row}", f"expected each file once, found {path!r} again"
            )
        seen.add(path)
        entries.append(FrameEntry(len(entries), time_s, path))
    return sorted(entries, key=lambda entry: (entry.time_s, entry.number))


def associate(
    colors: Sequence[FrameEntry], depths: Sequence[FrameEntry], *, policy: ImportPolicy
) -> Mapping[int, FrameEntry]:
    """The depth frame of each colour frame that has one, by the colour frame's number.

    The two frames that are closest in time become a pair first, and no frame is in two pairs.
    Frames half a period apart or more are none.

    Args:
        colors: Colour frames in order of time.
        depths: Depth frames in order of time.
        policy: The period of a list of one frame.
    """
    limit_s = _period_s(colors, policy) / 2
    times = [depth.time_s for depth in depths]
    near = []
    for i, color in enumerate(colors):
        # One rule alone says what is near; the window only spares the frames far away.
        for j in range(bisect_left(times, color.time_s - 2 * limit_s), len(times)):
            if times[j] > color.time_s + 2 * limit_s:
                break
            if abs(times[j] - color.time_s) < limit_s:
                near.append((abs(times[j] - color.time_s), i, j))
    found: dict[int, FrameEntry] = {}
    taken: set[int] = set()
    for _, i, j in sorted(near):
        if colors[i].number not in found and j not in taken:
            found[colors[i].number] = depths[j]
            taken.add(j)
    return found


def _period_s(frames: Sequence[FrameEntry], policy: ImportPolicy) -> float:
    apart = [later.time_s - earlier.time_s for earlier, later in pairwise(frames)]
    return median(apart) if apart else policy.assumed_frame_period_s


def _seconds(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) < _LATEST_S else None
