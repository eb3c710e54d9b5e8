"""A leaderboard from runs on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mira.errors import PredictionError
from mira.evals.leaderboard.gathering import (
    Contender,
    OpenRelease,
    Releases,
    gather,
    gather_plain,
    people_of,
    require_release,
)
from mira.evals.leaderboard.people import people_entries
from mira.evals.leaderboard.published import published_entries
from mira.evals.leaderboard.records import (
    BoardEntry,
    BoardScore,
    EntryKind,
    Leaderboard,
    LeaderboardPolicy,
)
from mira.evals.leaderboard.standing import (
    Progress,
    board_pairs,
    board_settings,
    ranks_of,
    reasons_against,
)
from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.naming import Scope, names_of
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.runs import run_paths
from mira.evals.mira_bench.scoring import score_outcomes
from mira.release.question_sets import set_name
from mira.schema.evaluation import ScoreTable
from mira.store.version import tool_version


def make_leaderboard(
    paths: Sequence[Path],
    *,
    references: Sequence[Path] = (),
    release: Path | None = None,
    like: Path | None = None,
    with_published: bool = False,
    policy: LeaderboardPolicy | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Leaderboard:
    """Models in order, as far as they were asked alike; the others with the reason why not.

    Args:
        paths: Runs, folders of runs, and files of replies of people.
        references: Predictions that need no model, such as baselines: shown and not ranked.
        release: The release; by default where the manifests say that it lies.
        like: A run of `paths`: what was asked as it was is ranked. By default what was asked as
            most models were.
        with_published: Whether what MIRA-Bench printed stands below.
        policy: How models are told apart.
        seed: Seed of resamples and exchanges.
        progress: Called with pairs of models that are compared and in all.

    Raises:
        PredictionError: A run cannot be read, or none can be ranked.
        ReleaseError: A release cannot be scored.
    """
    bounds = policy or LeaderboardPolicy()
    people, others = people_of(run_paths(paths))
    releases = Releases(release)
    contenders = gather(others, releases)
    board = board_settings(contenders, like=_liked(contenders, like))
    assert board.manifest is not None
    assert board.judged is not None
    here = require_release(releases.of(board.path, board.manifest))
    contenders = [
        gather_plain(one.path, here, board=board.judged) if one.manifest is None else one
        for one in contenders
    ]
    against = [reasons_against(one, board) for one in contenders]
    keys = _keys(contenders, against)
    entries = [
        _entry(one, key, reasons, policy=bounds, seed=seed)
        for key, one, reasons in zip(keys, contenders, against, strict=True)
    ]
    alike = {
        entry.key: one.judged
        for entry, one in zip(entries, contenders, strict=True)
        if entry.kind == "ranked" and one.judged is not None
    }
    pairs = board_pairs(alike, digest=here.digest, policy=bounds, seed=seed, progress=progress)
    ranks = ranks_of(list(alike), pairs, alpha=bounds.alpha)
    return Leaderboard(
        tool_version=tool_version(),
        release_name=set_name(here.folder),
        release_digest=here.digest,
        settings=board.settings(here.digest),
        policy=bounds,
        seed=seed,
        chance=_chance(board, here),
        entries=(
            *sorted(
                (one.model_copy(update={"rank": ranks.get(one.key)}) for one in entries),
                key=_place,
            ),
            *people_entries(people, here, policy=bounds.bootstrap, seed=seed),
            *_references(references, here, board.judged, policy=bounds, seed=seed),
            *(published_entries() if with_published else ()),
        ),
        pairs=pairs,
    )


def _liked(contenders: Sequence[Contender], like: Path | None) -> Contender | None:
    if like is None:
        return None
    for one in contenders:
        if one.path.resolve() == like.resolve():
            if one.manifest is None or one.judged is None:
                raise PredictionError(like, "expected a run.json and its release at hand")
            return one
    raise PredictionError(like, "expected one of the runs that are given", "give it as a run too")


def _keys(contenders: Sequence[Contender], against: Sequence[tuple[str, ...]]) -> list[str]:
    """Names that no two share: with protocol, pictures, or a number if need be.

    Those that are ranked were asked alike, so they are told apart among themselves alone.
    """
    named = [(one.name, _scope(one)) for one in contenders]
    short = iter(names_of([one for one, why in zip(named, against, strict=True) if not why]))
    return [key if why else next(short) for key, why in zip(names_of(named), against, strict=True)]


def _scope(one: Contender) -> Scope:
    modality = one.manifest.modality if one.manifest else None
    if one.judged is None:
        return None, modality, None
    return one.judged.protocol, modality, one.judged.split


def _entry(
    one: Contender, key: str, reasons: tuple[str, ...], *, policy: LeaderboardPolicy, seed: int
) -> BoardEntry:
    kind: EntryKind = "apart" if reasons else "ranked"
    model = one.manifest.model if one.manifest else one.name
    if one.judged is None:
        return BoardEntry(key=key, model=model, kind=kind, reasons=reasons)
    outcomes = one.judged.outcomes.values()
    return BoardEntry(
        key=key,
        model=model,
        kind=kind,
        reasons=reasons,
        scores=_scores(_table(one.judged, policy=policy, seed=seed)),
        n_questions=len(one.judged.asked),
        n_unscored=sum(outcome is Outcome.UNSCORED for outcome in outcomes),
    )


def _references(
    paths: Sequence[Path],
    release: OpenRelease,
    board: JudgedRun,
    *,
    policy: LeaderboardPolicy,
    seed: int,
) -> tuple[BoardEntry, ...]:
    found = []
    for path in paths:
        one = gather_plain(path, release, board=board)
        entry = _entry(one, f"reference {one.name}", (), policy=policy, seed=seed)
        found.append(entry.model_copy(update={"kind": "reference", "model": one.name}))
    return tuple(found)


def _table(judged: JudgedRun, *, policy: LeaderboardPolicy, seed: int) -> ScoreTable:
    return score_outcomes(
        judged.asked,
        judged.outcomes,
        release_digest="",
        protocol=judged.protocol,
        split=judged.split,
        bootstrap=policy.bootstrap,
        rng=np.random.default_rng(seed),
    )


def _scores(table: ScoreTable) -> tuple[BoardScore, ...]:
    return tuple(
        BoardScore(name=row.name, value=row.value, interval=row.interval) for row in table.rows
    )


def _chance(board: Contender, release: OpenRelease) -> tuple[BoardScore, ...]:
    assert board.judged is not None
    table = score_outcomes(
        board.judged.asked, board.judged.outcomes, release_digest=release.digest, bootstrap=None
    )
    return tuple(BoardScore(name=row.name, value=row.chance) for row in table.rows)


def _place(one: BoardEntry) -> tuple[bool, float, str]:
    overall = one.score("overall")
    value = None if overall is None else overall.value
    return one.kind != "ranked", 1.0 if value is None else -value, one.key
