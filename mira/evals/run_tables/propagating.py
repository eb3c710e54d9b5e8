"""Decisions that fail, by what became of the questions below them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

import numpy as np

from mira.evals.mira_bench.bootstrap import BootstrapPolicy, percentile_interval, scene_draws
from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.tallies import FloatArray
from mira.evals.run_tables.linking import LinkedBy, LinkedDecision
from mira.evals.run_tables.records import LinkedRate, LowerOutcome, Propagation
from mira.schema.evaluation import Interval

_OUTCOMES: tuple[LowerOutcome, ...] = get_args(LowerOutcome)
_ANY, _NONE = _OUTCOMES.index("any_fails"), _OUTCOMES.index("both_right")


def propagate(
    judged: JudgedRun,
    decisions: Iterable[LinkedDecision],
    *,
    key: str,
    subtasks: Sequence[str],
    linked_by: LinkedBy,
    policy: BootstrapPolicy,
    seed: int,
) -> Propagation | None:
    """Failure rates of decisions by what lies below (MIRA-Bench, table 8); None without any linked.

    Perception fails where any question on visibility about the object is wrong, spatial reasoning
    where any on its place is. What was not heard has not failed: such decisions are left out.

    Args:
        judged: The run.
        decisions: All of the release, with what lies below them.
        key: Name of the run.
        subtasks: Sub-tasks of decisions that count.
        linked_by: How they were linked.
        policy: How intervals are computed.
        seed: Seed of the resamples.
    """
    mine = [
        one for one in decisions if one.question_id in judged.outcomes and one.subtask in subtasks
    ]
    linked = [one for one in mine if one.is_linked and _was_asked(judged, one)]
    heard = [one for one in linked if _was_heard(judged, one)]
    if not heard:
        return None
    scenes = {name: row for row, name in enumerate(sorted({one.scene_id for one in heard}))}
    wrong, asked = np.zeros((2, len(scenes), len(_OUTCOMES)))
    for one in heard:
        row, groups = scenes[one.scene_id], _groups(judged, one)
        asked[row] += groups
        wrong[row] += groups * _fails(judged, [one.question_id])
    rates, intervals, gap = _intervals(wrong, asked, policy=policy, seed=seed)
    known = asked.sum(axis=0)[[_ANY, _NONE]].all()
    return Propagation(
        run=key,
        subtasks=tuple(subtasks),
        linked_by=linked_by,
        n_scenes=len(scenes),
        n_unlinked=len(mine) - len(linked),
        n_unheard=len(linked) - len(heard),
        rates=tuple(
            LinkedRate(
                outcome=outcome,
                n=int(asked[:, place].sum()),
                n_wrong=int(wrong[:, place].sum()),
                rate=None if np.isnan(rates[place]) else float(rates[place]),
                interval=intervals[place],
            )
            for place, outcome in enumerate(_OUTCOMES)
        ),
        difference=float(rates[_ANY] - rates[_NONE]) if known else None,
        difference_interval=gap if known else None,
    )


def _groups(judged: JudgedRun, one: LinkedDecision) -> FloatArray:
    """1 for each group that a decision belongs to, in the order of `LowerOutcome`."""
    perception, spatial = _fails(judged, one.perception), _fails(judged, one.spatial)
    either = perception or spatial
    return np.array([True, perception, spatial, either, not either], dtype=float)


def _intervals(
    wrong: FloatArray, asked: FloatArray, *, policy: BootstrapPolicy, seed: int
) -> tuple[FloatArray, list[Interval | None], Interval | None]:
    """Rates, their intervals, and that of any failed against all right; from the same draws."""
    rng = np.random.default_rng(seed)
    draws = np.concatenate(
        [
            _ratio(counts @ wrong, counts @ asked)
            for counts in scene_draws(len(wrong), policy=policy, rng=rng)
        ]
    )
    scenes = np.count_nonzero(asked, axis=0)
    over = "scenes"
    intervals = [
        percentile_interval(draws[:, place], policy, over=over) if scenes[place] >= 2 else None
        for place in range(len(_OUTCOMES))
    ]
    gaps = draws[:, _ANY] - draws[:, _NONE]
    gap = percentile_interval(gaps, policy, over=over) if len(wrong) >= 2 else None
    return _ratio(wrong.sum(axis=0), asked.sum(axis=0)), intervals, gap


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1), np.nan)


def _fails(judged: JudgedRun, question_ids: Iterable[str]) -> bool:
    return any(judged.outcomes[one] is not Outcome.RIGHT for one in question_ids)


def _was_asked(judged: JudgedRun, one: LinkedDecision) -> bool:
    return all(name in judged.outcomes for name in (*one.perception, *one.spatial))


def _was_heard(judged: JudgedRun, one: LinkedDecision) -> bool:
    names = (one.question_id, *one.perception, *one.spatial)
    return all(judged.outcomes[name] is not Outcome.UNSCORED for name in names)
