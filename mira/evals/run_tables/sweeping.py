"""How much changes with one setting: every difference on the same questions and scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from mira.evals.mira_bench.bootstrap import BootstrapPolicy, percentile_interval, shared_draws
from mira.evals.mira_bench.comparing import holm
from mira.evals.mira_bench.flipping import scene_flip_p, spread_exchange_p
from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.questions import Question
from mira.evals.mira_bench.tallies import BoolArray, FloatArray, Tallies, row_keys, tally
from mira.evals.run_tables.records import Axis, Spread, Sweep, SweepCell, SweepRow
from mira.evals.run_tables.variants import Family

_EXCHANGES = 4_999
_EACH = "questions"
"""Name of the row in which each question counts for itself."""


class _Row(NamedTuple):
    name: str
    group: Literal["subtask", "level", "overall", "questions"]
    members: tuple[str, ...]


class _Counted(NamedTuple):
    tallies: tuple[Tallies, ...]
    over: str
    rows: tuple[_Row, ...]
    members: BoolArray


def sweep_family(
    family: Family, axis: Axis, *, subset: str, policy: BootstrapPolicy, seed: int
) -> Sweep | None:
    """Accuracies of every way of asking, differences and spread; None where nothing is in common.

    Only what was heard on in every way counts, so that all ways stand on the same questions; over
    protocols these are items. Averages are those of `score_predictions`.

    Args:
        family: Runs that differ in one setting.
        axis: That setting.
        subset: What to call the questions.
        policy: How intervals are computed.
        seed: Seed of resamples and exchanges.
    """
    asked, outcomes, left_out = _in_common(family.runs, by_item=axis == "protocol")
    heard = [one for one in asked if outcomes[0][one.question_id] is not Outcome.UNSCORED]
    if not heard:
        return None
    counted = _count(asked, outcomes)
    return Sweep(
        axis=axis,
        model=family.model,
        subset=subset,
        settings=family.settings,
        variants=tuple(family.runs),
        n_questions=len(heard),
        n_left_out=left_out + len(asked) - len(heard),
        n_scenes=len({one.scene_id for one in heard}),
        rows=_rows(counted, tuple(family.runs), policy=policy, seed=seed),
    )


def _in_common(
    runs: Mapping[str, JudgedRun], *, by_item: bool
) -> tuple[list[Question], list[dict[str, Outcome]], int]:
    """Questions of the first run that all were asked, what each made of them, the number of others.

    Where one was not heard, none is scored.
    """

    def key(question: Question) -> str:
        return question.item_id if by_item else question.question_id

    by_key = [
        {key(one): run.outcomes[one.question_id] for one in run.asked} for run in runs.values()
    ]
    every = set().union(*by_key)
    first = next(iter(runs.values()))
    asked = [one for one in first.asked if all(key(one) in of for of in by_key)]
    unheard = {key(one) for one in asked if any(of[key(one)] is Outcome.UNSCORED for of in by_key)}
    outcomes = [
        {
            one.question_id: Outcome.UNSCORED if key(one) in unheard else of[key(one)]
            for one in asked
        }
        for of in by_key
    ]
    return asked, outcomes, len(every) - len(asked)


def _count(asked: Sequence[Question], outcomes: Sequence[Mapping[str, Outcome]]) -> _Counted:
    by_item = len({one.scene_id for one in asked}) == 1
    tallies = tuple(
        _with_each(tally(asked, of, by_item=by_item), asked, of, by_item=by_item) for of in outcomes
    )
    subtasks = tallies[0].subtasks
    rows = (
        *(_Row(key.name, key.group, key.subtasks) for key in row_keys(subtasks[:-1])),
        _Row(_EACH, "questions", (_EACH,)),
    )
    members = np.array([[subtask in row.members for subtask in subtasks] for row in rows])
    return _Counted(tallies, "the items of one scene" if by_item else "scenes", rows, members)


def _with_each(
    tallies: Tallies, asked: Sequence[Question], outcomes: Mapping[str, Outcome], *, by_item: bool
) -> Tallies:
    """Counts with one more column: all questions, each of them for itself."""
    clusters = [one.item_id if by_item else one.scene_id for one in asked]
    row_of = {scene: row for row, scene in enumerate(sorted(set(clusters)))}
    right, units, questions = np.zeros((3, len(row_of), 1))
    for one, cluster in zip(asked, clusters, strict=True):
        outcome, row = outcomes[one.question_id], row_of[cluster]
        right[row] += outcome is Outcome.RIGHT
        units[row] += outcome is not Outcome.UNSCORED
        questions[row] += 1
    added = {"right": right, "units": units, "questions": questions}
    arrays = {
        name: np.hstack([getattr(tallies, name), added.get(name, np.zeros_like(right))])
        for name in ("right", "units", "questions", "unparsable", "unscored")
    }
    chance = np.append(tallies.chance, np.nan)
    return Tallies(subtasks=(*tallies.subtasks, _EACH), chance=chance, **arrays)


def _rows(
    counted: _Counted, variants: tuple[str, ...], *, policy: BootstrapPolicy, seed: int
) -> tuple[SweepRow, ...]:
    tallies, members = counted.tallies, counted.members
    draws = shared_draws(tallies, members, policy=policy, rng=np.random.default_rng(seed))
    once = np.ones((1, len(tallies[0].units)))
    values = np.stack([one.accuracies(once, members)[0] for one in tallies])
    ps = np.stack(
        [
            scene_flip_p(
                tallies[0], one, members, flips=_EXCHANGES, rng=np.random.default_rng(seed)
            )
            for one in tallies[1:]
        ]
        or [np.ones(len(members))]
    )
    spread_ps = spread_exchange_p(
        tallies, members, exchanges=_EXCHANGES, rng=np.random.default_rng(seed)
    )
    scenes = np.count_nonzero(tallies[0].units @ members.T.astype(float) > 0, axis=0)
    units = tallies[0].units.sum(axis=0) @ members.T.astype(float)
    found = []
    for place, row in enumerate(counted.rows):
        told = _RowNumbers(
            values[:, place],
            draws[:, :, place] if scenes[place] >= 2 else None,
            ps[:, place],
            float(spread_ps[place]),
        )
        found.append(
            SweepRow(
                name=row.name,
                group=row.group,
                n_units=int(units[place]),
                cells=_cells(told, variants, policy=policy, over=counted.over),
                spread=_spread(told, variants, policy=policy, over=counted.over),
            )
        )
    return tuple(found)


class _RowNumbers(NamedTuple):
    values: FloatArray
    """Shape (ways,)."""
    draws: FloatArray | None
    """Shape (ways, resamples)."""
    ps: FloatArray
    """Of each way against the first, without the first."""
    spread_p: float


def _cells(
    row: _RowNumbers, variants: tuple[str, ...], *, policy: BootstrapPolicy, over: str
) -> tuple[SweepCell, ...]:
    values, draws = row.values, row.draws
    heard = not np.isnan(values[0])
    names = variants[1:]
    corrected = holm({name: float(p) for name, p in zip(names, row.ps, strict=False)})
    cells = []
    for place, name in enumerate(variants):
        later = heard and place > 0
        gains = None if draws is None or not later else draws[place] - draws[0]
        cells.append(
            SweepCell(
                variant=name,
                value=float(values[place]) if heard else None,
                interval=None
                if draws is None
                else percentile_interval(draws[place], policy, over=over),
                difference=float(values[place] - values[0]) if later else None,
                difference_interval=None
                if gains is None
                else percentile_interval(gains, policy, over=f"paired {over}"),
                p_scenes=float(row.ps[place - 1]) if later else None,
                p_holm=corrected[name] if later else None,
            )
        )
    return tuple(cells)


def _spread(
    row: _RowNumbers, variants: tuple[str, ...], *, policy: BootstrapPolicy, over: str
) -> Spread | None:
    if len(variants) < 2 or np.isnan(row.values).any():
        return None
    high, low = int(row.values.argmax()), int(row.values.argmin())
    gaps = None if row.draws is None else row.draws[high] - row.draws[low]
    return Spread(
        value=float(row.values[high] - row.values[low]),
        highest=variants[high],
        lowest=variants[low],
        interval=None if gaps is None else percentile_interval(gaps, policy, over=f"paired {over}"),
        p_scenes=row.spread_p,
    )
