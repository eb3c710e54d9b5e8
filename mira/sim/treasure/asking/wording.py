"""The words of the treasure game: prompts, and their version."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal, Self, get_args

import yaml
from pydantic import model_validator

from mira.schema.record import Record
from mira.sim.treasure.rules import PLAYERS, Player
from mira.store.policy_files import read_policy

TaskKind = Literal["action", "ask", "answer", "preferences"]
"""What a player is asked for."""
_DIGITS = 8
_EVERYWHERE = frozenset({"name", "partner"})
_PLACES: Mapping[str, frozenset[str]] = {
    "roles.subject": frozenset({"treasure"}),
    "roles.participant": frozenset(),
    "rules": frozenset({"rounds", "round", "edge"}),
    "beliefs": frozenset({"beliefs"}),
    "picture": frozenset(),
    "history": frozenset({"lines"}),
    "nothing_yet": frozenset(),
    "turn": frozenset({"round", "move", "at", "facing"}),
    "face": frozenset({"face"}),
    "said": frozenset({"round", "text"}),
    "stayed": frozenset(),
    "tasks.action": frozenset(),
    "tasks.ask": frozenset({"shortest", "longest"}),
    "tasks.answer": frozenset({"heard", "shortest", "longest"}),
    "tasks.preferences": frozenset({"heard"}),
    "repair": frozenset({"fault", "reply"}),
}
"""Names that may stand behind $, by text, beside those of both players."""


class TreasureWording(Record):
    """All words of the game. Names behind $ are filled in; $$ is a $."""

    version: int
    """Number of these words, counted by who wrote them."""
    roles: dict[Player, str]
    """Who a player is and what it wants."""
    rules: str
    """Rounds, cells and directions."""
    beliefs: str
    """Above the belief state."""
    picture: str
    """Said where there is a picture."""
    history: str
    """Above the turns so far."""
    nothing_yet: str
    """In its place at the start."""
    turn: str
    """A line of the history: a turn."""
    face: str
    """Added to it where expressions are told in words."""
    said: str
    """A line of the history: a sentence."""
    stayed: str
    """The move of who stayed."""
    tasks: dict[TaskKind, str]
    """What is asked for, and the form of the reply."""
    repair: str
    """Said after a reply that could not be read."""

    @property
    def digest(self) -> str:
        """The version, and digits of a digest of all words, so that none changes unseen."""
        return f"{self.version}-{hashlib.sha256(self.to_bytes()).hexdigest()[:_DIGITS]}"

    def to_bytes(self) -> bytes:
        """All words, the same bytes for the same words."""
        return self.model_dump_json().encode()

    def fill(self, place: str, **values: object) -> str:
        """A text with its names filled in.

        Args:
            place: Its field, with the key behind a dot, such as `tasks.action`.
            values: By name.
        """
        return Template(self._text(place)).substitute(values).strip()

    @model_validator(mode="after")
    def _sayable(self) -> Self:
        for field, keys in (("roles", PLAYERS), ("tasks", get_args(TaskKind))):
            for key in keys:
                if key not in getattr(self, field):
                    raise ValueError(f"{field}: expected words for {key}, found none")
        for place, names in _PLACES.items():
            template = Template(self._text(place))
            if not template.is_valid():
                raise ValueError(f"{place}: expected names behind $, and $$ for a $")
            for name in sorted({*template.get_identifiers()} - names - _EVERYWHERE):
                known = ", ".join(f"${one}" for one in sorted(names | _EVERYWHERE))
                raise ValueError(f"{place}: expected {known}, found ${name}")
        return self

    def _text(self, place: str) -> str:
        field, _, key = place.partition(".")
        text = getattr(self, field)
        return str(text[key] if key else text)


@cache
def packaged_wording() -> TreasureWording:
    """The words that come with the package."""
    text = files(__package__).joinpath("english.yaml").read_text("utf-8")
    return TreasureWording.model_validate(yaml.safe_load(text))


def read_wording(path: Path | None) -> TreasureWording:
    """The words of a file, and those of the package where it is silent.

    Args:
        path: YAML or JSON; None for the words of the package.

    Raises:
        RecordError: The file cannot be read, or a name behind $ is none that is filled in there.
    """
    return packaged_wording() if path is None else read_policy(path, packaged_wording())
