"""Tests of runs that draw on scenes: would it matter which run is which?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mira.evals.mira_bench.tallies import BoolArray, FloatArray, Tallies, weighted_averages

_FLOAT_ERROR = 1e-12
_CELLS_AT_ONCE = 4_000_000
"""Bounds the memory of the tosses (32 MB)."""


def scene_flip_p(
    first: Tallies,
    second: Tallies,
    members: BoolArray,
    *,
    flips: int,
    rng: np.random.Generator,
) -> FloatArray:
    """How probable so large a difference is, or a larger one, between equally good runs.

    Were both equally good, their answers to all questions of a scene could be exchanged. So they
    are, scene by scene, by the toss of a coin, and it is counted how often the difference is as
    large as the real one (two-sided randomisation test; Edgington and Onghena 2007, section 3). It
    asks nothing of questions within a scene, which are right or wrong together.

    Args:
        first: Counts by scene.
        second: Those of the same units.
        members: Sub-tasks of each row, shape (rows, sub-tasks).
        flips: How often all coins are tossed; no p is less than one over this and one.
        rng: Source of the tosses.

    Returns:
        Shape (rows,); 1 where nothing was scored.
    """
    gains = second.right - first.right
    units = first.units.sum(axis=0)
    weights = np.where(units > 0, first.questions.sum(axis=0), 0)

    def differences(signs: FloatArray) -> FloatArray:
        by_subtask = (signs @ gains) / np.where(units > 0, units, 1)
        averages = weighted_averages(
            by_subtask, np.broadcast_to(weights, by_subtask.shape), members
        )
        return np.abs(np.nan_to_num(averages))

    real = differences(np.ones((1, len(gains))))[0]
    extreme = np.zeros(len(members))
    at_once = max(1, _CELLS_AT_ONCE // len(gains))
    for done in range(0, flips, at_once):
        size = (min(at_once, flips - done), len(gains))
        tossed = differences(rng.choice((-1.0, 1.0), size=size))
        extreme += np.count_nonzero(tossed >= real - _FLOAT_ERROR, axis=0)
    return np.asarray((extreme + 1) / (flips + 1))


def spread_exchange_p(
    tallies: Sequence[Tallies],
    members: BoolArray,
    *,
    exchanges: int,
    rng: np.random.Generator,
) -> FloatArray:
    """How probable so large a spread is, or a larger one, between ways that are equally good.

    Were all ways equally good, their answers to a scene could be dealt out among them anew. So
    they are, scene by scene, and it is counted how often highest minus lowest is as large as the
    real one (`scene_flip_p` with more than two). The largest of several differences is large by
    chance alone, so a spread without this tells nothing.

    Args:
        tallies: Counts by scene, of the same units each.
        members: Sub-tasks of each row, shape (rows, sub-tasks).
        exchanges: How often answers are dealt out; no p is less than one over this and one.
        rng: Source of the deals.

    Returns:
        Shape (rows,); 1 where nothing was scored.
    """
    right = np.stack([one.right for one in tallies])
    ways, scenes, _ = right.shape
    units = tallies[0].units.sum(axis=0)
    weights = np.where(units > 0, tallies[0].questions.sum(axis=0), 0)

    def spreads(totals: FloatArray) -> FloatArray:
        values = totals / np.where(units > 0, units, 1)
        averages = weighted_averages(values, np.broadcast_to(weights, values.shape), members)
        return np.asarray(np.nan_to_num(averages.max(axis=-2) - averages.min(axis=-2)))

    real = spreads(right.sum(axis=1))
    extreme = np.zeros(len(members))
    at_once = max(1, _CELLS_AT_ONCE // right.size)
    for done in range(0, exchanges, at_once):
        size = min(at_once, exchanges - done)
        dealt = rng.random((size, ways, scenes)).argsort(axis=1)
        totals = right[dealt, np.arange(scenes)].sum(axis=2)
        extreme += np.count_nonzero(spreads(totals) >= real - _FLOAT_ERROR, axis=0)
    return np.asarray((extreme + 1) / (exchanges + 1))
