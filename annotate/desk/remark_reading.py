"""Remarks as people are told them: reviewers nothing that another one may still judge by."""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

from annotate.desk.leases import WorkKind
from annotate.desk.roles import Person
from mira.schema.remark import Remark

PAGE = 50
"""Remarks that are told at a time."""
_LAST = 2**62
"""No remark has a number as high."""
_TOLD = """(
    not :is_blind or {0}.item_id is null or {0}.name = :name
    or (select role from people where name = {0}.name) = 'annotator'
    or not exists (
        select 1 from items i
        where i.item_id = {0}.item_id and i.is_current and i.state <> 'settled'
            and not exists (select 1 from json_each(i.authors) where value in ({0}.name, :name))
    )
)"""
"""Two people who may both review a question are not told each other's remarks on it until it is
settled: whoever has not judged it yet may still do so."""
_REMARKS = f"""
select r.id, r.content, s.id is null as is_open,
    case when {_TOLD.format("s")} then s.content end as resolution
from remarks r left join remarks s on s.resolves = r.remark_id
where r.id < :before and {_TOLD.format("r")} and """
_OF_IMAGE = (
    "r.kind in ('flag', 'comment') and r.image_id = :image_id"
    " and (:item_id is null or r.item_id is null or r.item_id = :item_id)"
)
_OPEN_FLAG = "r.kind = 'flag' and s.id is null"


class Noted(NamedTuple):
    """A remark as somebody is told it.

    Attributes:
        remark: A flag or a comment.
        is_open: Whether it is a flag that nobody closed.
        resolution: What closed it; None where nothing did, or where the person is not told what.
        may_resolve: Whether the person may close it.
    """

    remark: Remark
    is_open: bool
    resolution: Remark | None
    may_resolve: bool


class RemarkPage(NamedTuple):
    """Some remarks, the newest first.

    Attributes:
        remarks: At most `PAGE`.
        following: What to ask for the older ones by; None where there are none.
    """

    remarks: tuple[Noted, ...]
    following: int | None


def remarks_of_image(
    reading: sqlite3.Connection,
    person: Person,
    kind: WorkKind,
    image_id: str,
    *,
    item_id: str | None,
    before: int | None,
) -> RemarkPage:
    """Remarks on a picture that a person is told while they do something there."""
    about = {"image_id": image_id, "item_id": item_id}
    return _page(reading, person, kind, _OF_IMAGE, before=before, **about)


def open_flags(reading: sqlite3.Connection, person: Person, *, before: int | None) -> RemarkPage:
    """Flags that nobody closed and a person is told of."""
    return _page(reading, person, "answer", _OPEN_FLAG, before=before)


def count_open(reading: sqlite3.Connection, person: Person) -> int:
    """How many flags are open that a person is told of."""
    wanted = {**_looking(person, "answer"), "before": _LAST}
    counted = f"select count(*) from ({_REMARKS}{_OPEN_FLAG})"
    return int(reading.execute(counted, wanted).fetchone()[0])


def open_flags_by_image(reading: sqlite3.Connection, person: Person) -> dict[str, int]:
    """How many flags are open of each picture that has any, as far as a person is told of them."""
    wanted = {**_looking(person, "answer"), "before": _LAST}
    told = f"select json_extract(content, '$.image_id') as image_id from ({_REMARKS}{_OPEN_FLAG})"
    rows = reading.execute(f"select image_id, count(*) as flags from ({told}) group by 1", wanted)
    return {row["image_id"]: row["flags"] for row in rows}


def find_flag(reading: sqlite3.Connection, person: Person, remark_id: str) -> Noted | None:
    """A flag, open or not; None where there is none that a person is told of."""
    wanted = {**_looking(person, "answer"), "before": _LAST, "remark_id": remark_id}
    named = "r.kind = 'flag' and r.remark_id = :remark_id"
    row = reading.execute(_REMARKS + named, wanted).fetchone()
    return None if row is None else _noted(row, person)


def _page(
    reading: sqlite3.Connection,
    person: Person,
    kind: WorkKind,
    which: str,
    *,
    before: int | None,
    **about: str | None,
) -> RemarkPage:
    wanted = {**_looking(person, kind), "before": before or _LAST, "most": PAGE + 1, **about}
    newest = " order by r.id desc limit :most"
    rows = reading.execute(_REMARKS + which + newest, wanted).fetchall()
    following = rows[PAGE - 1]["id"] if len(rows) > PAGE else None
    return RemarkPage(tuple(_noted(row, person) for row in rows[:PAGE]), following)


def _looking(person: Person, kind: WorkKind) -> dict[str, Any]:
    """Who settles disputes is told all, but not while they review themselves."""
    is_blind = person.may("review") and (kind == "review" or not person.may("adjudicate"))
    return {"name": person.name, "is_blind": is_blind}


def _noted(row: sqlite3.Row, person: Person) -> Noted:
    remark = Remark.from_json(row["content"], where="remarks")
    closing = row["resolution"]
    is_open = remark.kind == "flag" and bool(row["is_open"])
    return Noted(
        remark=remark,
        is_open=is_open,
        resolution=None if closing is None else Remark.from_json(closing, where="remarks"),
        may_resolve=is_open and (person.may("review") or remark.by == person.name),
    )
