"""People who know nothing of a question are asked it as a model is."""

from __future__ import annotations

from baseline_people import BERTA, CORA, DORA, answer_all, code_of, next_for, reply_to, settle

from annotate.desk.baseline import BaselineDesk
from annotate.desk.roles import Person
from mira.schema.baseline import BaselineReply
from mira.schema.qa import ChoiceAnswer, ItemEdit, Wording

ANNA, EMIL = Person("anna", "annotator"), Person("emil", "admin")


def test_each_person_has_an_order_of_their_own_and_the_same_one_again(settled):
    desk = settled(items=8, people=("berta", "felix", "gina"))
    orders = {
        name: answer_all(desk, Person(name, "annotator")) for name in ("berta", "felix", "gina")
    }
    assert len({tuple(order) for order in orders.values()}) == 3
    assert all(len(order) == 8 for order in orders.values())
    # By digest of name and item alone, so that it is the same on every machine.
    assert orders["berta"][:3] == ["mc_001-0007", "mc_001-0000", "mc_001-0002"]


def test_who_drew_answered_or_judged_a_question_is_not_asked_it(make_desk):
    desk = make_desk(items=2, by=("anna", "berta"))
    desk.people.add("berta", "long enough", "annotator")
    desk.people.add("felix", "long enough", "annotator")
    settle(desk, "mc_001-0000")
    settle(desk, "mc_001-0001", by=(DORA, EMIL))
    assert next_for(desk, ANNA) is next_for(desk, BERTA) is next_for(desk, DORA) is None
    assert next_for(desk, CORA).item.item_id == "mc_001-0001"
    assert next_for(desk, EMIL).item.item_id == "mc_001-0000"
    opened = desk.baseline.open
    assert code_of(opened, CORA, "mc_001-0000", "bbox_text") == "not-open"
    assert code_of(opened, ANNA, "mc_001-0000", "bbox_text") == "not-open"
    felix = Person("felix", "annotator")
    with desk.database.write() as writing:
        writing.execute(
            "insert into answers values (1, 'mc_001-0000', 'i0', 'felix', 'null', 'now', 't')"
        )
    assert answer_all(desk, felix) == ["mc_001-0001"]


def test_only_what_review_accepted_is_asked_and_as_review_left_it(make_desk):
    desk = make_desk(items=3)
    desk.people.add("berta", "long enough", "annotator")
    wording = Wording(protocol="bbox_text", question="Which, better?", option_texts=("2", "3"))
    edit = ItemEdit(answer=ChoiceAnswer(value="B"), wordings=(wording,))
    settle(desk, "mc_001-0000", edit=edit)
    settle(desk, "mc_001-0001", verdict="rejected")
    settle(desk, "mc_001-0002", by=(CORA,))
    assert desk.baseline.share(BERTA) == (0, 1)
    asked = next_for(desk)
    assert asked.item.item_id == "mc_001-0000"
    assert asked.wording.question == "Which, better?"
    reply_to(desk, asked)
    assert desk.baseline.share(BERTA) == (1, 1)
    assert next_for(desk) is None
    assert code_of(desk.baseline.open, BERTA, "mc_001-0001", "bbox_text") == "no-such-item"


def test_a_question_is_asked_in_the_wanted_protocol_or_not_at_all(settled):
    assert next_for(settled(items=1), protocol="visual_mask") is None


def test_a_question_that_points_at_nothing_is_asked_in_every_protocol(make_desk):
    desk = make_desk(items=1)
    desk.people.add("berta", "long enough", "annotator")
    (item,) = desk.workspace.items()
    desk.reviews.items.replace([item.model_copy(update={"marks": ()})])
    settle(desk, item.item_id)
    assert next_for(desk, protocol="visual_mask").wording.protocol == "bbox_text"


def test_a_question_goes_to_so_many_people_and_no_more(settled, clock):
    desk = settled(items=1, people=("berta", "felix", "gina"))
    few = BaselineDesk(desk.database, clock, most=2)
    felix, gina = Person("felix", "annotator"), Person("gina", "annotator")
    assert few.next_question(BERTA, "bbox_text")
    asked = few.next_question(felix, "bbox_text")
    assert few.next_question(gina, "bbox_text") is None
    reply_to(desk, asked, felix)
    assert few.next_question(gina, "bbox_text") is None
    clock.go(minutes=31)
    # What berta left comes back.
    assert few.next_question(gina, "bbox_text")
    assert code_of(reply_to, desk, asked, BERTA) == "lease-lost"
    assert few.share(BERTA) == (0, 0)


def test_the_same_token_counts_once_and_another_s_never(settled):
    desk = settled(items=2)
    asked = next_for(desk)
    reply_to(desk, asked, token="t")
    reply_to(desk, asked, token="t", value="A")
    assert desk.baseline.share(BERTA) == (1, 2)
    other = next_for(desk)
    assert code_of(reply_to, desk, other, token="t") == "bad-token"
    assert code_of(reply_to, desk, asked, token="u") == "lease-lost"
    (row,) = desk.database.connection().execute("select content from replies").fetchall()
    assert BaselineReply.from_json(row["content"], where="row").answer == "B"


def test_what_somebody_skipped_comes_after_all_others_the_longest_ago_first(settled):
    desk = settled(items=3)
    seen = []
    for _ in range(5):
        asked = next_for(
            desk, skipped=[one for k, one in enumerate(seen) if one not in seen[k + 1 :]]
        )
        seen.append(asked.item.item_id)
        desk.baseline.leave(BERTA, asked.item.item_id)
    assert len(set(seen[:3])) == 3
    assert seen[3:] == seen[:2]


def test_a_question_that_says_something_else_now_is_refused_and_asked_again(settled):
    desk = settled(items=1)
    asked = next_for(desk)
    (item,) = desk.workspace.items()
    wording = item.wordings[0].model_copy(update={"question": "Another?"})
    changed = item.model_copy(update={"wordings": (wording,)})
    desk.reviews.items.replace([changed])
    settle(desk, item.item_id)
    assert code_of(reply_to, desk, asked) == "changed"
    reply_to(desk, next_for(desk))
    desk.reviews.items.replace([item])
    assert next_for(desk).wording.question == "Which 0?"


def test_who_had_a_question_on_the_desk_to_judge_it_is_not_asked_it(settled):
    desk = settled(items=2)
    desk.reviews.items.replace(
        one.model_copy(update={"answer": ChoiceAnswer(value="B")}) for one in desk.workspace.items()
    )
    seen = desk.reviews.next_task(EMIL, "review").item.item_id
    desk.leave(EMIL, "review", seen)
    for item in desk.workspace.items():
        settle(desk, item.item_id)
    assert answer_all(desk, EMIL) == [
        one.item_id for one in desk.workspace.items() if one.item_id != seen
    ]
