"""Which episodes are played, and in which order, by those who will not play all of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

import numpy as np

from mira.errors import SimulationError
from mira.sim.reach.series import Slot


def sample_slots(slots: Sequence[Slot], size: int, *, rng: np.random.Generator) -> tuple[Slot, ...]:
    """So many places of a run, balanced over bodies and over levels.

    Pairs of a body and a level take turns, so that each body, each level and each pair comes as
    often as another, give or take one, for as long as it has places left.

    Args:
        slots: The places to choose from.
        size: How many; where there are fewer, all of them.
        rng: Which bodies and levels come first, and which hand and mark of them.

    Returns:
        The chosen ones, in the order that they came in.

    Raises:
        SimulationError: None are to be chosen.
    """
    if size < 1:
        raise SimulationError("sample", f"expected 1 or more, found {size}")
    shuffled = [slots[k] for k in rng.permutation(len(slots))]
    bodies = list(dict.fromkeys(slot.scene.body.name for slot in shuffled))
    levels = list(dict.fromkeys(slot.level for slot in shuffled))
    waiting = {
        (body, level): [
            slot for slot in shuffled if (slot.scene.body.name, slot.level) == (body, level)
        ]
        for body in bodies
        for level in levels
    }
    # Side by side, bodies and levels go round; once round together, levels are shifted by one.
    around = lcm(len(bodies), len(levels)) if slots else 1
    chosen: set[Slot] = set()
    turn = 0
    while len(chosen) < min(size, len(slots)):
        body = bodies[turn % len(bodies)]
        level = levels[(turn + turn // around) % len(levels)]
        if waiting[body, level]:
            chosen.add(waiting[body, level].pop())
        turn += 1
    return tuple(slot for slot in slots if slot in chosen)


def order_for_people(slots: Sequence[Slot], *, rng: np.random.Generator) -> tuple[Slot, ...]:
    """Places in an order in which no prompt gives away what a later one withholds.

    Nobody forgets what they have been told. So all that tell least come first: level 3, then 2,
    1 and 0; by chance within a level.

    Args:
        slots: The places.
        rng: Chance.
    """
    shuffled = [slots[k] for k in rng.permutation(len(slots))]
    return tuple(sorted(shuffled, key=lambda slot: -slot.level))
