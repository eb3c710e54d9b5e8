"""Fields of a published entry in the words of the taxonomy."""

from __future__ import annotations

from string import ascii_uppercase

from mira.published.entries import option_lines
from mira.published.records import PublishedQuestion
from mira.published.vocabulary import (
    DIRECTION_SLOT,
    TEXT_SLOT,
    parse_axes,
    parse_direction,
    parse_object_id,
)
from mira.schema.qa import (
    Answer,
    ChoiceAnswer,
    ChoiceTextAnswer,
    CountAnswer,
    Option,
    YesNoAnswer,
)
from qa_gen.published.options import option_value
from qa_gen.published.records import PublishedSlot


class UnfitEntryError(Exception):
    """An entry that is no item of the taxonomy.

    Attributes:
        field: The field at fault.
        message: What was expected and what was found.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def choices_of(question: PublishedQuestion) -> tuple[str, ...]:
    """The choices as texts, empty where there are none.

    Raises:
        UnfitEntryError: They are no list of texts, or one is there twice.
    """
    found = question.choices or []
    if not isinstance(found, list) or not all(isinstance(one, str | int) for one in found):
        raise UnfitEntryError("choices", f"expected a list of texts, found {found!r:.60}")
    texts = tuple(str(choice) for choice in found)
    if len({text.strip().casefold() for text in texts}) < len(texts):
        raise UnfitEntryError("choices", "expected choices that differ, found one twice")
    return texts


def sentence_and_texts(
    question: PublishedQuestion, choices: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    """The sentence without the options below it, and the texts of the options."""
    if question.question_type in ("spatial_3d_axes", "count"):
        return question.question, ()
    if question.question_type == "single_choice_plus_text":
        return question.question, tuple(_after_label(choice) for choice in choices)
    lines = question.question.split("\n")
    below = lines[-len(choices) :] if choices and len(lines) > len(choices) else []
    texts = tuple(line.removeprefix(f"{c}. ") for c, line in zip(choices, below, strict=False))
    if texts and option_lines(choices, texts) == "\n" + "\n".join(below):
        return "\n".join(lines[: -len(choices)]), texts
    return question.question, choices


def options_of(question: PublishedQuestion, choices: tuple[str, ...]) -> tuple[Option, ...]:
    """The options that choices stand for, with the labels and values of the taxonomy.

    Raises:
        UnfitEntryError: The type is unknown, or letters stand for objects that are not listed.
    """
    kind = question.question_type
    if kind in ("spatial_3d_axes", "count"):
        return ()
    if kind == "yes_no":
        words = choices or ("yes", "no")
        values = [option_value(question.template_id, word) for word in words]
        return tuple(Option(label=value.replace("_", " "), value=value) for value in values)
    if kind == "single_choice_plus_text":
        labels = [_label(choice, k) for k, choice in enumerate(choices)]
        return tuple(
            Option(label=label, value=option_value(question.template_id, _after_label(choice)))
            for label, choice in zip(labels, choices, strict=True)
        )
    if kind != "single_choice":
        raise UnfitEntryError("question_type", f"expected a known one, found {kind!r}")
    if len(choices) > len(ascii_uppercase):
        raise UnfitEntryError("choices", f"expected at most 26, found {len(choices)}")
    lettered = choices == tuple(ascii_uppercase[: len(choices)])
    meant = (question.related_objects or ()) if lettered else choices
    if lettered and len(meant) != len(choices):
        raise UnfitEntryError(
            "related_objects",
            f"expected one for each of {len(choices)} choices, found {len(meant)}",
        )
    return tuple(
        Option(label=letter, value=_object_or_word(question.template_id, value))
        for letter, value in zip(ascii_uppercase, meant, strict=False)
    )


def _object_or_word(template_id: str, value: object) -> str:
    if template_id.startswith("mc_"):
        number = parse_object_id(value)
        return str(value) if number is None else str(number)
    return option_value(template_id, str(value))


def answer_of(question: PublishedQuestion, choices: tuple[str, ...], labels: list[str]) -> Answer:
    """The right answer, typed.

    Args:
        question: The entry.
        choices: Its choices as texts.
        labels: Labels of the options that they stand for.

    Raises:
        UnfitEntryError: It is no answer of its type, or none of the choices.
    """
    kind, given = question.question_type, question.answer
    if kind == "spatial_3d_axes":
        axes = parse_axes(given)
        if axes is None:
            raise UnfitEntryError("answer", f"expected a word an axis, found {given!r:.60}")
        return axes
    text = str(given).strip() if isinstance(given, str | int) else ""
    if kind == "count":
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise UnfitEntryError("answer", f"expected a whole number, found {given!r:.60}")
        return CountAnswer(value=int(text))
    if kind == "yes_no":
        word = {"true": "yes", "false": "no"}.get(text.casefold(), text.casefold())
        if word not in ("yes", "no"):
            raise UnfitEntryError("answer", f"expected yes or no, found {given!r:.60}")
        return YesNoAnswer.model_validate({"value": word})
    place = _place(text, choices, labels)
    if place is None:
        raise UnfitEntryError("answer", f"expected one of the choices, found {given!r:.60}")
    if kind == "single_choice_plus_text":
        words = (question.slot_values or {}).get(TEXT_SLOT)
        return ChoiceTextAnswer(value=labels[place], text=words if isinstance(words, str) else None)
    return ChoiceAnswer(value=labels[place])


def _place(answer: str, choices: tuple[str, ...], labels: list[str]) -> int | None:
    """Which choice an answer is: by its text, by its letter, or by the number of its object."""
    for names in (choices, labels, [str(parse_object_id(choice) or choice) for choice in choices]):
        plain = [name.strip().casefold() for name in names]
        for given in (answer, str(parse_object_id(answer) or answer)):
            if plain.count(given.casefold()) == 1:
                return plain.index(given.casefold())
    return None


def slots_of(question: PublishedQuestion) -> tuple[PublishedSlot, ...]:
    """The objects asked about, by slot."""
    return tuple(
        PublishedSlot(name=name, object_id=str(value), instance_id=parse_object_id(value))
        for name, value in (question.slot_values or {}).items()
        if name not in (DIRECTION_SLOT, TEXT_SLOT) and isinstance(value, str | int)
    )


def direction_of(question: PublishedQuestion) -> str | None:
    """The direction asked about, in the taxonomy's words; None without one.

    Raises:
        UnfitEntryError: The template has no such direction.
    """
    word = (question.slot_values or {}).get(DIRECTION_SLOT)
    if word is None:
        return None
    meant = parse_direction(question.template_id, word)
    if meant is None:
        raise UnfitEntryError(
            f"slot_values.{DIRECTION_SLOT}", f"expected a direction, found {word!r:.60}"
        )
    return meant


def joint_group_of(question: PublishedQuestion) -> str | None:
    """What the ids of three questions of visibility share; None for other templates."""
    if not question.template_id.startswith("vc_"):
        return None
    own = id_without_style(question)
    shared = own.removeprefix(f"{question.template_id}-")
    return shared if shared != own else own.replace(question.template_id, "vc")


def id_without_style(question: PublishedQuestion) -> str:
    """The id of an entry, without the style that ends it if it does."""
    style = question.referring_style or ""
    if style and question.question_id.endswith(style):
        return question.question_id.removesuffix(style).rstrip("-_:/. ")
    return question.question_id


def _label(choice: str, place: int) -> str:
    head, dot, _ = choice.partition(".")
    return head.strip() if dot and len(head.strip()) == 1 else ascii_uppercase[place]


def _after_label(choice: str) -> str:
    head, dot, rest = choice.partition(". ")
    return rest if dot and len(head.strip()) == 1 else choice
