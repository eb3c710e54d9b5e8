import pytest

from mira.errors import RecordError
from mira.sim.treasure.agent import Preferences
from mira.sim.treasure.asking.telling import Telling, belief_triples, tell
from mira.sim.treasure.asking.wording import packaged_wording, read_wording
from mira.sim.treasure.match import Match
from mira.sim.treasure.rules import GazePolicy
from mira.sim.treasure.trials import plan_trials

TRIAL = next(
    trial for trial in plan_trials(0) if trial.reward_box == 1 and trial.boxes[0] == (2, 0)
)


def _telling(player, **more):
    match = Match(TRIAL, GazePolicy())
    fields = {"wording": packaged_wording(), "has_picture": False, "tells_faces": True, **more}
    return Telling(match.seen(player, 1), Preferences(), (), **fields)


def test_a_belief_state_is_the_published_triples():
    # The example of appendix D.4, without what Marie cannot know, the felt valence of the other.
    assert list(belief_triples(_telling("subject"))) == [
        '"Marie | preference towards Participant | 50%"',
        '"Marie | preference towards Dark brown box | -50%"',
        '"Marie | preference towards Light brown box | 50%"',
        '"Marie | felt emotion valence | 0"',
        '"Marie | facial emotion valence | 0"',
        '"Marie | physiological emotion valence | 0"',
        '"Marie | theory of mind order | 0"',
        '"Participant | preference towards Marie | 0%"',
        '"Participant | preference towards Dark brown box | 0%"',
        '"Participant | preference towards Light brown box | 0%"',
        '"Participant | facial emotion valence | 0"',
        '"Participant | physiological emotion valence | 0"',
        '"Marie | position | (0 -4)"',
        '"Marie | orientation | (0 -3)"',
        '"Participant | position | (0 4)"',
        '"Participant | orientation | (0 3)"',
        '"Dark brown box | position | (2 0)"',
        '"Light brown box | position | (-2 0)"',
    ]


def test_preferences_are_told_in_per_cent_as_published():
    telling = _telling("participant")
    seen = telling.seen._replace(preferences=Preferences(0.0, -0.416667, 0.5556))
    triples = list(belief_triples(telling._replace(seen=seen)))
    assert '"Participant | preference towards Dark brown box | -41.67%"' in triples
    assert '"Participant | preference towards Light brown box | 55.56%"' in triples


@pytest.mark.parametrize("player", ["subject", "participant"])
@pytest.mark.parametrize("task", ["action", "ask", "answer", "preferences"])
def test_no_name_is_left_to_be_filled_in(player, task):
    assert "$" not in tell(_telling(player), task)


def test_words_can_be_replaced_one_by_one(tmp_path):
    path = tmp_path / "words.yaml"
    path.write_text("version: 2\npicture: Look, $name.\n", "utf-8")
    wording = read_wording(path)
    assert "Look, Marie." in tell(_telling("subject", wording=wording, has_picture=True), "action")
    assert wording.digest.startswith("2-")
    assert wording.digest != packaged_wording().digest
    assert wording.repair == packaged_wording().repair


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("roles: {participant: It is the $treasure.}", "found \\$treasure"),
        ("repair: Again for 5 $.", "names behind"),
        ("greeting: Hello", "greeting"),
    ],
)
def test_words_that_tell_too_much_or_cannot_be_filled_in_are_refused(tmp_path, words, fault):
    path = tmp_path / "words.yaml"
    path.write_text(words, "utf-8")
    with pytest.raises(RecordError, match=fault):
        read_wording(path)
