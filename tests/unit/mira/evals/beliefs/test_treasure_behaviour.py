from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mira.evals.beliefs.treasure_behaviour import follows, meant_after


def trial(*places: int, choice: int | None = -1) -> Any:
    """What is looked at of a trial: the participant's places from side to side, and its choice."""
    turns = tuple(
        SimpleNamespace(position_cells=(x, 3), gaze_certainty=None, role="participant")
        for x in places
    )
    details = SimpleNamespace(boxes_cells=((-2, 0), (2, 0)), choice=choice)
    return SimpleNamespace(participant=turns, details=details)


@pytest.mark.parametrize(
    ("places", "after", "until", "choice", "meant"),
    [
        ((3, 2, 1), 1, 3, -1, 0),
        ((-3, -2, -1), 1, 3, -1, 1),
        ((1, 2, 3, 2), 3, None, -1, 0),
        ((0, 0, 0), 0, 3, 1, None),
        ((0, 0, 0), 0, None, 1, 1),
    ],
)
def test_only_the_way_of_its_rounds_and_the_last_choice_tell(
    places: tuple[int, ...], after: int, until: int | None, choice: int, meant: int | None
) -> None:
    played = trial(*places, choice=choice)
    found = meant_after(played, "participant", after=after, until=until, gaze_threshold=0.3)
    assert found == meant


def test_nothing_marie_does_follows_after_the_last_round() -> None:
    played: Any = SimpleNamespace(
        episode=SimpleNamespace(max_steps=10), condition=SimpleNamespace(expected_score=1)
    )
    assert follows(played, "subject", "reward", after=9)
    assert not follows(played, "subject", "reward", after=10)


@pytest.mark.parametrize(
    ("role", "valence", "meant"),
    [
        ("participant", -0.5, 0),
        ("subject", -0.5, 1),
        ("subject", 0.5, 0),
        ("subject", None, 0),
    ],
)
def test_a_frown_turns_the_look_of_marie_alone(
    role: Any, valence: float | None, meant: int
) -> None:
    turn = SimpleNamespace(
        position_cells=(0, 3), gaze_certainty=(0.9, 0.1), facial_valence=valence, role=role
    )
    details = SimpleNamespace(boxes_cells=((-2, 0), (2, 0)), choice=-1)
    played: Any = SimpleNamespace(participant=(turn,), subject=(turn,), details=details)
    found = meant_after(played, role, after=0, until=1, gaze_threshold=0.3)
    assert found == meant
