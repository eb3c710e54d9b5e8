"""What somebody has begun to say and not said yet: kept at every change."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime

from annotate.desk import leases
from annotate.desk.database import Database
from annotate.desk.leases import WorkKind
from annotate.desk.roles import Act, Person
from annotate.desk.texts import require_short

ACT: dict[WorkKind, Act] = {
    "answer": "answer",
    "review": "review",
    "adjudicate": "adjudicate",
    "baseline": "answer",
}
"""What somebody has to be allowed to do work of a kind."""


class Drafts:
    """Drafts of all people."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database, self._clock = database, clock

    def keep(self, person: Person, kind: WorkKind, work_id: str, content: str, *, seq: int) -> int:
        """Keep what a person has begun; an older number than the kept one changes nothing.

        Returns:
            The number that is kept.

        Raises:
            DeskError: The role does not allow it, it is too long, or the lease has run out.
        """
        person.require(ACT[kind])
        require_short("draft", content)
        now = self._clock()
        with self._database.write() as writing:
            leases.require(writing, kind, work_id, person, now=now)
            kept = writing.execute(
                "insert into drafts values (?, ?, ?, ?, ?, ?)"
                " on conflict (kind, work_id, name) do update set"
                " seq = excluded.seq, content = excluded.content, at = excluded.at"
                " where excluded.seq >= drafts.seq returning seq",
                (kind, work_id, person.name, seq, content, now.isoformat()),
            ).fetchone()
            kept = kept or kept_draft(writing, kind, work_id, person)
        return int(kept["seq"]) if kept else seq


def kept_draft(
    connection: sqlite3.Connection, kind: WorkKind, work_id: str, person: Person
) -> sqlite3.Row | None:
    """A person's draft: `seq` and `content`; None without one."""
    found: sqlite3.Row | None = connection.execute(
        "select seq, content from drafts where kind = ? and work_id = ? and name = ?",
        (kind, work_id, person.name),
    ).fetchone()
    return found
