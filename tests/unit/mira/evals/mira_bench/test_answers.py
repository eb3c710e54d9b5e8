from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.errors import ReleaseError
from mira.evals.mira_bench.answers import gold_answer, possible_answers, read_answer
from mira.evals.mira_bench.questions import parse_question

AXES = (("left", "aligned", "right"), ("above", "aligned", "below"))
DEPTHS = ("front", "same_depth", "behind")


@pytest.fixture(scope="session")
def choice(make):
    row = make.row("q", "mc_001", answer="B", options=("table", "chair", "lamp"))
    return parse_question(row)


@pytest.fixture(scope="session")
def reach(make):
    return parse_question(make.row("q", "ac_001", answer="no", options=("yes", "no", "not_sure")))


@pytest.fixture(scope="session")
def axes(make):
    return parse_question(make.row("q", "mr_001", answer="left,above,front"))


@pytest.fixture(scope="session")
def count(make):
    return parse_question(make.row("q", "ct_001", answer="3", count_max=5))


@pytest.mark.parametrize(
    "text", ["B", "b", " b. ", "B. chair", "b) Chair", "B:  chair", "chair", "CHAIR."]
)
def test_a_choice_is_named_by_label_text_or_both(choice, text):
    assert read_answer(text, choice) == "B"


@pytest.mark.parametrize(
    "text", ["", ".", "D", "A and C", "A, B", "B. table", "B chair lamp", "the chair", "BB"]
)
def test_what_names_no_choice_or_two_is_not_read(choice, text):
    assert read_answer(text, choice) is None


def test_two_options_of_one_text_are_told_apart_by_label_alone(make):
    twins = parse_question(make.row("q", "mc_001", answer="A", options=("cup", "cup")))
    assert read_answer("cup", twins) is None
    assert read_answer("B. cup", twins) == "B"


def test_a_label_wins_over_the_text_of_another_option(make):
    letters = parse_question(make.row("q", "mc_001", answer="A", options=("B", "a sign")))
    assert read_answer("B", letters) == "B"
    assert read_answer("A. B", letters) == "A"


def test_an_instance_id_that_is_not_shown_names_no_choice(make):
    row = make.row("q", "mc_001", answer="A", options=("7", "9"))
    row["options"] = [{**option, "text": "a cup"} for option in row["options"]]
    assert read_answer("7", parse_question(row)) is None


@pytest.mark.parametrize("text", ["not sure", "Not_Sure", "NOT  SURE."])
def test_not_sure_is_an_answer_only_where_it_is_an_option(make, reach, text):
    binary = parse_question(make.row("q", "mc_003", answer="no", options=("yes", "no")))
    assert read_answer(text, reach) == "not_sure"
    assert read_answer(text, binary) is None


@pytest.mark.parametrize("text", ["yes or no", "yes no", "y", "yeah", "true", "1"])
def test_only_the_words_themselves_are_yes_or_no(reach, text):
    assert read_answer(text, reach) is None


def test_each_of_the_27_positions_is_read_in_every_order(axes):
    positions = list(product(*AXES, DEPTHS))
    assert possible_answers(axes) == tuple(",".join(words) for words in positions)
    for words in positions:
        for shuffled in permutations(words):
            assert read_answer(", ".join(shuffled), axes) == ",".join(words)


@pytest.mark.parametrize("text", ["upper, front, left", "Left; ABOVE; front.", "front-left, above"])
def test_axes_are_read_in_either_vocabulary(axes, text):
    assert read_answer(text, axes) == "left,above,front"


@pytest.mark.parametrize(
    "text",
    [
        "left, above",
        "left, front, aligned, above",
        "left, right, front",
        "left, right, above, front",
        "aligned, left, above",
        "aligned, aligned, aligned",
        "left, above, near",
        "left and above and front",
        "",
    ],
)
def test_a_missing_doubled_or_unknown_axis_is_not_read(axes, text):
    assert read_answer(text, axes) is None


@given(number=st.integers(0, 10**9 - 1))
def test_counts_compare_as_numbers(count, number):
    for text in (f"{number}", f" 0{number}"[-9:], f"{number}.0", f"{number}."):
        assert read_answer(text, count) == str(int(float(text)))


@pytest.mark.parametrize("text", ["-1", "2-3", "three", "3 chairs", "3.5", "٣", "9" * 5000, "1e3"])
def test_what_is_no_whole_number_is_not_a_count(count, text):
    assert read_answer(text, count) is None


def test_the_words_that_a_format_asks_for_follow_its_label(make):
    options = ("not_sure", "nothing_added", "same_side_only", "other_side_distinct")
    question = parse_question(make.row("q", "mpac_001", answer="D", options=options))
    assert read_answer("D. A red label on its back.", question) == "D"
    assert read_answer("D) other side distinct", question) == "D"
    assert read_answer("D. B", question) is None
    assert read_answer("A red label", question) is None


def test_every_possible_answer_reads_as_itself(make):
    for row in make.release(3):
        question = parse_question(row)
        answers = possible_answers(question)
        assert [read_answer(answer, question) for answer in answers] == list(answers)
        assert gold_answer(question) in answers


def test_a_right_answer_that_no_reply_could_give_is_a_fault_of_the_release(make):
    question = parse_question(make.row("q7", "mc_001", answer="E", options=("cup", "jug")))
    with pytest.raises(ReleaseError, match=r"q7: answer: expected one of format single_choice"):
        gold_answer(question)
