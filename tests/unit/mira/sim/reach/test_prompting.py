from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from mira.errors import RecordError
from mira.sim.reach.prompting.telling import PastTurn, tell_task, tell_turns
from mira.sim.reach.prompting.wording import packaged_wording, read_wording
from mira.sim.reach.rules import ReachGame, ReachPolicy
from mira.sim.reach.scenes import ReachScene, reach_scenes

WORDS = packaged_wording()


def told(scene: ReachScene, level: int) -> str:
    return tell_task(scene, level, ReachGame(scene.body, ReachPolicy()), wording=WORDS)


def test_levels_tell_what_they_may() -> None:
    for scene in reach_scenes():
        texts = [told(scene, level).lower() for level in range(4)]
        assert ["a mirror hangs in front of you" in text for text in texts] == [
            True,
            True,
            False,
            False,
        ]
        assert ["think in these steps" in text for text in texts] == [True, False, False, False]
        assert ["on your body" in text for text in texts] == [True, True, True, False]
        assert WORDS.bodies[scene.body.name] in texts[2]
        for text in texts:
            assert WORDS.hands[scene.hand] in text
            assert WORDS.marks[scene.mark] in text
            assert "10 cm" in text
            assert "{" not in text.replace('{"action"', "")


def test_the_first_three_levels_differ_by_what_they_tell_alone(scene: ReachScene) -> None:
    steps = told(scene, 0).split("\n\n")
    assert [*steps[:1], *steps[2:]] == told(scene, 1).split("\n\n")
    assert told(scene, 1).replace(" A mirror hangs in front of you.", "") == told(scene, 2)


def test_an_unreadable_reply_is_told_and_enters_no_history() -> None:
    turns = [PastTurn("up", True), PastTurn("backward", False), PastTurn(None, None)]
    text = tell_turns(turns, wording=WORDS)
    assert "1. up: done\n2. backward: not done" in text
    assert text.endswith(WORDS.told_unreadable)
    assert "3." not in text
    assert "Your last move, backward, was not made" in tell_turns(turns[:2], wording=WORDS)
    assert tell_turns([], wording=WORDS) == ""


def test_a_file_of_other_words_takes_the_place_of_some(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text("version: 7\nlevels: {3: 'Take {hand} to {mark}.'}\n")
    words = read_wording(path)
    assert words.levels[3] == "Take {hand} to {mark}."
    assert words.levels[0] == WORDS.levels[0]
    assert words.digest.startswith("7-")
    assert words.digest != WORDS.digest


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"levels": {"2": "Look into the mirror, {hand}."}},
            "levels.2: expected nothing that tells",
        ),
        ({"levels": {"3": "Touch {mark} on your body"}}, "levels.3: expected nothing that tells"),
        ({"levels": {"3": "Touch {mark}, {body}"}}, "levels.3: expected {hand}, {mark} in braces"),
        ({"rules": "Reflect, then {moves}"}, "rules: expected nothing that tells of the mirror"),
        ({"moves": {"forward": "to the mirror"}}, "moves: expected nothing that tells"),
        ({"levels": {"0": "{hand.__class__}"}}, r"found {hand.__class__}"),
        ({"levels": {"0": "{hand!r}"}}, r"found {hand!r}"),
        ({"reply": '{"action": 1}'}, "reply: expected {actions} in braces"),
        ({"reply": "{"}, "reply: expected braces in pairs"),
        ({"levels": {"7": "x"}}, "levels: expected 0, 1, 2 and 3"),
        ({"greeting": "hello"}, "greeting: is no field"),
        ({"bodies": {"male_0": 3}}, "bodies.male_0"),
    ],
)
def test_words_that_would_break_the_test_are_refused_in_a_line(
    tmp_path: Path, given: dict[str, object], told: str
) -> None:
    path = tmp_path / "words.json"
    path.write_text(json.dumps(given))
    with pytest.raises(RecordError) as fault:
        read_wording(path)
    assert told in str(fault.value)
    assert "\n" not in str(fault.value)


def test_words_of_the_package_are_those_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text(yaml.safe_dump(WORDS.model_dump()))
    assert read_wording(path).digest == read_wording(None).digest
