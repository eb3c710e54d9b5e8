"""Labels that are taken as a category and look like a slip in one of our words."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r"[^\W\d_]+")
_NEAR_ONE = ("surface", "object", "mirror", "ignore")
"""Words of which one slip is told from another word; `hole` is too near to pole and hose."""
_HOLES = frozenset({"hole", "holes", "hoel", "hloe", "ohle"})
_FRAGMENTS = ("refl", "倒影", "镜像", "反射")
"""Parts of words that speak of reflections."""
_SEEN = frozenset({"mirrored", "virtual"})
_NO_REFLECTIONS = frozenset({"reflector", "reflectors", "reflective", "reflex"})
"""Words for things, in spite of their start."""
_ARTICLES = frozenset({"a", "an", "the"})
_FILLERS = frozenset({"in", "of"})


def meant_label(category: str, *, reflected: bool) -> str | None:
    """The label of our convention that is likely meant.

    Args:
        category: What a label is taken as: in small letters, less an ending `_reflection`.
        reflected: Whether that ending was there.

    Returns:
        The label; None where the category looks like none of our words.
    """
    words = [word for word in _WORD.findall(category) if word not in _ARTICLES]
    others = list(_without_reflection(words))
    if others != words:
        rest = [word for word in others if word not in _FILLERS and _near_word(word) != "mirror"]
        return f"{'_'.join(rest) or 'object'}_reflection"
    near = [_near_word(word) for word in words]
    if not words or (reflected and words in (["mirror"], ["surface"])):
        return None
    if None not in near:
        return _our_label(near[0] or "", reflected)
    return "surface" if near[-1] == "mirror" and not reflected else None


def slips(word: str, other: str) -> int:
    """Letters to change, add, leave out or swap with the next to make one word the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, start=1):
        before, above, row = row, before, [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and (letter, word[i - 2]) == (other[j - 2], wanted):
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _without_reflection(words: list[str]) -> Iterator[str]:
    """Words less those that say that a thing is seen in a mirror."""
    for place, word in enumerate(words):
        if _near_word(word) == "mirror" and words[place - 1 : place] == ["in"]:
            continue
        if not _speaks_of_reflection(word):
            yield word
        elif start := _start(word):
            yield start


def _start(word: str) -> str:
    """What a word that speaks of a reflection says before it does, as in `cupreflection`."""
    return next((word.partition(part)[0] for part in _FRAGMENTS if part in word), "")


def _speaks_of_reflection(word: str) -> bool:
    if word in _NO_REFLECTIONS:
        return False
    if word in _SEEN or any(fragment in word for fragment in _FRAGMENTS):
        return True
    return _slips_up_to(2 if word.startswith("r") else 1, word, "reflection")


def _near_word(word: str) -> str | None:
    """Which of our words a word is, but for a slip."""
    if word in _HOLES:
        return "hole"
    return next((ours for ours in _NEAR_ONE if _slips_up_to(1, word, ours)), None)


def _slips_up_to(most: int, word: str, other: str) -> bool:
    return abs(len(word) - len(other)) <= most and slips(word, other) <= most


def _our_label(word: str, reflected: bool) -> str:
    if word == "object" and reflected:
        return "object_reflection"
    return "surface" if word == "mirror" else word
