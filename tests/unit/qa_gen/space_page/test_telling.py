from __future__ import annotations

import pytest

from mira.schema.proposal import Proposal
from mira.schema.qa import AxesAnswer, ChoiceAnswer, CountAnswer, Derivation, Drop, QAPolicy
from qa_gen.facts import image_facts
from qa_gen.space_page.telling import Names, count_reasons, space_proposals

DERIVATION = Derivation(rule="r", annotator="ann", annotation_sha256="0" * 64)


@pytest.fixture
def names(draw, view) -> Names:
    annotation = draw(
        direct=(1,), reflected={2: 1}, descriptions={1: "{1} {direction}", 2: "red {0}"}
    )
    return Names(image_facts(view, annotation, QAPolicy()))


def _proposal(template_id: str = "mr_001", **fields) -> Proposal:
    known = {"item_id": "i", "image_id": "picture", "reason": "why", "derivation": DERIVATION}
    known |= {"slots": {"X": 2, "Y": 1}, "answer": CountAnswer(value=2)}
    return Proposal(template_id=template_id, **known | fields)


def test_answers_are_put_into_words(names) -> None:
    axes = AxesAnswer(horizontal="left", vertical="aligned", depth="same_depth")
    made = [
        _proposal(answer=axes, margin=0.0512, margin_unit="m"),
        _proposal(answer=ChoiceAnswer(value="turn_around"), close_call=True),
        _proposal(answer=None, refusal="no-plane"),
    ]
    told = space_proposals(made, names)
    assert [one.answer for one in told] == ["left, aligned, same depth", "turn around", "no answer"]
    assert [one.standing for one in told] == ["sure", "close", "refused"]
    assert [one.margin for one in told] == ["0.05 m", None, None]


def test_braces_of_a_description_stay_as_they_are(names) -> None:
    (told,) = space_proposals([_proposal()], names)
    assert told.question == "Where red {0} 2 really is, from {1} {direction} 1"


def test_a_template_without_words_is_told_by_its_sub_task(names) -> None:
    (told,) = space_proposals([_proposal("mpac_001", slots={"Y": 1})], names)
    assert told.question == "Attribute completion: {1} {direction} 1"


def test_questions_that_cannot_be_put_are_counted_by_reason() -> None:
    drops = [
        Drop(template_id="mr_001", image_id="p", instance_ids=(k,), reason=reason)
        for k, reason in enumerate(("b", "a", "b"))
    ]
    assert count_reasons([*drops, _proposal()]) == {"a": 1, "b": 2}
