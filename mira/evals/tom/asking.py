"""What a model is told: the text of a question, and how to reply. Pure functions of an item."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from mira.schema.episode import TomItem

_PATH = Path(__file__).with_name("asking.yaml")
_DIGITS = 8


class _Wording(NamedTuple):
    version: str
    words: dict[str, Any]


@cache
def _wording() -> _Wording:
    data = _PATH.read_bytes()
    words = yaml.safe_load(data)
    digest = hashlib.sha256(data).hexdigest()[:_DIGITS]
    return _Wording(f"{words['version']}-{digest}", words)


def prompt_version() -> str:
    """Version of the words: a number, and digits of a digest, so that no word changes unseen."""
    return _wording().version


def prompt_of(item: TomItem) -> str:
    """All that a model is told of an item: story, question, options and the form of a reply.

    Args:
        item: The question. About a moment of an episode there is no story to tell; whoever asks
            an agent has told it what it saw.
    """
    words = _wording().words
    parts = [] if item.story is None else [words["story"].format(story=item.story)]
    parts.append(words["question"].format(question=item.question))
    if are_letters(item):
        lines = [words["option"].format(label=o.label, value=o.value) for o in item.options]
        parts.append(words["options"].format(options="\n".join(lines)))
    parts.append(how_to_reply(item))
    return "\n\n".join(parts)


def repair_of(item: TomItem) -> str:
    """What a model is told whose reply to an item gives no answer."""
    told: str = _wording().words["repair"].format(reply=how_to_reply(item))
    return told


def how_to_reply(item: TomItem) -> str:
    """The form of a reply to an item."""
    words = _wording().words
    kind = "own_words"
    if item.options:
        kind = "letters" if are_letters(item) else "words"
    labels = ", ".join(option.label for option in item.options)
    told: str = words["reply"].format(what=words["what"][kind].format(labels=labels))
    return told


def item_sha8(item: TomItem) -> str:
    """Eight digits of a digest of what is asked, offered and right."""
    asked = (item.story or "", item.question, item.answer)
    options = (part for option in item.options for part in (option.label, option.value))
    return hashlib.sha256("\0".join((*asked, *options)).encode()).hexdigest()[:_DIGITS]


def are_letters(item: TomItem) -> bool:
    """Whether options say more than their labels do."""
    return any(option.label != option.value for option in item.options)
