"""Probes to numbers: how often beliefs are right, how often acted on, and the gap between."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from mira.evals.beliefs.policy import BeliefPolicy
from mira.evals.beliefs.records import BeliefGap, BeliefRow, BeliefScores
from mira.evals.beliefs.weighing import AskedEpisode, Weighed, weigh
from mira.evals.mira_bench.bootstrap import bootstrap_intervals, paired_intervals
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.tallies import single_column
from mira.schema.evaluation import Interval

_BELIEFS = ("true_belief", "false_belief")
_ALL = np.ones((1, 1), dtype=bool)


def score_beliefs(
    episodes: Iterable[AskedEpisode], *, policy: BeliefPolicy | None = None, seed: int = 0
) -> BeliefScores:
    """Beliefs of all players of episodes, each question for itself.

    Args:
        episodes: Of any number of runs and tests.
        policy: Numbers that decide.
        seed: Seed of the resamples; the same ones are drawn for every row of as many units.

    Raises:
        EpisodeError: The steps are not those of an episode.
    """
    policy = policy or BeliefPolicy()
    groups: dict[tuple[str, str, str, str | None], list[Weighed]] = defaultdict(list)
    for episode in episodes:
        for one in weigh(episode, policy):
            groups[one.run, one.player, one.role, one.item.category].append(one)
    by_player = dict.fromkeys(key[:3] for key in groups)
    return BeliefScores(
        policy=policy,
        seed=seed,
        rows=tuple(
            row
            for player in by_player
            for key, probes in groups.items()
            if key[:3] == player
            for row in _rows(probes, policy, seed)
        ),
    )


def _rows(probes: Sequence[Weighed], policy: BeliefPolicy, seed: int) -> Iterator[BeliefRow]:
    yield _row(probes, None, policy, seed)
    for cell in sorted({one.cell for one in probes}, key=_place):
        yield _row([one for one in probes if one.cell == cell], cell, policy, seed)
    conditions = {one.item.condition for one in probes}
    for truth in _BELIEFS if conditions >= {*_BELIEFS} else ():
        yield _row([one for one in probes if one.item.condition == truth], truth, policy, seed)


def _place(cell: str) -> tuple[bool, str]:
    """Levels by number, conditions in the paper's order: helping first."""
    return not cell.startswith(("level", "coop")), cell


def _row(probes: Sequence[Weighed], cell: str | None, policy: BeliefPolicy, seed: int) -> BeliefRow:
    first = probes[0]
    outcomes = Counter(one.outcome for one in probes)
    heard = [one for one in probes if one.outcome is not Outcome.UNSCORED]
    right = [one.outcome is Outcome.RIGHT for one in heard]
    firsts = [one.is_first for one in probes if one.is_first is not None]
    return BeliefRow(
        run=first.run,
        player=first.player,
        family=first.episode.family,
        role=first.role,
        question=first.item.category or "",
        order=first.item.order,
        is_control=first.item.kind == "control",
        cell=cell,
        n_asked=len(probes),
        n_unheard=outcomes[Outcome.UNSCORED],
        n_unparsable=outcomes[Outcome.UNPARSABLE],
        accuracy=_share(right),
        interval=_interval(heard, right, policy, seed),
        first_share=_share(firsts),
        gap=_gap([one for one in probes if one.verdict is not None], policy, seed),
    )


def _interval(
    probes: Sequence[Weighed], right: Sequence[bool], policy: BeliefPolicy, seed: int
) -> Interval | None:
    if not probes:
        return None
    (interval,) = bootstrap_intervals(
        single_column([one.unit for one in probes], right),
        _ALL,
        policy=policy.bootstrap,
        rng=np.random.default_rng(seed),
        over=_over(probes),
    )
    return interval


def _gap(probes: Sequence[Weighed], policy: BeliefPolicy, seed: int) -> BeliefGap | None:
    """The gap of the probes after which something is to follow; None without any."""
    if not probes:
        return None
    decided = [one for one in probes if one.verdict != "undecided"]
    right = [one.outcome is Outcome.RIGHT for one in decided]
    agrees = [one.verdict == "agrees" for one in decided]
    cases = Counter(zip(right, agrees, strict=True))
    accuracy, agreement = _share(right), _share(agrees)
    return BeliefGap(
        n=len(decided),
        n_undecided=len(probes) - len(decided),
        right_agrees=cases[True, True],
        right_differs=cases[True, False],
        wrong_agrees=cases[False, True],
        wrong_differs=cases[False, False],
        accuracy=accuracy,
        agreement=agreement,
        gap=None if accuracy is None or agreement is None else accuracy - agreement,
        interval=_gap_interval(decided, right, agrees, policy, seed),
    )


def _gap_interval(
    decided: Sequence[Weighed],
    right: Sequence[bool],
    agrees: Sequence[bool],
    policy: BeliefPolicy,
    seed: int,
) -> Interval | None:
    if not decided:
        return None
    units = [one.unit for one in decided]
    (interval,) = paired_intervals(
        single_column(units, agrees),
        single_column(units, right),
        _ALL,
        policy=policy.bootstrap,
        rng=np.random.default_rng(seed),
        over=_over(decided),
    )
    return interval


def _over(probes: Sequence[Weighed]) -> str:
    return "scenes" if probes[0].episode.family == "mirror_reach" else "trials"


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None
