"""Answers to open questions; they are only ever added, and the newest of a person counts."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from annotate.desk.database import Database
from annotate.desk.roles import Person
from mira.schema.proposal import PersonAnswer

_TAKEN_BACK = "null"
_NEWEST = f"""
select item_id, image_id, name, content from answers a
where id = (select max(id) from answers b where b.item_id = a.item_id and b.name = a.name)
    and content <> '{_TAKEN_BACK}'
"""


class AnswerTable:
    """The answers of a desk."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        writing: sqlite3.Connection,
        person: Person,
        item_id: str,
        image_id: str,
        answer: PersonAnswer | None,
        *,
        token: str,
        now: datetime,
    ) -> None:
        """Add an answer of a person; None takes back what they said before."""
        content = _TAKEN_BACK if answer is None else answer.model_dump_json()
        writing.execute(
            "insert into answers (item_id, image_id, name, content, at, token)"
            " values (?, ?, ?, ?, ?, ?)",
            (item_id, image_id, person.name, content, now.isoformat(), token),
        )

    def newest(self, name: str, *, image_id: str | None = None) -> dict[str, PersonAnswer]:
        """What a person says now, by item; of one picture, or of all."""
        rows = self._database.connection().execute(
            f"{_NEWEST} and name = :name and (:image_id is null or image_id = :image_id)",
            {"name": name, "image_id": image_id},
        )
        return {
            row["item_id"]: PersonAnswer.from_json(row["content"], where=row["item_id"])
            for row in rows
        }

    def taken_back(self, name: str) -> frozenset[str]:
        """Questions of which a person took back what they had said."""
        rows = self._database.connection().execute(
            "select item_id from answers a where name = :name and content = :none and"
            " id = (select max(id) from answers b where b.item_id = a.item_id and b.name = a.name)",
            {"name": name, "none": _TAKEN_BACK},
        )
        return frozenset(row["item_id"] for row in rows)

    def answered_by_others(self, name: str, image_id: str) -> frozenset[str]:
        """Questions of a picture that others than a person have answered."""
        rows = self._database.connection().execute(
            f"{_NEWEST} and name <> :name and image_id = :image_id",
            {"name": name, "image_id": image_id},
        )
        return frozenset(row["item_id"] for row in rows)

    def notes(self, item_id: str) -> list[tuple[str, str]]:
        """What people added to their answers to a question: name and note."""
        rows = self._database.connection().execute(
            f"{_NEWEST} and item_id = :item_id order by name", {"item_id": item_id}
        )
        found = (PersonAnswer.from_json(row["content"], where=item_id) for row in rows)
        return [(one.by, one.note) for one in found if one.note]

    def counts(self, name: str) -> dict[str, tuple[int, int]]:
        """Questions that a person, and that others have answered, by picture."""
        rows = self._database.connection().execute(
            "select image_id, sum(name = :name) as mine,"
            " count(distinct case when name <> :name then item_id end) as others"
            f" from ({_NEWEST}) group by image_id",
            {"name": name},
        )
        return {row["image_id"]: (row["mine"], row["others"]) for row in rows}
