"""Situations of the treasure game, drawn by chance within its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mira.schema.episode import BoxId
from mira.sim.treasure.agent import Emotion
from mira.sim.treasure.floor import HALF_WIDTH, Square, Stance, turned_to
from mira.sim.treasure.rules import BOXES, PLAYERS, Player, other


class Situation(NamedTuple):
    """How things stand at some moment of a game.

    Attributes:
        boxes: Cells of the dark and the light brown box.
        reward_box: Which of them holds the reward.
        stances: Where both players are.
        emotions: What both show; nothing is felt.
    """

    boxes: tuple[Square, Square]
    reward_box: BoxId
    stances: Mapping[Player, Stance]
    emotions: Mapping[Player, Emotion]


def draw_situation(rng: np.random.Generator) -> Situation:
    """Any situation that the rules allow: either box on either side, players in any free cells.

    Each faces the dark box, the light box, the other or any of the eight directions, by even
    chances: players turn to things far more often than chance alone would. Valences of face and
    body are even from -1 to 1, in hundredths.

    Args:
        rng: Source of chance.
    """
    dark, light = BOXES
    boxes = (dark, light) if rng.random() < 0.5 else (light, dark)
    reward_box: BoxId = 0 if rng.random() < 0.5 else 1
    side = range(-HALF_WIDTH, HALF_WIDTH + 1)
    free = [(x, y) for x in side for y in side if (x, y) not in BOXES]
    places = rng.choice(len(free), size=len(PLAYERS), replace=False).tolist()
    cells = {player: free[place] for player, place in zip(PLAYERS, places, strict=True)}
    return Situation(
        boxes,
        reward_box,
        {player: _facing(cells[player], (*boxes, cells[other(player)]), rng) for player in PLAYERS},
        {player: Emotion(_valence(rng), _valence(rng)) for player in PLAYERS},
    )


def _facing(at: Square, things: tuple[Square, ...], rng: np.random.Generator) -> Stance:
    stance, thing = Stance(at, int(rng.integers(8))), int(rng.integers(len(things) + 1))
    return turned_to(stance, things[thing]) if thing < len(things) else stance


def _valence(rng: np.random.Generator) -> float:
    return int(rng.integers(-100, 101)) / 100
