import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.sim.treasure.agent import Emotion, Preferences
from mira.sim.treasure.asking.replies import (
    ReplyFaultError,
    read_action,
    read_speech,
    read_updates,
)

BEFORE = Preferences(0.5, 0.5, -0.5)
EMOTION = {
    "facial": {"positive": 0.6, "negative": 0.1},
    "physiological": {"positive": 0, "negative": 0.25},
    "felt": {"positive": 0, "negative": 0},
}
MOVE = {"action": "move", "direction": "left forward"}


def _reply(**changes):
    fields = {"reasoning": "…", "emotion": EMOTION, "move": MOVE, **changes}
    return json.dumps({name: value for name, value in fields.items() if value is not None})


def _read(reply, player="subject"):
    return read_action(reply, player, BEFORE)


def test_a_whole_reply_is_a_turn():
    action = _read(_reply(preferences={"Participant": -0.2, "Light brown box": "50%"}))
    assert action.move == "left_forward"
    assert action.emotion == Emotion(0.5, -0.25, 0.0)
    assert action.preferences == Preferences(-0.2, 0.5, 0.5)


def test_preferences_that_are_left_out_stay():
    assert _read(_reply()).preferences == BEFORE


def test_the_published_names_of_fields_are_read_with_words_around_them():
    emotion = {f"{name.capitalize()}Expression": value for name, value in EMOTION.items()}
    reply = "Reasoning: I will {hide} it.\nOutput: " + json.dumps(
        {"Preference": {}, "Emotion": emotion, "Move": {"action": "stay idle", "direction": "null"}}
    )
    assert _read(reply).move == "stay_idle"


@pytest.mark.parametrize(
    ("action", "direction", "move"),
    [
        ("move", "forward", "forward"),
        ("Move", "forward-left", "left_forward"),
        ("move", "right_backward", "right_backward"),
        ("rotate", "Participant", "rotate_other"),
        ("rotate", "the dark brown box", "rotate_box_0"),
        ("rotate", "Light Brown Box", "rotate_box_1"),
        ("stay idle", None, "stay_idle"),
        ("stay_idle", "null", "stay_idle"),
    ],
)
def test_moves_by_action_and_direction(action, direction, move):
    assert _read(_reply(move={"action": action, "direction": direction})).move == move


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"move": {"action": "move", "direction": "up"}}, "move"),
        ({"move": {"action": "move", "direction": "left right"}}, "move"),
        ({"move": {"action": "move"}}, "move"),
        ({"move": {"action": "rotate", "direction": "left"}}, "move"),
        ({"move": {"action": "rotate", "direction": "Marie"}}, "move"),
        ({"move": {"action": "jump", "direction": "forward"}}, "move"),
        ({"move": {"direction": "forward"}}, "move.action"),
        ({"move": "left"}, "move"),
        ({"move": None}, "move"),
        ({"emotion": None}, "emotion"),
        ({"emotion": {**EMOTION, "felt": {"positive": 1.01, "negative": 0}}}, "emotion.felt"),
        ({"emotion": {**EMOTION, "felt": {"positive": -0.1, "negative": 0}}}, "emotion.felt"),
        ({"emotion": {**EMOTION, "facial": {"positive": "high"}}}, "emotion.facial"),
        ({"emotion": {"facial": EMOTION["facial"]}}, "emotion.physiological"),
        ({"preferences": {"Participant": 50}}, "preferences.Participant"),
        ({"preferences": {"Door": 0.1}}, "preferences"),
        ({"preferences": [0.1]}, "preferences"),
    ],
)
def test_a_fault_names_its_field(changes, field):
    with pytest.raises(ReplyFaultError, match=f"^{field}"):
        _read(_reply(**changes))


@pytest.mark.parametrize(
    "reply",
    ["", "I move left.", "[1, 2]", "null", '{"a": 1}', _reply()[:-1], "NaN", '{"move"', "{" * 5000],
)
def test_what_holds_no_whole_object_is_a_fault(reply):
    with pytest.raises(ReplyFaultError):
        _read(reply)


