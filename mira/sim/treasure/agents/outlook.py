"""What each move would lead to, for agents that plan."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, get_args

import numpy as np

from mira.schema.step import MosaicMove
from mira.sim.treasure.floor import Square, Stance, off_axis_deg, path_length
from mira.sim.treasure.rules import GazePolicy, gaze_certainty, is_free_cell, outcome_of

MOVES: tuple[MosaicMove, ...] = get_args(MosaicMove)
"""All moves, in the order of an outlook's rows."""
_FAR = 7.0
"""Path length at which nothing of a box's nearness is left."""
FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
BoolArray = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


class Outlook(NamedTuple):
    """What holds after each of the moves; rows as `MOVES`.

    Attributes:
        near: Nearness to each box, shape (12, 2).
        gaze: How surely it looks at each box, shape (12, 2).
        approach: How much nearer it comes to the dark box than to the light one, -1 to 1.
        moves: 1 for what is not staying.
        sees_other: 1 where the other is in view.
        is_seen: 1 where it is in the other's view.
        is_free: Whether nothing is in the way.
    """

    near: FloatArray
    gaze: FloatArray
    approach: FloatArray
    moves: FloatArray
    sees_other: FloatArray
    is_seen: FloatArray
    is_free: BoolArray


@lru_cache(maxsize=4096)
def outlook_of(
    own: Stance,
    partner: Stance,
    boxes: tuple[Square, Square],
    look: GazePolicy,
    *,
    view_deg: float,
) -> Outlook:
    """What each move would lead to; its arrays are shared, not to be written to.

    Args:
        own: Where it is.
        partner: Where the other is.
        boxes: Where the boxes are.
        look: How surely somebody looks at a box.
        view_deg: Who is farther than this from straight ahead is not seen.
    """
    ways = [outcome_of(own, move, boxes, partner.at) for move in MOVES]
    return Outlook(
        near=np.array([[nearness(way.at, box) for box in boxes] for way in ways]),
        gaze=np.array([gaze_certainty(way, boxes, look) for way in ways]),
        approach=np.array([approach_of(own.at, way.at, boxes) for way in ways]),
        moves=np.array([float(move != "stay_idle") for move in MOVES]),
        sees_other=np.array([float(off_axis_deg(way, partner.at) <= view_deg) for way in ways]),
        is_seen=np.array([float(off_axis_deg(partner, way.at) <= view_deg) for way in ways]),
        is_free=np.array([is_free_cell(way.at, boxes, partner.at) for way in ways]),
    )


def nearness(at: Square, box: Square) -> float:
    """1 beside a box, falling with the path to 0."""
    return max(0.0, 1 - (path_length(at, box) - 1) / (_FAR - 1))


def approach_of(before: Square, after: Square, boxes: tuple[Square, Square]) -> float:
    """How much nearer somebody came to the dark box than to the light one, in steps, -1 to 1."""
    lead = [path_length(at, boxes[1]) - path_length(at, boxes[0]) for at in (before, after)]
    return max(-1.0, min(1.0, (lead[1] - lead[0]) / 2))
