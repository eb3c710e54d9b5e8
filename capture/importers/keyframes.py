"""Which frames of a video are worth a view: those whose mirrors show different things, sharply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.importers.policy import ImportPolicy
from capture.picture_hash import hash_distance, hash_picture
from mira.render.quality import measure_sharpness


class FrameMark(NamedTuple):
    """All that is kept of a frame until the choice is made."""

    fingerprint: int
    """Of the mirror's region, or of the whole picture where none is marked."""
    sharpness: float
    """Variance of the whole picture's Laplacian."""
    region_share: float = 0.0
    """Share of the picture that is marked as mirror."""


def mark_frame(color: NDArray[np.uint8], region: NDArray[np.bool_] | None) -> FrameMark:
    """What the choice needs to know of a frame.

    Args:
        color: The picture, RGB, shape (height, width, 3).
        region: Where mirrors are, shape (height, width); None where nobody marked them.
    """
    share = 0.0 if region is None else float(region.mean())
    return FrameMark(
        fingerprint=hash_picture(color, region if share else None),
        sharpness=measure_sharpness(cv2.cvtColor(color, cv2.COLOR_RGB2GRAY)),
        region_share=share,
    )


def choose_keyframes(
    marks: Sequence[FrameMark | None], count: int, *, policy: ImportPolicy
) -> tuple[int, ...]:
    """Places of the chosen frames, in order; equal marks give equal choices.

    The sharpest frame comes first, then again and again the one whose fingerprint is farthest from
    all that are chosen; each of them then makes way for the sharpest frame near it that looks more
    like it than like the others.

    Args:
        marks: Of each frame in order of time, None where it cannot be used.
        count: Most frames to choose.
        policy: How far "near" is, and from which difference on a frame adds something.
    """
    known = {k: mark for k, mark in enumerate(marks) if mark is not None}
    shown = [k for k, mark in known.items() if mark.region_share >= policy.region_share_min]
    candidates = shown or list(known)
    chosen = tuple(_farthest_first(known, candidates, count, policy.keyframe_distance_bits))
    near = policy.sharpest_within_frames
    sharpest = {_sharpest_near(k, known, candidates, chosen, near) for k in chosen}
    return tuple(sorted(sharpest))


def _sharpest_near(
    k: int,
    known: Mapping[int, FrameMark],
    candidates: Iterable[int],
    chosen: Sequence[int],
    within: int,
) -> int:
    """The sharpest frame near a chosen one that looks more like it than like any other choice."""

    def apart(first: int, second: int) -> int:
        return hash_distance(known[first].fingerprint, known[second].fingerprint)

    others = [other for other in chosen if other != k]
    alike = [
        j
        for j in candidates
        if abs(j - k) <= within and all(apart(j, k) < apart(j, other) for other in others)
    ]
    return min(alike, key=lambda j: (-known[j].sharpness, abs(j - k), j))


def _farthest_first(
    known: Mapping[int, FrameMark], candidates: Iterable[int], count: int, least_bits: int
) -> Iterator[int]:
    """Frames in the order of choice; ties go to the earlier one."""
    apart = dict.fromkeys(candidates, float("inf"))
    if not apart or count < 1:
        return
    last = min(apart, key=lambda k: (-known[k].sharpness, k))
    yield last
    for _ in range(count - 1):
        for k in apart:
            bits = hash_distance(known[k].fingerprint, known[last].fingerprint)
            apart[k] = min(apart[k], bits)
        last = min(apart, key=lambda k: (-apart[k], k))
        if apart[last] < least_bits:
            return
        yield last
