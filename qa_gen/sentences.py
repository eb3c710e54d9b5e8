"""Jinja texts that are compiled and tried out once, and name file and field in every fault."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from jinja2 import StrictUndefined, Template
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import SandboxedEnvironment

from mira.errors import TemplateError
from mira.taxonomy.catalogue import ProtocolInfo, TaskTemplate
from qa_gen.wording_records import Phrases

Trial = Mapping[str, tuple[object, object]]
"""For each variable that a text may use, two values to try it out with."""

_SIZE = {"width": (640, 1280), "height": (480, 720)}
_BOX = {"x1": (10, 20), "y1": (30, 40), "x2": (50, 60), "y2": (70, 80)}
_MARK: Trial = {"label": ("X", "Y"), **_BOX}
_DESCRIPTION: Trial = {"description": ("a cup", "a vase")}


class Gaps(NamedTuple):
    """What a text has room for."""

    trial: Trial
    """Variables that it may use."""
    needed: Collection[str]
    """Variables that must show: another value has to give another text."""


class SentenceFault(NamedTuple):
    """Why a text cannot be used."""

    kind: Literal["invalid", "unknown", "missing"]
    """No Jinja or not to be filled in; another variable; a variable that does not show."""
    message: str
    """What was expected and what was found."""


class Sentence:
    """A text with gaps."""

    __slots__ = ("_field", "_template", "_where")

    def __init__(self, template: Template, *, where: str, field: str) -> None:
        self._template = template
        self._where = where
        self._field = field

    def render(self, values: Mapping[str, object]) -> str:
        """The text with its gaps filled.

        Raises:
            TemplateError: It asks for a value that is not there, or does what cannot be done.
        """
        try:
            return self._template.render(values)
        # A text can divide by zero, add words to numbers, call itself without end.
        except Exception as error:
            raise TemplateError(self._where, f"{self._field}: {_reason(error)}") from None


@dataclass(frozen=True)
class Pointing:
    """The phrases of a protocol."""

    preamble: Sentence
    one: Sentence
    many: Sentence
    candidate: Sentence
    described: Sentence


def question_gaps(template: TaskTemplate) -> Gaps:
    """The gaps of a template's question, which has to name every slot."""
    trial = {slot: (f"the thing {slot}", f"another {slot}") for slot in template.slots}
    if template.directions:
        trial["direction"] = ("to the left", "upwards")
    return Gaps(trial, needed=tuple(trial))


def pointing_gaps(protocol: ProtocolInfo) -> dict[str, Gaps]:
    """The gaps of a protocol's phrases by field; they have to tell what it points with."""
    box = tuple(_BOX) if protocol.coordinates else ()
    return {
        "preamble": Gaps(_SIZE, needed=tuple(_SIZE) if protocol.coordinates else ()),
        "one": Gaps(_MARK, needed=box),
        "many": Gaps(_MARK, needed=box or ("label",)),
        "candidate": Gaps(_MARK, needed=box or ("label",)),
        "described": Gaps(_DESCRIPTION, needed=tuple(_DESCRIPTION) if protocol.description else ()),
    }


def question_fields(template_id: str, count: int) -> tuple[str, ...]:
    """The fields of a template's texts, of which a single one is no list."""
    field = f"{template_id}.question"
    return (field,) if count == 1 else tuple(f"{field}.{k}" for k in range(count))


def compile_questions(
    template: TaskTemplate, texts: Collection[str], where: str
) -> tuple[Sentence, ...]:
    """The question of a template, the standard text first.

    Raises:
        TemplateError: A text cannot be used.
    """
    gaps = question_gaps(template)
    fields = question_fields(template.id, len(texts))
    return tuple(
        compile_sentence(text, where=where, field=field, gaps=gaps)
        for text, field in zip(texts, fields, strict=True)
    )


def compile_pointing(protocol: ProtocolInfo, texts: Phrases, where: str) -> Pointing:
    """The phrases of a protocol.

    Raises:
        TemplateError: A text cannot be used.
    """
    return Pointing(
        **{
            name: compile_sentence(
                getattr(texts, name), where=where, field=f"{protocol.id}.{name}", gaps=gaps
            )
            for name, gaps in pointing_gaps(protocol).items()
        }
    )


def compile_sentence(text: str, *, where: str, field: str, gaps: Gaps) -> Sentence:
    """A sentence that is known to work.

    Args:
        text: Jinja.
        where: Its file.
        field: Its place in the file.
        gaps: What it has room for.

    Raises:
        TemplateError: The text cannot be used.
    """
    for fault in sentence_faults(text, gaps):
        raise TemplateError(where, f"{field}: {fault.message}")
    return Sentence(_compiled(text).template, where=where, field=field)


def sentence_faults(text: str, gaps: Gaps) -> Iterator[SentenceFault]:
    """Why a text cannot be used: it is no Jinja, or does not show what it has to."""
    trial, needed = gaps
    try:
        template, variables = _compiled(text)
        if unknown := variables - trial.keys():
            known = f"expected only {', '.join(trial)}" if trial else "expected none"
            yield from (
                SentenceFault("unknown", f"{name!r} is undefined, {known}")
                for name in sorted(unknown)
            )
            return
        values = {name: first for name, (first, _) in trial.items()}
        plain = template.render(values)
        plain.encode()
        for name in needed:
            if template.render({**values, name: trial[name][1]}) == plain:
                yield SentenceFault("missing", f"expected {{{{ {name} }}}} in it, found no use")
    except Exception as error:
        yield SentenceFault("invalid", _reason(error))


class _Compiled(NamedTuple):
    template: Template
    variables: frozenset[str]


@lru_cache(1024)
def _compiled(text: str) -> _Compiled:
    environment = _environment()
    variables = find_undeclared_variables(environment.parse(text))
    return _Compiled(environment.from_string(text), frozenset(variables))


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


@cache
def _environment() -> SandboxedEnvironment:
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    environment.filters["capfirst"] = lambda text: text[:1].upper() + text[1:]
    # Wording needs no `range` or `dict`, and every rendering would copy them.
    environment.globals.clear()
    return environment
