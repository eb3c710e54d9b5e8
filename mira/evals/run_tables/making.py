"""All tables of some runs, from their replies and the release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.judging import JudgedRun, JudgedRuns
from mira.evals.run_tables.linking import DECISIONS, LinkedBy, LinkedDecision, link_decisions
from mira.evals.run_tables.propagating import propagate
from mira.evals.run_tables.records import Axis, Propagation, RunTables, Sweep
from mira.evals.run_tables.subsets import (
    QUESTION_COLUMNS,
    SCENE_COLUMNS,
    SINGLE_REGION,
    SINGLE_SURFACE,
    subsets_of,
)
from mira.evals.run_tables.sweeping import sweep_family
from mira.evals.run_tables.variants import families_of, restricted
from mira.release.question_sets import read_questions, read_scenes
from mira.release.reader import Row

ALL, CONTROL = "all", "control"
_AXES: tuple[Axis, ...] = ("modality", "protocol", "style")


def make_tables(
    judged: JudgedRuns,
    keys: Sequence[str],
    *,
    control: JudgedRuns | None = None,
    linked_by: LinkedBy = "instance",
    only: str | None = None,
    policy: BootstrapPolicy,
    seed: int,
) -> RunTables:
    """All tables that runs give, or one of them.

    Args:
        judged: Runs on one release.
        keys: Their names.
        control: Runs on other questions, without mirrors, to hold beside.
        linked_by: What a decision shares with the questions below it.
        only: One axis, `subset`, `control` or `propagation` alone.
        policy: How intervals are computed.
        seed: Seed of resamples and exchanges; each table starts from it anew.
    """
    wanted = {only} if only else {*_AXES, "subset", "control", "propagation"}
    rows: dict[str, Row] = {}
    scenes: list[Row] = []
    if wanted & {"subset", "propagation"}:
        questions = read_questions(judged.release, columns=QUESTION_COLUMNS)
        rows = {row["question_id"]: row for row in questions}
        scenes = list(read_scenes(judged.release, columns=SCENE_COLUMNS))
    sweeps = [
        one
        for axis in _AXES
        if axis in wanted
        for one in _sweeps(judged, axis, policy=policy, seed=seed)
    ]
    named = list(zip(keys, judged.runs, strict=True))
    linked = (
        link_decisions(judged.questions, rows, scenes, by=linked_by)
        if "propagation" in wanted
        else ()
    )
    return RunTables(
        sweeps=tuple(sweeps),
        subsets=_by_subset(judged, subsets_of(rows.values(), scenes), policy=policy, seed=seed)
        if "subset" in wanted
        else (),
        control=_beside(judged, control, policy=policy, seed=seed)
        if control is not None and "control" in wanted
        else (),
        propagation=_propagation(named, linked, linked_by=linked_by, policy=policy, seed=seed),
    )


def _sweeps(
    judged: JudgedRuns,
    axis: Axis,
    *,
    runs: Iterable[JudgedRun] | None = None,
    subset: str = ALL,
    least: int = 2,
    policy: BootstrapPolicy,
    seed: int,
) -> list[Sweep]:
    families = families_of(
        judged.runs if runs is None else runs, axis, release_digest=judged.digest, least=least
    )
    found = [sweep_family(one, axis, subset=subset, policy=policy, seed=seed) for one in families]
    return [one for one in found if one is not None]


def _by_subset(
    judged: JudgedRuns,
    sets: Mapping[str, frozenset[str]],
    *,
    policy: BootstrapPolicy,
    seed: int,
) -> tuple[Sweep, ...]:
    """Models by modality on each subset and on all questions.

    A subset that holds all questions tells nothing and is left out.
    """
    n_all = len(judged.questions)
    named = [(name, sets[name]) for name in (SINGLE_REGION, SINGLE_SURFACE)]
    chosen = [(name, ids) for name, ids in named if 0 < len(ids) < n_all]
    if not chosen:
        return ()
    every = (ALL, frozenset(one.question_id for one in judged.questions))
    return tuple(
        one
        for name, ids in (every, *chosen)
        for one in _sweeps(
            judged,
            "modality",
            runs=[restricted(run, ids) for run in judged.runs],
            subset=name,
            least=1,
            policy=policy,
            seed=seed,
        )
    )


def _beside(
    judged: JudgedRuns, control: JudgedRuns, *, policy: BootstrapPolicy, seed: int
) -> tuple[Sweep, ...]:
    """Models by modality on questions without mirrors, and on those with."""
    return tuple(
        one
        for name, of in ((CONTROL, control), (ALL, judged))
        for one in _sweeps(of, "modality", subset=name, least=1, policy=policy, seed=seed)
    )


def _propagation(
    runs: Sequence[tuple[str, JudgedRun]],
    linked: Sequence[LinkedDecision],
    *,
    linked_by: LinkedBy,
    policy: BootstrapPolicy,
    seed: int,
) -> tuple[Propagation, ...]:
    found = [
        propagate(
            run,
            linked,
            key=key,
            subtasks=subtasks,
            linked_by=linked_by,
            policy=policy,
            seed=seed,
        )
        for subtasks in (DECISIONS, *((one,) for one in DECISIONS))
        for key, run in runs
    ]
    return tuple(one for one in found if one is not None)
