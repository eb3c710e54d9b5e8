from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the extra `sim` is not installed")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from mira.errors import SimulationError  # noqa: E402
from mira.sim.reach.environment import MirrorReachEnv  # noqa: E402
from mira.sim.reach.rules import ACTIONS, ReachPolicy  # noqa: E402

ID = "mira/MirrorReach-v1"


def walk(env: Any, seed: int, actions: list[int]) -> list[bytes]:
    """What is seen on the way."""
    seen = [env.reset(seed=seed)[0].tobytes()]
    return seen + [env.step(action)[0].tobytes() for action in actions]


def test_gymnasium_finds_no_fault_without_pictures() -> None:
    check_env(gymnasium.make(ID).unwrapped)


def test_gymnasium_finds_no_fault_with_pictures(painter: Any) -> None:
    env = gymnasium.make(ID, render_mode="rgb_array", make_painter=type(painter))
    check_env(env.unwrapped)


def test_it_is_made_by_the_name_of_its_module() -> None:
    env = gymnasium.make(f"mira.sim.reach.environment:{ID}")
    assert isinstance(env.unwrapped, MirrorReachEnv)


def test_the_same_seed_shows_the_same() -> None:
    actions = [0, 4, 4, 2, 5, 1]
    assert walk(MirrorReachEnv(), 3, actions) == walk(MirrorReachEnv(), 3, actions)


def test_options_choose_scene_and_level() -> None:
    env = MirrorReachEnv()
    options = {"scene": "nova_carter-gripper-ring", "level": 3}
    seen, info = env.reset(seed=1, options=options)
    assert (info["scene"], info["level"], info["turns_left"]) == (options["scene"], 3, 16)
    assert seen.tolist() == [0.8, 0.1, 0.9, 0.6, 0.0, 0.5]
    assert "mirror" not in info["prompt"].lower()


@pytest.mark.parametrize(("budget", "turns"), [("published", 15), ("exact", 16)])
def test_it_ends_when_the_turns_are_spent(budget: Any, turns: int) -> None:
    env = MirrorReachEnv(policy=ReachPolicy(budget=budget))
    env.reset(options={"scene": "tienkung-gripper-ring"})
    ends = [env.step(np.int64(ACTIONS.index("up")))[2:4] for _ in range(turns)]
    assert ends == [(False, False)] * (turns - 1) + [(False, True)]


def test_reaching_the_mark_is_rewarded_and_ends_it() -> None:
    env = MirrorReachEnv()
    env.reset(options={"scene": "female_0-bare-dot"})
    way = ["up", *["left"] * 5, *["backward"] * 3]
    results = [env.step(np.int64(ACTIONS.index(name)))[1:4] for name in way]
    assert results == [(0.0, False, False)] * 8 + [(1.0, True, False)]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"scene": "nobody"}, "scene: expected an id"),
        ({"level": 4}, "level: expected 0, 1, 2 or 3, found 4"),
        ({"level": True}, "level: expected 0, 1, 2 or 3, found True"),
        ({"sceen": "x"}, "expected scene or level"),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(SimulationError, match=told):
        MirrorReachEnv().reset(options=options)


def test_nothing_renders_without_a_painter() -> None:
    with pytest.raises(SimulationError, match="expected a painter"):
        MirrorReachEnv(render_mode="rgb_array")


def test_the_example_in_the_guide_runs() -> None:
    guide = (Path(__file__).parents[5] / "docs" / "mirror-test.md").read_text("utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    exec(compile(example, "mirror-test.md", "exec"), {})
