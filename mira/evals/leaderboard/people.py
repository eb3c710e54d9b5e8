"""What people are worth on the same questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from mira.evals.leaderboard.gathering import OpenRelease, ways_of
from mira.evals.leaderboard.records import BoardEntry, BoardScore
from mira.evals.mira_bench.bootstrap import BootstrapPolicy, bootstrap_intervals
from mira.evals.mira_bench.outcomes import Outcome, judge
from mira.evals.mira_bench.predictions import read_predictions
from mira.evals.mira_bench.questions import select_questions
from mira.evals.mira_bench.scoring import predictions_by_question
from mira.evals.mira_bench.tallies import Tallies, row_keys, row_members, tally
from mira.schema.evaluation import Prediction
from mira.taxonomy.catalogue import taxonomy


def people_entries(
    paths: Sequence[Path], release: OpenRelease, *, policy: BootstrapPolicy, seed: int
) -> tuple[BoardEntry, ...]:
    """A line for each way in which people were asked: all replies of all of them.

    Each reply counts once, so that who answered more weighs more; averages weigh sub-tasks by the
    questions of the release. The three visibility questions of an object count where one person
    answered all three.

    Args:
        paths: Files of replies, as the desk writes them.
        release: The release of the board.
        policy: How intervals are computed.
        seed: Seed of the resamples.

    Raises:
        PredictionError: A file cannot be read, or was given to other questions.
    """
    known = {one.question_id for one in release.questions}
    said: dict[tuple[str, str], dict[str, list[Prediction]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for path in paths:
        by_id = {one.question_id: one for one in read_predictions(path, question_ids=known)}
        for question_id, person, protocol, modality in ways_of(path):
            said[protocol, modality][person].append(by_id[question_id])
    return tuple(
        _entry(way, people, release, policy=policy, seed=seed)
        for way, people in sorted(said.items())
    )


def _entry(
    way: tuple[str, str],
    people: dict[str, list[Prediction]],
    release: OpenRelease,
    *,
    policy: BootstrapPolicy,
    seed: int,
) -> BoardEntry:
    protocol, modality = way
    asked = select_questions(release.questions, protocol=protocol, split=None)
    each = []
    for replies in people.values():
        by_question = predictions_by_question(replies, release.questions)
        outcomes = {one.question_id: judge(one, by_question.get(one.question_id)) for one in asked}
        each.append((tally(asked, outcomes), outcomes))
    together = _summed([one for one, _ in each])
    keys = row_keys(together.subtasks)
    members = row_members(keys, together.subtasks)
    values = together.accuracies(np.ones((1, len(together.units))), members)[0]
    intervals = bootstrap_intervals(
        together, members, policy=policy, rng=np.random.default_rng(seed)
    )
    answered = {
        name
        for _, outcomes in each
        for name, outcome in outcomes.items()
        if outcome is not Outcome.UNSCORED
    }
    name = taxonomy().modality(modality).name
    return BoardEntry(
        key=f"people, {protocol}, {modality}",
        model=f"{len(people):,} {'person' if len(people) == 1 else 'people'}, {name}, {protocol}",
        kind="people",
        scores=tuple(
            BoardScore(name=key.name, value=None if np.isnan(value) else float(value), interval=of)
            for key, value, of in zip(keys, values, intervals, strict=True)
        ),
        n_questions=len(asked),
        n_unscored=len(asked) - len(answered),
        n_people=len(people),
        n_replies=sum(len(replies) for replies in people.values()),
    )


def _summed(tallies: Sequence[Tallies]) -> Tallies:
    """Counts of several people as if of one who answered again and again."""
    first = tallies[0]
    sums = {name: sum(getattr(one, name) for one in tallies) for name in ("right", "units")}
    return replace(first, **sums)
