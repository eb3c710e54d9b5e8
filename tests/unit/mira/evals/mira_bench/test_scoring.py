from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.errors import PredictionError, ReleaseError
from mira.evals.mira_bench.baselines import oracle_predictions, random_predictions
from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.scoring import score_predictions
from mira.schema.evaluation import Prediction, ScoreTable

PROTOCOLS = ("bbox_text", "bbox_text_desc", "visual_bbox", "visual_mask", "visual_bbox_desc")


def score(rows, predictions, *, bootstrap=None, **keys) -> ScoreTable:
    return score_predictions(
        rows, predictions, release_digest="d" * 64, bootstrap=bootstrap, **keys
    )


def says(question_id: str, answer: str | None, **keys) -> Prediction:
    return Prediction(question_id=question_id, answer=answer, **keys)


def test_rows_are_sub_tasks_then_levels_then_overall(make):
    rows = make.release(2)
    table = score(rows, oracle_predictions(rows))
    assert [entry.name for entry in table.rows] == [
        *("vc", "mc", "mr", "ct", "mpac", "re", "as", "cr"),
        *("level:perception", "level:spatial", "level:decision", "overall"),
    ]
    assert table.complete
    assert (table.release_digest, table.protocol, table.split) == ("d" * 64, None, None)


def test_what_the_release_lacks_has_no_row(make):
    rows = [make.row("q", "ct_001", answer="2", count_max=4)]
    names = [entry.name for entry in score(rows, oracle_predictions(rows)).rows]
    assert names == ["ct", "level:spatial", "overall"]


def test_a_joint_group_is_right_only_when_all_three_are(make):
    rows = make.triple("g")
    for wrong in range(3):
        given_answers = [says(r["question_id"], r["answer"]) for r in rows]
        given_answers[wrong] = says(rows[wrong]["question_id"], "no" if wrong == 0 else "yes")
        entry = make.row_of(score(rows, given_answers), "vc")
        assert (entry.value, entry.n, entry.n_units) == (0.0, 3, 1)
    assert make.row_of(score(rows, oracle_predictions(rows)), "vc").value == 1.0


def test_an_unscored_question_makes_its_group_unscored_and_not_wrong(make):
    rows = make.triple("g") + make.triple("h")
    answers = [says(r["question_id"], r["answer"]) for r in rows[1:]]
    table = score(rows, answers)
    entry = make.row_of(table, "vc")
    assert (entry.value, entry.n, entry.n_units, entry.n_unscored) == (1.0, 6, 1, 1)
    assert not table.complete


@pytest.mark.parametrize("lost", [[], [Prediction(question_id="b", status="failed")]])
def test_missing_and_failed_are_unscored_and_the_table_is_incomplete(make, lost):
    rows = [make.row(name, "mc_003", answer="yes", options=("yes", "no")) for name in "abc"]
    table = score(rows, [says("a", "yes"), says("c", "no"), *lost])
    entry = make.row_of(table, "mc")
    assert (entry.value, entry.n, entry.n_units, entry.n_unscored) == (0.5, 3, 2, 1)
    assert not table.complete


@pytest.mark.parametrize(
    "reply",
    [
        says("a", "maybe"),
        Prediction(question_id="a", raw_text="Well, yes."),
        Prediction(question_id="a", raw_text="yes", status="unparsable"),
        Prediction(question_id="a", raw_text="yes", status="refused"),
        Prediction(question_id="a"),
    ],
)
def test_a_reply_without_a_readable_answer_is_wrong_and_counted(make, reply):
    rows = [make.row(name, "mc_003", answer="yes", options=("yes", "no")) for name in "ab"]
    table = score(rows, [reply, says("b", "yes")])
    entry = make.row_of(table, "mc")
    assert (entry.value, entry.n_units, entry.n_unparsable, entry.n_unscored) == (0.5, 2, 1, 0)
    assert table.complete


