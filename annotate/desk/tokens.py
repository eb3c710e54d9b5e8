"""Whoever sends something twice, because nobody answered, has it counted once."""

from __future__ import annotations

import sqlite3
from typing import Literal

from annotate.desk.roles import Person
from mira.errors import DeskError

_WHO = {"verdicts": "reviewer", "answers": "name", "replies": "name"}


def is_used(
    writing: sqlite3.Connection,
    table: Literal["verdicts", "answers", "replies"],
    token: str,
    item_id: str,
    person: Person,
) -> bool:
    """Whether what a token was made for is kept already.

    Raises:
        DeskError: The token was made for something else, so that what comes with it would be lost.
    """
    row = writing.execute(
        f"select item_id, {_WHO[table]} as name from {table} where token = ?", (token,)
    ).fetchone()
    if row is not None and (row["item_id"], row["name"]) != (item_id, person.name):
        raise DeskError(item_id, "comes with a token of something else", code="bad-token")
    return row is not None
