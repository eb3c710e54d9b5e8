"""Questions that wait for review, and all that was said of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import orjson

from annotate.desk.database import Database
from mira.reviews import Standing, as_made, authors, item_sha8, standing
from mira.schema.qa import QAItem, ReviewEvent


class ItemImport(NamedTuple):
    """What became of the questions of a workspace.

    Attributes:
        items: Questions that can be reviewed now.
        new: Those that were not there, or say something else now.
        gone: Those that are no longer in the workspace.
    """

    items: int
    new: int
    gone: int


class ItemTable:
    """The questions of a desk, as they were made."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, items: Iterable[QAItem]) -> ItemImport:
        """Take over the questions of a workspace; what was said of them stays."""
        count = new = 0
        with self._database.write() as writing:
            writing.execute("update items set is_current = 0")
            for item in map(as_made, items):
                shown = item_sha8(item)
                kept = writing.execute(
                    "select item_sha8 from items where item_id = ?", (item.item_id,)
                ).fetchone()
                new += kept is None or kept["item_sha8"] != shown
                row = (
                    *(item.item_id, count, item.scene_id, item.image_id, item.template_id, shown),
                    *(orjson.dumps(sorted(authors(item))).decode(), item.model_dump_json()),
                )
                writing.execute(
                    "insert or replace into items (item_id, place, scene_id, image_id,"
                    " template_id, item_sha8, authors, content) values (?, ?, ?, ?, ?, ?, ?, ?)",
                    row,
                )
                if kept is not None:
                    note_standing(writing, item)
                count += 1
            (gone,) = writing.execute("select count(*) from items where not is_current").fetchone()
        return ItemImport(count, new, gone)

    def get(self, item_id: str) -> QAItem | None:
        """A question that can be reviewed; None where there is none."""
        row = (
            self._database.connection()
            .execute("select content from items where item_id = ? and is_current", (item_id,))
            .fetchone()
        )
        return None if row is None else QAItem.from_json(row["content"], where=item_id)

    def all(self) -> Iterator[QAItem]:
        """All questions that can be reviewed, in the order of the workspace."""
        rows = self._database.connection().execute(
            "select item_id, content from items where is_current order by place"
        )
        for row in rows:
            yield QAItem.from_json(row["content"], where=row["item_id"])


def note_standing(writing: sqlite3.Connection, item: QAItem) -> Standing:
    """Keep where a question stands beside it, so that it is found without reading any."""
    found = standing(item, events_of(writing, item.item_id))
    writing.execute(
        "update items set state = ?, given = ? where item_id = ?",
        (found.state, len(found.verdicts), item.item_id),
    )
    writing.execute("delete from outcomes where item_id = ?", (item.item_id,))
    if found.decided is not None:
        outcome = (item.item_id, found.decided.verdict)
        writing.execute("insert into outcomes values (?, ?)", outcome)
    return found


def events_of(connection: sqlite3.Connection, item_id: str) -> list[ReviewEvent]:
    """What was said of a question, in the order it was said."""
    rows = connection.execute(
        "select content from verdicts where item_id = ? order by id", (item_id,)
    )
    return [ReviewEvent.from_json(row["content"], where=item_id) for row in rows]


def all_events(connection: sqlite3.Connection) -> dict[str, list[ReviewEvent]]:
    """What was said of all questions, by question."""
    found: dict[str, list[ReviewEvent]] = {}
    for row in connection.execute("select item_id, content from verdicts order by id"):
        event = ReviewEvent.from_json(row["content"], where=row["item_id"])
        found.setdefault(event.item_id, []).append(event)
    return found
