import io

import pytest
from PIL import Image

from mira.errors import EpisodeError
from mira.sim.treasure.agents.policies import make_agent
from mira.sim.treasure.play import Cast, TreasurePlay
from mira.sim.treasure.replay.film import draw_moment, make_gif
from mira.sim.treasure.replay.moments import trial_of
from mira.sim.treasure.trials import plan_trials

TRIAL = plan_trials(0)[-1]


@pytest.fixture(scope="module")
def recorded():
    cast = {
        "subject": Cast("deceptive", make_agent("subject", "deceptive", TRIAL.generator(1))),
        "participant": Cast(
            "attentive", make_agent("participant", "attentive", TRIAL.generator(2))
        ),
    }
    play = TreasurePlay(TRIAL, cast)
    return play.episode(), tuple(play.match.steps(play.episode_id)), play


def test_a_trial_has_a_moment_for_its_start_each_turn_and_each_sentence(recorded):
    episode, steps, play = recorded
    trial = trial_of(episode, steps)
    assert len(trial.moments) == 1 + 20 + 6
    assert trial.moments[-1].stances == play.match.game.stances
    said = [moment.said for moment in trial.moments if moment.said]
    assert [line.split(":")[0] for line in said] == ["Participant", "Marie"] * 3
    assert trial.ending.endswith("without the reward")


def test_the_film_shows_every_moment(recorded):
    episode, steps, _ = recorded
    trial = trial_of(episode, steps)
    short = trial._replace(moments=[trial.moments[0], trial.moments[7], trial.moments[-1]])
    film = Image.open(io.BytesIO(make_gif(short)))
    assert film.n_frames == 3
    assert film.size == (1304, 446)
    assert (draw_moment(trial, 0) != draw_moment(trial, 5)).any()


def test_a_trial_that_broke_off_is_shown_as_far_as_it_went(recorded):
    play = TreasurePlay(TRIAL, {"subject": Cast("a"), "participant": Cast("b")})
    play.hear("no")
    play.hear("no")
    play.abort("gone")
    trial = trial_of(play.episode(), tuple(play.match.steps("x")))
    assert len(trial.moments) == 2
    assert trial.moments[-1].done == "Round 1, Marie: stays (the reply could not be read)"
    assert trial.ending.startswith("Broken off")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"position_cells": (0.3, -2.2)}, "expected cells of the game's floor"),
        ({"position_cells": (7, 0)}, "expected cells of the game's floor"),
        ({"orientation_cells": None}, "where agents face"),
    ],
)
def test_steps_of_another_room_are_refused(recorded, change, fault):
    episode, steps, _ = recorded
    odd = (steps[0].model_copy(update=change), *steps[1:])
    with pytest.raises(EpisodeError, match=fault):
        trial_of(episode, odd)
