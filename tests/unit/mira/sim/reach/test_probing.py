import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mira.plays import Request
from mira.schema.episode import EpisodeRun
from mira.schema.record import Provenance
from mira.sim.reach.play import ReachPlay
from mira.sim.reach.probing import ReachProbePolicy, most_questions
from mira.sim.reach.rules import ReachPolicy
from mira.sim.reach.scenes import ReachScene, reach_scenes
from mira.store.episodes import EpisodeStore

RUN = EpisodeRun(name="test", provenance=Provenance(tool="test", tool_version="1"))
MOVES = ["left", "what?", "backward", "up", "backward", "backward"]


def play_of(scene: ReachScene, level: int = 1, **more: Any) -> ReachPlay:
    settings = {"player": "somebody", "model": "lab/one", "policy": ReachPolicy()} | more
    return ReachPlay(scene, level, **settings)


def played(play: ReachPlay) -> list[Request]:
    """Plays to the end by the same moves, whatever else is asked."""
    heard: list[Request] = []
    while (request := play.request()) is not None:
        assert play.request() == request
        heard.append(request)
        moves = sum(one.kind == "move" for one in heard) - 1
        play.hear("A" if request.kind == "probe" else MOVES[moves % len(MOVES)])
    return heard


@pytest.mark.parametrize("steps", [(0, 5, 10), (3,), (0, 500)])
def test_an_episode_has_the_same_steps_and_moves_are_told_the_same_whatever_is_asked_between(
    tmp_path: Path, scene: ReachScene, painter: Any, steps: tuple[int, ...]
) -> None:
    plain, probed = (
        play_of(scene, painter=painter, probes=probes)
        for probes in (None, ReachProbePolicy(steps=steps))
    )
    requests, others = played(plain), played(probed)
    assert [one for one in others if one.kind == "move"] == requests
    assert probed.steps == plain.steps
    assert probed.episode() == plain.episode()
    store = EpisodeStore.create(tmp_path / "run", RUN)
    probed.write(store)
    probes = list(store.probes(probed.episode_id))
    asked = Counter(one.item.moment.step for one in probes if one.item.moment)
    assert asked == {step: 4 for step in steps if step < len(plain.steps)}
    assert [one.item for one in probes] == list(store.tom_items())


def test_a_question_comes_with_all_that_the_next_move_is_chosen_on(
    scene: ReachScene, painter: Any
) -> None:
    play = play_of(scene, painter=painter, probes=ReachProbePolicy(steps=(2,)))
    requests = played(play)
    place = next(k for k, one in enumerate(requests) if one.kind == "probe")
    assert [one.kind for one in requests[place : place + 5]] == ["probe"] * 4 + ["move"]
    probe, move = requests[place], requests[place + 4]
    assert probe.pictures == move.pictures
    told, _, history = move.text.partition("Reply with one JSON object and nothing else:")
    assert probe.text.startswith(told)
    assert history.split("\n\n", 1)[1] in probe.text
    assert '"action"' not in probe.text


def test_right_answers_differ_within_each_pair_and_letters_are_drawn() -> None:
    answers: Counter[tuple[str | None, str]] = Counter()
    for one in reach_scenes():
        play = play_of(one, probes=ReachProbePolicy(steps=(0,)))
        by_question = {}
        for _ in range(4):
            play.request()
            play.hear("A")
        for probe in play._probes.heard:
            item = probe.item
            values = {option.label: option.value for option in item.options}
            by_question[item.category] = values[item.answer]
            answers[item.category, item.answer] += 1
        assert by_question["reflection"] != by_question["near_figure"]
        assert by_question["own_mark"] != by_question["frame"]
    assert min(answers.values()) > 66 / 4
    assert len(answers) == 8


def test_a_question_that_is_not_heard_is_kept_as_such(tmp_path: Path, scene: ReachScene) -> None:
    store = EpisodeStore.create(tmp_path / "run", RUN)
    play = play_of(scene, probes=ReachProbePolicy())
    play.request()
    play.hear('{"final_answer": "B"}')
    play.abort("the line is dead")
    assert play.write(store).termination == "aborted"
    assert [one.raw_reply for one in store.probes(play.episode_id)] == [
        '{"final_answer": "B"}',
        None,
    ]


@pytest.mark.parametrize("steps", [(), (5, 0), (1, 1), (-1,)])
def test_steps_that_do_not_rise_are_refused(steps: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected rising numbers from 0"):
        ReachProbePolicy(steps=steps)


def test_nothing_is_asked_where_nothing_is_to_be(scene: ReachScene) -> None:
    assert most_questions(None) == 0
    assert most_questions(ReachProbePolicy()) == 12
    play = play_of(scene, probes=ReachProbePolicy())
    while not play.is_over:
        play.take_turn("up")
    assert json.loads(play.episode().to_json())["num_steps"] == len(play.steps)
    assert play._probes.heard == []
