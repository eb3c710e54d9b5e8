"""Players of the mirror test that need no pictures: what any score is to be held against."""

from __future__ import annotations

from typing import Literal, Protocol, get_args

import numpy as np

from mira.schema.step import ReachAction, WorldPoint
from mira.sim.reach.rules import ACTIONS, MIRROR_X_M, ReachGame

AgentName = Literal[
    "random", "up", "down", "left", "right", "forward", "backward", "oracle", "confused"
]
"""`random`: any move, all alike. The six moves: that one for ever. `oracle`: the shortest way.
`confused`: the way to where the mirror shows the mark."""
AGENT_NAMES: tuple[AgentName, ...] = get_args(AgentName)


class Agent(Protocol):
    """Chooses moves by what is really there."""

    def choose(self, game: ReachGame) -> ReachAction:
        """The next move."""


class RandomAgent:
    """Takes any move, all alike, whether or not something is in its way."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def choose(self, game: ReachGame) -> ReachAction:
        """The next move."""
        del game
        return ACTIONS[self._rng.integers(len(ACTIONS))]


class ConstantAgent:
    """Takes the same move for ever."""

    def __init__(self, action: ReachAction) -> None:
        self._action = action

    def choose(self, game: ReachGame) -> ReachAction:
        """The next move."""
        del game
        return self._action


class OracleAgent:
    """Walks the shortest way to the mark.

    Body and mirror are in the way along x alone, so every free move that closes a gap is on a
    shortest way.
    """

    def choose(self, game: ReachGame) -> ReachAction:
        """The next move."""
        return _closer(game, game.body.mark_m)


class ConfusedAgent:
    """Takes the mirror for a window: walks to where the mark seems to be, behind the glass.

    At the glass it goes on pushing. This is how most models of MirrorBench fail (Figure 4).
    """

    def choose(self, game: ReachGame) -> ReachAction:
        """The next move."""
        x, y, z = game.body.mark_m
        return _closer(game, (2 * MIRROR_X_M - x, y, z))


def make_agent(name: AgentName, *, rng: np.random.Generator) -> Agent:
    """An agent by its name.

    Args:
        name: Its name.
        rng: Source of what it draws by chance, if it does.
    """
    if name == "random":
        return RandomAgent(rng)
    if name == "oracle":
        return OracleAgent()
    if name == "confused":
        return ConfusedAgent()
    return ConstantAgent(name)


def _closer(game: ReachGame, target_m: WorldPoint) -> ReachAction:
    """The free move that closes the widest gap to a place, or a refused one where none is free."""
    gaps = [goal - at for at, goal in zip(game.hand_m, target_m, strict=True)]
    towards: tuple[tuple[ReachAction, ReachAction], ...] = (
        ("forward", "backward"),
        ("left", "right"),
        ("up", "down"),
    )
    wanted = [
        (abs(gap), pair[0] if gap > 0 else pair[1])
        for gap, pair in zip(gaps, towards, strict=True)
        if abs(gap) > game.policy.step_m / 2
    ]
    wanted.sort(key=lambda one: -one[0])
    actions = [action for _, action in wanted]
    return next((action for action in actions if game.is_free(action)), actions[0])
