"""Two reviewers who know nothing of each other, a third for what they dispute, and nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from annotate.desk.answers import AnswerTable
from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.errors import DeskError
from mira.schema.proposal import PersonAnswer
from mira.schema.qa import ChoiceAnswer, CountAnswer, ItemEdit
from mira.store.workspace import Workspace

ANNA, CORA = Person("anna", "annotator"), Person("cora", "reviewer")
DORA, EMIL = Person("dora", "reviewer"), Person("emil", "adjudicator")
EDIT = ItemEdit(answer=ChoiceAnswer(value="B"))


def _code(call, *arguments, **named):
    with pytest.raises(DeskError) as caught:
        call(*arguments, **named)
    return caught.value.code


def _judge(desk, person, task, verdict="accepted", **more):
    token = more.pop("token", f"{person.name} {task.kind} {task.item.item_id} {verdict}")
    return desk.reviews.judge(
        person,
        task.kind,
        task.item.item_id,
        verdict=verdict,
        shown=task.item_sha8,
        token=token,
        **more,
    )


def test_two_who_agree_settle_a_question_and_it_goes_out(make_desk):
    desk = make_desk(items=1)
    assert _judge(desk, CORA, desk.reviews.next_task(CORA, "review")).state == "waiting"
    assert desk.reviews.next_task(CORA, "review") is None
    assert _judge(desk, DORA, desk.reviews.next_task(DORA, "review")).state == "settled"
    assert desk.reviews.next_task(EMIL, "adjudicate") is None
    exported = desk.export()
    assert (exported.verdicts, exported.standing.accepted) == (2, 1)
    (item,) = desk.workspace.items()
    assert item.review == "accepted"
    assert desk.export().verdicts == 0


def test_what_two_dispute_goes_to_a_third_who_sees_both_verdicts(make_desk):
    desk = make_desk(items=1)
    _judge(desk, CORA, desk.reviews.next_task(CORA, "review"), reason="fine")
    task = desk.reviews.next_task(DORA, "review")
    assert task.verdicts == ()
    assert _judge(desk, DORA, task, edit=EDIT).state == "disputed"
    task = desk.reviews.next_task(EMIL, "adjudicate")
    assert [event.reviewer for event in task.verdicts] == ["cora", "dora"]
    assert _judge(desk, EMIL, task, edit=EDIT).state == "settled"
    desk.export()
    (item,) = desk.workspace.items()
    assert item.answer == ChoiceAnswer(value="B")
    assert item.original == ItemEdit(answer=ChoiceAnswer(value="A"))


def test_nobody_judges_their_own_or_twice(make_desk):
    desk = make_desk(items=1, by=("cora", "dora"))
    assert desk.reviews.next_task(CORA, "review") is None
    assert _code(desk.reviews.open, DORA, "review", "mc_001-0000") == "not-open"
    _judge(desk, EMIL, desk.reviews.next_task(EMIL, "review"))
    assert _code(desk.reviews.open, EMIL, "review", "mc_001-0000") == "not-open"


def test_who_answers_a_question_here_does_not_judge_it_either(make_desk, clock):
    desk = make_desk(items=1)
    task = desk.reviews.next_task(CORA, "review")
    answer = PersonAnswer(
        item_id=task.item.item_id,
        template_id="mc_001",
        image_id=task.item.image_id,
        slots={"X": 1},
        answer=ChoiceAnswer(value="2"),
        by="cora",
        at=clock(),
    )
    with desk.database.write() as writing:
        kept = (answer.item_id, answer.image_id, answer)
        AnswerTable(desk.database).add(writing, CORA, *kept, token="t", now=clock())
    assert _code(_judge, desk, CORA, task) == "own-work"
    assert desk.reviews.next_task(CORA, "review") is None
    assert _code(desk.reviews.open, CORA, "review", task.item.item_id) == "not-open"
    assert desk.reviews.next_task(DORA, "review") is not None


@pytest.mark.parametrize(
    ("person", "kind"), [(ANNA, "review"), (CORA, "adjudicate"), (ANNA, "adjudicate")]
)
def test_roles_are_kept_by_every_use(make_desk, person, kind):
    desk = make_desk()
    reviews = desk.reviews
    assert _code(reviews.next_task, person, kind) == "not-allowed"
    assert _code(reviews.open, person, kind, "mc_001-0000") == "not-allowed"
    assert _code(desk.drafts.keep, person, kind, "mc_001-0000", "{}", seq=1) == "not-allowed"
    judged = {"verdict": "accepted", "shown": "0", "token": "t"}
    assert _code(reviews.judge, person, kind, "mc_001-0000", **judged) == "not-allowed"


def test_half_reviewed_questions_come_before_others(make_desk):
    desk = make_desk(items=6)
    task = desk.reviews.open(CORA, "review", "mc_001-0004")
    _judge(desk, CORA, task)
    assert desk.reviews.next_task(DORA, "review").item.item_id == "mc_001-0004"
    assert desk.reviews.next_task(CORA, "review").item.item_id == "mc_001-0000"


def test_a_question_is_on_two_desks_at_most_and_comes_back_in_time(make_desk, clock):
    desk = make_desk(items=1)
    assert desk.reviews.next_task(CORA, "review")
    assert desk.reviews.next_task(DORA, "review")
    assert desk.reviews.next_task(EMIL, "review") is None
    assert _code(desk.reviews.open, EMIL, "review", "mc_001-0000") == "lent"
    clock.go(minutes=31)
    task = desk.reviews.next_task(EMIL, "review")
    assert task is not None
    assert _code(_judge, desk, CORA, task) == "lease-lost"
    desk.leave(EMIL, "review", "mc_001-0000")
    assert desk.reviews.open(CORA, "review", "mc_001-0000")


def test_what_somebody_skipped_comes_last(make_desk):
    desk = make_desk(items=3)
    first = desk.reviews.next_task(CORA, "review").item.item_id
    desk.leave(CORA, "review", first)
    second = desk.reviews.next_task(CORA, "review", skipped=[first]).item.item_id
    assert second != first
    desk.leave(CORA, "review", second)
    everything = ["mc_001-0000", "mc_001-0001", "mc_001-0002"]
    assert desk.reviews.next_task(CORA, "review", skipped=everything).item.item_id == first


def test_a_draft_lends_on_and_the_newest_is_kept(make_desk, clock):
    desk = make_desk(items=1)
    task = desk.reviews.next_task(CORA, "review")
    for seq in (1, 2, 3):
        clock.go(minutes=20)
        desk.drafts.keep(CORA, "review", task.item.item_id, f"draft {seq}", seq=seq)
    assert desk.drafts.keep(CORA, "review", task.item.item_id, "old", seq=2) == 3
    again = desk.reviews.next_task(CORA, "review")
    assert (again.draft, again.draft_seq) == ("draft 3", 3)
    # Two windows count alike; what came last is what was typed last.
    assert desk.drafts.keep(CORA, "review", task.item.item_id, "other window", seq=3) == 3
    again = desk.reviews.next_task(CORA, "review")
    assert again.draft == "other window"
    _judge(desk, CORA, again)
    assert _code(desk.drafts.keep, CORA, "review", task.item.item_id, "late", seq=9)


def test_the_same_verdict_sent_again_counts_once(make_desk):
    desk = make_desk(items=1)
    task = desk.reviews.next_task(CORA, "review")
    first = _judge(desk, CORA, task, token="one")
    assert _judge(desk, CORA, task, token="one") == first
    assert len(first.verdicts) == 1


def test_a_token_of_something_else_loses_no_verdict(make_desk):
    desk = make_desk(items=2)
    _judge(desk, CORA, desk.reviews.open(CORA, "review", "mc_001-0000"), token="one")
    task = desk.reviews.open(CORA, "review", "mc_001-0001")
    assert _code(_judge, desk, CORA, task, token="one") == "bad-token"
    other = desk.reviews.open(DORA, "review", "mc_001-0000")
    assert _code(_judge, desk, DORA, other, token="one") == "bad-token"


def test_a_question_that_changed_is_looked_at_again(make_desk):
    desk = make_desk(items=1)
    task = desk.reviews.next_task(CORA, "review")
    _judge(desk, CORA, task)
    changed = [
        item.model_copy(update={"answer": ChoiceAnswer(value="B")})
        for item in desk.workspace.items()
    ]
    desk.workspace.replace_items(changed)
    found = desk.import_items()
    assert (found.items, found.new, found.gone) == (1, 1, 0)
    assert _code(_judge, desk, DORA, desk.reviews.next_task(DORA, "review")._replace(item_sha8="?"))
    again = desk.reviews.next_task(CORA, "review")
    assert again.item.answer == ChoiceAnswer(value="B")


@pytest.mark.parametrize(
    ("verdict", "edit"),
    [
        ("rejected", EDIT),
        ("accepted", ItemEdit(answer=ChoiceAnswer(value="C"))),
        ("accepted", ItemEdit(answer=CountAnswer(value=3))),
        ("accepted", ItemEdit(options=())),
    ],
)
def test_a_correction_that_leaves_no_right_answer_is_refused(make_desk, verdict, edit):
    desk = make_desk(items=1)
    task = desk.reviews.next_task(CORA, "review")
    assert _code(_judge, desk, CORA, task, verdict, edit=edit) == "bad-edit"


def test_a_note_of_a_megabyte_is_refused(make_desk):
    desk = make_desk(items=1)
    task = desk.reviews.next_task(CORA, "review")
    assert _code(_judge, desk, CORA, task, reason="x" * (1 << 20)) == "too-long"
    hostile = "<img src=x onerror=alert(1)> ${1+1}"
    _judge(desk, CORA, task, reason=hostile)
    desk.export()
    assert hostile in (desk.workspace.root / "reviews" / "cora.jsonl").read_text()


def test_eight_at_once_lose_nothing_and_double_nothing(make_desk):
    desk = make_desk(items=40)
    names = [f"r{k}" for k in range(8)]
    for name in names:
        desk.people.add(name, "long enough", "reviewer")
    faults = []

    def work(name):
        person = Person(name, "reviewer")
        try:
            while (task := desk.reviews.next_task(person, "review")) is not None:
                for seq in range(1, 4):
                    desk.drafts.keep(person, "review", task.item.item_id, "d", seq=seq)
                _judge(desk, person, task)
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    figures = desk.figures()
    assert (figures.accepted, figures.waiting) == (40, 0)
    reading = desk.database.connection()
    (count,) = reading.execute("select count(*) from verdicts").fetchone()
    assert count == 80


WRITER = """
import sys
from pathlib import Path
from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.store.workspace import Workspace
desk = Desk(Workspace.open(Path(sys.argv[1])))
who = Person("cora", "reviewer")
while (task := desk.reviews.next_task(who, "review")) is not None:
    desk.reviews.judge(who, "review", task.item.item_id, verdict="accepted",
                       shown=task.item_sha8, token=task.item.item_id)
    print(task.item.item_id, flush=True)
