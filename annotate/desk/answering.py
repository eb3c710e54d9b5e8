"""Answering: who has which picture, and what they say of its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from annotate.desk import leases
from annotate.desk.answers import AnswerTable
from annotate.desk.database import Database
from annotate.desk.descriptions import Descriptions
from annotate.desk.drafts import kept_draft
from annotate.desk.open_questions import Questions, answer_of
from annotate.desk.roles import Person
from annotate.desk.texts import require_short
from annotate.desk.tokens import is_used
from mira.errors import DeskError, WorkspaceError
from mira.schema.proposal import OpenQuestion, PersonAnswer
from mira.schema.qa import QAItem


class Sheet(NamedTuple):
    """A picture on somebody's desk.

    Attributes:
        image_id: The picture.
        questions: What may be asked of it.
        answers: The person's own newest answers, by item.
        answered: Items that others have answered.
        described: How people here describe its instances.
        draft: What the person had begun; None without.
        draft_seq: Number of that draft; 0 without one.
    """

    image_id: str
    questions: tuple[OpenQuestion, ...]
    answers: dict[str, PersonAnswer]
    answered: frozenset[str]
    described: dict[int, str]
    draft: str | None
    draft_seq: int


class PictureState(NamedTuple):
    """What was done with a picture.

    Attributes:
        image_id: The picture.
        mine: Questions that the person has answered.
        others: Questions that others have answered.
        held_by: Who else has it on the desk; None for nobody.
    """

    image_id: str
    mine: int
    others: int
    held_by: str | None


class AnswerDesk:
    """Use cases of who answers; every one checks role and lease."""

    def __init__(
        self, database: Database, questions: Questions, clock: Callable[[], datetime]
    ) -> None:
        self._database, self._questions, self._clock = database, questions, clock
        self.given = AnswerTable(database)
        self.descriptions = Descriptions(database, clock)

    def next_sheet(self, person: Person, *, skipped: Sequence[str] = ()) -> Sheet | None:
        """The picture that a person is to answer next, lent to them; None where none waits.

        What they have already comes first; then pictures that they have not answered anything of.

        Args:
            person: Who.
            skipped: Pictures that come last, in this order, also those that are on the desk.

        Raises:
            DeskError: The role does not allow it.
        """
        person.require("answer")
        rows = self._database.connection().execute(
            "select distinct image_id, name = ? as mine from answers", (person.name,)
        )
        begun = {row["image_id"] for row in rows if row["mine"]}
        held = leases.lent(self._database.connection(), "answer", now=self._clock())
        late = {image_id: k for k, image_id in enumerate(skipped)}
        order = sorted(
            self._questions.image_ids(),
            key=lambda one: (late.get(one, -1), person.name not in held.get(one, ())),
        )
        for image_id in order:
            mine = person.name in held.get(image_id, ())
            if (image_id in begun and not mine) or not self._can_be_asked(image_id):
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
        shown: str | None = None,
    ) -> PersonAnswer | None:
        """Take an answer, or take one back; the same token again changes nothing.

        Args:
            person: Who answers.
            item_id: The question.
            image_id: Its picture.
            said: The answer as its record has it, without the format; None takes it back.
            token: Made by whoever sends it, once for each answer.
            note: What the person adds.
            shown: Digest of the annotation that the person saw; None where it was just read.

        Returns:
            The answer as it is kept; None where it was taken back.

        Raises:
            DeskError: The role does not allow it, the lease has run out, there is no such question,
                or the answer is none to it.
        """
        person.require("answer")
        require_short("note", note or "")
        question = self.question(person, image_id, item_id)
        if shown not in (None, question.annotation_sha256):
            problem = "the picture was drawn anew meanwhile"
            raise DeskError(item_id, problem, "open it again", code="changed")
        now = self._clock()
        kept = None if said is None else answer_of(question, person, said, note, now)
        with self._database.write() as writing:
            if is_used(writing, "answers", token, item_id, person):
                return kept
            leases.require(writing, "answer", image_id, person, now=now)
            self.given.add(writing, person, item_id, image_id, kept, token=token, now=now)
        return kept

    def describe(
        self, person: Person, image_id: str, instance_id: int, text: str, *, token: str
    ) -> None:
        """Describe an instance in words; see `Descriptions.add`."""
        person.require("answer")
        self.descriptions.add(person, image_id, instance_id, text, token=token)

    def question(self, person: Person, image_id: str, item_id: str) -> OpenQuestion:
        """A question in words.

        Raises:
            DeskError: The role does not allow it, or there is none.
        """
        person.require("answer")
        if image_id in self._questions.image_ids():
            for question in self._of(image_id):
                if question.item_id == item_id:
                    return question
        raise DeskError(item_id, "is no question that can be asked", code="no-such-item")

    def preview(
        self, person: Person, image_id: str, item_id: str, said: Mapping[str, Any]
    ) -> QAItem:
        """A question as it will be asked, if that is its answer; nothing is kept.

        Raises:
            DeskError: The role does not allow it, there is no such question, or the answer is none.
        """
        question = self.question(person, image_id, item_id)
        answer = answer_of(question, person, said, None, self._clock()).answer
        described = self.descriptions.of_image(image_id)
        return self._questions.item(image_id, item_id, answer, described=described)

    def pictures(self, person: Person) -> tuple[PictureState, ...]:
        """All pictures that can be asked about, and what was done with them."""
        person.require("answer")
        reading = self._database.connection()
        held = leases.lent(reading, "answer", now=self._clock())
        counts = self.given.counts(person.name)
        return tuple(
            PictureState(
                image_id,
                *counts.get(image_id, (0, 0)),
                held_by=min(held.get(image_id, set()) - {person.name}, default=None),
            )
            for image_id in self._questions.image_ids()
        )

    def _of(self, image_id: str) -> tuple[OpenQuestion, ...]:
        described = self.descriptions.of_image(image_id)
        return self._questions.questions(image_id, described=described)

    def _can_be_asked(self, image_id: str) -> bool:
        try:
            return bool(self._of(image_id))
        except WorkspaceError:
            # Drawn by a second person meanwhile, or by nobody: the others wait all the same.
            return False

    def _lend(self, person: Person, image_id: str) -> bool:
        with self._database.write() as writing:
            return leases.take(writing, "answer", image_id, person, most=1, now=self._clock())

    def _sheet(self, person: Person, image_id: str) -> Sheet:
        reading = self._database.connection()
        draft = kept_draft(reading, "answer", image_id, person)
        return Sheet(
            image_id=image_id,
            questions=self._of(image_id),
            answers=self.given.newest(person.name, image_id=image_id),
            answered=self.given.answered_by_others(person.name, image_id),
            described=self.descriptions.of_image(image_id),
            draft=draft["content"] if draft else None,
            draft_seq=draft["seq"] if draft else 0,
        )
