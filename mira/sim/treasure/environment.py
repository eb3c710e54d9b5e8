"""The treasure game as a PettingZoo environment in which agents take turns (AEC).

from mira.sim.treasure.environment import TreasureEnv
env = TreasureEnv(render_mode="rgb_array")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    env.step(None if termination or truncation else env.action_space(agent).sample())
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mira.errors import MissingExtraError, SimulationError
from mira.schema.step import SPEECH_ROUNDS
from mira.sim.treasure.agent import Action, Emotion, Speech
from mira.sim.treasure.agents.outlook import MOVES
from mira.sim.treasure.agents.words import ASKS, EVADES, named_box, tells
from mira.sim.treasure.floor import HALF_WIDTH
from mira.sim.treasure.match import TASK, Match
from mira.sim.treasure.pictures.views import draw_view
from mira.sim.treasure.rules import PLAYERS, ROUNDS, GazePolicy, Player, other, scores_of
from mira.sim.treasure.trials import CONDITIONS, Condition, plan_trials

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise MissingExtraError(str(error.name), "sim") from error

_UNKNOWN = 2
"""What stands for nothing known or said, where 0 and 1 are something."""


class TreasureEnv(AECEnv):  # type: ignore[misc]
    """Subject and participant take ten turns each; both score when the last is over.

    An action is a dictionary: `move`, a number of `MOVES`; `face`, a valence from -1 to 1; `say`,
    the box that the subject names when it is asked, after the turns of rounds 3, 6 and 9, or 2 to
    evade (it counts in no other turn). An observation is one as well: `own` and `partner` are x, y
    and eighths of a turn; `face` what the other shows; `told` the box that the subject named last,
    `reward_box`, `competes` and `tom_order` what the subject alone knows, each 2 where there is
    nothing; `boxes` x, y of the dark and the light brown one, (2, 0) and (-2, 0) in either order;
    `round` 1 to 10.

    `reset` takes `options={"condition": "comp-tom1"}`; otherwise the seed draws one.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": TASK,
        "render_modes": ["rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, render_mode: str | None = None) -> None:
        """Make an environment.

        Args:
            render_mode: `rgb_array` for what the agent sees whose turn it is, or None.

        Raises:
            SimulationError: The mode is another one.
        """
        super().__init__()
        if render_mode not in (None, "rgb_array"):
            raise SimulationError("render_mode", f"expected rgb_array, found {render_mode}")
        self.render_mode = render_mode
        self.possible_agents = list(PLAYERS)
        stance = spaces.Box(
            np.array([-HALF_WIDTH, -HALF_WIDTH, 0]),
            np.array([HALF_WIDTH, HALF_WIDTH, 7]),
            dtype=np.int64,
        )
        face = spaces.Box(-1.0, 1.0, shape=(1,), dtype=np.float64)
        known = spaces.Discrete(3)
        self._observations = spaces.Dict(
            own=stance,
            partner=stance,
            face=face,
            told=known,
            reward_box=known,
            competes=known,
            tom_order=known,
            boxes=spaces.Box(-HALF_WIDTH, HALF_WIDTH, shape=(2, 2), dtype=np.int64),
            round=spaces.Discrete(ROUNDS, start=1),
        )
        self._actions = spaces.Dict(move=spaces.Discrete(len(MOVES)), face=face, say=known)
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002
        """What an agent may see."""
        return self._observations

    def action_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002
        """What an agent may do."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another trial.

        Args:
            seed: Decides what is drawn from here on.
            options: `condition`, such as `coop-tom0`.

        Raises:
            SimulationError: There is no such condition.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        drawn = int(self._rng.integers(2**32)), CONDITIONS[self._rng.integers(len(CONDITIONS))]
        condition = _condition((options or {}).get("condition", drawn[1].name))
        (trial,) = plan_trials(drawn[0], count=1, conditions=(condition,))
        self._match = Match(trial, GazePolicy())
        self._said = _UNKNOWN
        self.agents = list(PLAYERS)
        self.agent_selection: str = PLAYERS[0]
        self.rewards = dict.fromkeys(PLAYERS, 0)
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0)
        self.terminations = dict.fromkeys(PLAYERS, False)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self.infos: dict[str, dict[str, Any]] = {player: {} for player in PLAYERS}

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        seen = self._match.seen(_player(agent), self._round())
        named = [named_box(line.text) for line in seen.dialogue if line.player == "subject"]
        return {
            "own": np.array([*seen.own.at, seen.own.facing]),
            "partner": np.array([*seen.partner.at, seen.partner.facing]),
            "face": np.array([seen.partner_emotion.facial]),
            "told": _known(named[-1] if named else None),
            "reward_box": _known(seen.reward_box),
            "competes": _known(None if seen.mode is None else int(seen.mode == "competitive")),
            "tom_order": _known(seen.tom_order),
            "boxes": np.array(seen.boxes),
            "round": np.int64(min(self._round(), ROUNDS)),
        }

    def step(self, action: dict[str, Any] | None) -> None:
        """Take the turn of the agent whose turn it is.

        Raises:
            SimulationError: The action is none of the action space.
        """
        player = _player(self.agent_selection)
        if self.terminations[player]:
            self._was_dead_step(action)
            return
        if action is None or not self._actions.contains(action):
            raise SimulationError("action", f"expected one of the action space, found {action!r}")
        self._cumulative_rewards[player] = 0
        self._match.act(
            player, Action(MOVES[int(action["move"])], Emotion(float(action["face"][0])))
        )
        if player == "subject":
            self._said = int(action["say"])
        elif self._match.round in SPEECH_ROUNDS:
            self._match.say("participant", Speech(ASKS))
            self._match.say("subject", Speech((tells(0), tells(1), EVADES)[self._said]))
        if self._match.is_over():
            self._end()
        self.agent_selection = other(player)
        self._accumulate_rewards()

    def render(self) -> NDArray[np.uint8] | None:
        """What the agent sees whose turn it is, RGB; None where no render mode was asked for."""
        if self.render_mode is None:
            return None
        seen = self._match.seen(_player(self.agent_selection), self._round())
        return draw_view(seen.player, seen.own, seen.partner, seen.boxes, seen.partner_emotion)

    def close(self) -> None:
        """Nothing is held."""

    def _round(self) -> int:
        return len(self._match.turns) // len(PLAYERS) + 1

    def _end(self) -> None:
        trial, choice = self._match.trial, self._match.game.choice()
        scores = scores_of(choice, trial.reward_box, trial.condition.mode)
        self.rewards = {"subject": scores.subject, "participant": scores.participant}
        self.terminations = dict.fromkeys(PLAYERS, True)
        self.infos = {
            player: {"choice": choice, "reward_box": trial.reward_box} for player in PLAYERS
        }


def _known(value: int | None) -> np.int64:
    return np.int64(_UNKNOWN if value is None else value)


def _player(agent: str) -> Player:
    return "subject" if agent == "subject" else "participant"


def _condition(name: str) -> Condition:
    for condition in CONDITIONS:
        if condition.name == name:
            return condition
    known = ", ".join(condition.name for condition in CONDITIONS)
    raise SimulationError("condition", f"expected {known}, found {name!r}")
