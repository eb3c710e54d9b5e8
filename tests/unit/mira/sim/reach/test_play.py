from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from mira.errors import SimulationError
from mira.plays import Play
from mira.schema.episode import EpisodeRun
from mira.schema.record import Provenance
from mira.sim.reach.play import ReachPlay
from mira.sim.reach.probing import ReachProbePolicy
from mira.sim.reach.rules import ReachPolicy
from mira.sim.reach.scenes import ReachScene, reach_scenes
from mira.store.episodes import EpisodeStore

RUN = EpisodeRun(name="test", provenance=Provenance(tool="test", tool_version="1"))


def play_of(scene: ReachScene, **more: Any) -> ReachPlay:
    settings = {"player": "somebody", "model": "lab/one", "policy": ReachPolicy()} | more
    return ReachPlay(scene, 1, **settings)


def test_the_same_replies_make_the_same_episode(tmp_path: Path, scene: ReachScene) -> None:
    replies = ['{"action": "left"}', "well...", "backward"] + ['{"action": "backward"}'] * 18
    folders = []
    for name in ("one", "other"):
        store = EpisodeStore.create(tmp_path / name, RUN)
        play: Play = play_of(scene)
        for reply in replies:
            assert play.request() is not None
            assert play.request() == play.request()
            play.hear(reply)
        assert play.request() is None
        assert play.write(store) == store.episode(play.episode_id)
        folders.append(tmp_path / name / "episodes" / play.episode_id)
    first, second = ({path.name: path.read_bytes() for path in one.iterdir()} for one in folders)
    assert first == second


def test_an_unreadable_reply_spends_a_turn_and_moves_nothing(scene: ReachScene) -> None:
    play = play_of(scene)
    play.hear("I see 4 hands")
    (step,) = play.steps
    assert (step.action, step.legal, step.raw_reply) == (None, None, "I see 4 hands")
    assert step.hand_world_m == scene.body.hand_m
    request = play.request()
    assert request is not None
    assert "No move could be read" in request.text


def test_what_is_no_text_is_kept_as_question_marks(tmp_path: Path, scene: ReachScene) -> None:
    store = EpisodeStore.create(tmp_path / "run", RUN)
    play = play_of(scene, probes=ReachProbePolicy(steps=(0,)))
    for reply in ("\ud800",) * 5:
        play.hear(reply)
    play.abort("enough")
    episode = play.write(store)
    assert [probe.raw_reply for probe in store.probes(episode.episode_id)] == ["?"] * 4
    assert [step.raw_reply for step in play.steps] == ["?"]


def test_a_refused_move_is_told(scene: ReachScene) -> None:
    play = play_of(scene)
    for _ in range(6):
        play.hear("backward")
    request = play.request()
    assert [step.legal for step in play.steps] == [True] * 5 + [False]
    assert request is not None
    assert "6. backward: not done" in request.text
    assert "was not made" in request.text


def test_a_step_names_the_picture_it_was_chosen_on(
    tmp_path: Path, scene: ReachScene, painter: Any
) -> None:
    store = EpisodeStore.create(tmp_path / "run", RUN)
    play = play_of(scene, painter=painter)
    shown = []
    for reply in ("left", "what?", "left", "right", "up"):
        request = play.request()
        assert request is not None
        shown.append(request.pictures[0])
        play.hear(reply)
    play.abort("the line is dead")
    episode = play.write(store)
    assert (episode.termination, episode.num_steps, episode.success) == ("aborted", 5, None)
    images = [step.image for step in play.steps if step.image is not None]
    assert [image.path for image in images] == ["1.png", "2.png", "2.png", "4.png", "2.png"]
    for image, png in zip(images, shown, strict=True):
        assert store.read_picture(episode.episode_id, image) == png
        assert hashlib.sha256(png).hexdigest() == image.sha256
    first = cv2.imdecode(np.frombuffer(shown[0], np.uint8), cv2.IMREAD_COLOR_RGB)
    assert first[0, 0].tolist() == [114, 90, 130]
    assert len(painter.drawn) == len(set(painter.drawn))


def test_a_script_takes_turns_without_words(tmp_path: Path, scene: ReachScene) -> None:
    store = EpisodeStore.create(tmp_path / "run", RUN)
    play = play_of(scene, model=None)
    while not play.is_over:
        play.take_turn("up")
    episode = play.write(store)
    assert (episode.termination, episode.num_steps, episode.max_steps) == ("max_steps", 21, 21)
    assert list(store.steps(episode)) == list(play.steps)


def test_an_episode_that_is_over_stays_as_it_ended(scene: ReachScene) -> None:
    play = play_of(scene)
    while not play.is_over:
        play.take_turn("up")
    play.abort("too late")
    assert play.episode().termination == "max_steps"


def test_a_hand_at_the_mark_is_refused(scene: ReachScene) -> None:
    body = scene.body.model_copy(update={"hand_m": (0.2, -0.1, 1.3)})
    with pytest.raises(SimulationError, match="expected a hand farther from the mark"):
        play_of(scene.model_copy(update={"body": body}))


def test_names_of_episodes_are_apart() -> None:
    policy = ReachPolicy()
    ids = {
        ReachPlay(scene, level, player="a", model=None, policy=policy, repeat=repeat).episode_id
        for scene in reach_scenes()
        for level in range(4)
        for repeat in (1, 2)
    }
    assert len(ids) == 528
