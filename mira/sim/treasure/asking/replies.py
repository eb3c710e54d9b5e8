"""Replies of players, read strictly as to what they say and leniently as to how.

Objects are read as the rest of MIRA reads them (`mira.replies`); keys count by their letters, so
that the published names (`FacialExpression`) are as good as ours. What is out of range, of the
wrong kind or missing is a fault, told in one line; nothing is cut to fit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from mira.replies.lenient_json import find_objects, is_strict_json, text_of_json
from mira.replies.lenient_reader import Pairs
from mira.replies.reading import without_thoughts
from mira.schema.record import describe_fault
from mira.schema.step import Signed, Unit
from mira.sim.treasure.agent import Action, Emotion, Preferences, Speech
from mira.sim.treasure.asking.names import BOX_NAMES, PLAYER_NAMES, box_of, move_of, words_of
from mira.sim.treasure.rules import Player, other

SHORTEST_UTTERANCE, LONGEST_UTTERANCE = 10, 50
"""Words of a sentence, both inclusive."""
_MOST_INNER = 10_000
"""Letters of a thought that are kept."""
_SAME_KEYS = {
    "preference": "preferences",
    "emotions": "emotion",
    "facialexpression": "facial",
    "physiologicalexpression": "physiological",
    "feltexpression": "felt",
    "innerspeech": "inner_speech",
    "output": "utterance",
    "updating": "updates",
}


class ReplyFaultError(ValueError):
    """A reply does not say what it was asked for; the text names the field."""


def _as_share(value: Any) -> Any:
    """`50%` as 0.5; anything else as it is."""
    percent = re.fullmatch(r"\s*(-?\s*[0-9.]+)\s*%\s*", value) if isinstance(value, str) else None
    return float(percent[1].replace(" ", "")) / 100 if percent else value


_Preference = Annotated[Signed, BeforeValidator(_as_share)]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class _Channel(_Reply):
    positive: Unit
    negative: Unit

    @property
    def valence(self) -> float:
        return round(self.positive - self.negative, 6)


class _Emotion(_Reply):
    facial: _Channel
    physiological: _Channel
    felt: _Channel


class _Move(_Reply):
    action: str
    direction: str | None = None


class _ActionReply(_Reply):
    emotion: _Emotion
    move: _Move
    preferences: dict[str, _Preference] | None = None


class _SpeechReply(_Reply):
    inner_speech: str
    utterance: str = Field(min_length=1)


class _UpdateReply(_Reply):
    updates: list[str]


_Model = TypeVar("_Model", bound=_Reply)


def read_action(reply: str, player: Player, before: Preferences) -> Action:
    """The turn that a reply chooses.

    Args:
        reply: The text as it came.
        player: Who is asked.
        before: Its preferences; what the reply leaves out stays.

    Raises:
        ReplyFaultError: A field is missing, out of range, or means no move.
    """
    read = _read(_ActionReply, reply)
    partner = PLAYER_NAMES[other(player)]
    move = move_of(read.move.action, read.move.direction, partner)
    if move is None:
        raise ReplyFaultError(
            f"move: expected an action with one of its directions, found {read.move.action!r} with "
            f"{read.move.direction!r}"
        )
    shown = (read.emotion.facial, read.emotion.physiological, read.emotion.felt)
    preferences = before
    for name, value in (read.preferences or {}).items():
        preferences = preferred(preferences, name, value, partner)
    return Action(move, Emotion(*(channel.valence for channel in shown)), preferences)


def read_speech(reply: str) -> Speech:
    """What a reply says aloud, and to itself.

    Raises:
        ReplyFaultError: A field is missing, or the sentence too short or too long.
    """
    read = _read(_SpeechReply, reply)
    words = _printable(read.utterance).split()
    if not SHORTEST_UTTERANCE <= len(words) <= LONGEST_UTTERANCE:
        raise ReplyFaultError(
            f"utterance: expected {SHORTEST_UTTERANCE} to {LONGEST_UTTERANCE} words, found "
            f"{len(words)}"
        )
    inner = _printable(read.inner_speech).strip()
    return Speech(" ".join(words), inner[:_MOST_INNER] or None)


def read_updates(
    reply: str, beliefs: Mapping[Player, Preferences], *, step: float
) -> dict[Player, Preferences]:
    """Preferences of both players as one of them believes them, after a sentence of the other.

    Args:
        reply: The text as it came: lines `agent | preference towards entity | variation`.
        beliefs: What it believed before; its own preferences among them.
        step: What `more positive` adds; `more negative` takes as much.

    Raises:
        ReplyFaultError: A line is none of that form.
    """
    after = dict(beliefs)
    for line in _read(_UpdateReply, reply).updates:
        agent, _, rest = (part.strip() for part in line.strip("\"' ").partition("|"))
        towards, _, variation = (part.strip() for part in rest.partition("|"))
        player = next(
            (p for p, name in PLAYER_NAMES.items() if words_of(name) == words_of(agent)), None
        )
        change = _VARIATIONS.get(words_of(variation))
        entity = re.sub(r"^\s*preferences?\s+towards?\s+", "", towards, flags=re.IGNORECASE)
        if player is None or change is None or entity == towards:
            raise ReplyFaultError(
                f"updates: expected agent | preference towards entity | variation, found {line!r}"
            )
        after[player] = _varied(after[player], entity, change * step, PLAYER_NAMES[other(player)])
    return after


def preferred(before: Preferences, name: str, value: float, partner: str) -> Preferences:
    """Preferences with another value towards the other or a box.

    Raises:
        ReplyFaultError: The name is of neither.
    """
    box = box_of(name)
    if box is not None:
        return before._replace(dark_box=value) if box == 0 else before._replace(light_box=value)
    if words_of(name) == words_of(partner):
        return before._replace(other=value)
    expected = ", ".join((partner, *BOX_NAMES))
    raise ReplyFaultError(f"preferences: expected {expected}, found {name!r}")


def _printable(text: str) -> str:
    """A text without control characters, which files and terminals take for something else."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _varied(before: Preferences, entity: str, change: float, partner: str) -> Preferences:
    if words_of(entity) in {words_of(name) for name in PLAYER_NAMES.values() if name != partner}:
        # Published prompts allow preferences towards oneself; they move nobody.
        return before
    box = box_of(entity)
    value = before.other if box is None else before.boxes[box]
    return preferred(before, entity, max(-1.0, min(1.0, round(value + change, 6))), partner)


