"""Which runs can be held against each other, why others cannot, and who is ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from mira.errors import PredictionError
from mira.evals.leaderboard.gathering import Contender
from mira.evals.leaderboard.records import BoardPair, LeaderboardPolicy
from mira.evals.mira_bench.comparing import compare_runs, holm
from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.outcomes import Outcome

Progress = Callable[[int, int], None]
"""Takes how many are done, and how many there are."""
_NEVER_A_REASON = {"code"}
_WORDS = {
    "release": "other data: release",
    "protocol": "other protocol:",
    "split": "other split:",
    "modality": "other pictures:",
    "style": "other style of markers:",
    "prompt": "other prompt: version",
    "limit": "other number of questions: at most",
    "temperature": "other decoding: temperature",
    "longest reply": "other decoding: longest reply",
    "other settings": "other decoding:",
}


def board_settings(contenders: Iterable[Contender], *, like: Contender | None) -> Contender:
    """The run that a board goes by: others are ranked where they were asked as it was.

    Args:
        contenders: Runs.
        like: The one that was asked for; by default one asked as most models were, and of equally
            many the first.

    Raises:
        PredictionError: No run tells how it was asked and has its release at hand.
    """
    if like is not None:
        return like
    models: dict[tuple[tuple[str, str], ...], set[str]] = {}
    firsts: dict[tuple[tuple[str, str], ...], Contender] = {}
    for one in contenders:
        if one.manifest is None or one.judged is None:
            continue
        key = tuple(_told(one).items())
        models.setdefault(key, set()).add(one.manifest.model)
        firsts.setdefault(key, one)
    if not models:
        raise PredictionError(
            "runs",
            "expected one with run.json whose release is at hand, found none",
            "name the release: --release",
        )
    return firsts[max(models, key=lambda key: len(models[key]))]


def reasons_against(one: Contender, board: Contender) -> tuple[str, ...]:
    """Why a run cannot be held against a board, in words; nothing where it can."""
    if one.manifest is None:
        return ("a plain file: nobody knows how it was asked",)
    if one.judged is None:
        digest = one.manifest.dataset_digest[:12]
        assert board.manifest is not None
        here = board.manifest.dataset_digest[:12]
        if digest == here:
            return (f"its release {digest} is not at hand, so it has no scores",)
        return (f"other data: release {digest}, here {here}; it is not at hand",)
    ours, theirs = _told(board), _told(one)
    found = [
        f"{_WORDS.get(name, name)} {theirs[name]}, here {ours[name]}"
        for name in ours
        if theirs[name] != ours[name]
    ]
    unheard = sum(outcome is Outcome.UNSCORED for outcome in one.judged.outcomes.values())
    if unheard:
        asked = len(one.judged.asked)
        found.append(f"incomplete: {unheard:,} of {asked:,} questions have no reply")
    return tuple(found)


def board_pairs(
    runs: Mapping[str, JudgedRun],
    *,
    digest: str,
    policy: LeaderboardPolicy,
    seed: int,
    progress: Progress | None = None,
) -> tuple[BoardPair, ...]:
    """All pairs of runs, overall, tested and corrected for their number.

    Args:
        runs: By key.
        digest: Logical digest of the release.
        policy: How intervals are computed.
        seed: Seed of resamples and exchanges; each pair starts from it anew.
        progress: Called with pairs that are done and in all.
    """
    every = list(combinations(runs, 2))
    found = {}
    for done, names in enumerate(every, start=1):
        found[names] = compare_runs(
            runs[names[0]],
            runs[names[1]],
            release_digest=digest,
            policy=policy.bootstrap,
            rng=np.random.default_rng(seed),
        ).rows[-1]
        if progress is not None:
            progress(done, len(every))
    corrected = holm({"\n".join(names): row.p_scenes for names, row in found.items()})
    return tuple(
        BoardPair(
            first=names[0],
            second=names[1],
            difference=row.difference or 0.0,
            interval=row.interval,
            p_holm=corrected["\n".join(names)],
        )
        for names, row in found.items()
    )


def ranks_of(keys: Sequence[str], pairs: Iterable[BoardPair], *, alpha: float) -> dict[str, int]:
    """One more than the number of models that are better, by key.

    Only a difference that the test separates counts, so models that share a rank need not be
    equal; nothing tells which of them is ahead.
    """
    better = dict.fromkeys(keys, 0)
    for pair in pairs:
        if pair.p_holm < alpha and pair.difference:
            better[pair.first if pair.difference > 0 else pair.second] += 1
    return {key: 1 + count for key, count in better.items()}


def _told(one: Contender) -> dict[str, str]:
    """What must be the same; the release by its whole digest."""
    assert one.manifest is not None
    settings = one.settings(one.manifest.dataset_digest)
    return {name: told for name, told in settings.items() if name not in _NEVER_A_REASON}
