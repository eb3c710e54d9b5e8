"""A guesser without pictures, and one that is never sure."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from mira.errors import ReleaseError
from mira.evals.mira_bench.baselines import not_sure_predictions
from mira.evals.mira_bench.blind import blind_predictions
from mira.evals.mira_bench.scoring import score_predictions

UNSURE = ("yes", "no", "not_sure")


def score(rows, answers):
    table = score_predictions(rows, answers, release_digest="d", bootstrap=None)
    return {entry.name: entry for entry in table.rows}


def guesses(rows, seed=0, **keys):
    said = blind_predictions(rows, rng=np.random.default_rng(seed), **keys)
    return {one.question_id: one.answer for one in said}


def test_it_says_what_is_right_in_other_scenes(make):
    rows = [
        make.row(f"q{k}", "ac_001", answer="no", options=UNSURE, scene_id=f"s{k}")
        for k in range(20)
    ]
    rows.append(make.row("odd", "ac_001", answer="yes", options=UNSURE, scene_id="odd"))
    assert set(guesses(rows).values()) == {"no"}


def test_it_knows_nothing_of_the_scene_that_it_is_asked_about(make):
    rows = [
        make.row(f"a{k}", "ac_001", answer="yes", options=UNSURE, scene_id="a") for k in range(50)
    ]
    rows += [
        make.row(f"b{k}", "ac_001", answer="no", options=UNSURE, scene_id="b") for k in range(9)
    ]
    said = guesses(rows)
    assert {said[f"a{k}"] for k in range(50)} == {"no"}
    assert {said[f"b{k}"] for k in range(9)} == {"yes"}


def test_options_count_by_what_they_mean_and_candidates_by_their_letter(make):
    orders = (("move_left", "stop", "none"), ("none", "move_left", "stop"))
    rows = []
    for k in range(20):
        options = orders[k % 2]
        letter = "ABC"[options.index("stop")]
        rows.append(make.row(f"as{k}", "ac_002", answer=letter, options=options, scene_id=f"s{k}"))
        objects = (str(100 + k), str(200 + k), str(300 + k))
        rows.append(make.row(f"mc{k}", "mc_001", answer="B", options=objects, scene_id=f"s{k}"))
    assert {one.value for one in score(rows, blind_predictions(rows, rng=_rng())).values()} == {1.0}


def test_questions_of_a_joint_group_are_answered_together(make):
    rows = [row for k in range(30) for row in make.triple(f"g{k}", gold=1, scene_id=f"s{k}")]
    assert score(rows, blind_predictions(rows, rng=_rng()))["vc"].value == 1.0


def test_where_answers_have_no_habit_it_is_as_good_as_chance(make):
    values = defaultdict(list)
    rng = np.random.default_rng(1)
    rows = [
        make.row(
            f"q{k}-{n}",
            "mc_001",
            answer="ABCD"[int(rng.integers(4))],
            options=("1", "2", "3", "4"),
            scene_id=f"s{k}",
        )
        for k in range(60)
        for n in range(8)
    ]
    for seed in range(10):
        table = score(rows, blind_predictions(rows, rng=np.random.default_rng(seed)))
        values["mc"].append(table["mc"].value)
    assert abs(np.mean(values["mc"]) - 0.25) < 4 * (0.25 * 0.75 / len(rows)) ** 0.5


def test_it_learns_from_the_split_that_it_is_fitted_on_alone(make):
    rows = [
        make.row(
            f"{split}{k}",
            "mc_003",
            answer=answer,
            options=("yes", "no"),
            scene_id=f"{split}{k}",
            split=split,
        )
        for split, answer, n in (("train", "yes", 8), ("test", "no", 30))
        for k in range(n)
    ]
    assert set(guesses(rows, fit_split="train").values()) == {"yes"}
    with pytest.raises(ReleaseError, match="expected some of split 'dev' to learn from"):
        guesses(rows, fit_split="dev")


@pytest.mark.parametrize("scenes", [1, 2, 12])
def test_every_question_is_answered_readably(make, scenes):
    rows = make.release(scenes, protocols=("visual_bbox", "bbox_text"))
    rows.append(make.row("loose", "ct_001", answer="1", scene_id="alone"))
    table = score(rows, blind_predictions(rows, rng=_rng()))
    assert table["overall"].n_unparsable == table["overall"].n_unscored == 0


def test_equal_seeds_give_equal_guesses(make):
    rows = make.release(6)
    assert guesses(rows, seed=3) == guesses(rows, seed=3)


def test_who_is_never_sure_is_right_where_nobody_can_know_and_nowhere_else(make):
    rows = [
        *make.release(8),
        *(
            make.row(f"u{k}", "ac_004", answer="not_sure", options=UNSURE, protocol=None)
            for k in range(24)
        ),
        make.row("mpac", "mpac_001", answer="B", options=("nothing_added", "not_sure", "x")),
    ]
    table = score(rows, not_sure_predictions(rows))
    unsure, asked = defaultdict(int), defaultdict(int)
    for row in rows:
        values = {option["label"]: option["value"] for option in row["options"]}
        unsure[row["subtask"]] += values.get(row["answer"], row["answer"]) == "not_sure"
        asked[row["subtask"]] += 1
    assert unsure["cr"] == 24
    assert unsure["mpac"] > 0
    for subtask, n in asked.items():
        assert table[subtask].value == pytest.approx(unsure[subtask] / n)
    offered = [row for row in rows if any(o["value"] == "not_sure" for o in row["options"])]
    assert table["overall"].n_unparsable == len(rows) - len(offered)
    assert table["overall"].n_unscored == 0


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)
