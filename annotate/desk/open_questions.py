"""What may be asked of pictures, and what is an answer to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

import orjson
from pydantic import ValidationError

from annotate.desk.roles import Person
from annotate.desk.texts import require_short
from mira.errors import DeskError
from mira.schema.proposal import OpenQuestion, PersonAnswer
from mira.schema.qa import Answer, QAItem
from mira.schema.record import describe_fault
from mira.taxonomy.catalogue import taxonomy

Described = Mapping[int, str]
"""How people describe instances of a picture, by id."""


class Questions(Protocol):
    """Who knows what may be asked; the desk itself knows nothing of templates and geometry."""

    def image_ids(self) -> tuple[str, ...]:
        """Pictures that may be asked about."""

    def questions(
        self, image_id: str, *, described: Described | None = None
    ) -> tuple[OpenQuestion, ...]:
        """What may be asked of a picture."""

    def item(
        self, image_id: str, item_id: str, answer: Answer, *, described: Described | None = None
    ) -> QAItem:
        """A question as it will be asked, if that is its answer."""


def answer_of(
    question: OpenQuestion,
    person: Person,
    said: Mapping[str, Any],
    note: str | None,
    now: datetime,
) -> PersonAnswer:
    """What a person answers to a question, as a record.

    Args:
        question: What is asked.
        person: Who answers.
        said: The answer as its record has it, without the format.
        note: What the person adds.
        now: The moment.

    Raises:
        DeskError: It is no answer to the question.
    """
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