"""


@pytest.mark.slow
def test_killed_at_any_moment_what_was_acknowledged_is_there(make_desk):
    desk = make_desk(items=60)
    command = [sys.executable, "-c", WRITER, str(desk.workspace.root)]
    acknowledged = []
    for _ in range(4):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            for _ in range(9):
                acknowledged.append(writer.stdout.readline().strip())
            os.kill(writer.pid, signal.SIGKILL)
            writer.wait()
            # What it said before it ended counts too.
            acknowledged += writer.stdout.read().split()
    rows = desk.database.connection().execute("select item_id from verdicts").fetchall()
    kept = [row["item_id"] for row in rows]
    assert set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept))


def test_agreement_is_told_by_subtask_and_person(make_desk):
    desk = make_desk(items=4)
    for k in range(4):
        for person, verdict in ((CORA, "accepted"), (DORA, "rejected" if k == 3 else "accepted")):
            task = desk.reviews.open(person, "review", f"mc_001-{k:04d}")
            _judge(desk, person, task, verdict)
    figures = desk.figures()
    assert (figures.items, figures.accepted, figures.disputed) == (4, 3, 1)
    agreement = figures.by_subtask["mc"]
    assert (agreement.pairs, agreement.same, agreement.percent) == (4, 3, 75)
    # Three times both accept, once one does not: chance is (7² + 1²) / 8² = 25/32.
    assert agreement.kappa == pytest.approx((3 / 4 - 25 / 32) / (1 - 25 / 32))
    # Of one person with all others it is Cohen's: who always accepts agrees by chance alone.
    by_person = {one.name: one.agreement for one in figures.people}
    assert by_person["cora"].kappa == by_person["dora"].kappa == 0
    cora = next(person for person in figures.people if person.name == "cora")
    assert (cora.verdicts, cora.agreement.pairs) == (4, 4)


def test_a_backup_is_whole_while_others_write(make_desk, tmp_path, clock):
    desk = make_desk(items=3)
    _judge(desk, CORA, desk.reviews.next_task(CORA, "review"))
    desk.database.back_up(tmp_path / "backup.sqlite3")
    other = tmp_path / "other"
    Workspace.create(other)
    (other / "desk").mkdir()
    (other / "desk" / "desk.sqlite3").write_bytes((tmp_path / "backup.sqlite3").read_bytes())
    restored = Desk(Workspace.open(other), clock=clock)
    try:
        assert restored.figures().items == 3
        assert restored.people.sign_in("cora", "long enough")
    finally:
        restored.close()


def test_a_reviewer_asks_for_questions_of_some_templates_or_of_people(make_desk):
    desk = make_desk()
    reviews = desk.reviews
    assert reviews.next_task(CORA, "review", templates=["vc_001"]) is None
    assert reviews.next_task(CORA, "review", by_people=True) is None
    items = list(reviews.items.all())
    changed = [items[0], items[1].model_copy(update={"source": "annotator"})]
    reviews.items.replace(changed)
    found = reviews.next_task(CORA, "review", by_people=True, templates=["mc_001"])
    assert found.item.item_id == items[1].item_id
