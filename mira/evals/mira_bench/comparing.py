"""Two runs held against each other, question by question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from scipy.stats import binomtest

from mira.errors import PredictionError
from mira.evals.mira_bench.bootstrap import BootstrapPolicy, paired_intervals
from mira.evals.mira_bench.flipping import scene_flip_p
from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.questions import Question
from mira.evals.mira_bench.settings import (
    SettingDifference,
    differing_settings,
    untold_settings,
)
from mira.evals.mira_bench.tallies import row_keys, row_members, scored_units, tally
from mira.schema.evaluation import Interval
from mira.schema.record import Record, RootRecord

_FLIPS = 9_999


class ComparedRow(Record):
    """One sub-task, level or all of them, of what both runs were heard on."""

    name: str
    """Sub-task id, `level:<level>` or `overall`."""
    group: Literal["subtask", "level", "overall"]
    """Kind of row."""
    first: float | None
    """Accuracy of the first run on units that both were heard on; absent where there are none."""
    second: float | None
    """That of the second."""
    difference: float | None
    """How much more accurate the second is."""
    interval: Interval | None
    """Of the difference; absent where fewer than two scenes were heard on."""
    n_units: int
    """Units that both were heard on."""
    first_alone: int
    """Units that the first has right and the second has not."""
    second_alone: int
    """Units that the second has right and the first has not."""
    p_scenes: float
    """How probable so large a difference is between equally good runs whose answers to a scene
    could be exchanged; see `scene_flip_p`."""
    p_holm: float | None = None
    """Of a sub-task: `p_scenes` corrected for the number of sub-tasks (Holm 1979)."""
    p_mcnemar: float
    """McNemar's exact test on the units that only one has right. It takes units for independent,
    which those of one scene are not."""


class RunComparison(RootRecord):
    """Two runs on one release."""

    release_digest: str
    """Logical digest of the release."""
    first: str
    """Name of the first run."""
    second: str
    """Name of the second."""
    paired_by: Literal["question", "item"]
    """`item` where both were asked in one protocol each, and these differ."""
    settings: tuple[SettingDifference, ...]
    """What else differs between them, so that the difference may come of it."""
    untold: tuple[str, ...]
    """Settings that neither tells, so that nobody knows whether they differ."""
    n_pairs: int
    """Questions that both were asked and heard on."""
    n_first_alone: int
    """Questions that only the first was asked and heard on; they count for nothing."""
    n_second_alone: int
    """Those of the second."""
    rows: tuple[ComparedRow, ...]
    """Sub-tasks in the taxonomy's order, then levels, then overall."""


def compare_runs(
    first: JudgedRun,
    second: JudgedRun,
    *,
    release_digest: str,
    policy: BootstrapPolicy | None = None,
    rng: np.random.Generator,
) -> RunComparison:
    """How much better the second run is, on what both were heard on.

    Args:
        first: A run.
        second: Another one on the same release.
        release_digest: Logical digest of that release.
        policy: How intervals are computed.
        rng: Source of the resamples.

    Raises:
        PredictionError: There is no question that both were heard on.
    """
    by_item = first.protocol != second.protocol and None not in (first.protocol, second.protocol)
    others = {_key(one, by_item): second.outcomes[one.question_id] for one in second.asked}
    theirs = {
        one.question_id: others.get(_key(one, by_item), Outcome.UNSCORED) for one in first.asked
    }
    both = [
        one
        for one in first.asked
        if Outcome.UNSCORED not in (first.outcomes[one.question_id], theirs[one.question_id])
    ]
    if not both:
        raise PredictionError(
            f"{first.run.path} and {second.run.path}",
            "expected questions that both were heard on, found none",
        )
    heard = {one.question_id for one in both}
    return RunComparison(
        release_digest=release_digest,
        first=first.run.name,
        second=second.run.name,
        paired_by="item" if by_item else "question",
        settings=differing_settings(first, second, release_digest=release_digest),
        untold=untold_settings(first, second),
        n_pairs=len(both),
        n_first_alone=_heard(first.outcomes) - len(both),
        n_second_alone=_heard(second.outcomes) - len(both),
        rows=_rows(
            first.asked,
            _only_of(first.outcomes, heard),
            _only_of(theirs, heard),
            policy=policy or BootstrapPolicy(),
            rng=rng,
        ),
    )


