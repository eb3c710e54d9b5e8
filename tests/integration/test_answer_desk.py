"""People answer at a desk, and questions are made of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.errors import DeskError, WorkspaceError
from mira.schema.qa import QAPolicy
from mira.schema.record import FileRef
from mira.store.descriptions import DescriptionShelf
from mira.store.proposals import ProposalShelf
from mira.taxonomy.catalogue import taxonomy
from qa_gen.authoring import QuestionBook
from qa_gen.generate import generate_questions
from qa_gen.verify import verify_questions

ANNA, BELA = Person("anna", "annotator"), Person("bela", "annotator")
SAID = {
    "yes_no": {"value": "yes"},
    "count": {"value": 2},
    "spatial_3d_axes": {"horizontal": "left", "vertical": "aligned", "depth": "front"},
    "single_choice": {"value": "turn_around"},
    "single_choice_plus_text": {"value": "other_side_distinct", "text": "a red stripe"},
}


class Clock:
    now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def desk(make_workspace, clock):
    workspace = make_workspace()
    made = Desk(workspace, questions=QuestionBook(workspace), clock=clock)
    for person in (ANNA, BELA):
        made.people.add(person.name, "long enough", person.role)
    yield made
    made.close()


def _say(desk, person, question, said=None, token=None):
    said = said or SAID[taxonomy().template(question.template_id).format]
    return desk.answers.answer(
        person, question.item_id, question.image_id, said, token=token or question.item_id
    )


def _proposed(question):
    return question.proposal.answer.model_dump(exclude={"format"}) if question.proposal else None


def _code(call, *arguments, **named):
    with pytest.raises(DeskError) as caught:
        call(*arguments, **named)
    return caught.value.code


def test_answers_of_every_format_become_questions(desk):
    sheet = desk.answers.next_sheet(ANNA)
    firsts = {question.template_id: question for question in sheet.questions}
    assert set(firsts) == {template.id for template in taxonomy().templates}
    for question in firsts.values():
        assert question.wordings
        assert question.wordings[0].question.endswith("?") or question.wordings[0].question
        labelled = question.template_id.startswith(("vc", "mc"))
        said = question.proposal.answer.model_dump(exclude={"format"}) if labelled else None
        _say(desk, ANNA, question, said)
    assert desk.export().answers == 14
    assert desk.export().answers == 0
    generate_questions(desk.workspace, policy=QAPolicy())
    made = {item.item_id: item for item in desk.workspace.items()}
    for question in firsts.values():
        item = made[question.item_id]
        assert item.source == "annotator"
        # What people read while they answered is what models are asked.
        assert [w.question for w in item.wordings] == [w.question for w in question.wordings]
    assert verify_questions(desk.workspace).findings == ()


def test_who_says_otherwise_than_labels_stops_the_question(desk):
    sheet = desk.answers.next_sheet(ANNA)
    question = next(one for one in sheet.questions if one.template_id == "mc_001")
    wrong = next(one for one in question.choices if one != question.proposal.answer.value)
    assert _code(_say, desk, ANNA, question, {"value": "99"}, "1") == "bad-answer"
    _say(desk, ANNA, question, {"value": wrong}, "2")
    desk.export()
    generate_questions(desk.workspace, policy=QAPolicy())
    assert question.item_id not in {item.item_id for item in desk.workspace.items()}
    assert desk.workspace.qa_summary().drops["contradicts-labels"] == 1


def test_the_newest_answer_counts_and_can_be_taken_back(desk):
    sheet = desk.answers.next_sheet(ANNA)
    question = next(one for one in sheet.questions if one.template_id == "ac_001")
    _say(desk, ANNA, question, {"value": "yes"}, "1")
    _say(desk, ANNA, question, {"value": "no"}, "2")
    _say(desk, ANNA, question, {"value": "no"}, "2")
    assert desk.answers.given.newest("anna")[question.item_id].answer.value == "no"
    desk.answers.answer(ANNA, question.item_id, question.image_id, None, token="3")
    assert question.item_id not in desk.answers.given.newest("anna")
    assert desk.export().answers == 0
    kept = desk.database.connection().execute("select count(*) from answers").fetchone()
    assert tuple(kept) == (3,)


def test_a_picture_is_on_one_desk_at_a_time(desk, clock):
    first = desk.answers.next_sheet(ANNA).image_id
    second = desk.answers.next_sheet(BELA).image_id
    assert first != second
    assert desk.answers.next_sheet(ANNA).image_id == first
    assert _code(desk.answers.open, BELA, first) == "lent"
    desk.drafts.keep(ANNA, "answer", first, "half a thought", seq=1)
    clock.now += timedelta(minutes=31)
    sheet = desk.answers.open(BELA, first)
    assert sheet.draft is None
    question = sheet.questions[0]
    assert _code(_say, desk, ANNA, question) == "lease-lost"
    desk.leave(BELA, "answer", first)
    assert desk.answers.open(ANNA, first).draft == "half a thought"


@pytest.mark.parametrize(
    ("template_id", "said"),
    [
        ("ac_001", {"value": "not sure"}),
        ("ac_001", {"value": "maybe"}),
        ("ac_001", {"other": 1}),
        ("ac_002", {"value": "fly"}),
        ("ct_001", {"value": -1}),
        ("ct_001", {"value": "two"}),
        ("mr_001", {"horizontal": "left"}),
        ("mpac_001", {"value": "other_side_distinct", "text": "x" * 30_000}),
        ("ac_001", {"value": {"$": object}}),
    ],
)
def test_what_is_no_answer_to_a_question_is_refused(desk, template_id, said):
    sheet = desk.answers.next_sheet(ANNA)
    question = next(one for one in sheet.questions if one.template_id == template_id)
    assert _code(_say, desk, ANNA, question, said) in ("bad-answer", "too-long")
    assert desk.answers.given.newest("anna") == {}


def test_pictures_that_were_skipped_come_last_the_longest_ago_first(desk):
    first, second, *others = (one.image_id for one in desk.answers.pictures(ANNA))
    assert desk.answers.next_sheet(ANNA, skipped=[first]).image_id == second
    skipped = [*others, second, first]
    assert desk.answers.next_sheet(ANNA, skipped=skipped).image_id == skipped[0]


def test_a_picture_that_a_second_person_draws_meanwhile_keeps_nobody_from_the_others(desk):
    first, second, *_ = (one.image_id for one in desk.answers.pictures(ANNA))
    drawn = desk.workspace.annotation(first, desk.workspace.annotators(first)[0])
    desk.workspace.put_annotation(drawn.model_copy(update={"annotator": "zoe", "revision": 1}))
    assert desk.answers.next_sheet(ANNA).image_id == second
    with pytest.raises(WorkspaceError, match="is annotated by"):
        desk.answers.open(ANNA, first)


def test_what_nobody_can_ask_is_no_question(desk):
    sheet = desk.answers.next_sheet(ANNA)
    made_up = sheet.questions[0].model_copy(update={"item_id": "ac_001-made-up"})
    assert _code(_say, desk, ANNA, made_up) == "no-such-item"
    elsewhere = sheet.questions[0].model_copy(update={"image_id": "../../etc"})
    assert _code(_say, desk, ANNA, elsewhere) == "no-such-item"
    assert _code(desk.answers.open, ANNA, "nothing") == "no-such-item"


def test_an_answer_that_is_taken_back_counts_no_longer_in_the_workspace_either(desk):
    sheet = desk.answers.next_sheet(ANNA)
    question = next(one for one in sheet.questions if one.template_id == "ac_001")
    _say(desk, ANNA, question)
    assert desk.export().answers == 1
    shelf = ProposalShelf(desk.workspace)
    assert question.item_id in shelf.newest_answers()
    desk.answers.answer(ANNA, question.item_id, question.image_id, None, token="back")
    assert (desk.export().answers, desk.export().answers) == (1, 0)
    assert shelf.newest_answers() == {}
    assert {one.name: one.answers for one in desk.figures().people}["anna"] == 0
    _say(desk, ANNA, question, token="again")
    assert desk.export().answers == 1
    assert question.item_id in shelf.newest_answers()


def test_nothing_at_the_desk_takes_back_what_came_out_of_a_file(desk):
    sheet = desk.answers.next_sheet(ANNA)
    question = next(one for one in sheet.questions if one.template_id == "ac_001")
    said = _say(desk, ANNA, question)
    source = FileRef(path="answers.csv", sha256="0" * 64, size_bytes=1)
    shelf = ProposalShelf(desk.workspace)
    shelf.answers.add("anna", [said.model_copy(update={"source": source})])
    desk.answers.answer(ANNA, question.item_id, question.image_id, None, token="back")
    assert desk.export().answers == 0
    assert question.item_id in shelf.newest_answers()


def test_pictures_tell_who_answered_how_much_and_who_has_them(desk):
    sheet = desk.answers.next_sheet(ANNA)
    for question in sheet.questions[:2]:
        said = (
            question.proposal.answer.model_dump(exclude={"format"}) if question.proposal else None
        )
        _say(desk, ANNA, question, said)
    mine = {one.image_id: one for one in desk.answers.pictures(ANNA)}[sheet.image_id]
    theirs = {one.image_id: one for one in desk.answers.pictures(BELA)}[sheet.image_id]
    assert (mine.mine, mine.others, mine.held_by) == (2, 0, None)
    assert (theirs.mine, theirs.others, theirs.held_by) == (0, 2, "anna")


def test_what_an_author_adds_to_an_answer_is_told_to_who_reviews_it(desk):
    sheet = desk.answers.next_sheet(ANNA)
    question = next(one for one in sheet.questions if one.template_id == "ac_001")
    names = (ANNA, question.item_id, question.image_id)
    desk.answers.answer(*names, {"value": "yes"}, token="1", note="behind the chair")
    assert desk.notes(question.item_id) == [("anna", "behind the chair")]
    desk.answers.answer(*names, None, token="2")
    assert desk.notes(question.item_id) == []


def test_a_question_is_shown_as_it_will_be_asked_and_nothing_is_kept(desk):
    sheet = desk.answers.next_sheet(ANNA)
    question = next(one for one in sheet.questions if one.template_id == "ac_002")
    item = desk.answers.preview(ANNA, sheet.image_id, question.item_id, {"value": "stop"})
    assert next(o.value for o in item.options if o.label == item.answer.value) == "stop"
    assert desk.answers.given.newest("anna") == {}


def test_how_an_instance_is_described_is_asked_at_once_and_goes_into_the_workspace(desk):
    sheet = desk.answers.next_sheet(ANNA)
    question = next(one for one in sheet.questions if one.template_id == "ac_001")
    (instance,) = question.slots.values()
    desk.answers.describe(ANNA, sheet.image_id, instance, "the {{ red }} one", token="d1")
    desk.answers.describe(ANNA, sheet.image_id, instance, "the {{ red }} one", token="d1")
    found = desk.answers.question(ANNA, sheet.image_id, question.item_id)
    words = {one.protocol: one.question for one in found.wordings}
    assert "the {{ red }} one" in words["bbox_text_desc"]
    assert (desk.export().descriptions, desk.export().descriptions) == (1, 0)
    told = DescriptionShelf(desk.workspace).of_image(sheet.image_id)
    assert told == {instance: "the {{ red }} one"}


def test_who_has_not_got_a_picture_describes_nothing_of_it(desk, clock):
    image_id = desk.answers.next_sheet(ANNA).image_id
    assert _code(desk.answers.describe, BELA, image_id, 1, "a cup", token="d") == "lease-lost"
    desk.answers.describe(ANNA, image_id, 1, "a cup", token="e")
    clock.now += timedelta(minutes=31)
    assert _code(desk.answers.describe, ANNA, image_id, 1, "a bowl", token="f") == "lease-lost"
    # What was kept and not heard of is not refused when it is sent again.
    desk.answers.describe(ANNA, image_id, 1, "a cup", token="e")
    assert desk.answers.descriptions.of_image(image_id) == {1: "a cup"}


def test_a_description_is_one_short_line(desk):
    image_id = desk.answers.next_sheet(ANNA).image_id
    assert _code(desk.answers.describe, ANNA, image_id, 1, "x" * 201, token="d") == "bad-answer"
    desk.answers.describe(ANNA, image_id, 1, " two\nlines ", token="e")
    assert desk.answers.descriptions.of_image(image_id) == {1: "two lines"}
