"""The human baseline: people answer settled questions as a model would, knowing nothing more."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from annotate.desk import leases
from annotate.desk.baseline_order import OpenItem, count_answered, open_items, own_order
from annotate.desk.database import Database
from annotate.desk.items import ItemTable, events_of
from annotate.desk.replies import reply_text, reply_words
from annotate.desk.roles import Person
from annotate.desk.tokens import is_used
from mira.errors import DeskError
from mira.questions import asked_sha8, question_id, question_sha8
from mira.reviews import as_made, item_sha8, reviewed
from mira.schema.baseline import BaselineReply
from mira.schema.qa import Modality, Protocol, QAItem, Wording

MOST_PEOPLE = 3
"""People who answer the same question."""
MOST_SECONDS = 3600.0
"""Who looks longer was away."""


class Asked(NamedTuple):
    """A question as it is put to somebody.

    Attributes:
        item: As review leaves it.
        wording: How it points at objects.
        shown: Digest of what is asked, to be given back with the reply.
    """

    item: QAItem
    wording: Wording
    shown: str


class Share(NamedTuple):
    """How far somebody is.

    Attributes:
        mine: Questions that they have answered.
        items: Those, and what they may still answer.
    """

    mine: int
    items: int


class BaselineDesk:
    """Use cases of who answers as a model would.

    Args:
        database: Where questions and replies are.
        clock: Tells the time.
        most: People who answer the same question.
    """

    def __init__(
        self, database: Database, clock: Callable[[], datetime], *, most: int = MOST_PEOPLE
    ) -> None:
        self._database, self._clock, self._most = database, clock, most
        self._items = ItemTable(database)

    def next_question(
        self, person: Person, protocol: Protocol, *, skipped: Sequence[str] = ()
    ) -> Asked | None:
        """The question that a person is to answer next, lent to them; None where none waits.

        They are settled and accepted ones of which the person has seen nothing, in an order of
        their own; what they have already comes first.

        Args:
            person: Who.
            protocol: How it is to point at objects.
            skipped: Questions that come after all others, in this order.

        Raises:
            DeskError: The role does not allow it.
        """
        person.require("answer")
        found = self._open(self._database.connection(), person)
        for item_id in own_order(found, person, skipped=skipped):
            asked = self._asked(item_id, protocol)
            # Others may have been quicker.
            if asked is not None and self._lend(item_id, person):
                return asked
        return None

    def open(self, person: Person, item_id: str, protocol: Protocol) -> Asked:
        """A certain question, lent to a person.

        Raises:
            DeskError: There is none, or it is not for this person.
        """
        person.require("answer")
        asked = self._asked(item_id, protocol)
        if asked is None:
            raise DeskError(item_id, "is no question to be answered", code="no-such-item")
        if not self._lend(item_id, person):
            problem = "does not wait for you: you made, judged or answered it, or others have it"
            raise DeskError(item_id, problem, code="not-open")
        return asked

    def reply(
        self,
        person: Person,
        item_id: str,
        said: Mapping[str, Any],
        *,
        protocol: Protocol,
        modality: Modality,
        shown: str,
        token: str,
        seconds: float | None = None,
    ) -> None:
        """Take a reply; the same token again changes nothing.

        Args:
            person: Who answers.
            item_id: The question.
            said: The answer as its record has it, without the format.
            protocol: How the question pointed at objects.
            modality: The pictures that were shown.
            shown: Digest of what was asked.
            token: Made by whoever sends it, once for each reply.
            seconds: How long they looked.

        Raises:
            DeskError: The role does not allow it, the lease has run out, the question has changed,
                or the answer is none to it.
        """
        person.require("answer")
        now = self._clock()
        with self._database.write() as writing:
            if is_used(writing, "replies", token, item_id, person):
                return
            asked = self._asked(item_id, protocol)
            if asked is None or asked.shown != shown:
                raise DeskError(item_id, "has changed meanwhile", "look again", code="changed")
            leases.require(writing, "baseline", item_id, person, now=now)
            item, wording = asked.item, asked.wording
            reply = BaselineReply(
                question_id=question_id(item, wording.protocol),
                answer=reply_text(item, said),
                words=reply_words(item, said),
                question_sha8=question_sha8(wording, item),
                asked_sha8=shown,
                item_id=item_id,
                item_sha8=item_sha8(as_made(item)),
                protocol=wording.protocol,
                modality=modality,
                by=person.name,
                at=now,
                seconds=None if seconds is None else round(min(seconds, MOST_SECONDS), 1),
            )
            writing.execute(
                "insert into replies (item_id, item_sha8, name, content, at, token)"
                " values (?, ?, ?, ?, ?, ?)",
                (
                    *(item_id, reply.item_sha8, person.name, reply.model_dump_json()),
                    *(now.isoformat(), token),
                ),
            )
            leases.give_back(writing, "baseline", item_id, person)

    def leave(self, person: Person, item_id: str) -> None:
        """Give a question back."""
        with self._database.write() as writing:
            leases.give_back(writing, "baseline", item_id, person)

    def share(self, person: Person) -> Share:
        """How far a person is."""
        reading = self._database.connection()
        mine = count_answered(reading, person)
        return Share(mine, mine + len(self._open(reading, person)))

    def _open(
        self, connection: sqlite3.Connection, person: Person, item_id: str | None = None
    ) -> list[OpenItem]:
        now = self._clock()
        return open_items(connection, person, most=self._most, now=now, item_id=item_id)

    def _asked(self, item_id: str, protocol: Protocol) -> Asked | None:
        """A question that is asked in this protocol; None where none is."""
        made = self._items.get(item_id)
        if made is None:
            return None
        item = reviewed(made, events_of(self._database.connection(), item_id))
        # What points at nothing is asked in one way alone, which is every way.
        fitting = [one for one in item.wordings if one.protocol == protocol or not item.marks]
        wording = fitting[0] if fitting else None
        if item.review != "accepted" or wording is None:
            return None
        return Asked(item, wording, asked_sha8(wording, item))

    def _lend(self, item_id: str, person: Person) -> bool:
        with self._database.write() as writing:
            if not self._open(writing, person, item_id):
                return False
            now = self._clock()
            return leases.take(writing, "baseline", item_id, person, most=self._most, now=now)