_VARIATIONS = {
    frozenset(("more", "positive")): 1.0,
    frozenset(("more", "negative")): -1.0,
    frozenset(("unchanged",)): 0.0,
}


def _read(kind: type[_Model], reply: str) -> _Model:
    """The last object of a reply that has a field of what was asked for."""
    text = text_of_json(reply)
    body = text if is_strict_json(text) else without_thoughts(text)
    if body is None:
        raise ReplyFaultError("expected a reply after the thoughts, found no end of them")
    found = [one for one in find_objects(body) if not one.is_open]
    for one in reversed(found):
        fields = _fields(one.pairs)
        if fields.keys() & kind.model_fields.keys():
            try:
                return kind.model_validate(fields)
            except ValidationError as error:
                raise ReplyFaultError(describe_fault(error)) from None
    names = ", ".join(name for name, field in kind.model_fields.items() if field.is_required())
    raise ReplyFaultError(f"expected a JSON object with {names}, found none")


def _fields(pairs: Pairs) -> dict[str, Any]:
    """An object by its keys' letters; names of players and boxes are left as they are."""
    fields: dict[str, Any] = {}
    for key, value in pairs:
        letters = "".join(re.findall("[a-z]", key.casefold()))
        name = _SAME_KEYS.get(letters, letters)
        if name in fields:
            raise ReplyFaultError(f"{name}: expected once, found twice")
        if name == "preferences" and isinstance(value, Pairs):
            fields[name] = dict(value)
        else:
            fields[name] = _fields(value) if isinstance(value, Pairs) else value
    return fields
