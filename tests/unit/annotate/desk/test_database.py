"""Desks of older versions open with all they have."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from baseline_people import CORA, next_for

from annotate.desk.backup import PLACE
from annotate.desk.database import VERSION, Database
from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.store.workspace import Workspace

EMIL = Person("emil", "admin")
GOLDEN = Path(__file__).parents[3] / "golden" / "desk"


def test_a_desk_of_the_first_version_opens_with_all_it_has(tmp_path, make_desk, clock):
    workspace = make_desk(items=3).workspace
    other = Workspace.create(tmp_path / "other")
    path = other.root / PLACE
    path.parent.mkdir()
    old = sqlite3.connect(path)
    old.executescript((GOLDEN / "v1.sql").read_text("utf-8"))
    old.close()
    desk = Desk(other, clock=clock)
    desk.reviews.items.replace(workspace.items())
    assert desk.people.sign_in("cora", "long enough")
    assert desk.figures().accepted == 1
    assert desk.reviews.next_task(CORA, "review").draft == '{"verdict": "rejected"}'
    assert next_for(desk, EMIL).item.item_id == "mc_001-0000"
    desk.close()
    again = Database(path)
    assert again.connection().execute("pragma user_version").fetchone()[0] == VERSION
    again.close()


def test_an_old_desk_gets_the_tables_of_a_new_one(tmp_path):
    old = sqlite3.connect(tmp_path / "old.sqlite3")
    old.executescript((GOLDEN / "v1.sql").read_text("utf-8"))
    old.close()
    wanted = "select name, sql from sqlite_master where sql is not null order by name"
    found = []
    for name in ("old", "new"):
        database = Database(tmp_path / f"{name}.sqlite3")
        found.append([tuple(row) for row in database.connection().execute(wanted)])
        database.close()
    normal = [[(name, " ".join(sql.split()).casefold()) for name, sql in one] for one in found]
    assert normal[0] == normal[1]
