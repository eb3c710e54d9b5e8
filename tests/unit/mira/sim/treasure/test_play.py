import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.schema.episode import EpisodeRun
from mira.schema.record import Provenance
from mira.sim.treasure.agents.policies import make_agent
from mira.sim.treasure.asking.asked_player import AskingPolicy
from mira.sim.treasure.play import Cast, TreasurePlay
from mira.sim.treasure.rules import PLAYERS
from mira.sim.treasure.trials import plan_trials
from mira.store.episodes import EpisodeStore

TRIAL = plan_trials(0)[0]
ASKED = {role: Cast(f"model of the {role}") for role in PLAYERS}
FLAT = {"positive": 0.0, "negative": 0.0}
WELL = {
    "action": {
        "emotion": {
            "facial": {"positive": 0.5, "negative": 0},
            "physiological": FLAT,
            "felt": FLAT,
        },
        "move": {"action": "move", "direction": "left forward"},
    },
    "speech": {"inner_speech": "hm", "utterance": "So which of them is it, if I may ask you that?"},
    "preferences": {"updates": ["Marie | preference towards Participant | more positive"]},
}


def _reply_well(request, last_kind):
    return json.dumps(WELL[last_kind if request.kind == "repair" else request.kind])


def _played(play, answer):
    """Play to the end; gives back the requests."""
    heard, kind = [], None
    while (request := play.request()) is not None:
        assert play.request() == request
        kind = kind if request.kind == "repair" else request.kind
        heard.append(request)
        play.hear(answer(request, kind))
    return heard


@pytest.fixture
def store(tmp_path):
    run = EpisodeRun(name="run", provenance=Provenance(tool="tests", tool_version="1"))
    return EpisodeStore.create(tmp_path / "run", run)


def test_a_trial_asks_for_twenty_turns_and_three_exchanges_in_their_order():
    requests = _played(TreasurePlay(TRIAL, ASKED), _reply_well)
    turn = [("subject", "action"), ("participant", "action")]
    exchange = [
        ("participant", "speech"),
        ("subject", "preferences"),
        ("subject", "speech"),
        ("participant", "preferences"),
    ]
    three = [*turn * 3, *exchange]
    assert [(r.role, r.kind) for r in requests] == [*three * 3, *turn]


def test_an_episode_holds_what_was_done_said_thought_and_replied(store):
    play = TreasurePlay(TRIAL, ASKED)
    _played(play, _reply_well)
    episode = play.write(store)
    assert store.episode(play.episode_id) == episode
    assert episode.model == "model of the subject and model of the participant"
    assert episode.termination == "completed"
    steps = list(store.steps(episode))
    assert len(steps) == 20
    assert {step.move for step in steps} == {"left_forward"}
    assert {step.facial_valence for step in steps} == {0.5}
    spoken = [step for step in steps if step.utterance]
    assert [(s.round, s.role) for s in spoken] == [(r, p) for r in (3, 6, 9) for p in PLAYERS]
    assert [len(step.raw_replies) for step in steps[:6]] == [1, 1, 1, 1, 3, 3]
    # The subject is told to prefer the participant, and does more each time it is spoken to.
    assert [s.preference_other for s in steps if s.role == "subject"][::3] == [0.5, 0.75, 1.0, 1.0]


def test_a_faulty_reply_is_asked_for_once_more_then_the_agent_stays_and_it_is_counted():
    play = TreasurePlay(TRIAL, ASKED)
    requests = _played(play, lambda request, kind: "I would rather not.")
    assert [r.kind for r in requests[:4]] == ["action", "repair"] * 2
    # No question, no answer: nobody is asked to make anything of silence.
    assert play.unread == {"action": 20, "speech": 3}
    assert play.episode().details.choice == -1
    for step in play.match.steps("x"):
        assert step.move is None
        assert step.utterance is None
        asks = step.round in (3, 6, 9) and step.role == "participant"
        assert len(step.raw_replies) == (4 if asks else 2)
        assert step.facial_valence == 0


def test_a_reply_that_is_mended_counts_as_any_other():
    play = TreasurePlay(TRIAL, ASKED)
    requests = _played(play, lambda r, kind: json.dumps(WELL[kind]) if r.kind == "repair" else "hm")
    assert not play.unread
    repair = next(r for r in requests if r.kind == "repair")
    assert repair.text.startswith(requests[0].text)
    assert "expected a JSON object with emotion, move, found none" in repair.text
    assert {step.move for step in play.match.steps("x")} == {"left_forward"}