def test_numbers_that_are_none_and_fields_that_are_there_twice_are_faults():
    with pytest.raises(ReplyFaultError):
        _read(_reply().replace("0.6", "NaN"))
    with pytest.raises(ReplyFaultError, match="twice"):
        _read(_reply()[:-1] + ', "move": {"action": "stay idle"}}')


def test_what_is_thought_before_is_no_reply():
    thought = f"<think>Perhaps {_reply(move={'action': 'stay idle'})}</think>"
    assert _read(thought + _reply()).move == "left_forward"
    for unfinished in (thought, "<think>" + _reply()):
        with pytest.raises(ReplyFaultError):
            _read(unfinished)
    said = read_speech(json.dumps({"inner_speech": "", "utterance": "<think> " + "word " * 10}))
    assert said.utterance.startswith("<think>")


def test_of_several_objects_the_last_counts():
    assert _read(_reply() + "\nNo:\n" + _reply(move={"action": "stay idle"})).move == "stay_idle"


@settings(max_examples=40)
@given(st.text(max_size=100))
def test_any_text_is_read_or_is_a_fault(text):
    for read in (
        _read,
        read_speech,
        lambda reply: read_updates(reply, {"subject": BEFORE, "participant": BEFORE}, step=0.25),
    ):
        for reply in (text, _reply() + text, json.dumps({"utterance": text, "updates": [text]})):
            with suppress(ReplyFaultError):
                read(reply)


def _spoken(words):
    return json.dumps({"inner_speech": "so", "utterance": " \n".join(["word"] * words)})


@pytest.mark.parametrize("words", [10, 50])
def test_a_sentence_of_ten_to_fifty_words_is_said_in_one_line(words):
    speech = read_speech(_spoken(words))
    assert speech.utterance == " ".join(["word"] * words)
    assert speech.inner == "so"


def test_control_characters_are_not_said():
    said = "word " * 11 + "\x1b[31m\x00red\u202e"
    speech = read_speech(json.dumps({"inner_speech": "a\x07b\nc", "utterance": said}))
    assert speech.utterance.endswith("word [31m red")
    assert speech.inner == "a b c"


@pytest.mark.parametrize("words", [0, 9, 51])
def test_a_shorter_or_longer_one_is_a_fault(words):
    with pytest.raises(ReplyFaultError, match="utterance"):
        read_speech(_spoken(words))


def _updated(*lines, step=0.25):
    beliefs = {"subject": BEFORE, "participant": Preferences()}
    return read_updates(json.dumps({"updates": lines}), beliefs, step=step)


def test_updates_change_what_either_is_believed_to_prefer():
    after = _updated(
        "Participant | preference towards Dark brown box | more positive",
        '"Marie | Preference towards participant | more negative"',
        "Marie | preference towards light brown box | unchanged",
        "Marie | preference towards Marie | more positive",
    )
    assert after["subject"] == Preferences(0.25, 0.5, -0.5)
    assert after["participant"] == Preferences(0.0, 0.25, 0.0)


def test_preferences_end_at_one():
    after = _updated(*["Marie | preference towards Dark brown box | more positive"] * 9)
    assert after["subject"].dark_box == 1


@pytest.mark.parametrize(
    "line",
    [
        "Marie | preference towards Dark brown box",
        "Marie | preference towards Dark brown box | much better",
        "Somebody | preference towards Dark brown box | unchanged",
        "Marie | preference towards the door | unchanged",
        "Marie | felt emotion valence | more positive",
        "",
    ],
)
def test_a_line_of_another_form_is_a_fault(line):
    with pytest.raises(ReplyFaultError):
        _updated(line)


def test_no_updates_change_nothing():
    assert _updated()["subject"] == BEFORE
