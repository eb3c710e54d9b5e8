"""Intervals by resampling scenes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from pydantic import Field

from mira.evals.mira_bench.tallies import BoolArray, FloatArray, Tallies
from mira.schema.evaluation import Interval
from mira.schema.record import Record

_CELLS_AT_ONCE = 4_000_000
"""Bounds the memory of the resampled scene counts (32 MB)."""


class BootstrapPolicy(Record):
    """How intervals are computed."""

    resamples: int = Field(default=1_000, ge=1)
    """Resamples of the scenes."""
    level: float = Field(default=0.95, gt=0, lt=1)
    """Nominal coverage."""


def bootstrap_intervals(
    tallies: Tallies,
    members: BoolArray,
    *,
    policy: BootstrapPolicy,
    rng: np.random.Generator,
    over: str = "scenes",
) -> tuple[Interval | None, ...]:
    """Percentile intervals of accuracies over scenes drawn with replacement.

    Questions about one scene, in all protocols, are right or wrong together, so the scene is the
    unit that is drawn (cluster bootstrap: Davison and Hinkley 1997, section 3.8). Weights of
    sub-tasks are counted anew in each resample.

    Args:
        tallies: Counts by scene.
        members: Sub-tasks of each row, shape (rows, sub-tasks).
        policy: Resamples and level.
        rng: Source of the resamples.
        over: What the rows of the tallies are, for the name of the method.

    Returns:
        One interval a row; None where fewer than two scenes were scored, which tell nothing of
        how scenes differ.
    """
    drawn = [
        tallies.accuracies(counts, members)
        for counts in scene_draws(len(tallies.units), policy=policy, rng=rng)
    ]
    accuracies = np.concatenate(drawn)
    scenes = np.count_nonzero((tallies.units @ members.T.astype(float)) > 0, axis=0)
    return tuple(
        percentile_interval(accuracies[:, row], policy, over=over) if scenes[row] >= 2 else None
        for row in range(len(members))
    )


def paired_intervals(
    first: Tallies,
    second: Tallies,
    members: BoolArray,
    *,
    policy: BootstrapPolicy,
    rng: np.random.Generator,
    over: str = "scenes",
) -> tuple[Interval | None, ...]:
    """Percentile intervals of how much more accurate the second is than the first.

    Both are given the same scenes in every resample, so that what makes a scene easy or hard for
    both leaves their difference alone.

    Args:
        first: Counts by scene.
        second: Those of the same units.
        members: Sub-tasks of each row, shape (rows, sub-tasks).
        policy: Resamples and level.
        rng: Source of the resamples.
        over: What the rows of the tallies are, for the name of the method.

    Returns:
        One interval a row; None where fewer than two scenes were scored.
    """
    ones, twos = shared_draws((first, second), members, policy=policy, rng=rng)
    gains = twos - ones
    scenes = np.count_nonzero((first.units @ members.T.astype(float)) > 0, axis=0)
    method = f"paired {over}"
    return tuple(
        percentile_interval(gains[:, row], policy, over=method) if scenes[row] >= 2 else None
        for row in range(len(members))
    )


def shared_draws(
    tallies: Sequence[Tallies],
    members: BoolArray,
    *,
    policy: BootstrapPolicy,
    rng: np.random.Generator,
) -> FloatArray:
    """Accuracies of several in resamples that give all of them the same scenes.

    Args:
        tallies: Counts by scene, of the same units each.
        members: Sub-tasks of each row, shape (rows, sub-tasks).
        policy: Resamples and level.
        rng: Source of the resamples.

    Returns:
        Shape (tallies, resamples, rows); NaN where a resample holds nothing that was scored.
    """
    drawn = [
        np.stack([one.accuracies(counts, members) for one in tallies])
        for counts in scene_draws(len(tallies[0].units), policy=policy, rng=rng)
    ]
    return np.concatenate(drawn, axis=1)


def scene_draws(
    scenes: int, *, policy: BootstrapPolicy, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """How often each scene is drawn, shape (some resamples, scenes), until all are done."""
    at_once = max(1, _CELLS_AT_ONCE // scenes)
    even = np.full(scenes, 1 / scenes)
    for done in range(0, policy.resamples, at_once):
        size = min(at_once, policy.resamples - done)
        yield rng.multinomial(scenes, even, size=size).astype(float)


def percentile_interval(
    draws: FloatArray, policy: BootstrapPolicy, *, over: str
) -> Interval | None:
    """The interval that holds the middle of what was drawn; None where nothing was.

    Args:
        draws: A number from each resample, shape (resamples,); NaN where it had none.
        policy: Resamples and level.
        over: What was drawn, for the name of the method.
    """
    known = draws[~np.isnan(draws)]
    if not len(known):
        return None
    tail = (1 - policy.level) / 2
    low, high = np.quantile(known, (tail, 1 - tail))
    return Interval(
        method=f"percentile bootstrap over {over}, {policy.resamples} resamples",
        level=policy.level,
        low=float(low),
        high=float(high),
    )
