"""Decisions with the questions on perception and on space about the same thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from mira.evals.mira_bench.questions import Question
from mira.evals.mira_bench.tallies import scored_units
from mira.release.reader import Row

LinkedBy = Literal["instance", "object"]
DECISIONS, PERCEPTION, SPATIAL = ("re", "as"), "vc", "mr"
_Thing = tuple[str, str | None, int]
"""Picture, protocol and instance."""


@dataclass(frozen=True)
class LinkedDecision:
    """A decision and what lies below it, in the same picture and protocol.

    Attributes:
        question_id: The decision.
        subtask: Its sub-task.
        scene_id: Its scene.
        perception: Ids of all questions on visibility about its object.
        spatial: Ids of all questions on places that its object has a part in.
    """

    question_id: str
    subtask: str
    scene_id: str
    perception: tuple[str, ...]
    spatial: tuple[str, ...]

    @property
    def is_linked(self) -> bool:
        """Whether there is something of both kinds below it."""
        return bool(self.perception and self.spatial)


def link_decisions(
    questions: Iterable[Question],
    rows: Mapping[str, Row],
    scenes: Iterable[Row],
    *,
    by: LinkedBy,
) -> tuple[LinkedDecision, ...]:
    """Reachability and actions with visibility and places of the same target (MIRA-Bench, B.2).

    Args:
        questions: Of the release.
        rows: Its `qa` table by question id, with `image_id` and `marks`.
        scenes: Its `scenes` table, with `image_id` and `links`.
        by: `instance`: the same appearance is marked. `object`: an appearance of the same object,
            be it seen directly or reflected.
    """
    objects = _objects(scenes) if by == "object" else {}
    below: dict[str, dict[_Thing, list[str]]] = {
        PERCEPTION: defaultdict(list),
        SPATIAL: defaultdict(list),
    }
    every = sorted(questions, key=lambda one: one.question_id)
    for unit in scored_units([one for one in every if one.subtask in below]):
        ids = [one.question_id for one in unit]
        for thing in _things(unit[0], rows, objects):
            below[unit[0].subtask][thing] += ids
    return tuple(
        LinkedDecision(
            one.question_id,
            one.subtask,
            one.scene_id,
            perception=_below(below[PERCEPTION], one, rows, objects),
            spatial=_below(below[SPATIAL], one, rows, objects),
        )
        for one in every
        if one.subtask in DECISIONS
    )


def _below(
    found: Mapping[_Thing, list[str]],
    decision: Question,
    rows: Mapping[str, Row],
    objects: Mapping[tuple[str, int], int],
) -> tuple[str, ...]:
    things = _things(decision, rows, objects)
    return tuple(sorted({one for thing in things for one in found.get(thing, ())}))


def _things(
    question: Question, rows: Mapping[str, Row], objects: Mapping[tuple[str, int], int]
) -> set[_Thing]:
    """What a question is about; what its options name is not."""
    row = rows[question.question_id]
    image_id = row["image_id"]
    marked = [mark["instance_id"] for mark in row["marks"] or () if mark["role"] == "slot"]
    return {(image_id, question.protocol, objects.get((image_id, one), one)) for one in marked}


def _objects(scenes: Iterable[Row]) -> dict[tuple[str, int], int]:
    """The instance that stands for all appearances of its object, by picture and instance."""
    found: dict[tuple[str, int], int] = {}
    for scene in scenes:
        image_id = scene["image_id"]
        for link in scene["links"] or ():
            others = (link["real_id"], link["reflection_of_id"])
            joined = {link["reflected_id"], *(one for one in others if one is not None)}
            known = {found.get((image_id, one), one) for one in joined} | joined
            stand_in = min(known)
            for (picture, one), old in list(found.items()):
                if picture == image_id and old in known:
                    found[picture, one] = stand_in
            found |= {(image_id, one): stand_in for one in joined}
    return found
