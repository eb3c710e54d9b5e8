"""Jinja texts that are compiled and tried out once, and name file and field in every fault."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

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
            raise _fault(self._where, self._field, error) from None


@dataclass(frozen=True)
class Pointing:
    """The phrases of a protocol."""

    preamble: Sentence
    one: Sentence
    many: Sentence
    candidate: Sentence
    described: Sentence


def compile_question(template: TaskTemplate, text: str, where: str) -> Sentence:
    """The question of a template; it has to name every slot."""
    trial = {slot: (f"the thing {slot}", f"another {slot}") for slot in template.slots}
    if template.directions:
        trial["direction"] = ("to the left", "upwards")
    field = f"{template.id}.question"
    return compile_sentence(text, where=where, field=field, trial=trial, needed=trial.keys())


def compile_pointing(protocol: ProtocolInfo, texts: Phrases, where: str) -> Pointing:
    """The phrases of a protocol; they have to tell what it points with."""
    size = _SIZE.keys() if protocol.coordinates else ()
    box = _BOX.keys() if protocol.coordinates else ()
    words = ("description",) if protocol.description else ()

    def compiled(field: str, text: str, trial: Trial, needed: Collection[str]) -> Sentence:
        field = f"{protocol.id}.{field}"
        return compile_sentence(text, where=where, field=field, trial=trial, needed=needed)

    return Pointing(
        preamble=compiled("preamble", texts.preamble, _SIZE, size),
        one=compiled("one", texts.one, _MARK, box),
        many=compiled("many", texts.many, _MARK, box or ("label",)),
        candidate=compiled("candidate", texts.candidate, _MARK, box or ("label",)),
        described=compiled(
            "described", texts.described, {"description": ("a cup", "a vase")}, words
        ),
    )


def compile_sentence(
    text: str,
    *,
    where: str,
    field: str,
    trial: Trial,
    needed: Collection[str],
) -> Sentence:
    """A sentence that is known to work.

    Args:
        text: Jinja.
        where: Its file.
        field: Its place in the file.
        trial: Variables that it may use.
        needed: Variables that must show: another value has to give another text.

    Raises:
        TemplateError: The text is no Jinja, uses another variable, cannot be filled in, or does
            not show what it has to.
    """
    environment = _environment()
    try:
        unknown = find_undeclared_variables(environment.parse(text)) - trial.keys()
        sentence = Sentence(environment.from_string(text), where=where, field=field)
    except Exception as error:
        raise _fault(where, field, error) from None
    if unknown:
        known = ", ".join(trial)
        raise TemplateError(
            where, f"{field}: {sorted(unknown)[0]!r} is undefined, expected only {known}"
        )
    values = {name: first for name, (first, _) in trial.items()}
    plain = sentence.render(values)
    try:
        plain.encode()
    except UnicodeEncodeError as error:
        raise _fault(where, field, error) from None
    for name in needed:
        if sentence.render({**values, name: trial[name][1]}) == plain:
            raise TemplateError(where, f"{field}: expected {{{{ {name} }}}} in it, found no use")
    return sentence


def _fault(where: str, field: str, error: Exception) -> TemplateError:
    return TemplateError(where, f"{field}: {str(error) or type(error).__name__}")


@cache
def _environment() -> SandboxedEnvironment:
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    environment.filters["capfirst"] = lambda text: text[:1].upper() + text[1:]
    # Wording needs no `range` or `dict`, and every rendering would copy them.
    environment.globals.clear()
    return environment
