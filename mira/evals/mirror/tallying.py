"""Sums by scene and level, and the numbers they give when scenes count more or less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mira.evals.mirror.measuring import METRICS, Measures
from mira.evals.mirror.records import Group

FloatArray = npt.NDArray[np.float64]
COLUMNS = ("tsr", "sir", "fcr", "pcr", "sir_of_episodes", "image_share", "avg")
"""Numbers of a row, `avg` from the first four."""
_SUMS = COLUMNS[:-1]


class Played(NamedTuple):
    """An episode that was played, in numbers.

    Attributes:
        scene_id: Its scene.
        group: Its bodies.
        level: Its level.
        measures: Its numbers; None where it was aborted.
    """

    scene_id: str
    group: Group
    level: int
    measures: Measures | None


@dataclass(frozen=True)
class Tallies:
    """Sums of what was scored; each number is a ratio of two, shape (scenes, levels, numbers).

    Attributes:
        scenes: Ids of the scenes.
        is_human: Which of them are of humans.
        levels: Levels that were played, in order.
        parts: Numerators.
        wholes: Denominators.
    """

    scenes: tuple[str, ...]
    is_human: npt.NDArray[np.bool_]
    levels: tuple[int, ...]
    parts: FloatArray
    wholes: FloatArray

    def numbers(self, weights: FloatArray) -> FloatArray:
        """Numbers of all levels, and over them, when scenes count as often as weights say.

        Overall weighs episodes alike, so that it is 48 to 18 for Human and Robot where nothing is
        missing, and `sir` steps, as the published one does. Over levels is the plain mean of the
        levels that were played (Table II, all 270 cells).

        Args:
            weights: How often each scene counts, shape (resamples, scenes).

        Returns:
            Shape (resamples, levels + 1, numbers); NaN where nothing was scored.
        """
        parts = np.tensordot(weights, self.parts, axes=1)
        wholes = np.tensordot(weights, self.wholes, axes=1)
        ratios = np.divide(parts, wholes, out=np.full_like(parts, np.nan), where=wholes > 0)
        averages = ratios[..., : len(METRICS)].mean(axis=-1, keepdims=True)
        by_level = np.concatenate([ratios, averages], axis=-1)
        known = ~np.isnan(by_level)
        counts = known.sum(axis=1, keepdims=True)
        sums = np.where(known, by_level, 0).sum(axis=1, keepdims=True)
        over = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
        return np.concatenate([by_level, over], axis=1)

    def members(self, group: Group) -> FloatArray:
        """1 for each scene of a group, else 0, shape (1, scenes)."""
        if group == "overall":
            return np.ones((1, len(self.scenes)))
        return (self.is_human if group == "human" else ~self.is_human)[None].astype(float)


def tally(played: Sequence[Played]) -> Tallies:
    """Sums of episodes by scene and level; those that were aborted are in none."""
    scenes = tuple(sorted({one.scene_id for one in played}))
    levels = tuple(sorted({one.level for one in played}))
    humans = {one.scene_id for one in played if one.group == "human"}
    parts, wholes = np.zeros((2, len(scenes), len(levels), len(_SUMS)))
    places = {scene: place for place, scene in enumerate(scenes)}
    for one in played:
        if one.measures is None:
            continue
        cell = places[one.scene_id], levels.index(one.level)
        for column, (part, whole) in enumerate(_ratios(one.measures)):
            parts[(*cell, column)] += part
            wholes[(*cell, column)] += whole
    is_human = np.array([scene in humans for scene in scenes], bool)
    return Tallies(scenes, is_human, levels, parts, wholes)


def _ratios(one: Measures) -> tuple[tuple[float, float], ...]:
    """Numerator and denominator of each number, in the order of `COLUMNS`."""
    to_image = one.drives["image"]
    return (
        (one.tsr, 1),
        (one.improved, one.steps),
        (one.fcr, 1),
        (one.pcr, 1),
        (one.sir, 1),
        (to_image, to_image + one.drives["mark"]),
    )
