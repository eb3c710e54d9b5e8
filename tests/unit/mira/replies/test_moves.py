"""Moves as players of the mirror test name them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.replies.moves import read_move

MOVES = ("up", "down", "left", "right", "forward", "backward")
CHOSEN = [
    ('{"action": "left", "reason": "the mark is on the left"}', "left"),
    ('```json\n{"action": "move backward", "reason": "closer to my body"}\n```', "backward"),
    ('The hand is 3 steps off.\n{"action": "UP.", "reason": "higher"}', "up"),
    ('{"Action": ["down"], "reason": "lower"}', "down"),
    ("{'action': 'right', 'reason': 'it's on the right'}", "right"),
    ('<think>{"action": "up"}? no.</think>{"action": "down"}', "down"),
    ('{"action": "forward", "reason": "the mirror is', "forward"),
    ("left", "left"),
    ("**Forward**", "forward"),
    ("Action: move up", "up"),
    ("My next move is: down.", None),
    ('My next action: "down"', "down"),
]
NOT_CHOSEN = [
    "I would go up by 2, then left by 3",
    "Step 4",
    "4",
    '{"action": 4}',
    '{"action": "up or down"}',
    '{"action": "up", "reason": "a"}\n{"action": "down", "reason": "b"}',
    '{"action": "up"}\nAnswer: down',
    '{"action": "stay"}',
    '{"reason": "up"}',
    '<think>{"action": "up"}',
    "up down",
    "",
]


@pytest.mark.parametrize(("text", "move"), CHOSEN)
def test_a_choice_is_read_however_it_is_dressed(text: str, move: str | None) -> None:
    assert read_move(text, MOVES, reading="strict").answer == move


@pytest.mark.parametrize("text", NOT_CHOSEN)
def test_what_is_no_one_choice_is_none(text: str) -> None:
    assert read_move(text, MOVES, reading="strict").answer is None


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Choice: [4]", "right"),
        ("choice 2 of 6", "down"),
        ("Of 6 moves I take 1", "up"),
        ("It is 9 steps away", None),
        ("up", None),
        ("0", None),
        ("9" * 5000, None),
        ("²", None),
    ],
)
def test_the_published_way_takes_a_choice_or_the_last_number(text: str, move: str | None) -> None:
    assert read_move(text, MOVES, reading="published").answer == move


@pytest.mark.parametrize("reading", ["strict", "published"])
@given(text=st.text() | st.text(alphabet='{}[]":,\\ 0123456789chioeuplft'))
def test_reading_a_move_never_raises(text: str, reading: str) -> None:
    assert read_move(text, MOVES, reading=reading).answer in (None, *MOVES)  # type: ignore[arg-type]


@given(
    first=st.sampled_from(MOVES),
    second=st.sampled_from(MOVES),
    between=st.sampled_from(["", "\n", " and then ", "```"]),
)
def test_two_moves_that_differ_are_none(first: str, second: str, between: str) -> None:
    text = json.dumps({"action": first}) + between + json.dumps({"action": second, "reason": ""})
    expected = first if first == second else None
    assert read_move(text, MOVES, reading="strict").answer == expected


@given(move=st.sampled_from(MOVES), reason=st.text())
def test_a_reason_changes_no_move(move: str, reason: str) -> None:
    text = json.dumps({"action": move, "reason": reason})
    assert read_move(text, MOVES, reading="strict").answer == move
