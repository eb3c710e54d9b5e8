"""A desk of an older program goes on with all that is in it."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib import resources

import pytest

from annotate.desk.backup import restore
from annotate.desk.database import Database
from annotate.desk.desk import Desk
from annotate.desk.migrations import STEPS, VERSION
from annotate.desk.roles import Person
from mira.errors import MiraError
from mira.store.workspace import Workspace

CORA = Person("cora", "reviewer")


@pytest.fixture
def first_desk(tmp_path):
    """A desk as the first program made it, with a person."""
    path = tmp_path / "first.sqlite3"
    with closing(sqlite3.connect(path)) as writing:
        writing.executescript(resources.files("annotate.desk").joinpath(STEPS[0]).read_text())
        writing.execute("insert into people values ('cora', 'reviewer', 'x', '2026', 1)")
        writing.execute("pragma user_version = 1")
        writing.commit()
    return path


def _tables(path):
    with closing(Database(path)) as database:
        rows = database.connection().execute("select sql from sqlite_schema order by name")
        return [row["sql"] for row in rows]


def test_an_older_desk_has_the_tables_of_a_new_one_and_keeps_its_people(first_desk, tmp_path):
    assert _tables(first_desk) == _tables(tmp_path / "new.sqlite3")
    with closing(sqlite3.connect(first_desk)) as reading:
        assert reading.execute("pragma user_version").fetchone() == (VERSION,)
        assert reading.execute("select name from people").fetchone() == ("cora",)


def test_many_who_open_an_older_desk_at_once_bring_it_up_once(first_desk):
    with ThreadPoolExecutor(8) as pool:
        for database in pool.map(lambda _: Database(first_desk), range(8)):
            database.close()
    assert len(_tables(first_desk)) == len(_tables(first_desk.with_name("new.sqlite3")))


def test_a_backup_of_an_older_desk_is_brought_back_and_worked_with(first_desk, tmp_path):
    workspace = Workspace.create(tmp_path / "w")
    restore(workspace, first_desk)
    desk = Desk(workspace)
    desk.remarks.add(CORA, "flag", "i0", "blurred", token="t")
    assert desk.remarks.count_open(CORA) == 1
    desk.close()


def test_a_desk_of_a_newer_program_is_left_alone(first_desk):
    with closing(sqlite3.connect(first_desk)) as writing:
        writing.execute(f"pragma user_version = {VERSION + 1}")
    with pytest.raises(MiraError, match=f"reads version {VERSION} of it, found {VERSION + 1}"):
        Database(first_desk)
