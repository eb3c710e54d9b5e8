"""Episodes to scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mira.evals.mirror.measuring import DRIVES
from mira.evals.mirror.policy import MirrorPolicy
from mira.evals.mirror.records import GROUPS, Group, MirrorRow, MirrorValue, Stability
from mira.evals.mirror.stability import STABILITY_METRICS, stability_by_scene
from mira.evals.mirror.tallying import COLUMNS, FloatArray, Played, Tallies, tally
from mira.schema.evaluation import Interval


class Scored(NamedTuple):
    """Scores of one player.

    Attributes:
        rows: Groups by level, in order, then over levels.
        stability: Cognitive Stability, by metric.
        drives: Moves by what they go towards.
    """

    rows: tuple[MirrorRow, ...]
    stability: tuple[Stability, ...]
    drives: dict[str, int]


def score_played(
    played: Sequence[Played], *, policy: MirrorPolicy, rng: np.random.Generator
) -> Scored:
    """Scores of all episodes of one player.

    Args:
        played: Episodes in numbers.
        policy: Numbers that decide.
        rng: Source of the resamples of the intervals.
    """
    tallies = tally(played)
    weights = _resamples(tallies, policy, rng)
    rows = tuple(row for group in GROUPS for row in _rows(tallies, played, group, weights, policy))
    stability = tuple(_stabilities(tallies, played, weights, policy))
    drives: dict[str, int] = {
        name: sum(one.measures.drives[name] for one in played if one.measures) for name in DRIVES
    }
    return Scored(rows, stability, drives)


def _resamples(tallies: Tallies, policy: MirrorPolicy, rng: np.random.Generator) -> FloatArray:
    """How often each scene is drawn, shape (resamples, scenes).

    Humans and robots are drawn apart, for their shares are the design of the test, not chance.
    """
    weights = np.zeros((policy.bootstrap.resamples, len(tallies.scenes)))
    for members in (tallies.is_human, ~tallies.is_human):
        count = int(members.sum())
        if count:
            even = np.full(count, 1 / count)
            weights[:, members] = rng.multinomial(count, even, size=len(weights))
    return weights


def _rows(
    tallies: Tallies,
    played: Sequence[Played],
    group: Group,
    weights: FloatArray,
    policy: MirrorPolicy,
) -> Iterator[MirrorRow]:
    of_group = [one for one in played if group in ("overall", one.group)]
    if not of_group:
        return
    members = tallies.members(group)
    values = tallies.numbers(members)[0]
    drawn = tallies.numbers(weights * members)
    places: list[int | None] = [*tallies.levels, None]
    for place, level in enumerate(places):
        episodes = [one for one in of_group if level in (None, one.level)]
        if not episodes:
            continue
        measures = [one.measures for one in episodes if one.measures is not None]
        scenes = len({one.scene_id for one in episodes if one.measures is not None})
        numbers = {
            name: _value(values[place, column], drawn[:, place, column], scenes, policy)
            for column, name in enumerate(COLUMNS)
        }
        yield MirrorRow(
            group=group,
            level=level,
            n=len(episodes),
            n_aborted=len(episodes) - len(measures),
            n_scenes=scenes,
            n_steps=sum(one.steps for one in measures),
            n_unreadable=sum(one.unreadable for one in measures),
            n_refused=sum(one.refused for one in measures),
            **numbers,
        )


def _stabilities(
    tallies: Tallies, played: Sequence[Played], weights: FloatArray, policy: MirrorPolicy
) -> Iterator[Stability]:
    for metric in STABILITY_METRICS:
        falls = stability_by_scene(
            played, tallies.scenes, metric=metric, tolerance=policy.level_tolerance
        )
        known = ~np.isnan(falls)
        if not known.any():
            return
        counts = weights[:, known].sum(axis=1)
        sums = weights[:, known] @ falls[known]
        drawn = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
        scenes = int(known.sum())
        value = _value(falls[known].mean(), drawn, scenes, policy)
        yield Stability(metric=metric, value=value, n_scenes=scenes)


def _value(value: float, drawn: FloatArray, scenes: int, policy: MirrorPolicy) -> MirrorValue:
    """A number with its interval; one scene tells nothing of how scenes differ."""
    if np.isnan(value):
        return MirrorValue(value=None)
    known = drawn[~np.isnan(drawn)]
    if scenes < 2 or not len(known):
        return MirrorValue(value=float(value))
    tail = (1 - policy.bootstrap.level) / 2
    low, high = np.quantile(known, (tail, 1 - tail))
    interval = Interval(
        method=f"percentile bootstrap over scenes, {policy.bootstrap.resamples} resamples",
        level=policy.bootstrap.level,
        low=float(low),
        high=float(high),
    )
    return MirrorValue(value=float(value), interval=interval)
