"""Which questions of the human baseline are for whom, and in which order."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import orjson

from annotate.desk.roles import Person

_MINE = """
select count(distinct r.item_id) from replies r
join items i on i.item_id = r.item_id and i.item_sha8 = r.item_sha8 and i.is_current
where r.name = :name
"""
_OPEN = """
select i.item_id, i.item_id in (
    select work_id from leases where kind = 'baseline' and until > :now and name = :name
) as is_held
from items i join outcomes o on o.item_id = i.item_id and o.verdict = 'accepted'
where i.is_current
    and instr(i.authors, :quoted) = 0
    and i.item_id not in (
        select item_id from verdicts where reviewer = :name
        union select item_id from answers where name = :name
        union select work_id from looks where kind <> 'answer' and name = :name
    )
    and i.image_id not in (select work_id from looks where kind = 'answer' and name = :name)
    and (i.item_id, i.item_sha8) not in (
        select item_id, item_sha8 from replies where name = :name
    )
    and (
        select count(distinct r.name) from replies r
        where r.item_id = i.item_id and r.item_sha8 = i.item_sha8
    ) + (
        select count(*) from leases l
        where l.kind = 'baseline' and l.work_id = i.item_id and l.until > :now
            and l.name <> :name
    ) < :most
"""


class OpenItem(NamedTuple):
    """A question that somebody may answer.

    Attributes:
        item_id: The question.
        is_held: Whether it is lent to them.
    """

    item_id: str
    is_held: bool


def open_items(
    connection: sqlite3.Connection,
    person: Person,
    *,
    most: int,
    now: datetime,
    item_id: str | None = None,
) -> list[OpenItem]:
    """Settled and accepted questions of which a person has seen nothing, and few others answer.

    Args:
        connection: The desk.
        person: Who.
        most: People who answer the same question.
        now: The moment.
        item_id: Look at this question alone.
    """
    wanted = {
        "name": person.name,
        # As the JSON of authors has it; to read all of that takes longer than all the rest.
        "quoted": orjson.dumps(person.name).decode(),
        "now": now.isoformat(),
        "most": most,
        "item_id": item_id,
    }
    one = "" if item_id is None else " and i.item_id = :item_id"
    rows = connection.execute(_OPEN + one, wanted)
    return [OpenItem(row["item_id"], bool(row["is_held"])) for row in rows]


def own_order(found: Iterable[OpenItem], person: Person, *, skipped: Sequence[str]) -> list[str]:
    """Questions in an order that follows from a person's name, the same on every machine.

    Args:
        found: The questions.
        person: Who answers them.
        skipped: Those that come last, in this order.
    """
    late = {item_id: k for k, item_id in enumerate(skipped)}

    def place(one: OpenItem) -> tuple[bool, int, bytes]:
        digest = hashlib.sha256(f"{person.name} {one.item_id}".encode()).digest()
        return not one.is_held, late.get(one.item_id, -1), digest

    return [one.item_id for one in sorted(found, key=place)]


def count_answered(connection: sqlite3.Connection, person: Person) -> int:
    """Questions that a person answered as they are now."""
    (found,) = connection.execute(_MINE, {"name": person.name}).fetchone()
    return int(found)