def test_the_same_replies_make_the_same_episode(store, tmp_path):
    written = []
    for _ in range(2):
        play = TreasurePlay(TRIAL, ASKED)
        _played(play, _reply_well)
        play.write(store)
        folder = store.root / "episodes" / play.episode_id
        written.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert written[0] == written[1]


def test_a_script_and_a_model_play_together():
    cast = {
        "subject": Cast("honest", make_agent("subject", "honest", TRIAL.generator(1))),
        "participant": Cast("a model"),
    }
    play = TreasurePlay(TRIAL, cast)
    requests = _played(play, _reply_well)
    assert {r.role for r in requests} == {"participant"}
    assert play.episode().model == "a model"
    told = next(r for r in requests if r.kind == "preferences")
    assert "It is in the" in told.text


def test_nobody_is_told_what_it_cannot_know():
    replies = iter(range(1000))

    def answer(request, kind):
        fields = json.loads(json.dumps(WELL[kind]))
        if kind == "action":
            fields["emotion"]["felt"] = {"positive": 0.123 + next(replies) / 1e4, "negative": 0}
        fields["reasoning"] = fields["inner_speech"] = "SECRET"
        return json.dumps(fields)

    for request in _played(TreasurePlay(TRIAL, ASKED), answer):
        assert "SECRET" not in request.text
        if request.role == "participant":
            assert "theory of mind" not in request.text
            assert "Marie | felt" not in request.text
            assert "treasure is the" not in request.text
            assert f"it is the {('dark', 'light')[TRIAL.reward_box]}" not in request.text
        else:
            assert f"it is the {('dark', 'light')[TRIAL.reward_box]} brown box" in request.text
            assert "Participant | felt" not in request.text


def test_faces_can_be_left_to_pictures():
    shown = []
    for tells in (True, False):
        play = TreasurePlay(TRIAL, ASKED, asking=AskingPolicy(tells_faces=tells))
        requests = _played(play, _reply_well)
        shown.append("Marie | facial" in requests[1].text)
        assert "Marie | facial emotion valence | 0.5" in requests[2].text
    assert shown == [True, False]


def test_a_trial_that_is_broken_off_is_written_as_far_as_it_went(store):
    for asked in (0, 1, 5, 6, 7, 8, 10, 31, 32):
        play = TreasurePlay(TRIAL, ASKED)
        for _ in range(asked):
            request = play.request()
            play.hear(_reply_well(request, request.kind))
        play.abort("the server is gone")
        assert play.request() is None
        episode = play.write(store)
        aborted = asked < 32
        assert (episode.termination == "aborted") == aborted
        assert play.aborted_for == ("the server is gone" if aborted else None)
        assert (episode.details.choice is None) == aborted


@settings(max_examples=12)
@given(st.lists(st.text(max_size=40), max_size=6), st.randoms(use_true_random=False))
def test_whatever_is_replied_a_trial_ends_and_is_a_record(texts, chance):
    def answer(request, kind):
        if not texts or chance.random() < 0.5:
            return json.dumps(WELL[kind])
        return chance.choice([*texts, "\ud800", json.dumps({"utterance": "\ud800 " * 12})])

    play = TreasurePlay(TRIAL, ASKED)
    assert len(_played(play, answer)) <= 64
    for step in play.match.steps("x"):
        assert step.model_validate_json(step.model_dump_json()) == step


def test_pictures_go_along_and_are_kept_once(store):
    taken = []

    def camera(seen):
        taken.append(seen)
        return f"{seen.player} {seen.partner.at}".encode()

    play = TreasurePlay(TRIAL, ASKED, visual="rendered", camera=camera)
    requests = _played(play, _reply_well)
    for request in requests:
        assert len(request.pictures) == (request.kind != "preferences")
        assert ("The picture shows" in request.text) == (request.kind != "preferences")
    episode = play.write(store)
    assert episode.details.visual == "rendered"
    for step in store.steps(episode):
        png = store.read_picture(play.episode_id, step.image)
        assert hashlib.sha256(png).hexdigest() == step.image.sha256
    assert all(seen.partner_emotion.felt == 0 for seen in taken)
