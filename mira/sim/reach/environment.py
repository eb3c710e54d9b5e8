"""The mirror test as a Gymnasium environment.

Importing this module registers it, so that both of these make one:

    import mira.sim.reach.environment
    gymnasium.make("mira/MirrorReach-v1")
    gymnasium.make("mira.sim.reach.environment:mira/MirrorReach-v1")
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mira.errors import MissingExtraError, SimulationError
from mira.sim.reach.painting import PICTURE_PX, Painter
from mira.sim.reach.play import TASK
from mira.sim.reach.prompting.telling import tell_task
from mira.sim.reach.prompting.wording import LEVELS, ReachWording, packaged_wording
from mira.sim.reach.rules import ACTIONS, ReachGame, ReachPolicy
from mira.sim.reach.scenes import ReachScene, reach_scenes

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise MissingExtraError("gymnasium", "sim") from error

_REACH_M = 10.0
"""No hand gets as far from the middle of the room within its turns."""
Observation = NDArray[Any]
"""A picture, uint8 of shape (1024, 1024, 3); without a painter, where hand and mark are, metres,
float64 of shape (6,): x towards the mirror, y left, z up."""


class MirrorReachEnv(gymnasium.Env[Observation, np.int64]):
    """A hand is to reach a mark on its own body, which only a mirror shows.

    With a painter an observation is the picture that players of the test see; without one it is
    where hand and mark are, which they are not told. Actions count `up`, `down`, `left`, `right`,
    `forward`, `backward` from 0. The reward is 1 for reaching the mark, 0 otherwise.

    `reset` takes `options={"scene": "male_0-bare-dot", "level": 1}`; what is left out is drawn by
    the seed. Its info has the prompt of the level, which is all that differs between levels.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        make_painter: Callable[[], Painter] | None = None,
        policy: ReachPolicy | None = None,
        wording: ReachWording | None = None,
    ) -> None:
        """Make an environment; the first `reset` chooses a scene.

        Args:
            render_mode: `rgb_array`, or None.
            make_painter: Makes what draws; None where nothing is to be seen.
            policy: The numbers it is played by.
            wording: The words of prompts; those of the package by default.

        Raises:
            SimulationError: The mode is another one, or there is nothing to draw with.
        """
        if render_mode not in (None, "rgb_array"):
            raise SimulationError("render_mode", f"expected rgb_array, found {render_mode}")
        if make_painter is None:
            # What cannot be rendered offers no way of it.
            self.metadata = {**self.metadata, "render_modes": []}
            if render_mode is not None:
                raise SimulationError(TASK, "expected a painter to render with, found none")
        self.render_mode = render_mode
        self._policy, self._wording = policy or ReachPolicy(), wording or packaged_wording()
        self._painter = None if make_painter is None else make_painter()
        self.action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = (
            spaces.Box(-_REACH_M, _REACH_M, shape=(6,), dtype=np.float64)
            if self._painter is None
            else spaces.Box(0, 255, shape=(PICTURE_PX, PICTURE_PX, 3), dtype=np.uint8)
        )
        self._scene = reach_scenes()[0]
        self._level = LEVELS[0]
        self._game: ReachGame | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """The first observation of a scene, and what is known of it.

        Args:
            seed: Decides what is drawn from here on.
            options: `scene`, an id, and `level`, 0 to 3.

        Raises:
            SimulationError: There is no such scene, level or option.
        """
        super().reset(seed=seed)
        options = options or {}
        for name in sorted(options.keys() - {"scene", "level"}):
            raise SimulationError(f"options[{name!r}]", "expected scene or level")
        # Both are drawn whatever is given, so that one option does not change the other.
        scene, level = self.np_random.choice(len(reach_scenes())), self.np_random.choice(LEVELS)
        self._scene = _scene(options["scene"]) if "scene" in options else reach_scenes()[scene]
        self._level = _level(options.get("level", int(level)))
        self._game = ReachGame(self._scene.body, self._policy)
        prompt = tell_task(self._scene, self._level, self._game, wording=self._wording)
        return self._observation(), {**self._info(None), "prompt": prompt}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """What is seen after a move, the reward, whether it is over, and what is known.

        Raises:
            SimulationError: No scene is set up, or the number is none of a move.
        """
        game = self._started()
        if not self.action_space.contains(action):
            raise SimulationError("action", f"expected 0 to {len(ACTIONS) - 1}, found {action!r}")
        outcome = game.take_turn(ACTIONS[int(action)])
        truncated = outcome.spent and not outcome.reached
        info = self._info(outcome.legal)
        return self._observation(), float(outcome.reached), outcome.reached, truncated, info

    def render(self) -> NDArray[np.uint8] | None:
        """The picture of the moment, RGB; None where no render mode was asked for."""
        if self.render_mode is None or self._painter is None:
            return None
        return self._painter.draw(self._scene, self._started().hand_m)

    def close(self) -> None:
        """Let go of the painter."""
        if self._painter is not None:
            self._painter.close()
        self._painter = None

    def _started(self) -> ReachGame:
        if self._game is None:
            raise SimulationError(TASK, "expected a call of reset before this one")
        return self._game

    def _observation(self) -> Observation:
        game = self._started()
        if self._painter is not None:
            return self._painter.draw(self._scene, game.hand_m)
        return np.array([*game.hand_m, *self._scene.body.mark_m])

    def _info(self, legal: bool | None) -> dict[str, Any]:
        game = self._started()
        return {
            "scene": self._scene.scene_id,
            "level": self._level,
            "hand_world_m": game.hand_m,
            "mark_world_m": self._scene.body.mark_m,
            "manhattan_m": game.distance_m,
            "turns_left": game.max_turns - game.turns,
            "legal": legal,
        }


def _scene(name: object) -> ReachScene:
    for scene in reach_scenes():
        if scene.scene_id == name:
            return scene
    raise SimulationError(
        "scene", f"expected an id such as {reach_scenes()[0].scene_id}, found {name!r}"
    )


def _level(level: object) -> int:
    if isinstance(level, int) and not isinstance(level, bool) and level in LEVELS:
        return level
    raise SimulationError("level", f"expected 0, 1, 2 or 3, found {level!r}")


if TASK not in gymnasium.registry:
    gymnasium.register(TASK, entry_point=f"{__name__}:MirrorReachEnv")
