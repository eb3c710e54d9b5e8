"""Review and adjudication: who gets which question, and what they may say of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import orjson

from annotate.desk import leases
from annotate.desk.database import Database
from annotate.desk.drafts import ACT, kept_draft
from annotate.desk.items import ItemTable, events_of, note_standing
from annotate.desk.leases import WorkKind
from annotate.desk.roles import Person
from annotate.desk.texts import require_short
from annotate.desk.tokens import is_used
from mira.errors import DeskError
from mira.reviews import REVIEWERS, Standing, State, authors, edit_fault, item_sha8, standing
from mira.schema.qa import ItemEdit, QAItem, ReviewDoubt, ReviewEvent, Verdict

_STATE: dict[WorkKind, State] = {"review": "waiting", "adjudicate": "disputed"}
_LOOKS = 3
_WAITING = """
select i.item_id from items i
where i.is_current and i.state = :state
    and (:templates is null or i.template_id in (select value from json_each(:templates)))
    and (not :by_people or json_extract(i.content, '$.source') = 'annotator')
    and not exists (select 1 from json_each(i.authors) where value = :name)
    and not exists (select 1 from answers a where a.item_id = i.item_id and a.name = :name)
    and not exists (
        select 1 from verdicts v
        where v.item_id = i.item_id and v.item_sha8 = i.item_sha8 and v.reviewer = :name
    )
    and (
        select count(*) from leases l
        where l.kind = :kind and l.work_id = i.item_id and l.until > :now and l.name <> :name
    ) < :most - :per * i.given
order by
    not exists (
        select 1 from leases l
        where l.kind = :kind and l.work_id = i.item_id and l.until > :now and l.name = :name
    ),
    exists (select 1 from json_each(:skipped) where value = i.item_id),
    i.given desc, i.place
