"""A desk that is carried away comes back with all that was done at it."""

from __future__ import annotations

import threading

import pytest

from annotate.desk.backup import PLACE, desk_in_use, restore
from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.errors import MiraError
from mira.store.workspace import Workspace

CORA = Person("cora", "reviewer")


def _judge(desk):
    task = desk.reviews.next_task(CORA, "review")
    judged = {"verdict": "accepted", "shown": task.item_sha8, "token": task.item.item_id}
    desk.reviews.judge(CORA, "review", task.item.item_id, **judged)


def _verdicts(desk):
    (count,) = desk.database.connection().execute("select count(*) from verdicts").fetchone()
    return count


def test_a_backup_made_while_others_write_is_whole(make_desk, tmp_path):
    desk = make_desk(items=6)
    writers = [threading.Thread(target=_judge, args=(desk,)) for _ in range(3)]
    for writer in writers:
        writer.start()
    desk.database.back_up(tmp_path / "b.sqlite3")
    for writer in writers:
        writer.join()
    other = Workspace.create(tmp_path / "other")
    restore(other, tmp_path / "b.sqlite3")
    brought = Desk(other)
    assert 0 <= _verdicts(brought) <= 3
    assert {person.name for person in brought.people.all()} == {
        person.name for person in desk.people.all()
    }
    brought.close()


def test_a_restored_desk_knows_verdicts_and_passwords_and_no_logins(make_desk, tmp_path):
    desk = make_desk()
    _judge(desk)
    token = desk.people.sign_in("cora", "long enough")
    desk.database.back_up(tmp_path / "b.sqlite3")
    _judge(desk)
    desk.close()
    restore(desk.workspace, tmp_path / "b.sqlite3", replace=True)
    again = Desk(desk.workspace)
    assert _verdicts(again) == 1
    assert again.people.who(token) is None
    assert again.people.sign_in("cora", "long enough")
    again.close()
    assert (desk.workspace.root / PLACE).with_name("desk.sqlite3.replaced").exists()


def test_a_desk_gives_way_only_if_told_and_never_to_something_else(make_desk, tmp_path):
    desk = make_desk()
    _judge(desk)
    good = tmp_path / "b.sqlite3"
    desk.database.back_up(good)
    with pytest.raises(MiraError, match="expected no desk there"):
        restore(desk.workspace, good)
    (tmp_path / "text").write_text("no desk")
    (tmp_path / "cut").write_bytes(good.read_bytes()[:9000])
    for name in ("text", "cut", "missing"):
        with pytest.raises(MiraError, match="expected a backup"):
            restore(desk.workspace, tmp_path / name, replace=True)
    assert _verdicts(desk) == 1


def test_a_desk_whose_server_runs_is_left_alone(make_desk, tmp_path):
    desk = make_desk()
    desk.database.back_up(tmp_path / "b.sqlite3")
    with desk_in_use(desk.workspace):
        with pytest.raises(MiraError, match="is in use: the app runs"):
            restore(desk.workspace, tmp_path / "b.sqlite3", replace=True)
