"""Ways of scripted agents: to a box, or its eyes on it."""

from __future__ import annotations

from mira.schema.episode import BoxId
from mira.schema.step import MosaicMove
from mira.sim.treasure.agent import Seen
from mira.sim.treasure.floor import (
    STEPS,
    Square,
    Stance,
    off_axis_deg,
    path_length,
)
from mira.sim.treasure.rules import is_free_cell, outcome_of

LOOK_AT: tuple[MosaicMove, MosaicMove] = ("rotate_box_0", "rotate_box_1")
"""The turn towards each box."""
_IN_VIEW_DEG = 22.5
"""As near as eighths of a turn come to any direction."""


def approach(seen: Seen, box: BoxId) -> MosaicMove:
    """The free step that brings an agent nearest to a box; it stays once it is beside it."""
    goal = seen.boxes[box]
    if is_beside(seen.own.at, goal):
        return "stay_idle"
    ways = {move: outcome_of(seen.own, move, seen.boxes, seen.partner.at).at for move in STEPS}
    free = [move for move, cell in ways.items() if is_free_cell(cell, seen.boxes, seen.partner.at)]
    return min(free, key=lambda move: path_length(ways[move], goal), default="stay_idle")


def look_or_approach(seen: Seen, box: BoxId) -> MosaicMove:
    """The turn towards a box where the eyes have left it, else a step to it."""
    if off_axis_deg(seen.own, seen.boxes[box]) > _IN_VIEW_DEG:
        return LOOK_AT[box]
    return approach(seen, box)


def box_in_view(stance: Stance, boxes: tuple[Square, Square]) -> BoxId | None:
    """The box that somebody looks at, as nearly as they can; None for neither or both alike."""
    dark, light = (off_axis_deg(stance, box) for box in boxes)
    if dark == light or min(dark, light) > _IN_VIEW_DEG:
        return None
    return 0 if dark < light else 1


def is_beside(cell: Square, box: Square) -> bool:
    """Whether a cell is one of the eight around a box."""
    return max(abs(cell[0] - box[0]), abs(cell[1] - box[1])) == 1
