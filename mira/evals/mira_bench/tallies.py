"""Counts of outcomes by scene and sub-task, and the averages they give."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from mira.errors import ReleaseError
from mira.evals.mira_bench.answers import possible_answers
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.questions import Question, joint_subtasks
from mira.evals.mira_bench.subtasks import level_of, subtasks_in_order

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


class RowKey(NamedTuple):
    """A row of the score table and the sub-tasks it averages."""

    name: str
    group: Literal["subtask", "level", "overall"]
    subtasks: tuple[str, ...]


@dataclass(frozen=True)
class Tallies:
    """Counts of one set of predictions; every array has shape (scenes, sub-tasks).

    Attributes:
        subtasks: Sub-tasks of the release, in the taxonomy's order.
        right: Units that are right.
        units: Units scored.
        questions: Questions in the release.
        unparsable: Questions whose reply could not be read.
        unscored: Questions without a reply.
        chance: Expected accuracy of uniform guessing by sub-task, shape (sub-tasks,); NaN where
            it is not known.
    """

    subtasks: tuple[str, ...]
    right: FloatArray
    units: FloatArray
    questions: FloatArray
    unparsable: FloatArray
    unscored: FloatArray
    chance: FloatArray

    def accuracies(self, scene_weights: FloatArray, members: BoolArray) -> FloatArray:
        """Accuracy of each row when each scene counts as often as its weight says.

        Args:
            scene_weights: How often each scene counts, shape (resamples, scenes).
            members: Sub-tasks of each row, shape (rows, sub-tasks).

        Returns:
            Shape (resamples, rows); NaN where nothing was scored.
        """
        units = scene_weights @ self.units
        heard = units > 0
        accuracy = (scene_weights @ self.right) / np.where(heard, units, 1)
        weights = np.where(heard, scene_weights @ self.questions, 0)
        return weighted_averages(accuracy, weights, members)

    def chances(self, members: BoolArray) -> FloatArray:
        """Chance of each row, shape (rows,); NaN where that of one of its sub-tasks is."""
        known = np.nan_to_num(self.chance)
        averages = weighted_averages(known, self.questions.sum(axis=0), members)
        return np.where(members @ np.isnan(self.chance), np.nan, averages)


def weighted_averages(values: FloatArray, weights: FloatArray, members: BoolArray) -> FloatArray:
    """W-Avg and Overall: averages of sub-tasks weighted by their questions.

    W-Avg of a level is the sum of n_t Acc_t over the sum of n_t (MIRA-Bench, section 4.2), with
    n_t the number of *questions*: a visibility triple counts three though it is right or wrong as
    one. This weighting, not one by triples, reproduces tables 1 and 2.

    Args:
        values: Value of each sub-task, shape (..., sub-tasks).
        weights: n_t, same shape; zero leaves a sub-task out.
        members: Sub-tasks of each row, shape (rows, sub-tasks).

    Returns:
        Shape (..., rows); NaN where all weights are zero.
    """
    total = weights @ members.T.astype(float)
    weighted = (values * weights) @ members.T.astype(float)
    return np.where(total > 0, weighted / np.where(total > 0, total, 1), np.nan)


def row_keys(subtasks: tuple[str, ...]) -> tuple[RowKey, ...]:
    """Rows of the table: the given sub-tasks, the levels they belong to, overall."""
    by_level: dict[str, list[str]] = defaultdict(list)
    for subtask in subtasks:
        by_level[level_of(subtask)].append(subtask)
    return (
        *(RowKey(subtask, "subtask", (subtask,)) for subtask in subtasks),
        *(RowKey(f"level:{level}", "level", tuple(of)) for level, of in by_level.items()),
        RowKey("overall", "overall", subtasks),
    )


def row_members(keys: tuple[RowKey, ...], subtasks: tuple[str, ...]) -> BoolArray:
    """Which sub-tasks each row averages, shape (rows, sub-tasks)."""
    return np.array([[subtask in key.subtasks for subtask in subtasks] for key in keys])


def tally(
    questions: Iterable[Question], outcomes: Mapping[str, Outcome], *, by_item: bool = False
) -> Tallies:
    """Counts by scene and sub-task.

    Args:
        questions: The questions to score.
        outcomes: Outcome of each, by question id.
        by_item: Take each item for a scene of its own; one in five protocols stays one.

    Raises:
        ReleaseError: A question of choices has no options, or a joint group is none.
    """
    questions = sorted(questions, key=lambda question: question.question_id)
    present = {question.subtask for question in questions}
    subtasks = subtasks_in_order(present)
    column_of = {subtask: column for column, subtask in enumerate(subtasks)}
    asked_units = scored_units(questions)
    clusters = [unit[0].item_id if by_item else unit[0].scene_id for unit in asked_units]
    scenes = sorted(set(clusters))
    row_of = {scene: row for row, scene in enumerate(scenes)}
    right, units, asked, unparsable, unscored = np.zeros((5, len(scenes), len(subtasks)))
    chances: dict[str, list[float]] = defaultdict(list)
    for unit, scene in zip(asked_units, clusters, strict=True):
        cell = row_of[scene], column_of[unit[0].subtask]
        got = [outcomes[question.question_id] for question in unit]
        asked[cell] += len(unit)
        unparsable[cell] += got.count(Outcome.UNPARSABLE)
        unscored[cell] += got.count(Outcome.UNSCORED)
        units[cell] += Outcome.UNSCORED not in got
        right[cell] += got.count(Outcome.RIGHT) == len(unit)
        chances[unit[0].subtask].append(math.prod(chance_of(question) for question in unit))
    chance = np.array([np.mean(chances[subtask]) for subtask in subtasks])
    return Tallies(subtasks, right, units, asked, unparsable, unscored, chance)


def single_column(units: Sequence[str], right: Sequence[bool] | BoolArray) -> Tallies:
    """Counts by unit of things that are right or not, in one column and without chance.

    Args:
        units: What each belongs to, such as its scene: what intervals resample.
        right: Whether each is right.
    """
    names = sorted(set(units))
    place = {name: number for number, name in enumerate(names)}
    counts, scored = np.zeros((2, len(names), 1))
    for unit, is_right in zip(units, right, strict=True):
        scored[place[unit]] += 1
        counts[place[unit]] += is_right
    none = np.zeros_like(scored)
    return Tallies(("all",), counts, scored, scored, none, none, np.array([np.nan]))


def scored_units(questions: Iterable[Question]) -> tuple[tuple[Question, ...], ...]:
    """Questions by what counts as one: a joint group where the sub-task is joint, else itself.

    Raises:
        ReleaseError: A joint group asks one thing twice, so it is not of one object and protocol.
    """
    units: dict[tuple[bool, str], list[Question]] = defaultdict(list)
    for question in questions:
        joint = question.joint_group if question.subtask in joint_subtasks() else None
        units[joint is not None, joint or question.question_id].append(question)
    for unit in units.values():
        if len({question.template_id for question in unit}) < len(unit):
            raise ReleaseError(
                str(unit[0].joint_group), "expected each template once in a joint group, found two"
            )
    return tuple(tuple(unit) for unit in units.values())


def chance_of(question: Question) -> float:
    """Chance that a uniform guess is right: one over the answers there are; NaN if unknown.

    MIRA-Bench, section 4.1: computed from the number of answer choices of each question. The
    three axes give 1/27, a count among N objects 1/(N + 1).
    """
    answers = possible_answers(question)
    return math.nan if answers is None else 1 / len(answers)
