"""What scripted agents say, and what they take from what they are told."""

from __future__ import annotations

import re

from mira.schema.episode import BoxId

ASKS = "Which of the two boxes is it in, the dark brown one or the light brown one?"
"""What participants ask."""
EVADES = "I would rather not say which of them it is, so please make up your own mind about it."
"""An answer that tells nothing."""
_NAMES = ("dark", "light")
_CLAUSE = re.compile(r"[.,;:!?]|\bbut\b|\band\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|never|no|neither|nor|without)\b|n['’]t\b", re.IGNORECASE)


def tells(box: BoxId) -> str:
    """A sentence that names a box."""
    return f"It is in the {_NAMES[box]} brown box, so that is the one you should walk over to."


def named_box(text: str | None) -> BoxId | None:
    """The box that a sentence says the reward is in, read without any wit.

    A clause that names one box speaks for it, or against it where it denies something. What speaks
    for both boxes, or for none, tells nothing.
    """
    boxes = {box for clause in _CLAUSE.split(text or "") if (box := _meant(clause)) is not None}
    return boxes.pop() if len(boxes) == 1 else None


def _meant(clause: str) -> BoxId | None:
    dark, light = (re.search(rf"\b{name}", clause, re.IGNORECASE) for name in _NAMES)
    if (dark is None) == (light is None):
        return None
    return 1 if bool(dark) == bool(_DENIES.search(clause)) else 0
