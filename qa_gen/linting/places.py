"""Texts as they are read, and where each part of them stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from mira.schema.qa import Box
from mira.taxonomy.catalogue import ProtocolInfo, TaskTemplate
from qa_gen.linting.policy import LintPolicy


class Place(NamedTuple):
    """A field of a wording file."""

    path: str
    """The file."""
    where: str
    """The field, such as `vc_001.question.2`."""


class Span(NamedTuple):
    """A part of a text that stands in a field of its own."""

    kind: Literal["preamble", "slot", "pointing", "described", "description", "direction"]
    """What it is; a slot is all that stands for it, a description the annotator's words."""
    start: int
    """Its first letter."""
    end: int
    """Just behind its last."""
    place: Place
    """Where it stands."""
    plural: bool = False
    """Of a description: whether it speaks of several things."""
    box_xyxy_px: Box | None = None
    """Of what points at an object: where that is."""


class Reading(NamedTuple):
    """One text as it is read."""

    text: str
    """All of it."""
    kind: Literal["question", "candidate", "option"]
    """What it is."""
    place: Place
    """Where the text stands, apart from its spans."""
    spans: tuple[Span, ...] = ()
    """Parts that stand elsewhere, the larger before those inside them."""
    template: TaskTemplate | None = None
    """Of a question, its template."""
    protocol: ProtocolInfo | None = None
    """The protocol that points; None for options of a set."""
    redescribed: bool = False
    """Whether the same was read before with another description."""

    def place_of(self, start: int, end: int) -> Place:
        """Where what is between two letters stands: in the smallest part that has all of it."""
        holding = [span for span in self.spans if span.start <= start and end <= span.end]
        return min(holding, key=lambda span: span.end - span.start).place if holding else self.place

    def spans_of(self, *kinds: str) -> Iterator[Span]:
        """The parts of some kinds."""
        return (span for span in self.spans if span.kind in kinds)

    @property
    def sentence_start(self) -> int:
        """Where the question begins, behind its preamble."""
        return next((span.end for span in self.spans_of("preamble")), 0)

    def crossed_out(self, *kinds: str) -> str:
        """The text with parts of some kinds crossed out, each letter of the rest at its place."""
        text = self.text
        for span in self.spans_of(*kinds):
            text = f"{text[: span.start]}{'x' * (span.end - span.start)}{text[span.end :]}"
        return text

    def around(self, start: int, end: int) -> str:
        """What is between two letters with what stands beside it, quoted and on one line."""
        margin = 18
        left, right = max(0, start - margin), min(len(self.text), end + margin)
        shown = visible(self.text[left:right])
        return f'"{"…" if left else ""}{shown}{"…" if right < len(self.text) else ""}"'


class Fault(NamedTuple):
    """What a check has to say about a reading."""

    code: str
    """Key of `CODES`."""
    start: int
    """First letter at fault."""
    end: int
    """Just behind the last."""
    message: str
    """What was expected and what was found."""


def visible(text: str) -> str:
    """A text whose every sign can be seen and written: the others as escapes."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )


Check = Callable[[Reading, LintPolicy], Iterator[Fault]]