def test_a_raw_reply_is_read_by_the_format_of_its_question(make):
    rows = make.release(1)
    replies = [
        Prediction(
            question_id=entry["question_id"], raw_text=f'{{"final_answer": "{entry["answer"]}"}}'
        )
        for entry in rows
    ]
    assert make.row_of(score(rows, replies), "overall").value == 1.0


def test_the_answer_given_wins_over_the_raw_text(make):
    rows = [make.row("a", "mc_003", answer="yes", options=("yes", "no"))]
    table = score(rows, [says("a", "yes", raw_text="no")])
    assert make.row_of(table, "mc").value == 1.0


def test_nothing_scored_gives_no_value(make):
    table = score(make.release(2), [], bootstrap=BootstrapPolicy(resamples=50))
    assert {entry.value for entry in table.rows} == {None}
    assert {entry.interval for entry in table.rows} == {None}
    assert all(entry.n_unscored == entry.n for entry in table.rows)


def test_averages_weigh_by_questions_and_a_triple_counts_three(make):
    rows = make.triple("g") + [
        make.row(name, "mc_003", answer="yes", options=("yes", "no")) for name in "ab"
    ]
    answers = [says(r["question_id"], r["answer"]) for r in rows[:3]] + [
        says("a", "no"),
        says("b", "no"),
    ]
    table = score(rows, answers)
    assert make.row_of(table, "level:perception").value == pytest.approx(3 / 5)
    assert make.row_of(table, "overall").value == pytest.approx(3 / 5)


def test_a_sub_task_keeps_its_weight_when_some_of_it_is_unscored(make):
    rows = [make.row(f"m{i}", "mc_003", answer="yes", options=("yes", "no")) for i in range(4)]
    rows += [make.row(f"c{i}", "ct_001", answer="1", count_max=3) for i in range(4)]
    answers = [says("m0", "yes")] + [says(f"c{i}", "2") for i in range(4)]
    assert make.row_of(score(rows, answers), "overall").value == pytest.approx(0.5)


def test_a_sub_task_with_nothing_scored_is_left_out_of_averages(make):
    rows = [
        make.row("m", "mc_003", answer="yes", options=("yes", "no")),
        make.row("c", "ct_001", answer="1", count_max=3),
    ]
    table = score(rows, [says("m", "yes")])
    assert make.row_of(table, "ct").value is None
    assert make.row_of(table, "level:spatial").value is None
    assert make.row_of(table, "overall").value == 1.0
    assert not table.complete


def test_chance_follows_the_number_of_answers(make):
    rows = make.release(3)
    table = score(rows, [])
    expected = {
        "vc": 1 / 8,
        "mc": (1 / 4 + 1 / 2 + 1 / 2) / 3,
        "mr": 1 / 27,
        "ct": (1 / 5 + 1 / 6 + 1 / 7) / 3,
        "mpac": 1 / 4,
        "re": 1 / 3,
        "as": 1 / 6,
        "cr": 1 / 3,
    }
    for subtask, chance in expected.items():
        assert make.row_of(table, subtask).chance == pytest.approx(chance)
    perception = (3 * expected["vc"] + 3 * expected["mc"]) / 6
    assert make.row_of(table, "level:perception").chance == pytest.approx(perception)


def test_an_unbounded_count_leaves_chance_unknown_where_it_takes_part(make):
    rows = [
        make.row("c", "ct_001", answer="1"),
        make.row("m", "mc_003", answer="yes", options=("yes", "no")),
    ]
    table = score(rows, [])
    assert [entry.chance for entry in table.rows] == [0.5, None, 0.5, None, None]


def test_one_protocol_takes_its_questions_and_those_that_need_none(make):
    rows = make.release(3, protocols=PROTOCOLS[:2])
    table = score(rows, oracle_predictions(rows), protocol="bbox_text")
    assert table.protocol == "bbox_text"
    assert make.row_of(table, "overall").n == 3 * 13 + 3
    assert make.row_of(table, "cr").n == 3
    assert table.complete


