"""A row becomes an answer: the question that it answers, and words of the taxonomy."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from mira.errors import MiraError
from mira.schema.proposal import PersonAnswer
from mira.schema.qa import Answer
from mira.schema.record import FileRef, describe_fault
from mira.taxonomy.catalogue import TaskTemplate, taxonomy
from qa_gen.answers.rows import Row
from qa_gen.asking import Ask

AXES = ("horizontal", "vertical", "depth")
"""Words of an answer of three, in their order."""
_KNOWN = frozenset(
    {"item_id", "image_id", "template_id", "slots", "direction", "answer", *AXES, "text"}
    | {"note", "by", "at", "X", "Y", "X1", "X2"}
)
_ANSWER: TypeAdapter[Any] = TypeAdapter(Answer)


class Answerable(NamedTuple):
    """What can be asked.

    Attributes:
        by_id: Questions by the id of their item.
        images: Pictures that have any.
    """

    by_id: Mapping[str, Ask]
    images: frozenset[str]


def answer_of(
    row: Row, asks: Answerable, *, by: str | None, now: datetime, source: FileRef
) -> PersonAnswer:
    """The answer of a row.

    Args:
        row: The row.
        asks: What can be asked.
        by: Who answered, where the row does not say.
        now: When it is read, where the row has no time.
        source: The file.

    Raises:
        MiraError: A column is not known, the question cannot be asked, or the answer is none to it.
    """
    unknown = sorted(set(row.values) - _KNOWN)
    if unknown:
        raise MiraError(row.where, f"{unknown[0]}: expected a known column, found another name")
    ask = _ask(row, asks)
    person = row.values.get("by", by)
    if not isinstance(person, str):
        raise MiraError(row.where, "by: expected who answered, found nothing", "give --by NAME")
    content = {
        "item_id": ask.item_id,
        "template_id": ask.template_id,
        "image_id": ask.image_id,
        "slots": dict(ask.slots),
        "direction": ask.direction,
        "answer": _answer(row, ask),
        "by": person,
        "at": row.values.get("at", now),
        "note": row.values.get("note"),
        "source": source,
    }
    try:
        return PersonAnswer.model_validate(content)
    except ValidationError as error:
        raise MiraError(row.where, describe_fault(error)) from None


def _ask(row: Row, asks: Answerable) -> Ask:
    """The question that a row answers: by the item's id, or by picture, template and slots."""
    if "item_id" in row.values:
        found = asks.by_id.get(str(row.values["item_id"]))
        if found is None:
            text = f"item_id: expected a question that can be asked, found {row.values['item_id']}"
            raise MiraError(row.where, text)
        return found
    image_id, template_id = (_text(row, name) for name in ("image_id", "template_id"))
    if image_id not in asks.images:
        raise MiraError(row.where, f"image_id: expected an annotated picture, found {image_id!r}")
    template = _template(row, template_id)
    slots = tuple((slot, _slot(row, slot)) for slot in template.slots)
    direction = _direction(row, template)
    wanted = Ask(template_id, image_id, slots, (), direction)
    found = asks.by_id.get(wanted.item_id)
    if found is None:
        named = ", ".join(f"{slot} {number}" for slot, number in slots) or "it"
        problem = f"{template_id}: expected instances it can be asked of, found {named}"
        raise MiraError(row.where, problem)
    return found


def _template(row: Row, template_id: str) -> TaskTemplate:
    try:
        return taxonomy().template(template_id)
    except KeyError:
        problem = f"template_id: expected one of the taxonomy, found {template_id!r}"
        raise MiraError(row.where, problem) from None


def _text(row: Row, name: str) -> str:
    value = row.values.get(name)
    if not isinstance(value, str):
        found = "nothing" if value is None else repr(value)
        raise MiraError(row.where, f"{name}: expected text, found {found}")
    return value


def _slot(row: Row, slot: str) -> int:
    slots = row.values.get("slots", {})
    value = slots.get(slot) if isinstance(slots, dict) else None
    return _number(row, slot, row.values.get(slot) if value is None else value)


def _number(row: Row, name: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    found = "nothing" if value is None else repr(value)
    raise MiraError(row.where, f"{name}: expected a whole number, found {found}")


def _direction(row: Row, template: TaskTemplate) -> str | None:
    value = row.values.get("direction")
    if template.directions is None:
        if value is not None:
            raise MiraError(
                row.where, f"direction: expected none for {template.id}, found {value!r}"
            )
        return None
    words = taxonomy().directions[template.directions]
    if value not in words:
        raise MiraError(row.where, f"direction: expected {' or '.join(words)}, found {value!r}")
    return str(value)


def _answer(row: Row, ask: Ask) -> Answer:
    """The answer in words of the taxonomy, or the id of a candidate."""
    template = taxonomy().template(ask.template_id)
    content: dict[str, object] = {"format": template.format}
    if template.format == "spatial_3d_axes":
        content |= _axes(row)
    elif template.format == "count":
        content["value"] = _number(row, "answer", row.values.get("answer"))
    elif ask.candidates:
        content["value"] = _candidate(row, ask.candidates)
    else:
        content["value"] = _word(row, template)
    if template.format == "single_choice_plus_text":
        content["text"] = row.values.get("text")
    try:
        found: Answer = _ANSWER.validate_python(content)
    except ValidationError as error:
        raise MiraError(row.where, f"answer: {describe_fault(error)}") from None
    return found


def _axes(row: Row) -> dict[str, str]:
    """Three words, in columns of their own or as one answer with commas."""
    if any(axis in row.values for axis in AXES):
        return {axis: _plain(_text(row, axis)) for axis in AXES}
    words = [_plain(word) for word in _text(row, "answer").split(",")]
    if len(words) != len(AXES):
        problem = f"answer: expected {', '.join(AXES)}, found {row.values['answer']!r}"
        raise MiraError(row.where, problem)
    return dict(zip(AXES, words, strict=True))


def _candidate(row: Row, candidates: tuple[int, ...]) -> str:
    """The id of one of the instances to choose from."""
    found = _number(row, "answer", row.values.get("answer"))
    if found not in candidates:
        allowed = " or ".join(map(str, sorted(candidates)))
        raise MiraError(row.where, f"answer: expected instance {allowed}, found {found}")
    return str(found)


def _word(row: Row, template: TaskTemplate) -> str:
    """A value of the option set; `not_sure` is nobody's answer to a yes-or-no question."""
    word = _plain(_text(row, "answer"))
    values = taxonomy().option_sets.get(template.options or "")
    assert isinstance(values, tuple)
    allowed = ("yes", "no") if template.format == "yes_no" else values
    if word not in allowed:
        raise MiraError(row.where, f"answer: expected {' or '.join(allowed)}, found {word!r}")
    return word


def _plain(text: str) -> str:
    """A word as the taxonomy writes it."""
    return text.strip().casefold().replace(" ", "_")
