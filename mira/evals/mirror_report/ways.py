"""Ways of the hand, from the side and from behind, as places in drawings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mira.evals.mirror.measuring import hand_before, image_of, measure_episode
from mira.evals.mirror.policy import MirrorPolicy
from mira.evals.mirror.runs import PlayedEpisode, Player
from mira.evals.mirror_report.scales import Scale
from mira.schema.step import REACH_DIRECTIONS, WorldPoint

SIDE_WIDTH, FRONT_WIDTH, HEIGHT = 430.0, 220.0, 248.0
_FLOOR_PX, _TOP_PX = HEIGHT - 16.0, 12.0
_LOW_M, _HIGH_M = 0.0, 2.6
_BACK_M = -0.45
_PUSHES_M = 0.035
"""How long the tick of a refused move is."""


class Stop(NamedTuple):
    """A place of the hand in a view."""

    x: float
    y: float
    title: str
    refused: bool


class View(NamedTuple):
    """What is seen from one side."""

    points: str
    stops: tuple[Stop, ...]
    mark: tuple[float, float]
    image: tuple[float, float] | None
    """The mark in the mirror; None where the view does not tell it from the mark."""
    mirror: tuple[float, float, float, float]
    """x, y, width and height."""
    body: str
    """Path of its sketch."""
    reflected: str | None
    floor_y: float


class _Hand(NamedTuple):
    at_m: WorldPoint
    title: str
    pushes: WorldPoint | None
    """Which way a refused move went; None for others."""


class Way(NamedTuple):
    """An episode that is drawn.

    Attributes:
        title: Scene and level.
        what: How it ended, in words.
        side: Seen from the right of the body; the mirror is on the right.
        front: Seen from behind the body, as the camera does.
    """

    episode_id: str
    title: str
    what: str
    side: View
    front: View


def ways_of(player: Player, *, count: int, policy: MirrorPolicy) -> tuple[Way, ...]:
    """Episodes from the best to the worst by their mean score, evenly spread."""
    ranked = sorted(
        (-measures.avg, one.episode.episode_id, one)
        for one in player.episodes
        if (measures := measure_episode(one.episode, one.steps, policy=policy)) is not None
    )
    count = min(count, len(ranked))
    places = {round(k * (len(ranked) - 1) / max(count - 1, 1)) for k in range(count)}
    return tuple(way_of(ranked[place][2], policy=policy) for place in sorted(places))


def way_of(one: PlayedEpisode, *, policy: MirrorPolicy) -> Way:
    """The way of one episode."""
    measures = measure_episode(one.episode, one.steps, policy=policy)
    ended = "was aborted"
    if measures is not None:
        ended = "reached the mark" if measures.tsr else "ended"
        left = one.steps[-1].manhattan_m if one.steps else one.details.d0_m
        ended += f" after {len(one.steps)} steps"
        if not measures.tsr:
            ended += f", {left:.1f} m away; began at {one.details.d0_m:.1f} m"
    return Way(
        one.episode.episode_id,
        f"{one.details.body}, {one.details.mark}, level {one.details.level}",
        ended,
        _side(one, policy),
        _front(one),
    )


def _hands(one: PlayedEpisode) -> list[_Hand]:
    """Places of the hand with what is said of them, the start among them."""
    if not one.steps:
        return []
    hands = [_Hand(hand_before(one.steps[0], one.details.step_m), "start", None)]
    for step in one.steps:
        done = ", refused" if step.legal is False else ""
        title = f"step {step.step}: {step.action or 'unreadable'}{done}, {step.manhattan_m:.1f} m"
        pushes = REACH_DIRECTIONS[step.action] if step.action and not step.legal else None
        hands.append(_Hand(step.hand_world_m, title, pushes))
    return hands


def _stops(hands: Sequence[_Hand], along: Scale, up: Scale, axis: int) -> tuple[Stop, ...]:
    """Places in a view; that of a refused move lies a little off where it pushed to."""
    found = []
    for hand in hands:
        off = hand.pushes or (0.0, 0.0, 0.0)
        x = along.at(hand.at_m[axis] + _PUSHES_M * off[axis])
        y = up.at(hand.at_m[2] + _PUSHES_M * off[2])
        found.append(Stop(x, y, hand.title, hand.pushes is not None))
    return tuple(found)


def _line(hands: Sequence[_Hand], along: Scale, up: Scale, axis: int) -> str:
    return " ".join(f"{along.at(hand.at_m[axis])},{up.at(hand.at_m[2])}" for hand in hands)


def _side(one: PlayedEpisode, policy: MirrorPolicy) -> View:
    mirror_x = policy.mirror_x_m
    along = Scale(_BACK_M, 2 * mirror_x - _BACK_M, 8, SIDE_WIDTH - 8)
    up = Scale(_LOW_M, _HIGH_M, _FLOOR_PX, _TOP_PX)
    hands, mark = _hands(one), _mark(one)
    image = image_of(mark, mirror_x)
    return View(
        _line(hands, along, up, 0),
        _stops(hands, along, up, 0),
        (along.at(mark[0]), up.at(mark[2])),
        (along.at(image[0]), up.at(image[2])),
        (along.at(mirror_x), up.at(2.0), 4.0, round(up.at(0) - up.at(2.0), 1)),
        _profile(along, up, mark, one.details.setting, 1),
        _profile(along, up, image, one.details.setting, -1),
        up.at(0),
    )


def _front(one: PlayedEpisode) -> View:
    # Left is +y.
    across = Scale(-1.2, 1.2, FRONT_WIDTH - 8, 8)
    up = Scale(_LOW_M, _HIGH_M, _FLOOR_PX, _TOP_PX)
    hands, mark = _hands(one), _mark(one)
    left, right, top = across.at(1.0), across.at(-1.0), up.at(2.0)
    return View(
        _line(hands, across, up, 1),
        _stops(hands, across, up, 1),
        (across.at(mark[1]), up.at(mark[2])),
        None,
        (left, top, round(right - left, 1), round(up.at(0) - top, 1)),
        _back(across, up, one.details.setting),
        None,
        up.at(0),
    )


def _mark(one: PlayedEpisode) -> WorldPoint:
    return one.steps[-1].mark_world_m if one.steps else (0.0, 0.0, 1.0)


def _profile(along: Scale, up: Scale, mark: WorldPoint, setting: str, facing: int) -> str:
    """A body from the side, a hand's depth behind its mark; a sketch, not its true shape."""
    front = mark[0] - 0.05 * facing
    back = front - 0.3 * facing
    if setting == "robot":
        top = max(0.8, mark[2] + 0.25)
        return (
            f"M{along.at(back)},{up.at(0)} L{along.at(back)},{up.at(top)} "
            f"L{along.at(front)},{up.at(top)} L{along.at(front)},{up.at(0)} Z"
        )
    middle = (front + back) / 2
    head = _arc(along, 0.1, middle, up)
    torso = (
        f" M{along.at(back + 0.04 * facing)},{up.at(0)} L{along.at(back)},{up.at(1.4)} "
        f"Q{along.at(middle)},{up.at(1.54)} {along.at(front)},{up.at(1.4)} "
        f"L{along.at(front - 0.04 * facing)},{up.at(0)} Z"
    )
    return head + torso


