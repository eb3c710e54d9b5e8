"""Flags and comments are kept, closed and exported, and reviewers stay blind to each other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from annotate.desk.remark_reading import PAGE
from annotate.desk.roles import Person
from mira.errors import DeskError
from mira.schema.remark import Remark
from mira.store.remarks import RemarkShelf

ANNA, CORA = Person("anna", "annotator"), Person("cora", "reviewer")
DORA, EMIL = Person("dora", "reviewer"), Person("emil", "adjudicator")
ITEM, OTHER = "mc_001-0000", "mc_001-0001"


def _code(call, *arguments, **named):
    with pytest.raises(DeskError) as caught:
        call(*arguments, **named)
    return caught.value.code


def _flag(desk, person, text="the box is wrong", *, item_id=None, image_id="i0", kind="flag"):
    token = f"{person.name} {text} {item_id}"
    return desk.remarks.add(person, kind, image_id, text, token=token, item_id=item_id)


def _told(desk, person, kind="review", **more):
    page = desk.remarks.of_image(person, "i0", kind=kind, **more)
    return [noted.remark.text for noted in page.remarks]


def _judge(desk, person, item_id=ITEM, kind="review", verdict="accepted"):
    task = desk.reviews.open(person, kind, item_id)
    said = {"verdict": verdict, "shown": task.item_sha8, "token": f"{person.name} {kind}"}
    desk.reviews.judge(person, kind, item_id, **said)


def test_a_flag_is_open_until_somebody_resolves_it(make_desk):
    desk = make_desk()
    flag = _flag(desk, ANNA)
    assert desk.remarks.open_by_image(CORA) == {"i0": 1}
    _flag(desk, ANNA, "nice light", kind="comment")
    (noted,) = desk.remarks.open_flags(CORA).remarks
    assert (noted.remark, noted.is_open, noted.may_resolve) == (flag, True, True)
    desk.remarks.resolve(CORA, flag.remark_id, token="r", text=" drawn anew ")
    assert desk.remarks.open_by_image(CORA) == {}
    assert desk.remarks.open_flags(CORA).remarks == ()
    assert desk.remarks.count_open(CORA) == 0
    comment, closed = desk.remarks.of_image(ANNA, "i0", kind="answer").remarks
    assert (comment.is_open, comment.resolution) == (False, None)
    assert not closed.is_open
    assert (closed.resolution.by, closed.resolution.text) == ("cora", "drawn anew")


def test_the_same_token_counts_once_and_for_nothing_else(make_desk):
    desk = make_desk()
    flag = _flag(desk, ANNA)
    assert _flag(desk, ANNA) == flag
    token = "anna the box is wrong None"
    for text, image_id, person in (("x", "i0", ANNA), (flag.text, "i1", ANNA)):
        again = (desk.remarks.add, person, "flag", image_id, text)
        assert _code(*again, token=token) == "bad-token"
    done = desk.remarks.resolve(ANNA, flag.remark_id, token="r", text="done")
    assert desk.remarks.resolve(ANNA, flag.remark_id, token="r", text="done") == done
    assert _code(desk.remarks.resolve, CORA, flag.remark_id, token="s") == "resolved"
    assert len(desk.remarks.all()) == 2


def test_many_who_resolve_at_once_resolve_once(make_desk):
    desk = make_desk()
    flag = _flag(desk, ANNA)

    def resolve(k):
        try:
            return desk.remarks.resolve(CORA, flag.remark_id, token=f"r{k}").remark_id
        except DeskError as error:
            return error.code

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(resolve, range(8)))
    assert found.count("resolved") == 7
    assert [one.kind for one in desk.remarks.all()] == ["flag", "resolution"]


def test_who_resolves_may_review_or_has_flagged_it(make_desk):
    desk = make_desk()
    bela = desk.people.add("bela", "long enough", "annotator")
    flag = _flag(desk, ANNA)
    assert _code(desk.remarks.resolve, bela, flag.remark_id, token="r") == "not-allowed"
    (noted,) = desk.remarks.open_flags(bela).remarks
    assert not noted.may_resolve
    comment = _flag(desk, ANNA, "nice", kind="comment")
    assert _code(desk.remarks.resolve, CORA, comment.remark_id, token="r") == "no-such-item"
    assert desk.remarks.resolve(ANNA, flag.remark_id, token="r").text == ""


@pytest.mark.parametrize(
    ("text", "item_id", "code"),
    [
        ("  \n", None, "no-text"),
        ("x" * 20_001, None, "too-long"),
        ("x", "mc_001-0004", "no-such-item"),
        ("x", "../../etc", "no-such-item"),
        ("x", "zz_001-0004", "no-such-item"),
    ],
)
def test_what_says_nothing_or_is_about_nothing_is_refused(make_desk, text, item_id, code):
    desk = make_desk()
    assert _code(_flag, desk, CORA, text, item_id=item_id) == code
    assert desk.remarks.all() == []


def test_a_question_that_nobody_has_answered_yet_can_be_remarked_on(make_desk):
    desk = make_desk()
    assert _flag(desk, ANNA, "unclear", item_id="ac_001-abc").item_id == "ac_001-abc"


def test_reviewers_are_not_told_what_another_who_may_review_remarks_on_a_question(make_desk):
    desk = make_desk()
    _flag(desk, ANNA, "of the author", item_id=ITEM)
    _flag(desk, DORA, "of another reviewer", item_id=ITEM)
    _flag(desk, DORA, "on the picture")
    mine = _flag(desk, CORA, "mine", item_id=ITEM)
    assert _told(desk, CORA) == ["mine", "on the picture", "of the author"]
    assert _told(desk, DORA) == ["on the picture", "of another reviewer", "of the author"]
    assert [n.remark.text for n in desk.remarks.open_flags(CORA).remarks] == _told(desk, CORA)
    assert desk.remarks.count_open(CORA) == 3
    assert _code(desk.remarks.resolve, DORA, mine.remark_id, token="r") == "no-such-item"
    # Neither before nor after they judged it, nor while the two dispute.
    _judge(desk, CORA)
    assert "of another reviewer" not in _told(desk, CORA)
    assert "mine" not in _told(desk, DORA)
    _judge(desk, DORA, verdict="rejected")
    assert "mine" not in _told(desk, DORA)
    _judge(desk, EMIL, kind="adjudicate")
    assert len(_told(desk, CORA)) == len(_told(desk, DORA)) == 4


def test_authors_and_adjudicators_are_told_all_but_not_while_they_review(make_desk):
    desk = make_desk(by=("anna", "gina"))
    gina = desk.people.add("gina", "long enough", "reviewer")
    _flag(desk, CORA, "on the question", item_id=ITEM)
    for person, kind, sees in (
        (ANNA, "answer", True),
        (gina, "answer", True),
        (EMIL, "adjudicate", True),
        (EMIL, "answer", True),
        (EMIL, "review", False),
        (DORA, "adjudicate", False),
        (DORA, "answer", False),
    ):
        assert bool(_told(desk, person, kind)) is sees, (person, kind)


def test_a_resolution_by_another_reviewer_is_told_without_its_words(make_desk):
    desk = make_desk()
    flag = _flag(desk, ANNA, item_id=ITEM)
    desk.remarks.resolve(DORA, flag.remark_id, token="r", text="it should be B")
    (noted,) = desk.remarks.of_image(CORA, "i0", kind="review").remarks
    assert (noted.is_open, noted.resolution) == (False, None)


def test_remarks_on_other_questions_and_pictures_are_left_out_if_asked(make_desk):
    desk = make_desk()
    _flag(desk, ANNA, "one", item_id=ITEM)
    _flag(desk, ANNA, "two", item_id=OTHER)
    _flag(desk, ANNA, "picture")
    _flag(desk, ANNA, "elsewhere", image_id="i1")
    assert _told(desk, CORA, item_id=OTHER) == ["picture", "two"]
    assert _told(desk, CORA) == ["picture", "two", "one"]


def test_remarks_come_page_by_page_the_newest_first(make_desk):
    desk = make_desk()
    for k in range(PAGE + 1):
        _flag(desk, ANNA, f"{k}")
    page = desk.remarks.open_flags(CORA)
    assert [noted.remark.text for noted in page.remarks] == [str(k) for k in range(PAGE, 0, -1)]
    rest = desk.remarks.open_flags(CORA, before=page.following)
    assert ([noted.remark.text for noted in rest.remarks], rest.following) == (["0"], None)
    assert desk.remarks.count_open(CORA) == PAGE + 1


def test_remarks_go_into_the_workspace_once_each_with_who_said_it(make_desk):
    desk = make_desk()
    flag, other = _flag(desk, ANNA, item_id=ITEM), _flag(desk, CORA, "a\u2028line\nmore")
    assert desk.export()[3:5] == (2, 2)
    desk.remarks.resolve(CORA, flag.remark_id, token="r")
    assert desk.export()[3:5] == (1, 1)
    assert desk.export()[3:5] == (0, 1)
    shelf = RemarkShelf(desk.workspace)
    assert list(shelf.of("anna")) == [flag]
    assert [one.kind for one in shelf.of("cora")] == ["flag", "resolution"]
    assert shelf.open_flags() == (other,)


@pytest.mark.parametrize("more", [{"kind": "resolution"}, {"resolves": "x"}, {"text": " "}])
def test_a_record_that_closes_nothing_or_says_nothing_is_none(make_desk, more):
    flag = _flag(make_desk(), ANNA).model_dump()
    with pytest.raises(ValueError, match="expected"):
        Remark.model_validate({**flag, **more})
