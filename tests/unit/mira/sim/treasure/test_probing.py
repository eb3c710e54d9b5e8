import json
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest

from mira.schema.episode import EpisodeRun
from mira.schema.probe import BOX_WORDS
from mira.schema.record import Provenance
from mira.sim.treasure.agent import Action, Line, Preferences
from mira.sim.treasure.agents.policies import make_agent
from mira.sim.treasure.floor import Stance
from mira.sim.treasure.match import Match
from mira.sim.treasure.play import Cast, TreasurePlay
from mira.sim.treasure.probing import TreasureProbePolicy, probe_items, shown_belief
from mira.sim.treasure.rules import BOXES, PLAYERS, GazePolicy
from mira.sim.treasure.trials import CONDITIONS, plan_trials
from mira.store.episodes import EpisodeStore

TRIAL = plan_trials(0)[0]
ASKED = {role: Cast("a model") for role in PLAYERS}
POLICY = TreasureProbePolicy(steps=(0, 3, 6, 9, 10))
FLAT = {"positive": 0.0, "negative": 0.0}
ACTION = json.dumps(
    {
        "emotion": {"facial": FLAT, "physiological": FLAT, "felt": FLAT},
        "preferences": {"Dark brown box": 0.5},
        "move": {"action": "move", "direction": "left forward"},
    }
)
OTHERS = {
    "speech": json.dumps({"inner_speech": "hm", "utterance": "Which one is it, " * 3}),
    "preferences": json.dumps({"updates": []}),
}


def played(play):
    heard = []
    while (request := play.request()) is not None:
        assert play.request() == request
        heard.append(request)
        play.hear("A" if request.kind == "probe" else OTHERS.get(request.kind, ACTION))
    return heard


@pytest.fixture
def store(tmp_path):
    run = EpisodeRun(name="run", provenance=Provenance(tool="tests", tool_version="1"))
    return EpisodeStore.create(tmp_path / "run", run)


def test_a_trial_has_the_same_turns_and_is_asked_the_same_whatever_is_asked_between(store):
    def camera(seen):
        return f"{seen.player} {seen.own} {seen.partner}".encode()

    plain, probed = (
        TreasurePlay(TRIAL, ASKED, visual="rendered", camera=camera, probes=probes)
        for probes in (None, POLICY)
    )
    requests, others = played(plain), played(probed)
    assert [one for one in others if one.kind != "probe"] == requests
    assert list(probed.match.steps("x")) == list(plain.match.steps("x"))
    assert probed.write(store) == plain.episode()
    probes = list(store.probes(TRIAL.trial_id))
    assert len(probes) == len(others) - len(requests)
    for before, after in pairwise(others):
        if before.kind == "probe" and after.kind == "action":
            assert before.role == after.role
            assert before.pictures == after.pictures
            assert before.text.split("Here is one question")[0] in after.text


def test_a_script_is_asked_nothing(store):
    cast = {
        "subject": Cast("honest", make_agent("subject", "honest", TRIAL.generator(1))),
        "participant": Cast("a model"),
    }
    play = TreasurePlay(TRIAL, cast, probes=POLICY)
    played(play)
    play.write(store)
    assert {one.item.moment.role for one in store.probes(TRIAL.trial_id)} == {"participant"}


def asked(match, player, *, step=3, supposed=None):
    """The right box by question."""
    found = {}
    for item in probe_items(match, player, step, policy=POLICY, supposed=supposed):
        values = {option.label: option.value for option in item.options}
        found[item.category] = (BOX_WORDS.index(values[item.answer]), item.order, item.condition)
    return found


@pytest.mark.parametrize("trial", plan_trials(0, count=3))
def test_what_is_right_is_what_the_simulator_knows(trial):
    match, reward = Match(trial, GazePolicy()), trial.reward_box
    match.act("subject", Action("forward"))
    truth = {"reward": (reward, 0, None), "other": (reward, 1, "true_belief")}
    assert asked(match, "participant") == truth
    assert asked(match, "subject") == {"reward": (reward, 0, None)}
    # It believes in a box, and shows as much, or hides it.
    toward = "left_forward" if trial.boxes[1 - reward][0] > 0 else "right_forward"
    wrong = Preferences(0, 0.5, -0.5) if reward else Preferences(0, -0.5, 0.5)
    match.act("participant", Action(toward, preferences=wrong))
    false = 1 - reward, "false_belief"
    assert asked(match, "subject") == {
        "reward": (reward, 0, None),
        "other": (false[0], 1, false[1]),
        "other_of_self": (false[0], 2, false[1]),
    }
    assert asked(match, "participant") == {**truth, "other_of_self": (false[0], 2, false[1])}
    right = Preferences(0, *(0.5 if box == reward else -0.5 for box in (0, 1)))
    assert asked(match, "participant", supposed=right) == truth


def test_what_is_shown_counts_where_all_signs_agree():
    match = Match(TRIAL._replace(boxes=BOXES), GazePolicy())
    seen = match.seen("subject", 1)

    def shown(at, facing, said=None, held=None):
        dialogue = () if said is None else (Line(3, "participant", said),)
        one = seen._replace(partner=Stance(at, facing), dialogue=dialogue)
        return shown_belief(one, held)

    assert shown((0, 4), 6) is None
    assert shown((1, 3), 6) == 0
    assert shown((-1, 3), 6) == 1
    assert shown((0, 2), 7) == 0
    assert shown((1, 3), 6, said="I think that it is in the light brown box.") is None
    assert shown((1, 3), 6, said="I think that it is in the dark brown box.") == 0
    assert shown((1, 3), 6, held=1) is None
    assert shown((-1, 1), 0) is None


def test_right_boxes_and_letters_are_balanced():
    letters, boxes = Counter(), Counter()
    for trial in plan_trials(0, count=25, conditions=CONDITIONS):
        match = Match(trial, GazePolicy())
        for item in probe_items(match, "participant", 0, policy=POLICY, supposed=None):
            letters[item.answer] += 1
            boxes[item.options[0].value] += 1
    for counts in (letters, boxes):
        assert sum(counts.values()) == 200
        assert min(counts.values()) > 75


def test_rounds_that_are_not_played_are_refused():
    with pytest.raises(ValueError, match="expected rounds up to 10, found 11"):
        TreasureProbePolicy(steps=(3, 11))


def test_what_was_asked_when_the_line_died_is_kept_as_not_heard(store):
    play = TreasurePlay(TRIAL, ASKED, probes=POLICY)
    play.hear("A")
    play.hear(ACTION)
    assert play.request().kind == "probe"
    play.abort("gone")
    play.write(store)
    replies = [(one.raw_reply, one.item.moment.role) for one in store.probes(TRIAL.trial_id)]
    assert replies == [("A", "subject"), (None, "participant")]


def test_words_of_probes_are_read_when_somebody_is_to_be_asked():
    told = (
        "import mira.sim.treasure.series\n"
        "from mira.sim.probing.wording import packaged_wording\n"
        "print(packaged_wording.cache_info().currsize)"
    )
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "0"
