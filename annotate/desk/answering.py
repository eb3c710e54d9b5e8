"""Answering: who has which picture, and what they say of its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol

import orjson
from pydantic import ValidationError

from annotate.desk import leases
from annotate.desk.database import Database
from annotate.desk.drafts import Drafts, kept_draft
from annotate.desk.roles import Person
from annotate.desk.texts import require_short
from annotate.desk.tokens import is_used
from mira.errors import DeskError
from mira.schema.proposal import OpenQuestion, PersonAnswer
from mira.schema.record import describe_fault
from mira.taxonomy.catalogue import taxonomy


class Questions(Protocol):
    """Who knows what may be asked; the desk itself knows nothing of templates and geometry."""

    def image_ids(self) -> tuple[str, ...]:
        """Pictures that may be asked about."""

    def questions(self, image_id: str) -> tuple[OpenQuestion, ...]:
        """What may be asked of a picture."""


class Sheet(NamedTuple):
    """A picture on somebody's desk.

    Attributes:
        image_id: The picture.
        questions: What may be asked of it.
        answers: The person's own newest answers, by item.
        answered: Items that anybody has answered.
        draft: What the person had begun; None without.
        draft_seq: Number of that draft; 0 without one.
    """

    image_id: str
    questions: tuple[OpenQuestion, ...]
    answers: dict[str, PersonAnswer]
    answered: frozenset[str]
    draft: str | None
    draft_seq: int


class AnswerDesk:
    """Use cases of who answers; every one checks role and lease."""

    def __init__(
        self, database: Database, questions: Questions, clock: Callable[[], datetime]
    ) -> None:
        self._database, self._questions, self._clock = database, questions, clock
        self._drafts = Drafts(database, clock)

    def next_sheet(self, person: Person) -> Sheet | None:
        """The picture that a person is to answer next, lent to them; None where none waits.

        What they have already comes first; then pictures that they have not answered anything of.

        Raises:
            DeskError: The role does not allow it.
        """
        person.require("answer")
        rows = self._database.connection().execute(
            "select distinct image_id, name = ? as mine from answers", (person.name,)
        )
        begun = {row["image_id"] for row in rows if row["mine"]}
        held = leases.lent(self._database.connection(), "answer", now=self._clock())
        order = sorted(
            self._questions.image_ids(),
            key=lambda one: (person.name not in held.get(one, ()), one in begun),
        )
        for image_id in order:
            mine = person.name in held.get(image_id, ())
            if (image_id in begun and not mine) or not self._questions.questions(image_id):
                continue
            if self._lend(person, image_id):
                return self._sheet(person, image_id)
        return None

    def open(self, person: Person, image_id: str) -> Sheet:
        """A certain picture, lent to a person.

        Raises:
            DeskError: There is none, or somebody else has it.
        """
        person.require("answer")
        if image_id not in self._questions.image_ids():
            raise DeskError(image_id, "is no picture that can be asked about", code="no-such-item")
        if not self._lend(person, image_id):
            raise DeskError(image_id, "is on somebody else's desk", "wait", code="lent")
        return self._sheet(person, image_id)

    def answer(
        self,
        person: Person,
        item_id: str,
        image_id: str,
        said: Mapping[str, Any] | None,
        *,
        token: str,
        note: str | None = None,
    ) -> PersonAnswer | None:
        """Take an answer, or take one back; the same token again changes nothing.

        Args:
            person: Who answers.
            item_id: The question.
            image_id: Its picture.
            said: The answer as its record has it, without the format; None takes it back.
            token: Made by whoever sends it, once for each answer.
            note: What the person adds.

        Returns:
            The answer as it is kept; None where it was taken back.

        Raises:
            DeskError: The role does not allow it, the lease has run out, there is no such question,
                or the answer is none to it.
        """
        person.require("answer")
        require_short("note", note or "")
        question = self._question(image_id, item_id)
        now = self._clock()
        kept = None if said is None else _answer(question, person, said, note, now)
        content = b"null" if kept is None else kept.model_dump_json().encode()
        with self._database.write() as writing:
            if is_used(writing, "answers", token, item_id, person):
                return kept
            leases.require(writing, "answer", image_id, person, now=now)
            writing.execute(
                "insert into answers (item_id, image_id, name, content, at, token)"
                " values (?, ?, ?, ?, ?, ?)",
                (item_id, image_id, person.name, content.decode(), now.isoformat(), token),
            )
        return kept

    def keep_draft(self, person: Person, image_id: str, content: str, *, seq: int) -> int:
        """Keep what a person has begun to say of a picture; see `Drafts.keep`."""
        return self._drafts.keep(person, "answer", image_id, content, seq=seq)

    def leave(self, person: Person, image_id: str) -> None:
        """Give a picture back; answers and draft stay."""
        with self._database.write() as writing:
            leases.give_back(writing, "answer", image_id, person)

    def newest(self, name: str) -> dict[str, PersonAnswer]:
        """The newest answers of a person that were not taken back, by item."""
        rows = self._database.connection().execute(
            "select item_id, content from answers where name = ? order by id", (name,)
        )
        found: dict[str, PersonAnswer] = {}
        for row in rows:
            found.pop(row["item_id"], None)
            if row["content"] != "null":
                answer = PersonAnswer.from_json(row["content"], where=row["item_id"])
                found[answer.item_id] = answer
        return found

    def _question(self, image_id: str, item_id: str) -> OpenQuestion:
        if image_id in self._questions.image_ids():
            for question in self._questions.questions(image_id):
                if question.item_id == item_id:
                    return question
        raise DeskError(item_id, "is no question that can be asked", code="no-such-item")

    def _lend(self, person: Person, image_id: str) -> bool:
        with self._database.write() as writing:
            return leases.take(writing, "answer", image_id, person, most=1, now=self._clock())

    def _sheet(self, person: Person, image_id: str) -> Sheet:
        reading = self._database.connection()
        own = {
            key: one for key, one in self.newest(person.name).items() if one.image_id == image_id
        }
        answered = reading.execute(
            "select distinct item_id from answers where image_id = ?", (image_id,)
        )
        draft = kept_draft(reading, "answer", image_id, person)
        return Sheet(
            image_id=image_id,
            questions=self._questions.questions(image_id),
            answers=own,
            answered=frozenset(row["item_id"] for row in answered),
            draft=draft["content"] if draft else None,
            draft_seq=draft["seq"] if draft else 0,
        )


def _answer(
    question: OpenQuestion,
    person: Person,
    said: Mapping[str, Any],
    note: str | None,
    now: datetime,
) -> PersonAnswer:
    template = taxonomy().template(question.template_id)
    content = {
        "item_id": question.item_id,
        "template_id": question.template_id,
        "image_id": question.image_id,
        "slots": question.slots,
        "direction": question.direction,
        "answer": {**said, "format": template.format},
        "by": person.name,
        "at": now,
        "note": note or None,
    }
    try:
        found = PersonAnswer.model_validate(orjson.loads(orjson.dumps(content)))
    except (ValidationError, TypeError, ValueError) as error:
        text = describe_fault(error) if isinstance(error, ValidationError) else str(error)
        raise DeskError(question.item_id, text, code="bad-answer") from None
    value = getattr(found.answer, "value", None)
    if question.choices and value not in question.choices:
        problem = f"expected {' or '.join(question.choices)}, found {value!r}"
        raise DeskError(question.item_id, problem, code="bad-answer")
    require_short("text", getattr(found.answer, "text", None) or "")
    return found
