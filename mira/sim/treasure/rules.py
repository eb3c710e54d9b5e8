"""The rules of the treasure game: turns, what is in their way, which box opens, who scores.

As MOSAIC publishes them (section 3.1 and appendix D). Where the paper is silent: the room is 11 by
11 cells (its examples and the logs of PCM-LLM reach -5 to 5); nobody steps into a wall, a box or
the other, a step that is refused takes the turn all the same; a step leaves the direction as it is
(as in the examples); directions are eighths of a turn (as in the examples). A diagonal step is √2
long, so that both boxes are equally near on the middle line alone; were steps merely counted, they
would be in 35 cells of 119.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

from mira.schema.episode import BoxId
from mira.schema.record import Record
from mira.schema.step import MosaicMove
from mira.sim.treasure.floor import (
    STEPS,
    Square,
    Stance,
    is_on_floor,
    off_axis_deg,
    path_length,
    stepped,
    turned_to,
)

Player = Literal["subject", "participant"]
"""`subject`: Marie, who knows the box; `participant`: who looks for it."""
Mode = Literal["cooperative", "competitive"]
"""Whether the subject gains or loses by the participant's success."""
TomOrder = Literal[0, 1]
"""Order of theory of mind imposed on the subject."""
Choice = Literal[-1, 0, 1]
"""Box that opens, -1 for none."""

PLAYERS: tuple[Player, Player] = ("subject", "participant")
"""Who plays, in the order of their turns."""
ROUNDS = 10
"""Turns of each."""
BOXES: tuple[Square, Square] = ((2, 0), (-2, 0))
"""Where boxes stand in the published room; which of them is the dark one is drawn by trial."""
START: Mapping[Player, Stance] = {
    "subject": Stance((0, -4), 2),
    "participant": Stance((0, 4), 6),
}
"""They face each other."""


class GazePolicy(Record):
    """How surely somebody looks at a box, by how far it is from straight ahead."""

    width_deg: float = 16.7
    """Angle at which certainty has fallen to exp(-1/2); 16.7 gives both boxes 0.28 at the start, as
    the logs of PCM-LLM have it, so that looking between them is no signal at the usual 0.3."""


class TreasureGame:
    """One game, turn by turn.

    Attributes:
        boxes: Cells of the dark and the light brown box.
        stances: Where both stand now.
    """

    def __init__(self, boxes: tuple[Square, Square] = BOXES) -> None:
        self.boxes = boxes
        self.stances: dict[Player, Stance] = dict(START)

    def take_turn(self, player: Player, move: MosaicMove | None) -> bool:
        """Move a player, if nothing is in the way.

        Args:
            player: Whose turn it is.
            move: What they do; None stays as `stay_idle` does.

        Returns:
            Whether it was done; False for a step that is refused.
        """
        after = self.after(player, move)
        free = self.is_free(player, after.at)
        if free:
            self.stances[player] = after
        return free

    def after(self, player: Player, move: MosaicMove | None) -> Stance:
        """Where a move would lead, whatever is in the way."""
        return outcome_of(self.stances[player], move, self.boxes, self.stances[other(player)].at)

    def is_free(self, player: Player, cell: Square) -> bool:
        """Whether a player may stand in a cell: within the walls, neither box nor the other."""
        return is_free_cell(cell, self.boxes, self.stances[other(player)].at)

    def choice(self) -> Choice:
        """The box that opens: the nearer one to the participant by path length, -1 if equal."""
        return nearer_box(self.stances["participant"].at, self.boxes)


class Scores(NamedTuple):
    """Points of a game, each 1, 0 or -1."""

    participant: Literal[-1, 0, 1]
    subject: Literal[-1, 0, 1]


def scores_of(choice: Choice, reward_box: BoxId, mode: Mode) -> Scores:
    """Points by Eq. 1; the subject's are the participant's, inverted in competitive mode."""
    if choice == -1:
        return Scores(0, 0)
    won = choice == reward_box
    return Scores(1 if won else -1, 1 if won == (mode == "cooperative") else -1)


def outcome_of(
    stance: Stance, move: MosaicMove | None, boxes: tuple[Square, Square], partner_at: Square
) -> Stance:
    """Where a move leads on an endless floor without anything in the way."""
    if move is None or move == "stay_idle":
        return stance
    if move in STEPS:
        return stepped(stance, move)
    target = partner_at if move == "rotate_other" else boxes[move == "rotate_box_1"]
    return turned_to(stance, target)


def is_free_cell(cell: Square, boxes: tuple[Square, Square], partner_at: Square) -> bool:
    """Whether a cell is within the walls and holds neither box nor the other player."""
    return is_on_floor(cell) and cell not in (*boxes, partner_at)


def nearer_box(at: Square, boxes: tuple[Square, Square]) -> Choice:
    """The nearer box by path length, -1 if they are equally far."""
    dark, light = (path_length(at, box) for box in boxes)
    return -1 if dark == light else 0 if dark < light else 1


def gaze_certainty(
    stance: Stance, boxes: tuple[Square, Square], policy: GazePolicy
) -> tuple[float, float]:
    """How surely somebody looks at each box, 0 to 1: exp(-(angle / width)² / 2)."""
    dark, light = (
        round(math.exp(-((off_axis_deg(stance, box) / policy.width_deg) ** 2) / 2), 6)
        for box in boxes
    )
    return dark, light


def other(player: Player) -> Player:
    """Whom a player faces."""
    return "participant" if player == "subject" else "subject"