limit 16
"""


class Task(NamedTuple):
    """A question on somebody's desk.

    Attributes:
        kind: What is to be done with it.
        item: The question, as made.
        item_sha8: Digest of what is shown, to be given back with the verdict.
        verdicts: What others said: only for who settles a dispute.
        draft: What the person had begun to say.
        draft_seq: Number of that draft; 0 without one.
    """

    kind: WorkKind
    item: QAItem
    item_sha8: str
    verdicts: tuple[ReviewEvent, ...]
    draft: str | None
    draft_seq: int


class ReviewDesk:
    """Use cases of reviewers and adjudicators; every one checks role, authorship and lease."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database, self._clock = database, clock
        self.items = ItemTable(database)

    def next_task(
        self,
        person: Person,
        kind: WorkKind,
        *,
        skipped: Sequence[str] = (),
        templates: Sequence[str] | None = None,
        by_people: bool = False,
    ) -> Task | None:
        """The question that a person is to look at next, lent to them; None where none waits.

        What they have already comes first, then disputes or half-reviewed questions, then others.

        Args:
            person: Who.
            kind: What they are to do with it.
            skipped: Questions that come last.
            templates: Only questions of these; None for all.
            by_people: Only questions that people answered.

        Raises:
            DeskError: The role does not allow it.
        """
        person.require(ACT[kind])
        wanted = {
            "skipped": orjson.dumps(list(skipped)).decode(),
            "templates": None if templates is None else orjson.dumps(list(templates)).decode(),
            "by_people": by_people,
        }
        # Others may be quicker with all that is found; then there may be more.
        for _ in range(_LOOKS):
            for row in self._waiting(person, kind, wanted):
                task = self._lend(self._item(row["item_id"]), person, kind)
                if task is not None:
                    return task
        return None

    def _waiting(
        self, person: Person, kind: WorkKind, which: Mapping[str, Any]
    ) -> list[sqlite3.Row]:
        """A few questions that a person may judge, best first; others may take them meanwhile."""
        wanted = {
            **which,
            "state": _STATE[kind],
            "name": person.name,
            "kind": kind,
            "now": self._clock().isoformat(),
            "most": 1 if kind == "adjudicate" else REVIEWERS,
            "per": 0 if kind == "adjudicate" else 1,
        }
        return self._database.connection().execute(_WAITING, wanted).fetchall()

    def open(self, person: Person, kind: WorkKind, item_id: str) -> Task:
        """A certain question, lent to a person.

        Raises:
            DeskError: There is none, it is the person's own, it does not wait, or others have it.
        """
        person.require(ACT[kind])
        item = self._item(item_id)
        events = events_of(self._database.connection(), item_id)
        if not self._is_open(item, person, kind, events):
            raise DeskError(item_id, _why_closed(item, person, events), code="not-open")
        task = self._lend(item, person, kind)
        if task is None:
            raise DeskError(item_id, "is on other people's desks", "wait", code="lent")
        return task

    def judge(
        self,
        person: Person,
        kind: WorkKind,
        item_id: str,
        *,
        verdict: Verdict,
        shown: str,
        token: str,
        reason: str | None = None,
        doubts: Sequence[ReviewDoubt] = (),
        edit: ItemEdit | None = None,
    ) -> Standing:
        """Take a verdict; the same token again changes nothing.

        Args:
            person: Who judges.
            kind: `review` or `adjudicate`.
            item_id: The question.
            verdict: `accepted` or `rejected`.
            shown: Digest of what the person saw.
            token: Made by whoever sends it, once for each verdict.
            reason: Why, in words.
            doubts: What is wrong with it.
            edit: What has to change for the verdict to hold.

        Returns:
            Where the question stands now.

        Raises:
            DeskError: The role does not allow it, the lease has run out, the question has changed,
                is the person's own, or a correction does not fit it.
        """
        person.require(ACT[kind])
        require_short("reason", reason or "")
        item = self._item(item_id)
        now = self._clock()
        with self._database.write() as writing:
            if is_used(writing, "verdicts", token, item_id, person):
                return standing(item, events_of(writing, item_id))
            if item_sha8(item) != shown:
                raise DeskError(item_id, "has changed meanwhile", "look again", code="changed")
            if self._is_own(item, person):
                raise DeskError(item_id, "rests on your own work", code="own-work")
            leases.require(writing, kind, item_id, person, now=now)
            event = ReviewEvent(
                item_id=item_id,
                reviewer=person.name,
                at=now,
                verdict=verdict,
                edit=edit,
                reason=reason or None,
                doubts=tuple(doubts),
                role="adjudicator" if kind == "adjudicate" else "reviewer",
                item_sha8=shown,
            )
            if fault := edit_fault(item, event):
                raise DeskError(item_id, f"the correction: {fault}", code="bad-edit")
            writing.execute(
                "insert into verdicts (item_id, item_sha8, reviewer, role, content, at, token)"
                " values (?, ?, ?, ?, ?, ?, ?)",
                (
                    *(item_id, shown, person.name, event.role, event.model_dump_json()),
                    *(now.isoformat(), token),
                ),
            )
            leases.give_back(writing, kind, item_id, person)
            writing.execute(
                "delete from drafts where kind = ? and work_id = ? and name = ?",
                (kind, item_id, person.name),
            )
            return note_standing(writing, item)

    def _item(self, item_id: str) -> QAItem:
        item = self.items.get(item_id)
        if item is None:
            raise DeskError(item_id, "is no question that waits for review", code="no-such-item")
        return item

    def _is_own(self, item: QAItem, person: Person) -> bool:
        """Whether a question rests on somebody's work, or will once what was said here goes out."""
        if person.name in authors(item):
            return True
        wanted = "select 1 from answers where item_id = ? and name = ? limit 1"
        rows = self._database.connection().execute(wanted, (item.item_id, person.name))
        return rows.fetchone() is not None

    def _is_open(
        self, item: QAItem, person: Person, kind: WorkKind, events: list[ReviewEvent]
    ) -> bool:
        """Whether somebody may judge a question: it waits, is not theirs, and they have not yet."""
        if self._is_own(item, person):
            return False
        found = standing(item, events)
        if any(event.reviewer == person.name for event in found.verdicts):
            return False
        return found.state == _STATE[kind]

    def _lend(self, item: QAItem, person: Person, kind: WorkKind) -> Task | None:
        with self._database.write() as writing:
            events = events_of(writing, item.item_id)
            # Others may have judged it since it was chosen.
            if not self._is_open(item, person, kind, events):
                return None
            given = len(standing(item, events).verdicts)
            most = 1 if kind == "adjudicate" else REVIEWERS - given
            now = self._clock()
            if not leases.take(writing, kind, item.item_id, person, most=most, now=now):
                return None
            draft = kept_draft(writing, kind, item.item_id, person)
        return Task(
            kind=kind,
            item=item,
            item_sha8=item_sha8(item),
            verdicts=standing(item, events).verdicts if kind == "adjudicate" else (),
            draft=draft["content"] if draft else None,
            draft_seq=draft["seq"] if draft else 0,
        )


def _why_closed(item: QAItem, person: Person, events: list[ReviewEvent]) -> str:
    found = standing(item, events)
    if person.name in authors(item):
        return "rests on your own work"
    if any(event.reviewer == person.name for event in found.verdicts):
        return "was judged by you already"
    return "waits for others" if found.state != "settled" else "is settled already"
