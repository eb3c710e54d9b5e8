from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mira.errors import EpisodeError, SimulationError
from mira.sim.reach.agents import AgentName
from mira.sim.reach.prompting.wording import packaged_wording
from mira.sim.reach.rules import ReachPolicy
from mira.sim.reach.series import ReachSetup, Slot, open_slots, play_script, reach_slots
from mira.store.episodes import EpisodeStore

SETUP = ReachSetup("random", None, ReachPolicy(), packaged_wording())


def play(
    root: Path, slots: tuple[Slot, ...], name: AgentName = "random", **more: Any
) -> EpisodeStore:
    store = SETUP.open(root)
    settings = {"painter": None, "progress": lambda done, total: None} | more
    play_script(store, slots, setup=SETUP, name=name, **settings)
    return store


def files(store: EpisodeStore) -> dict[str, bytes]:
    paths = sorted(path for path in store.root.rglob("*") if path.is_file())
    return {str(path.relative_to(store.root)): path.read_bytes() for path in paths}


def test_a_run_has_264_places() -> None:
    slots = reach_slots()
    assert len({slot.episode_id for slot in slots}) == len(slots) == 264


def test_scenes_are_named_by_id_body_or_track() -> None:
    named = reach_slots(scenes=("robot", "male_0", "gr1_t2-gripper-ring"), levels=(2,), repeats=3)
    assert len(named) == (18 + 12) * 3
    with pytest.raises(SimulationError, match="found 'nobody'"):
        reach_slots(scenes=("nobody",))
    with pytest.raises(SimulationError, match="expected 0, 1, 2 or 3"):
        reach_slots(levels=(4,))


def test_what_is_there_is_kept_and_order_changes_nothing(tmp_path: Path) -> None:
    slots = reach_slots(scenes=("nova_carter",), levels=(0, 1))
    whole = play(tmp_path / "whole", slots)
    parts = play(tmp_path / "parts", slots[5:])
    left = open_slots(parts, slots)
    assert left == slots[:5]
    assert files(play(tmp_path / "parts", left)) == files(whole)
    assert open_slots(whole, slots) == ()


def test_a_broken_or_aborted_episode_is_played_again(tmp_path: Path) -> None:
    slots = reach_slots(scenes=("tienkung-gripper-ring",))
    store = play(tmp_path, slots)
    (tmp_path / "episodes" / slots[0].episode_id / "steps.jsonl").write_text("")
    SETUP.play(slots[1], None).write(store)
    assert open_slots(store, slots) == slots[:2]


def test_other_settings_are_refused(tmp_path: Path) -> None:
    SETUP.open(tmp_path)
    with pytest.raises(EpisodeError, match="seed: expected 0 as before, found 5"):
        SETUP._replace(seed=5).open(tmp_path)
    with pytest.raises(EpisodeError, match="expected random as before, found up"):
        SETUP._replace(player="up").open(tmp_path)
    with pytest.raises(EpisodeError, match="budget: expected published as before, found exact"):
        SETUP._replace(policy=ReachPolicy(budget="exact")).open(tmp_path)


def test_pictures_are_drawn_once_for_all_levels(tmp_path: Path, painter: Any) -> None:
    from mira.sim.reach.painting import RememberingPainter

    slots = reach_slots(scenes=("female_0-bare-dot",), levels=(0, 3))
    store = play(tmp_path, slots, "oracle", painter=RememberingPainter(painter))
    assert len(painter.drawn) == 9
    episode = store.episode(slots[1].episode_id)
    pictures = [step.image for step in store.steps(episode)]
    assert [image and image.path for image in pictures] == [f"{k}.png" for k in range(1, 10)]
