"""An episode moment by moment: what was to be seen, what was said, what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.errors import EpisodeError
from mira.evals.mirror.measuring import hand_before
from mira.evals.mirror.runs import PlayedEpisode
from mira.schema.step import MirrorStep, WorldPoint
from mira.store.episodes import EpisodeStore

Draw = Callable[[WorldPoint], NDArray[np.uint8]]
"""Gives the picture of the episode's scene with the hand at a place, RGB."""


class Moment(NamedTuple):
    """What was to be seen before a step, or at the end.

    Attributes:
        picture: RGB; None where it was not kept and cannot be drawn.
        step: The step that is taken on it; None at the end.
        hand_m: Where the hand is.
        distance_m: Manhattan distance to the mark.
    """

    picture: NDArray[np.uint8] | None
    step: MirrorStep | None
    hand_m: WorldPoint
    distance_m: float


def moments_of(store: EpisodeStore, one: PlayedEpisode, *, draw: Draw | None) -> tuple[Moment, ...]:
    """The moments of an episode, the last one after its last step.

    Args:
        store: Where it lies.
        one: The episode.
        draw: Draws what was not kept; None to do without.

    Raises:
        EpisodeError: It took no step, or a picture is none.
    """
    if not one.steps:
        raise EpisodeError(one.episode.episode_id, "expected steps to replay, found none")
    step_m = one.details.step_m
    hands = [hand_before(one.steps[0], step_m), *(step.hand_world_m for step in one.steps)]
    distances = [one.details.d0_m, *(step.manhattan_m for step in one.steps)]
    kept: dict[WorldPoint, NDArray[np.uint8]] = {}
    for hand, step in zip(hands, one.steps, strict=False):
        if step.image is not None and _place(hand) not in kept:
            data = store.read_picture(one.episode.episode_id, step.image)
            kept[_place(hand)] = _decoded(data, f"{one.episode.episode_id}/{step.image.path}")
    if draw is not None:
        for hand in hands:
            if _place(hand) not in kept:
                kept[_place(hand)] = draw(hand)
    return tuple(
        Moment(kept.get(_place(hand)), step, hand, distance)
        for hand, step, distance in zip(hands, [*one.steps, None], distances, strict=True)
    )


def caption_of(moment: Moment, number: int, count: int) -> str:
    """A moment in a line."""
    distance = f"{moment.distance_m:.1f} m from the mark"
    if moment.step is None:
        return f"end: {distance}"
    what = moment.step.action or "unreadable reply"
    refused = ", refused" if moment.step.legal is False else ""
    return f"{number}/{count}: {distance}, then {what}{refused}"


def _place(hand: WorldPoint) -> WorldPoint:
    """A place as a key, whatever its last digits."""
    x, y, z = (round(along, 3) + 0.0 for along in hand)
    return x, y, z


def _decoded(data: bytes, where: str) -> NDArray[np.uint8]:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    if picture is None:
        raise EpisodeError(where, "expected a picture, found none")
    return picture.astype(np.uint8, copy=False)
