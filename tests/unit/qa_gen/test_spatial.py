"""Whose answer counts, and what becomes of questions on real positions and actions."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from mira.schema.proposal import ImageProposals, PersonAnswer, Proposal
from mira.schema.qa import (
    Answer,
    AxesAnswer,
    ChoiceAnswer,
    ChoiceTextAnswer,
    CountAnswer,
    Derivation,
    Drop,
    QAItem,
    QAPolicy,
    YesNoAnswer,
)
from mira.taxonomy.catalogue import taxonomy
from qa_gen.asking import Ask, spatial_asks
from qa_gen.facts import ImageFacts, image_facts
from qa_gen.generate import gold_words, image_questions
from qa_gen.wording import WordingBook, protocol_infos

BOOK = WordingBook.read()
NOW = datetime(2026, 5, 1, tzinfo=UTC)
AXES = AxesAnswer(horizontal="left", vertical="aligned", depth="behind")


@pytest.fixture
def facts(draw, view) -> Any:
    def made(**policy: Any) -> ImageFacts:
        drawn = draw(direct=(1, 2, 3), reflected={11: 1, 12: 2, 13: "out_of_frame"})
        return image_facts(view, drawn, QAPolicy(**policy))

    return made


def _asks(facts: ImageFacts, template_id: str) -> list[Ask]:
    return [
        ask
        for ask in spatial_asks(facts)
        if not isinstance(ask, Drop) and ask.template_id == template_id
    ]


def _proposal(ask: Ask, facts: ImageFacts, answer: Answer | None, **more: Any) -> Proposal:
    return Proposal(
        item_id=ask.item_id,
        template_id=ask.template_id,
        image_id=ask.image_id,
        slots=dict(ask.slots),
        direction=ask.direction,
        answer=answer,
        refusal=None if answer else "no-plane",
        reason="as measured",
        derivation=Derivation(
            rule="a-rule", annotator="ann", annotation_sha256=facts.annotation_sha256
        ),
        **more,
    )


def _proposals(*proposals: Proposal) -> ImageProposals:
    return ImageProposals(image_id="picture", annotator="ann", made_from="0", proposals=proposals)


def _answered(ask: Ask, answer: Answer, by: str = "anna") -> PersonAnswer:
    return PersonAnswer(
        item_id=ask.item_id,
        template_id=ask.template_id,
        image_id=ask.image_id,
        slots=dict(ask.slots),
        direction=ask.direction,
        answer=answer,
        by=by,
        at=NOW,
    )


def _people(*answers: PersonAnswer) -> dict[str, dict[str, PersonAnswer]]:
    found: dict[str, dict[str, PersonAnswer]] = {}
    for answer in answers:
        found.setdefault(answer.item_id, {})[answer.by] = answer
    return found


def _made(
    facts: ImageFacts,
    proposals: ImageProposals | None = None,
    people: dict[str, dict[str, PersonAnswer]] | None = None,
) -> tuple[list[QAItem], Counter[str]]:
    records = list(image_questions(facts, proposals, people or {}, BOOK, protocol_infos()))
    items = [r for r in records if isinstance(r, QAItem)]
    drops = Counter(r.reason for r in records if isinstance(r, Drop) and r.protocol is None)
    return [item for item in items if item.template_id[:2] not in ("vc", "mc")], drops


# Asking


def test_each_template_asks_what_its_slots_allow(facts) -> None:
    picture = facts()
    counts = Counter(ask.template_id for ask in spatial_asks(picture) if isinstance(ask, Ask))

    # 11 and 12 show 1 and 2: of each the two other things seen directly; 13 with all three.
    assert counts == {
        "mr_001": 2 + 2 + 3,
        "mr_003": 3,
        "ct_001": 6 * 6,
        "mpac_001": 2,
        "ac_001": 6,
        "ac_002": 6,
        "ac_003": 3,
        "ac_004": 6,
    }
    assert len({ask.item_id for ask in spatial_asks(picture) if isinstance(ask, Ask)}) == sum(
        counts.values()
    )


def test_what_may_be_one_object_is_not_held_against_itself(draw, view) -> None:
    picture = image_facts(view, draw(direct=(1,), reflected={2: "ambiguous"}), QAPolicy())

    drops = [one for one in spatial_asks(picture) if isinstance(one, Drop)]

    assert [(drop.template_id, drop.reason) for drop in drops] == [("mr_001", "may-be-one-object")]


# Whose answer counts


def test_a_sure_proposal_is_an_answer_and_a_close_call_is_not(facts) -> None:
    picture = facts()
    sure, close, refused = _asks(picture, "mr_003")
    proposals = _proposals(
        _proposal(sure, picture, AXES, margin=0.4, margin_unit="m"),
        _proposal(close, picture, AXES, margin=0.01, margin_unit="m", close_call=True),
        _proposal(refused, picture, None),
    )

    (item,), drops = _made(picture, proposals)

    assert (item.item_id, item.answer, item.source, item.margin) == (
        sure.item_id,
        AXES,
        "auto",
        0.4,
    )
    assert item.derivation.parameters == {"margin_unit": "m", "reason": "as measured"}
    assert drops["close-call"] == drops["no-proposal"] == 1
    taken, _ = _made(facts(close_calls="take"), proposals)
    assert {one.item_id for one in taken} == {sure.item_id, close.item_id}


def test_a_person_counts_before_geometry(facts) -> None:
    picture = facts()
    ask = _asks(picture, "mr_003")[0]
    other = AxesAnswer(horizontal="right", vertical="aligned", depth="behind")

    (item,), _ = _made(
        picture, _proposals(_proposal(ask, picture, AXES)), _people(_answered(ask, other))
    )

    assert (item.answer, item.source, item.derivation.rule) == (
        other,
        "annotator",
        "answer-of-person",
    )
    assert item.derivation.parameters == {"by": ["anna"], "as_proposed": False}


def test_people_who_disagree_make_no_question(facts) -> None:
    picture = facts()
    one, two = _asks(picture, "ac_001")[:2]
    yes, no = YesNoAnswer(value="yes"), YesNoAnswer(value="no")
    people = _people(
        _answered(one, yes),
        _answered(one, no, "ben"),
        _answered(two, no),
        _answered(two, no, "ben"),
    )

    items, drops = _made(picture, None, people)

    assert [(item.item_id, item.answer) for item in items] == [(two.item_id, no)]
    assert items[0].derivation.parameters["by"] == ["anna", "ben"]
    assert drops["answers-disagree"] == 1


def test_a_proposal_for_another_drawing_does_not_count(facts) -> None:
    picture = facts()
    ask = _asks(picture, "mr_003")[0]
    proposal = _proposal(ask, picture, AXES)
    old = proposal.derivation.model_copy(update={"annotation_sha256": "of another"})

    items, drops = _made(picture, _proposals(proposal.model_copy(update={"derivation": old})))

    assert items == []
    assert drops["proposal-outdated"] == 1


def test_a_picture_without_answers_is_asked_about_perception_alone(facts) -> None:
    items, drops = _made(facts())

    assert items == []
    assert drops == {}


def test_an_object_is_counted_from_one_of_its_appearances_unless_people_answered(facts) -> None:
    picture = facts()
    asks = _asks(picture, "ac_001")
    yes = YesNoAnswer(value="yes")
    proposals = _proposals(*(_proposal(ask, picture, yes) for ask in asks))

    items, _ = _made(picture, proposals)
    both, _ = _made(picture, proposals, _people(*(_answered(ask, yes) for ask in asks)))

    assert len(items) == 4
    assert len(both) == 6


def test_there_are_at_most_so_many_of_a_template_and_peoples_first(facts) -> None:
    picture = facts(most_a_template=2)
    asks = _asks(picture, "mr_001")
    proposals = _proposals(*(_proposal(ask, picture, AXES) for ask in asks))

    items, drops = _made(picture, proposals, _people(_answered(asks[-1], AXES)))

    assert len(items) == 2
    assert asks[-1].item_id in {item.item_id for item in items}
    assert drops["enough-of-its-kind"] == len(asks) - 2


# Options and words

ANSWERS: dict[str, Answer] = {
    "mr_001": AXES,
    "mr_003": AXES,
    "ct_001": CountAnswer(value=2),
    "mpac_001": ChoiceTextAnswer(value="other_side_distinct", text="a label"),
    "ac_001": YesNoAnswer(value="no"),
    "ac_002": ChoiceAnswer(value="turn_around"),
    "ac_003": ChoiceAnswer(value="not_sure"),
    "ac_004": YesNoAnswer(value="yes"),
}


@pytest.mark.parametrize("template_id", ANSWERS)
def test_every_template_makes_items_with_one_right_answer_in_every_protocol(
    facts, template_id: str
) -> None:
    picture = facts()
    asks = _asks(picture, template_id)
    answer = ANSWERS[template_id]

    items, _ = _made(picture, None, _people(*(_answered(ask, answer) for ask in asks)))

    assert len(items) == min(len(asks), 12)
    for item in items:
        row = taxonomy().template(template_id)
        assert item.answer.format == row.format
        assert [mark.label for mark in item.marks] == list(row.slots)
        assert len(item.wordings) == (5 if row.slots else 1)
        labels = [option.label for option in item.options]
        assert len(set(labels)) == len({option.value for option in item.options}) == len(labels)
        for wording in item.wordings:
            assert len(wording.option_texts) == len(labels)
            assert len(set(wording.option_texts)) == len(labels)
        if isinstance(answer, ChoiceAnswer | ChoiceTextAnswer):
            right = [o.value for o in item.options if o.label == item.answer.value]
            assert right == [answer.value]
            assert gold_words(item) == (answer.value,)
        else:
            assert item.answer == answer


def test_six_actions_are_offered_and_four_additions_with_not_sure(facts) -> None:
    picture = facts()
    actions = [_answered(ask, ANSWERS["ac_002"]) for ask in _asks(picture, "ac_002")]
    added = [_answered(ask, ANSWERS["mpac_001"]) for ask in _asks(picture, "mpac_001")]

    items, _ = _made(picture, None, _people(*actions, *added))

    by_template = {item.template_id: item for item in items}
    assert len(by_template["ac_002"].options) == 6
    shown = [option.value for option in by_template["mpac_001"].options]
    assert len(shown) == 4
    assert {"not_sure", "other_side_distinct"} <= set(shown)
    wide = facts(actions_shown=10, added_shown=5)
    items, _ = _made(wide, None, _people(*actions, *added))
    assert {item.template_id: len(item.options) for item in items} == {"ac_002": 10, "mpac_001": 5}


def test_directions_are_asked_in_words(facts) -> None:
    picture = facts()
    asks = _asks(picture, "ac_004")

    items, _ = _made(picture, None, _people(*(_answered(a, ANSWERS["ac_004"]) for a in asks)))

    assert {item.direction for item in items} == set(taxonomy().directions["movement"])
    assert len({item.wordings[0].question for item in items}) == 6


def test_paraphrases_are_chosen_item_by_item(facts) -> None:
    picture = facts()
    people = _people(*(_answered(ask, ANSWERS["ac_001"]) for ask in _asks(picture, "ac_001")))

    plain, _ = _made(picture, None, people)
    other, _ = _made(facts(paraphrases=3), None, people)

    assert [item.item_id for item in plain] == [item.item_id for item in other]
    changed = [one.wordings != two.wordings for one, two in zip(plain, other, strict=True)]
    assert any(changed)
