"""Knowing what somebody knows, told outright and applied: the gap of SimpleToM."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np

from mira.evals.mira_bench.bootstrap import BootstrapPolicy, paired_intervals
from mira.evals.mira_bench.comparing import mcnemar_p
from mira.evals.mira_bench.tallies import single_column
from mira.evals.tom.records import TomGap
from mira.evals.tom.units import Unit

_APPLIED: tuple[Literal["action", "judgement"], ...] = ("action", "judgement")
_Pair = tuple[list[Unit], list[Unit]]
"""Questions of one text on what somebody believes, and on what follows from it."""


def gaps_of(
    source: str, units: Iterable[Unit], *, policy: BootstrapPolicy, rng: np.random.Generator
) -> Iterator[TomGap]:
    """Gaps of a source, where it asks of one text both what is believed and what follows.

    Args:
        source: Its name.
        units: Its questions.
        policy: How intervals are computed.
        rng: Source of the resamples.
    """
    by_text: dict[str | None, list[Unit]] = defaultdict(list)
    for unit in units:
        by_text[unit.item.story].append(unit)
    for applied in _APPLIED:
        pairs = [
            (told, used)
            for of in by_text.values()
            if (told := [one for one in of if one.item.kind == "belief"])
            and (used := [one for one in of if one.item.kind == applied])
            and all(one.is_heard for one in (*told, *used))
        ]
        if pairs:
            yield _gap(source, applied, pairs, policy, rng)


def _gap(
    source: str,
    applied: Literal["action", "judgement"],
    pairs: Sequence[_Pair],
    policy: BootstrapPolicy,
    rng: np.random.Generator,
) -> TomGap:
    right = np.array([[all(one.is_right for one in side) for side in pair] for pair in pairs])
    told, used = right.T
    alone = int((told & ~used).sum()), int((used & ~told).sum())
    stories = [pair[0][0].story for pair in pairs]
    (interval,) = paired_intervals(
        single_column(stories, used),
        single_column(stories, told),
        np.ones((1, 1), dtype=bool),
        policy=policy,
        rng=rng,
        over="stories",
    )
    return TomGap(
        source=source,
        applied=applied,
        n_pairs=len(pairs),
        explicit=float(told.mean()),
        used=float(used.mean()),
        difference=float(told.mean() - used.mean()),
        interval=interval,
        explicit_alone=alone[0],
        used_alone=alone[1],
        p_mcnemar=mcnemar_p(*alone),
    )
