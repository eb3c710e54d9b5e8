"""The trials of MOSAIC: two modes by two orders of theory of mind, each a number of times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mira.schema.episode import BoxId
from mira.sim.treasure.floor import Square
from mira.sim.treasure.rules import BOXES, Mode, TomOrder

TRIALS = 50
"""Trials of a condition, as published."""


class Condition(NamedTuple):
    """What is varied between trials."""

    mode: Mode
    tom_order: TomOrder

    @property
    def name(self) -> str:
        """Short and stable, such as `coop-tom0`."""
        return f"{self.mode[:4]}-tom{self.tom_order}"


CONDITIONS: tuple[Condition, ...] = (
    Condition("cooperative", 0),
    Condition("cooperative", 1),
    Condition("competitive", 0),
    Condition("competitive", 1),
)
"""All of them, in their order."""


class Trial(NamedTuple):
    """One game to be played.

    Attributes:
        condition: Mode and order.
        number: Its number within the condition, from 1.
        seed: Seed of the run.
        reward_box: Which box holds the reward.
        boxes: Cells of the dark and the light brown box.
    """

    condition: Condition
    number: int
    seed: int
    reward_box: BoxId
    boxes: tuple[Square, Square]

    @property
    def trial_id(self) -> str:
        """Its stable name, such as `coop-tom0-007`."""
        return f"{self.condition.name}-{self.number:03d}"

    def generator(self, stream: int) -> np.random.Generator:
        """Chance of one player, apart from the other's and that of all other trials.

        Args:
            stream: A number for each use of chance, from 1.
        """
        return _generator(self.seed, self.condition, self.number, stream)


def plan_trials(
    seed: int, *, count: int = TRIALS, conditions: Sequence[Condition] = CONDITIONS
) -> tuple[Trial, ...]:
    """Trials with the reward in either box, and either box on either side, by even chances.

    Both are drawn for each trial, apart from each other. A trial is the same however many others
    are planned.

    Args:
        seed: Seed of the run.
        count: Trials of each condition.
        conditions: Which conditions, in any order; they are planned in that of `CONDITIONS`.
    """
    return tuple(
        _drawn(condition, number, seed)
        for condition in CONDITIONS
        if condition in conditions
        for number in range(1, count + 1)
    )


def _drawn(condition: Condition, number: int, seed: int) -> Trial:
    reward_draw, sides_draw = _generator(seed, condition, number, 0).random(2)
    dark, light = BOXES
    return Trial(
        condition,
        number,
        seed,
        reward_box=1 if reward_draw < 0.5 else 0,
        boxes=(light, dark) if sides_draw < 0.5 else (dark, light),
    )


def _generator(seed: int, condition: Condition, number: int, stream: int) -> np.random.Generator:
    return np.random.default_rng([seed, CONDITIONS.index(condition), number, stream])
