"""The floor of the treasure room: cells, eight directions, steps in the mover's own frame.

Cells are whole numbers, x to the right and y away from where the subject starts. A direction is an
eighth of a turn, counted from +x against the clock, so that every step leads to one of the eight
cells around and "left" of a diagonal is a diagonal.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from mira.schema.step import MosaicMove

Square = tuple[int, int]
"""A cell of the floor."""

HALF_WIDTH = 5
"""Walls stand behind the cells at x or y = 5 and -5."""
_STEPS: tuple[Square, ...] = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_EIGHTHS: dict[MosaicMove, int] = {
    "forward": 0,
    "left_forward": 1,
    "left": 2,
    "left_backward": 3,
    "backward": 4,
    "right_backward": 5,
    "right": 6,
    "right_forward": 7,
}
STEPS = tuple(_EIGHTHS)
"""Moves that lead to another cell."""


class Stance(NamedTuple):
    """Where somebody stands, and which way they face.

    Attributes:
        at: Their cell.
        facing: Eighths of a turn from +x against the clock, 0 to 7.
    """

    at: Square
    facing: int

    @property
    def looks_at(self) -> Square:
        """The cell in front of them, which tells the direction in words."""
        (x, y), (dx, dy) = self.at, _STEPS[self.facing]
        return x + dx, y + dy


def stepped(stance: Stance, move: MosaicMove) -> Stance:
    """After a step in the mover's own frame, whatever is in the way; they face as before."""
    (x, y), (dx, dy) = stance.at, _STEPS[(stance.facing + _EIGHTHS[move]) % 8]
    return Stance((x + dx, y + dy), stance.facing)


def turned_to(stance: Stance, target: Square) -> Stance:
    """Facing the target as nearly as eighths of a turn allow; as before if it is underfoot."""
    if target == stance.at:
        return stance
    return Stance(stance.at, round(bearing_deg(stance.at, target) / 45) % 8)


def is_on_floor(cell: Square) -> bool:
    """Whether a cell is within the walls."""
    return max(abs(cell[0]), abs(cell[1])) <= HALF_WIDTH


@cache
def path_length(one: Square, other: Square) -> float:
    """Length of the shortest way over a free floor; a diagonal step is √2 long."""
    dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(dx, dy) + (math.sqrt(2) - 1) * min(dx, dy)


@cache
def bearing_deg(one: Square, other: Square) -> float:
    """Direction from one cell to another, from +x against the clock, -180 to 180."""
    return math.degrees(math.atan2(other[1] - one[1], other[0] - one[0]))


@cache
def off_axis_deg(stance: Stance, target: Square) -> float:
    """How far a target is from straight ahead, 0 to 180; 180 if it is underfoot."""
    if target == stance.at:
        return 180.0
    return abs((bearing_deg(stance.at, target) - 45 * stance.facing + 180) % 360 - 180)
