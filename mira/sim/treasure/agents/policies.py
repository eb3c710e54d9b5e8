"""Scripted agents by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from mira.errors import SimulationError
from mira.sim.treasure.agent import Agent
from mira.sim.treasure.agents.belief_action import BeliefAction
from mira.sim.treasure.agents.scripted import (
    Attentive,
    Biased,
    Deceptive,
    Honest,
    Idle,
    RandomWalker,
)
from mira.sim.treasure.rules import Player

_Maker = Callable[[np.random.Generator], Agent]
_BOTH: Mapping[str, _Maker] = {
    "belief_action": BeliefAction,
    "biased": lambda _rng: Biased(0),
    "idle": lambda _rng: Idle(),
    "random": RandomWalker,
}
_MAKERS: Mapping[Player, Mapping[str, _Maker]] = {
    "subject": {
        "honest": lambda _rng: Honest(),
        "deceptive": lambda _rng: Deceptive(),
        **_BOTH,
    },
    "participant": {
        "attentive": lambda _rng: Attentive(),
        "deaf": lambda rng: Biased(1 if rng.random() < 0.5 else 0),
        **_BOTH,
    },
}


def policy_names(player: Player) -> tuple[str, ...]:
    """Scripted agents that can play a role."""
    return tuple(_MAKERS[player])


def make_agent(player: Player, name: str, rng: np.random.Generator) -> Agent:
    """A scripted agent for one trial.

    Args:
        player: The role.
        name: One of `policy_names(player)`.
        rng: Its chance.

    Raises:
        SimulationError: Nobody of that name plays the role.
    """
    makers = _MAKERS[player]
    if name not in makers:
        problem = f"expected a {player} of {', '.join(makers)}, found {name!r}"
        raise SimulationError(f"--{player}", problem)
    return makers[name](rng)