def _back(across: Scale, up: Scale, setting: str) -> str:
    """A body from behind; a sketch, not its true shape."""
    if setting == "robot":
        return (
            f"M{across.at(0.28)},{up.at(0)} L{across.at(0.28)},{up.at(1.45)} "
            f"L{across.at(-0.28)},{up.at(1.45)} L{across.at(-0.28)},{up.at(0)} Z"
        )
    return (
        f"{_arc(across, 0.1, 0.0, up)}"
        f" M{across.at(0.2)},{up.at(0)} L{across.at(0.25)},{up.at(1.35)} "
        f"Q{across.at(0)},{up.at(1.58)} {across.at(-0.25)},{up.at(1.35)} "
        f"L{across.at(-0.2)},{up.at(0)} Z"
    )


def _arc(scale: Scale, radius: float, middle: float, up: Scale) -> str:
    """A head as two half circles from one side of it to the other and back."""
    width = abs(scale.at(middle + radius) - scale.at(middle - radius)) / 2
    ends = sorted((scale.at(middle - radius), scale.at(middle + radius)))
    y = up.at(1.62)
    return (
        f"M{ends[0]},{y} A{width:.1f},{width * 1.2:.1f} 0 1 1 {ends[1]},{y} "
        f"A{width:.1f},{width * 1.2:.1f} 0 1 1 {ends[0]},{y} Z"
    )
