"""The words of the mirror test: what they may say at which level, and their version."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Self

import yaml
from pydantic import model_validator

from mira.schema.record import Record
from mira.schema.step import ReachAction
from mira.sim.reach.rules import ACTIONS
from mira.sim.reach.scenes import reach_scenes
from mira.store.policy_files import read_policy

LEVELS = (0, 1, 2, 3)
"""From a mirror that is told of, with a way to reason, to nothing told but hand and mark."""
_DIGITS = 8
_LOOKS = frozenset({"body", "hand", "mark"})
_PLACES: dict[str, frozenset[str]] = {
    "levels.0": _LOOKS,
    "levels.1": _LOOKS,
    "levels.2": _LOOKS,
    "levels.3": _LOOKS - {"body"},
    "rules": frozenset({"moves", "step", "turns"}),
    "reply": frozenset({"actions"}),
    "history": frozenset({"lines"}),
    "made": frozenset({"number", "action"}),
    "refused": frozenset({"number", "action"}),
    "told_refused": frozenset({"action"}),
    "told_unreadable": frozenset(),
}
"""Names that may stand in braces, by text."""
_TELLS_MIRROR = re.compile(r"\b(?:mirror|reflect|looking[ -]glass)\w*", re.IGNORECASE)
_TELLS_BODY = re.compile(
    r"\b(?:your(?:self| own)|own body|(?:your|the) body|you are)\b", re.IGNORECASE
)


class ReachWording(Record):
    """All words of the test. Names in braces are filled in."""

    version: int
    """Number of these words, counted by who wrote them."""
    bodies: dict[str, str]
    """What a player is, by the name of its body."""
    hands: dict[str, str]
    """What it steers, by the name of the look."""
    marks: dict[str, str]
    """What it is to reach, by the name of the look."""
    moves: dict[ReachAction, str]
    """Where each move goes, as the picture shows it."""
    levels: dict[int, str]
    """The task, by level."""
    rules: str
    """Moves, their length, and when it is over."""
    reply: str
    """The form of a reply."""
    history: str
    """What was done so far."""
    made: str
    """A line of the history: a move that was made."""
    refused: str
    """The same, refused."""
    told_refused: str
    """Said after a move that was refused."""
    told_unreadable: str
    """Said after a reply that could not be read."""

    @property
    def digest(self) -> str:
        """The version, and digits of a digest of all words, so that none changes unseen."""
        digest = hashlib.sha256(self.to_bytes()).hexdigest()[:_DIGITS]
        return f"{self.version}-{digest}"

    def to_bytes(self) -> bytes:
        """All words, the same bytes for the same words."""
        return self.model_dump_json().encode()

    @model_validator(mode="after")
    def _sayable(self) -> Self:
        if sorted(self.levels) != list(LEVELS):
            raise ValueError(
                f"levels: expected 0, 1, 2 and 3, found {', '.join(map(str, sorted(self.levels)))}"
            )
        if missing := [action for action in ACTIONS if action not in self.moves]:
            raise ValueError(f"moves: expected all six, found none for {', '.join(missing)}")
        for scene in reach_scenes():
            for kind, name in (
                ("bodies", scene.body.name),
                ("hands", scene.hand),
                ("marks", scene.mark),
            ):
                if name not in getattr(self, kind):
                    raise ValueError(f"{kind}: expected words for {name}, found none")
        for place, allowed in _PLACES.items():
            _require_names(place, self._text(place), allowed)
        for level, pattern, what in (
            (2, _TELLS_MIRROR, "the mirror"),
            (3, _TELLS_MIRROR, "the mirror"),
            (3, _TELLS_BODY, "whose body it is"),
        ):
            for place in (f"levels.{level}", *_SAID_AT_ALL_LEVELS):
                if said := pattern.search(self._text(place)):
                    raise ValueError(
                        f"{place}: expected nothing that tells of {what} at level {level}, "
                        f"found {said[0]!r}"
                    )
        return self

    def _text(self, place: str) -> str:
        name, _, level = place.partition(".")
        if level:
            return self.levels[int(level)]
        if name == "moves":
            return "\n".join(self.moves.values())
        text: str = getattr(self, name)
        return text


_SAID_AT_ALL_LEVELS = ("moves", *(place for place in _PLACES if not place.startswith("levels")))


@cache
def packaged_wording() -> ReachWording:
    """The words that come with the package."""
    text = files(__package__).joinpath("english.yaml").read_text("utf-8")
    return ReachWording.model_validate(yaml.safe_load(text))


def read_wording(path: Path | None) -> ReachWording:
    """The words of a file, and those of the package where it is silent.

    Args:
        path: YAML or JSON; None for the words of the package.

    Raises:
        RecordError: The file cannot be read, a name in braces is none that is filled in there, or
            a text tells what its level does not.
    """
    return packaged_wording() if path is None else read_policy(path, packaged_wording())


def _require_names(place: str, text: str, allowed: frozenset[str]) -> None:
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise ValueError(f"{place}: expected braces in pairs, {{{{ for one: {error}") from None
    for _, name, form, conversion in parts:
        if name is None or (name in allowed and not form and not conversion):
            continue
        known = ", ".join(f"{{{one}}}" for one in sorted(allowed)) or "none"
        found = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
        raise ValueError(f"{place}: expected {known} in braces, found {{{found}}}")
