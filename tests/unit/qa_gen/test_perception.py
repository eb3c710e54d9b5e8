"""Questions of perception: what people may pose, what labels say, what becomes of answers."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from mira.reviews import authors
from mira.schema.proposal import PersonAnswer
from mira.schema.qa import Answer, ChoiceAnswer, Drop, QAItem, QAPolicy, YesNoAnswer
from qa_gen.answering import same_answer
from qa_gen.asking import Ask
from qa_gen.facts import ImageFacts, image_facts
from qa_gen.generate import image_questions
from qa_gen.labels import label_proposal, what_labels_say
from qa_gen.perception import perception_asks
from qa_gen.wording import WordingBook, protocol_infos

BOOK = WordingBook.read()
YES, NO = YesNoAnswer(value="yes"), YesNoAnswer(value="no")


@pytest.fixture
def facts(draw, view) -> ImageFacts:
    drawn = draw(
        direct=(1, 2, 3, 4),
        reflected={11: 1, 12: 1, 13: 2, 14: "out_of_frame", 15: None},
        categories={4: "lamp", 15: "lamp", **dict.fromkeys((1, 2, 3, 11, 12, 13, 14), "cup")},
    )
    return image_facts(view, drawn, QAPolicy())


def _ask(facts: ImageFacts, template_id: str, *ids: int) -> Ask:
    (found,) = (
        ask
        for ask in perception_asks(facts)
        if ask.template_id == template_id and tuple(i for _, i in ask.slots) == ids
    )
    return found


def _answer(ask: Ask, answer: Answer, by: str = "anna") -> PersonAnswer:
    return PersonAnswer(
        item_id=ask.item_id,
        template_id=ask.template_id,
        image_id=ask.image_id,
        slots=dict(ask.slots),
        answer=answer,
        by=by,
        at=datetime(2026, 5, 1, tzinfo=UTC),
    )


def _made(facts: ImageFacts, *given: PersonAnswer) -> tuple[dict[str, QAItem], list[Drop]]:
    people: dict[str, dict[str, PersonAnswer]] = {}
    for one in given:
        people.setdefault(one.item_id, {})[one.by] = one
    records = list(image_questions(facts, None, people, BOOK, protocol_infos()))
    items = {r.item_id: r for r in records if isinstance(r, QAItem)}
    return items, [r for r in records if isinstance(r, Drop) and r.protocol is None]


def test_people_may_ask_about_every_appearance_and_pair_that_is_decided(facts) -> None:
    counts = Counter(ask.template_id for ask in perception_asks(facts))
    # Seven of nine appearances; 4 might be what 15 shows, and four reflections meet four things.
    assert counts == {
        **{"vc_001": 7, "vc_002": 7, "vc_003": 7},
        **{"mc_001": 3, "mc_002": 2, "mc_003": 16},
    }


def test_what_labels_make_by_themselves_can_be_asked_by_people(facts) -> None:
    asks = {ask.item_id: ask for ask in perception_asks(facts)}
    items, _ = _made(facts)
    assert items.keys() < asks.keys()
    for key, item in items.items():
        offered = tuple(int(one.value) for one in item.options if one.value.isdigit())
        assert asks[key].candidates == offered
        ours = what_labels_say(asks[key], facts).answer
        right = next(one.value for one in item.options if one.label == item.answer.value)
        assert ours.value == right


@pytest.mark.parametrize(
    ("template_id", "ids", "answer", "reason"),
    [
        ("vc_003", (2,), "yes", "instance 13 is the reflection of instance 2, so it is seen both"),
        ("vc_001", (12,), "no", "instances 11 and 12 are reflections of instance 1, so"),
        ("vc_001", (14,), "yes", "instance 14 shows an object outside the picture, so"),
        ("vc_002", (3,), "yes", "no reflection in the picture is one of instance 3, so"),
        ("mc_001", (13,), "2", "instance 13 is the reflection of instance 2"),
        ("mc_002", (2,), "13", "instance 13 is the reflection of instance 2"),
        ("mc_003", (12, 1), "yes", "instance 12 is a reflection of instance 1"),
        ("mc_003", (13, 3), "no", "instance 13 is the reflection of instance 2, not of instance 3"),
        ("mc_003", (14, 3), "no", "instance 14 shows an object outside the picture, not inst"),
    ],
)
def test_labels_say_why(facts, template_id: str, ids: Any, answer: str, reason: str) -> None:
    proposal = label_proposal(_ask(facts, template_id, *ids), facts)
    assert proposal.answer.value == answer
    assert proposal.reason.startswith(reason)
    assert not proposal.close_call
    assert proposal.derivation.annotation_sha256 == facts.annotation_sha256


def test_what_people_answered_as_labels_do_is_asked_and_names_them(facts) -> None:
    before, _ = _made(facts)
    pair = _ask(facts, "mc_003", 14, 3)
    others = [_ask(facts, "vc_001", k) for k in (1, 11, 12)]
    shown = next(ask for ask in others if ask.item_id not in before)
    items, drops = _made(facts, _answer(pair, NO), _answer(pair, NO, by="ben"), _answer(shown, NO))
    new = {key: item for key, item in items.items() if key not in before}
    assert Counter(item.template_id for item in new.values()) == {
        **{"mc_003": 1, "vc_001": 1, "vc_002": 1, "vc_003": 1}
    }
    assert {key: items[key] for key in before} == before
    assert new[pair.item_id].source == "annotator"
    assert authors(new[pair.item_id]) == {"ann", "anna", "ben"}
    assert new[pair.item_id].derivation.rule == "link-of-pair"
    group = [item for item in new.values() if item.joint_group]
    assert len({item.joint_group for item in group}) == 1
    assert [item.source for item in group if item.template_id != "vc_001"] == ["auto", "auto"]
    assert "contradicts-labels" not in {drop.reason for drop in drops}


def test_an_answer_to_a_question_that_labels_make_changes_who_it_is_by_and_no_more(facts) -> None:
    before, _ = _made(facts)
    for key, item in before.items():
        ask = next(ask for ask in perception_asks(facts) if ask.item_id == key)
        ours = what_labels_say(ask, facts).answer
        after = _made(facts, _answer(ask, ours))[0][key]
        assert after.source == "annotator"
        untold = {"source": item.source, "derivation": item.derivation}
        assert after.model_copy(update=untold) == item
        assert same_answer(after.answer, item.answer)


def test_who_says_otherwise_than_labels_is_not_overruled(facts) -> None:
    before, _ = _made(facts)
    pair = _ask(facts, "mc_003", 13, 2)
    choice = _ask(facts, "mc_001", 13)
    seen = next(
        ask
        for ask in perception_asks(facts)
        if ask.template_id == "vc_003" and ask.item_id in before
    )
    wrong = next(str(one) for one in choice.candidates if one != 2)
    other = NO if what_labels_say(seen, facts).answer == YES else YES
    items, drops = _made(
        facts,
        _answer(pair, YES),
        _answer(pair, NO, by="ben"),
        _answer(choice, ChoiceAnswer(value=wrong)),
        _answer(seen, other),
    )
    gone = Counter(before[key].template_id for key in before.keys() - items.keys())
    assert gone == {"mc_003": 1, "mc_001": 1, "vc_001": 1, "vc_002": 1, "vc_003": 1}
    told = Counter(drop.template_id for drop in drops if drop.reason == "contradicts-labels")
    assert told == gone


def test_an_answer_to_what_labels_no_longer_decide_is_told(facts) -> None:
    pair = _ask(facts, "mc_003", 13, 2)
    open_pair = _answer(pair, YES).model_copy(update={"item_id": "mc_003-0", "slots": {"X": 15}})
    items, drops = _made(facts, open_pair)
    assert "mc_003-0" not in items
    assert [drop.instance_ids for drop in drops if drop.reason == "question-gone"] == [(15,)]


def test_answers_to_perception_alone_start_no_other_questions(facts) -> None:
    pair = _ask(facts, "mc_003", 13, 3)
    _, drops = _made(facts, _answer(pair, NO))
    assert {drop.template_id[:2] for drop in drops} <= {"vc", "mc"}
