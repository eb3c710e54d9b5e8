"""Work is lent for a time: two people do not do the same, and what somebody left comes back."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from typing import Literal

from annotate.desk.roles import Person
from mira.errors import DeskError

WorkKind = Literal["answer", "review", "adjudicate", "baseline"]
"""What is done with it."""
LEASE = timedelta(minutes=30)
"""Lent so long; every draft and answer lends it anew."""


def take(
    writing: sqlite3.Connection,
    kind: WorkKind,
    work_id: str,
    person: Person,
    *,
    most: int,
    now: datetime,
) -> bool:
    """Lend work to somebody, or lend it on.

    Args:
        writing: A transaction.
        kind: What is done with it.
        work_id: The work.
        person: Who is to have it.
        most: People who may have it at a time.
        now: The moment.

    Returns:
        Whether it is theirs.
    """
    writing.execute("delete from leases where until <= ?", (now.isoformat(),))
    (others,) = writing.execute(
        "select count(*) from leases where kind = ? and work_id = ? and name <> ?",
        (kind, work_id, person.name),
    ).fetchone()
    if others >= most:
        return False
    writing.execute(
        "insert or replace into leases values (?, ?, ?, ?)",
        (kind, work_id, person.name, (now + LEASE).isoformat()),
    )
    # Who has seen what is right is no use for the baseline, whatever becomes of the work.
    if kind != "baseline":
        look = (kind, work_id, person.name)
        writing.execute("insert or ignore into looks values (?, ?, ?)", look)
    return True


def give_back(writing: sqlite3.Connection, kind: WorkKind, work_id: str, person: Person) -> None:
    """End a lease."""
    writing.execute(
        "delete from leases where kind = ? and work_id = ? and name = ?",
        (kind, work_id, person.name),
    )


def lent(connection: sqlite3.Connection, kind: WorkKind, *, now: datetime) -> dict[str, set[str]]:
    """Who has what, by work."""
    rows = connection.execute(
        "select work_id, name from leases where kind = ? and until > ?", (kind, now.isoformat())
    )
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row["work_id"], set()).add(row["name"])
    return found


def require(
    writing: sqlite3.Connection, kind: WorkKind, work_id: str, person: Person, *, now: datetime
) -> None:
    """Raise unless somebody has the work, and lend it on.

    Raises:
        DeskError: The lease has run out; somebody else may have it.
    """
    found = writing.execute(
        "update leases set until = ? where kind = ? and work_id = ? and name = ? and until > ?",
        ((now + LEASE).isoformat(), kind, work_id, person.name, now.isoformat()),
    )
    if not found.rowcount:
        problem = f"is no longer lent to {person.name}"
        raise DeskError(work_id, problem, "open it again", code="lease-lost")
