"""Steps that could not have happened are refused by field."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mira.schema.step import MirrorStep, MosaicStep

SMALL = st.floats(-1, 1)
SHARE = st.floats(0, 1)
TEXT = st.text(max_size=8)


def move(**changes: Any) -> MirrorStep:
    fields = {
        "episode_id": "e",
        "step": 1,
        "action": "up",
        "legal": True,
        "hand_world_m": (0.5, 0.25, 1.0),
        "mark_world_m": (0.25, 0.5, 1.5),
        "manhattan_m": 1.0,
        "terminated": False,
        "truncated": False,
    }
    return MirrorStep.model_validate(fields | changes)


def turn(**changes: Any) -> MosaicStep:
    fields = {"episode_id": "e", "round": 3, "role": "subject", "position_cells": (0, -4)}
    return MosaicStep.model_validate(fields | changes)


POINTS = st.tuples(SMALL, SMALL, SMALL)
MOVES = st.builds(
    lambda hand, mark, action, reply: move(
        hand_world_m=hand,
        mark_world_m=mark,
        manhattan_m=sum(abs(a - b) for a, b in zip(hand, mark, strict=True)),
        action=action,
        legal=None if action is None else True,
        raw_reply=reply,
    ),
    POINTS,
    POINTS,
    st.sampled_from(["up", "down", "left", "right", "forward", "backward", None]),
    st.none() | TEXT,
)
TURNS = st.builds(
    turn,
    round=st.sampled_from([3, 6, 9]),
    role=st.sampled_from(["subject", "participant"]),
    orientation_cells=st.none() | st.tuples(SMALL, SMALL),
    preference_boxes=st.none() | st.tuples(SMALL, SMALL),
    gaze_certainty=st.none() | st.tuples(SHARE, SHARE),
    facial_valence=st.none() | SMALL,
    utterance=st.none() | TEXT,
    inner_speech=st.none() | TEXT,
    raw_replies=st.lists(TEXT, max_size=3).map(tuple),
) | st.builds(turn, round=st.integers(1, 10), move=st.sampled_from([None, "stay_idle"]))


@given(MOVES | TURNS)
def test_step_survives_dump_and_load(step: MirrorStep | MosaicStep) -> None:
    text = orjson.dumps(step.model_dump(mode="json"))
    assert type(step).model_validate(orjson.loads(text)) == step


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"action": None}, "legal"),
        ({"legal": None}, "legal"),
        ({"legal": False, "terminated": True}, "terminated"),
        ({"action": None, "legal": None, "terminated": True}, "terminated"),
        ({"manhattan_m": 0.9}, "manhattan_m"),
        ({"manhattan_m": -1}, "manhattan_m"),
        ({"step": 0}, "step"),
        ({"action": "jump"}, "action"),
    ],
)
def test_move_that_could_not_be_is_refused(changes: Any, field: str) -> None:
    with pytest.raises(ValidationError, match=rf"\b{field}(: expected|\n)"):
        move(**changes)


def test_positions_of_32_bit_floats_give_the_distance() -> None:
    assert move(manhattan_m=1.0000001).manhattan_m == 1.0000001


@pytest.mark.parametrize("round_number", [0, 11])
def test_rounds_go_from_1_to_10(round_number: int) -> None:
    with pytest.raises(ValidationError, match="round"):
        turn(round=round_number)


@pytest.mark.parametrize("field", ["utterance", "inner_speech"])
def test_agents_speak_in_rounds_3_6_and_9_only(field: str) -> None:
    for number in range(1, 11):
        if number in (3, 6, 9):
            assert getattr(turn(round=number, **{field: "hm"}), field) == "hm"
            continue
        match = f"{field}: expected in rounds 3, 6 and 9 only, found in round {number}"
        with pytest.raises(ValidationError, match=match):
            turn(round=number, **{field: "hm"})


@pytest.mark.parametrize(
    "changes",
    [
        {"preference_other": 1.1},
        {"preference_boxes": (0, -1.1)},
        {"gaze_certainty": (-0.1, 1)},
        {"facial_valence": -1.1},
        {"physiological_valence": 2},
        {"felt_valence": 2},
    ],
)
def test_signal_out_of_range_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(changes))):
        turn(**changes)
