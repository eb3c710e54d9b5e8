"""Replies that name one of a few moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from mira.replies.bare_answers import AnswerForm, Choice
from mira.replies.reading import ReadReply, read_reply

MoveReading = Literal["strict", "published"]
"""How a reply is read: `strict` takes what is said to be the choice, or nothing; `published`
takes `Choice: 3`, or else the last number that stands in the reply, as MirrorBench does."""

MOVE_KEY = "action"
"""The key that an object gives its move under."""
_ANNOUNCED = re.compile(
    r"[\s*#>-]*(?:(?:my|the|next|chosen|final)\s+){0,3}(?:action|move)[\s*]*[:=]\s*([^{}\n]{1,80})",
    re.IGNORECASE,
)
_PUBLISHED_CHOICE = re.compile(r"choice:?\s*\[?([0-9]+)", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+")


def read_move(text: str | None, moves: Sequence[str], *, reading: MoveReading) -> ReadReply:
    """The one move that a reply chooses; two that differ are none.

    Args:
        text: The reply as it came; None where the call failed.
        moves: What may be chosen, in the order in which numbers count them from 1.
        reading: How strictly.
    """
    if reading == "published":
        return _read_number(text, moves)
    form = AnswerForm(
        "single_choice", tuple(Choice(move, move, f"move {move}") for move in moves), {}, MOVE_KEY
    )
    read = read_reply(text, form)
    announced = _ANNOUNCED.fullmatch((text or "").strip())
    if read.kind == "unparsable" and announced:
        return read_reply(announced[1], form)
    return read


def _read_number(text: str | None, moves: Sequence[str]) -> ReadReply:
    if text is None:
        return ReadReply(None, "failed", None, None)
    chosen = _PUBLISHED_CHOICE.search(text)
    numbers = [chosen[1]] if chosen else _NUMBER.findall(text)
    # No list of moves has a number that long, and Python refuses to read very long ones.
    number = int(numbers[-1]) if numbers and len(numbers[-1].lstrip("0")) < 4 else 0
    if 1 <= number <= len(moves):
        return ReadReply(moves[number - 1], "parsed", "bare", None)
    return ReadReply(None, "unparsable", None, None)