def test_one_split_takes_its_scenes(make):
    rows = make.release(3)
    table = score(rows, oracle_predictions(rows), split="train")
    assert table.split == "train"
    assert make.row_of(table, "cr").n == 2


def test_a_protocol_or_split_without_questions_is_refused(make):
    rows = make.triple("g")
    with pytest.raises(ReleaseError, match="protocol visual_mask"):
        score(rows, [], protocol="visual_mask")
    with pytest.raises(ReleaseError, match="split validation"):
        score(rows, [], split="validation")
    with pytest.raises(ReleaseError, match="found none"):
        score([], [])


def test_a_duplicated_or_unknown_prediction_is_refused(make):
    rows = [make.row("a", "mc_003", answer="yes", options=("yes", "no"))]
    with pytest.raises(PredictionError, match="a: expected one prediction a question, found two"):
        score(rows, [says("a", "yes"), says("a", "yes")])
    with pytest.raises(PredictionError, match="z: expected a question of this release"):
        score(rows, [says("z", "yes")])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"subtask": "xx"}, "subtask"),
        ({"format": "essay"}, "format"),
        ({"answer": 3}, "answer: expected text"),
        ({"options": []}, "answer: expected one of format"),
    ],
)
def test_a_question_that_cannot_be_scored_is_named(make, change, told):
    row = {**make.row("q5", "mc_001", answer="A", options=("x", "y")), **change}
    with pytest.raises(ReleaseError, match=f"^q5: {told}"):
        score([row], [])


def test_a_release_without_a_column_or_with_an_id_twice_is_refused(make):
    row = make.row("q5", "mc_001", answer="A", options=("x", "y"))
    with pytest.raises(ReleaseError, match="q5: expected one question an id"):
        score([row, row], [])
    del row["count_max"]
    with pytest.raises(ReleaseError, match="q5: expected a column count_max"):
        score([row], [])


def test_a_visibility_question_outside_any_group_is_refused(make):
    (row, *_) = make.triple("g")
    with pytest.raises(ReleaseError, match="scored jointly"):
        score([{**row, "joint_group": None}], [])


def test_a_joint_group_over_two_protocols_is_refused(make):
    rows = make.triple("g")
    again = [{**row, "question_id": row["question_id"] + "'"} for row in rows]
    with pytest.raises(ReleaseError, match="g: expected each template once in a joint group"):
        score(rows + again, [])


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_order_of_questions_and_predictions_makes_no_difference(make, seed):
    rows = make.release(6, protocols=PROTOCOLS[:2])
    answers = list(random_predictions(rows, rng=np.random.default_rng(seed)))[:-5]
    policy = BootstrapPolicy(resamples=20)
    before = score(rows, answers, bootstrap=policy)
    random.Random(seed).shuffle(rows)
    random.Random(seed + 1).shuffle(answers)
    assert score(rows, answers, bootstrap=policy) == before


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), lost=st.integers(0, 60))
def test_counts_add_up(make, seed, lost):
    rows = make.release(4)
    answers = list(random_predictions(rows, rng=np.random.default_rng(seed)))[lost:]
    table = score(rows, answers)
    overall = make.row_of(table, "overall")
    for group in ("subtask", "level"):
        for count in ("n", "n_units", "n_unparsable", "n_unscored"):
            total = sum(getattr(e, count) for e in table.rows if e.group == group)
            assert total == getattr(overall, count)
    assert overall.n == len(rows)
    assert overall.n_unscored == len(rows) - len(answers)
    assert table.complete is (overall.n_unscored == 0)
    assert all(e.value is None or 0 <= e.value <= 1 for e in table.rows)


def test_a_reply_to_another_wording_of_a_question_is_refused(make):
    row = make.row("a", "mc_003", answer="yes", options=("yes", "no"))
    same, other = (
        Prediction(question_id="a", answer="yes", question_sha8=sha8)
        for sha8 in (row["question_sha8"], "ffffffff")
    )
    assert make.row_of(score([row], [same]), "mc").value == 1
    with pytest.raises(PredictionError, match="changed since this reply was given"):
        score([row], [other])
