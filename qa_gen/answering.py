"""Which answer counts: a person's before geometry's, and geometry's only where it is sure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from mira.schema.proposal import PersonAnswer, Proposal
from mira.schema.qa import Answer, Derivation
from qa_gen.asking import Ask
from qa_gen.facts import ImageFacts

BY_PERSON = "answer-of-person"
"""Rule of an answer that somebody gave."""

People = Mapping[str, PersonAnswer]
"""The newest answer of each person to a question."""
Answers = Mapping[str, People]
"""The newest answers of people: by item, then by person."""


class Settled(NamedTuple):
    """The answer that counts."""

    answer: Answer
    source: Literal["auto", "annotator"]
    margin: float | None
    derivation: Derivation


def settle(
    ask: Ask,
    facts: ImageFacts,
    proposal: Proposal | None,
    people: People,
) -> Settled | str:
    """The answer of a question, or the reason why it has none.

    People's answers count if all who answered say the same, whatever geometry says. Without one,
    a proposal counts unless it is a close call.

    Args:
        ask: The question.
        facts: The picture.
        proposal: What geometry suggests; None where it was not asked.
        people: The newest answer of each person who gave one.
    """
    if people:
        return _by_people(ask, facts, proposal, people)
    if proposal is None:
        return "not-proposed"
    if proposal.derivation.annotation_sha256 != facts.annotation_sha256:
        return "proposal-outdated"
    if proposal.answer is None:
        return "no-proposal"
    if facts.policy.close_calls == "leave" and proposal.close_call:
        return "close-call"
    parameters = _counted(ask, facts)
    parameters |= {"margin_unit": proposal.margin_unit, "reason": proposal.reason}
    derivation = proposal.derivation.model_copy(update={"parameters": parameters})
    return Settled(proposal.answer, "auto", proposal.margin, derivation)


def _by_people(
    ask: Ask,
    facts: ImageFacts,
    proposal: Proposal | None,
    people: People,
) -> Settled | str:
    given = [people[name] for name in sorted(people)]
    first = given[0].answer
    if any(not same_answer(first, other.answer) for other in given[1:]):
        return "answers-disagree"
    parameters = _counted(ask, facts) | {"by": [answer.by for answer in given]}
    if proposal is not None and proposal.answer is not None:
        parameters["as_proposed"] = same_answer(first, proposal.answer)
    derivation = Derivation(
        rule=BY_PERSON,
        annotator=facts.annotation.annotator,
        annotation_sha256=facts.annotation_sha256,
        instance_ids=tuple(one.instance_id for obj in ask.subject for one in obj.instances),
        parameters=parameters,
    )
    return Settled(first, "annotator", None, derivation)


def _counted(ask: Ask, facts: ImageFacts) -> dict[str, object]:
    """How many things there are to count, by which chance is told."""
    if ask.template_id != "ct_001":
        return {}
    return {"count_max": len(facts.objects) - 1 + len(facts.annotation.surfaces)}


def same_answer(one: Answer, other: Answer) -> bool:
    """Whether two answers say the same; words that go along with a choice may differ."""
    return one.model_dump(exclude={"text"}) == other.model_dump(exclude={"text"})


def answers_by_image(newest: Answers) -> dict[str, dict[str, People]]:
    """People's answers by picture, then by item and person."""
    found: dict[str, dict[str, People]] = {}
    for item_id, people in newest.items():
        image_id = next(iter(people.values())).image_id
        found.setdefault(image_id, {})[item_id] = people
    return found
