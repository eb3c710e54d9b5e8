"""What people reply as a model would, and the files in which it is scored."""

from __future__ import annotations

import pytest
from baseline_people import BERTA, code_of, next_for, reply_to, settle

from annotate.desk.backup import PLACE
from annotate.desk.baseline_export import export_baseline
from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.errors import RecordError
from mira.questions import question_sha8
from mira.reviews import item_sha8
from mira.schema.baseline import BaselineReply
from mira.schema.qa import AxesAnswer, ChoiceAnswer, CountAnswer, Option
from mira.store.baseline import BaselineShelf

EMIL = Person("emil", "admin")


@pytest.mark.parametrize(
    ("answer", "said", "found"),
    [
        (CountAnswer(value=3), {"value": 12}, "12"),
        (CountAnswer(value=3), {"value": True}, None),
        (CountAnswer(value=3), {"value": 10_000}, None),
        (CountAnswer(value=3), {"value": "3"}, None),
        (ChoiceAnswer(value="A"), {"value": "C"}, None),
        (ChoiceAnswer(value="A"), {"value": ["A"]}, None),
        (ChoiceAnswer(value="A"), {}, None),
        (
            AxesAnswer(horizontal="left", vertical="above", depth="front"),
            {"horizontal": "right", "vertical": "aligned", "depth": "same_depth"},
            "right,aligned,same_depth",
        ),
        (
            AxesAnswer(horizontal="left", vertical="above", depth="front"),
            {"horizontal": "right", "vertical": "aligned"},
            None,
        ),
    ],
)
def test_a_reply_is_an_answer_of_the_question_s_format(make_desk, answer, said, found):
    desk = make_desk(items=1)
    desk.people.add("berta", "long enough", "annotator")
    (item,) = desk.workspace.items()
    options = item.options if isinstance(answer, ChoiceAnswer) else ()
    plain = item.wordings[0].model_copy(update={"option_texts": ("2", "3")[: len(options)]})
    more = {"answer": answer, "options": options, "wordings": (plain,)}
    desk.reviews.items.replace([item.model_copy(update=more)])
    settle(desk, item.item_id)
    asked = next_for(desk)
    names = {"protocol": "bbox_text", "modality": "rgb", "shown": asked.shown, "token": "t"}
    call = (desk.baseline.reply, BERTA, item.item_id, said)
    if found is None:
        assert code_of(*call, **names) == "bad-answer"
    else:
        call[0](*call[1:], **names)
        (row,) = desk.database.connection().execute("select content from replies").fetchall()
        assert BaselineReply.from_json(row["content"], where="row").answer == found


def test_not_sure_is_an_answer_where_it_is_offered(make_desk):
    desk = make_desk(items=1)
    desk.people.add("berta", "long enough", "annotator")
    (item,) = desk.workspace.items()
    words = ("yes", "no", "not sure")
    options = tuple(Option(label=word, value=word.replace(" ", "_")) for word in words)
    more = {"options": options, "answer": {"format": "yes_no", "value": "yes"}}
    wording = item.wordings[0].model_copy(update={"option_texts": words})
    changed = type(item).model_validate(
        {**item.model_dump(), **more, "wordings": (wording,), "template_id": "ac_001"}
    )
    desk.reviews.items.replace([changed])
    settle(desk, item.item_id)
    reply_to(desk, next_for(desk), value="not sure")
    assert desk.baseline.share(BERTA) == (1, 1)


def test_replies_go_into_the_workspace_once_a_question_and_the_same_bytes_again(settled, clock):
    desk = settled(items=3)
    for person, value in ((BERTA, "B"), (EMIL, "A")):
        clock.go(minutes=1)
        reply_to(desk, next_for(desk, person), person, value=value, seconds=90_000)
    found = desk.export().baseline
    assert [(one.person, one.replies, one.ways) for one in found.files] == [
        ("berta", 1, (("bbox_text", "rgb"),)),
        ("emil", 1, (("bbox_text", "rgb"),)),
    ]
    shelf = BaselineShelf(desk.workspace)
    (reply,) = shelf.of("berta")
    item = next(one for one in desk.workspace.items() if one.item_id == reply.item_id)
    assert reply.question_id == f"{item.item_id}-bbox_text"
    assert reply.question_sha8 == question_sha8(item.wordings[0], item)
    assert reply.item_sha8 == item_sha8(item)
    assert (reply.answer, reply.seconds) == ("B", 3600)
    before = [one.path.read_bytes() for one in found.files]
    desk.export()
    assert [one.path.read_bytes() for one in found.files] == before


def test_a_reply_outlives_another_right_answer_but_no_other_sentence(settled):
    desk = settled(items=2)
    for _ in range(2):
        reply_to(desk, next_for(desk))
    desk.export()
    one, other = desk.workspace.items()
    asked = one.wordings[0].model_copy(update={"question": "Another?"})
    changed = [
        one.model_copy(update={"wordings": (asked,)}),
        other.model_copy(update={"answer": ChoiceAnswer(value="B")}),
    ]
    desk.workspace.replace_items(changed)
    found = export_baseline(desk.workspace, desk.database)
    assert found.left_out == 1
    (reply,) = BaselineShelf(desk.workspace).of("berta")
    assert reply.item_id == other.item_id
    assert reply.question_sha8 == question_sha8(other.wordings[0], changed[1])


def test_what_another_desk_brought_stays_and_a_wrong_line_is_named(settled, clock, tmp_path):
    desk = settled(items=2)
    reply_to(desk, next_for(desk))
    desk.export()
    desk.close()
    (desk.workspace.root / PLACE).unlink()
    fresh = Desk(desk.workspace, clock=clock)
    found = export_baseline(fresh.workspace, fresh.database)
    assert [one.replies for one in found.files] == [1]
    path = BaselineShelf(desk.workspace).path_of("berta")
    path.write_bytes(path.read_bytes().replace(b'"berta"', b'"felix"'))
    with pytest.raises(RecordError, match="by: expected berta, found felix"):
        export_baseline(fresh.workspace, fresh.database)
    fresh.close()


def test_figures_count_replies_and_say_nothing_of_right_or_wrong(settled):
    desk = settled(items=2)
    reply_to(desk, next_for(desk))
    berta = next(one for one in desk.figures().people if one.name == "berta")
    assert berta.baseline == 1
    assert set(type(berta).model_fields) == {
        *("name", "role", "verdicts", "rulings", "answers", "baseline", "on_desk", "agreement")
    }
