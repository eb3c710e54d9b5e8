"""Cognitive Stability: how monotonously a player's scores fall as less is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import Literal

import numpy as np

from mira.evals.mirror.tallying import FloatArray, Played

LEVELS = (0, 1, 2, 3)
StabilityMetric = Literal["avg", "tsr", "fcr"]
STABILITY_METRICS: tuple[StabilityMetric, ...] = ("avg", "tsr", "fcr")


def stability_by_scene(
    played: Sequence[Played], scenes: Sequence[str], *, metric: StabilityMetric, tolerance: float
) -> FloatArray:
    """Signs of the falls from each level to the next, summed up by scene, from -3 to 3.

    Equation 1 of MirrorBench's appendix A-A, before its mean over scenes. A scene that was played
    several times has the mean of its scores.

    Args:
        played: Episodes.
        scenes: Ids of scenes, in the order of the result.
        metric: Score of an episode.
        tolerance: Scores that differ by no more are equal.

    Returns:
        Shape (scenes,); NaN for a scene that was not scored at all four levels.
    """
    scores: dict[tuple[str, int], list[float]] = defaultdict(list)
    for one in played:
        if one.measures is not None:
            scores[one.scene_id, one.level].append(getattr(one.measures, metric))
    found = []
    for scene in scenes:
        if any((scene, level) not in scores for level in LEVELS):
            found.append(np.nan)
            continue
        falls = -np.diff([fmean(scores[scene, level]) for level in LEVELS])
        found.append(float(np.sign(np.where(np.abs(falls) <= tolerance, 0, falls)).sum()))
    return np.array(found)
