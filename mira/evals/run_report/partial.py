"""Credit for what is nearly right; it stands beside exact accuracy and is never mixed with it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mira.evals.mira_bench.answers import gold_answer
from mira.evals.mira_bench.blind import word_of
from mira.evals.mira_bench.bootstrap import BootstrapPolicy, percentile_interval, scene_draws
from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.questions import Question, axis_words, joint_subtasks
from mira.evals.mira_bench.subtasks import subtasks_in_order
from mira.evals.run_report.records import PartialCredit
from mira.taxonomy.catalogue import taxonomy

_Credit = tuple[str, float]
"""What is credited, and how much of it, 0 to 1."""


def partial_credits(
    judged: JudgedRun, *, policy: BootstrapPolicy, rng: np.random.Generator
) -> tuple[PartialCredit, ...]:
    """Credit of a run for parts of answers, of all questions that were heard on.

    Places: each axis for itself, and the mean of the three. Counts: off by one at most. Joint
    groups: each question for itself. Actions: by which one is right. What could not be read has
    no credit.

    Args:
        judged: The run.
        policy: How intervals are computed.
        rng: Source of the resamples.
    """
    found: dict[tuple[str, str], dict[str, list[float]]] = {}
    for question in judged.asked:
        said = judged.said[question.question_id]
        if said.kind == "failed":
            continue
        for what, credit in _credits(question, gold_answer(question), said.answer):
            scenes = found.setdefault((question.subtask, what), {})
            scenes.setdefault(question.scene_id, []).append(credit)
    order = {name: place for place, name in enumerate(subtasks_in_order({k[0] for k in found}))}
    return tuple(
        _credit_of(subtask, what, scenes, policy=policy, rng=rng)
        for (subtask, what), scenes in sorted(
            found.items(), key=lambda one: (order[one[0][0]], _place(one[0][1]), one[0][1])
        )
    )


def _credits(question: Question, gold: str, said: str | None) -> Iterator[_Credit]:
    if question.format == "spatial_3d_axes":
        words = said.split(",") if said else [""] * len(axis_words())
        right = [one == other for one, other in zip(gold.split(","), words, strict=True)]
        yield "mean of the axes", sum(right) / len(right)
        for axis, ok in zip(axis_words(), right, strict=True):
            yield axis, float(ok)
    elif question.format == "count":
        near = said is not None and abs(int(said) - int(gold)) <= 1
        yield "off by one at most", float(near)
    elif question.subtask in joint_subtasks():
        yield "each question", float(said == gold)
    elif _has_actions(question):
        action = word_of(gold, question).replace("_", " ")
        yield f"where right: {action}", float(said == gold)


def _has_actions(question: Question) -> bool:
    return any(
        one.id == question.template_id and one.options == "actions" for one in taxonomy().templates
    )


def _place(what: str) -> int:
    """Places in the order of their axes, their mean first."""
    order = ("mean of the axes", *axis_words())
    return order.index(what) if what in order else len(order)


def _credit_of(
    subtask: str,
    what: str,
    scenes: dict[str, list[float]],
    *,
    policy: BootstrapPolicy,
    rng: np.random.Generator,
) -> PartialCredit:
    got = np.array([sum(one) for one in scenes.values()])
    n = np.array([len(one) for one in scenes.values()])
    interval = None
    if len(scenes) >= 2:
        draws = np.concatenate(
            [
                (counts @ got) / (counts @ n)
                for counts in scene_draws(len(scenes), policy=policy, rng=rng)
            ]
        )
        interval = percentile_interval(draws, policy, over="scenes")
    return PartialCredit(
        subtask=subtask,
        what=what,
        n=int(n.sum()),
        value=float(got.sum() / n.sum()),
        interval=interval,
    )