def holm(values: Mapping[str, float]) -> dict[str, float]:
    """p-values corrected for their number (Holm 1979), by name."""
    corrected: dict[str, float] = {}
    before = 0.0
    for place, name in enumerate(sorted(values, key=lambda name: values[name])):
        before = max(before, min(1.0, (len(values) - place) * values[name]))
        corrected[name] = before
    return corrected


def _key(question: Question, by_item: bool) -> str:
    return question.item_id if by_item else question.question_id


def _heard(outcomes: Mapping[str, Outcome]) -> int:
    return sum(outcome is not Outcome.UNSCORED for outcome in outcomes.values())


def _only_of(outcomes: Mapping[str, Outcome], heard: set[str]) -> dict[str, Outcome]:
    return {
        name: outcome if name in heard else Outcome.UNSCORED for name, outcome in outcomes.items()
    }


def _rows(
    asked: tuple[Question, ...],
    first: Mapping[str, Outcome],
    second: Mapping[str, Outcome],
    *,
    policy: BootstrapPolicy,
    rng: np.random.Generator,
) -> tuple[ComparedRow, ...]:
    tallies, over = (tally(asked, first), tally(asked, second)), "scenes"
    if len(tallies[0].units) == 1:
        over = "the items of one scene"
        tallies = tally(asked, first, by_item=True), tally(asked, second, by_item=True)
    keys = row_keys(tallies[0].subtasks)
    members = row_members(keys, tallies[0].subtasks)
    once = np.ones((1, len(tallies[0].units)))
    ones, twos = (of.accuracies(once, members)[0] for of in tallies)
    intervals = paired_intervals(*tallies, members, policy=policy, rng=rng, over=over)
    p_scenes = scene_flip_p(*tallies, members, flips=_FLIPS, rng=rng)
    alone = _alone(asked, first, second)
    rows = []
    for place, key in enumerate(keys):
        known = not np.isnan(ones[place])
        one_alone, two_alone = (sum(side[name] for name in key.subtasks) for side in alone)
        rows.append(
            ComparedRow(
                name=key.name,
                group=key.group,
                first=float(ones[place]) if known else None,
                second=float(twos[place]) if known else None,
                difference=float(twos[place] - ones[place]) if known else None,
                interval=intervals[place],
                n_units=int(members[place] @ tallies[0].units.sum(axis=0)),
                first_alone=one_alone,
                second_alone=two_alone,
                p_scenes=float(p_scenes[place]),
                p_mcnemar=mcnemar_p(one_alone, two_alone),
            )
        )
    return _with_holm(rows)


def mcnemar_p(first_alone: int, second_alone: int) -> float:
    """McNemar's exact two-sided test, from the units that only one of two has right."""
    n = first_alone + second_alone
    return float(binomtest(first_alone, n, 0.5).pvalue) if n else 1.0


def _with_holm(rows: list[ComparedRow]) -> tuple[ComparedRow, ...]:
    corrected = holm(
        {row.name: row.p_scenes for row in rows if row.group == "subtask" and row.n_units}
    )
    return tuple(row.model_copy(update={"p_holm": corrected.get(row.name)}) for row in rows)


def _alone(
    asked: tuple[Question, ...], first: Mapping[str, Outcome], second: Mapping[str, Outcome]
) -> tuple[dict[str, int], dict[str, int]]:
    """Units that only the first, and only the second, has right, by sub-task."""
    ones = {question.subtask: 0 for question in asked}
    twos = dict(ones)
    for unit in scored_units(asked):
        got = [[side[one.question_id] for one in unit] for side in (first, second)]
        if any(Outcome.UNSCORED in side for side in got):
            continue
        right = [all(outcome is Outcome.RIGHT for outcome in side) for side in got]
        ones[unit[0].subtask] += right == [True, False]
        twos[unit[0].subtask] += right == [False, True]
    return ones, twos
