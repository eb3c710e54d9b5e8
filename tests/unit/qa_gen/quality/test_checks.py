"""Faults of single items and uneven sets, each of them planted."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.schema.qa import Derivation
from qa_gen.quality.balance import evenness, positions_of
from qa_gen.quality.margins import close_call_bound
from qa_gen.quality.policy import QualityPolicy
from qa_gen.quality.reading import KnownPicture
from qa_gen.quality.surveying import SurveySources

ACTIONS = ("stop", "none", "move_left", "move_right")


def _measured(unit="m"):
    return Derivation(
        rule="r", annotator="a", annotation_sha256="0", parameters={"margin_unit": unit}
    )


# Options


def test_a_right_option_that_nobody_offers_is_an_error(make, survey, codes):
    item = make("ac_002", "stop", offered=ACTIONS)
    broken = item.model_copy(update={"answer": item.answer.model_copy(update={"value": "Z"})})
    assert codes(survey([broken])) == ["option-unclear"]


def test_two_options_with_the_text_of_the_right_one_are_an_error(make, survey, codes):
    texts = ("Stop", "none", " stop ", "right")
    assert codes(survey([make("ac_002", "stop", offered=ACTIONS, texts=texts)])) == [
        "option-unclear"
    ]
    # Two wrong options may read alike: the answer stays clear.
    texts = ("stop", "none", "go", "go")
    assert codes(survey([make("ac_002", "stop", offered=ACTIONS, texts=texts)])) == []


def test_a_mark_on_another_instance_than_its_option_is_an_error(make, survey, codes):
    item = make("mc_001", 5, (1,), candidates=(4, 5))
    assert codes(survey([item])) == []
    slot, first, second = item.marks
    swapped = (
        slot,
        first.model_copy(update={"label": "B"}),
        second.model_copy(update={"label": "A"}),
    )
    report = survey([item.model_copy(update={"marks": swapped})])
    assert codes(report) == ["option-unclear", "option-unclear"]


def test_missing_texts_of_options_are_an_error(make, survey, codes):
    assert codes(survey([make("ac_001", "yes", texts=("yes",))])) == ["option-unclear"]


def test_words_of_the_right_candidate_in_the_question_are_told(make, survey, codes):
    texts = ("the red mug", "the blue vase")
    asked = "Which of these does the reflection of a RED thing show?"
    item = make("mc_001", 4, (1,), candidates=(4, 5), texts=texts, question=asked)
    report = survey([item])
    assert codes(report) == ["answer-readable"]
    assert "found red" in report.findings[0].message
    wrong = make("mc_001", 5, (1,), candidates=(4, 5), texts=texts, question=asked, image="j")
    assert codes(survey([wrong])) == []


# Places of right options


def _with_right_at(make, places):
    return [
        make(
            "ac_002",
            "stop",
            offered=(*ACTIONS[1 : 1 + p], "stop", *ACTIONS[1 + p :]),
            image=f"i{k}",
        )
        for k, p in enumerate(places)
    ]


def test_a_place_that_is_always_right_is_told(make, survey, codes):
    assert "position-lopsided" in codes(survey(_with_right_at(make, [0] * 40)))
    assert "position-lopsided" not in codes(survey(_with_right_at(make, [0, 1, 2, 3] * 10)))


def test_places_are_held_against_as_many_as_there_are(make, survey):
    # Where two are offered, A is right half the time; that is no fault.
    two = [make("mc_002", 4 + k % 2, (1,), candidates=(4, 5), image=f"a{k}") for k in range(20)]
    four = [
        make("mc_002", 4 + k % 4, (1,), candidates=(4, 5, 6, 7), image=f"b{k}") for k in range(20)
    ]
    (template,) = survey([*two, *four]).templates
    assert template.positions.counts == {"A": 15, "B": 15, "C": 5, "D": 5}
    assert template.positions.expected == {"A": 15, "B": 15, "C": 5, "D": 5}
    assert (template.positions.chi_square, template.positions.p) == (0, 1)


def test_chi_square_is_that_of_the_textbook():
    places = positions_of({2: {0: 60, 1: 40}})
    assert places.chi_square == 4.0
    assert places.p == pytest.approx(0.0455, abs=1e-4)
    assert places.excess == 0.1


def test_evenness_is_entropy_over_the_greatest_there_can_be():
    assert evenness({"a": 5, "b": 5, "c": 5}) == 1.0
    expected = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75)) / math.log(2)
    assert evenness({"a": 1, "b": 3}) == pytest.approx(expected, abs=1e-6)
    assert evenness({"a": 3}) is None


@given(counts=st.dictionaries(st.integers(0, 3), st.integers(0, 50), min_size=1))
def test_probabilities_are_probabilities(counts):
    if sum(counts.values()):
        places = positions_of({4: counts})
        assert 0 <= places.p <= 1
        assert sum(places.expected.values()) == pytest.approx(sum(counts.values()), abs=0.01)


def test_a_word_that_is_nearly_always_right_is_told_on_its_axis(make, survey, codes):
    words = [
        ("left", "above", "behind"),
        ("right", "below", "behind"),
        ("left", "aligned", "behind"),
    ]
    items = [make("mr_001", words[k % 3], (1, 2), image=f"i{k}") for k in range(9)]
    report = survey(items)
    assert codes(report) == ["gold-lopsided"]
    assert report.findings[0].message.startswith("depth: ")
    assert report.axes["mr_001"]["horizontal"] == {"left": 6, "right": 3}


def test_few_items_are_not_judged(make, survey):
    report = survey([make("ac_001", "yes", scene=f"s{k}", image=f"i{k}") for k in range(3)])
    assert "few-items" in [finding.code for finding in report.findings]
    assert report.clean


# Asked again


def test_the_same_question_twice_is_told_and_two_answers_to_it_are_an_error(make, survey, codes):
    one = make("ac_001", "yes", question="May one get there?")
    other = make("ac_001", "no", question="May one get there?")
    assert codes(survey([one, other])) == ["answer-contradiction", "question-repeated"]
    again = make("ac_001", "yes", question="May one get there?")
    assert codes(survey([one, again])) == ["question-repeated"]
    elsewhere = make("ac_001", "no", (2,), question="May one get there?")
    assert codes(survey([one, elsewhere])) == []


def test_other_order_of_options_is_the_same_question(make, survey, codes):
    one = make("ac_002", "stop", offered=ACTIONS, question="What next?")
    other = make("ac_002", "stop", offered=ACTIONS[::-1], question="What next?")
    assert codes(survey([one, other])) == ["question-repeated"]


def test_one_fact_through_other_appearances_is_counted(make, survey, codes):
    items = [make("ac_001", "yes" if k % 2 else "no", (k,), image="pic") for k in (1, 2, 3, 4)]
    known = SurveySources(known=lambda item: KnownPicture({1: 1, 2: 1, 3: 1, 4: 1}))
    report = survey(items, sources=known)
    assert report.repeats.facts == {"ac_001": 3}
    assert "fact-repeated" in codes(report)
    assert survey(items).repeats.facts == {}


def test_two_objects_in_the_other_order_are_one_fact(make, survey):
    items = [
        make("mr_003", ("left", "above", "front"), (1, 2)),
        make("mr_003", ("right", "below", "behind"), (2, 1)),
    ]
    assert survey(items).repeats.facts == {"mr_003": 1}


def test_another_appearance_in_a_question_on_appearances_is_another_fact(make, survey):
    items = [make("mc_001", 5, (k,), candidates=(5, 6)) for k in (1, 2)]
    known = SurveySources(known=lambda item: KnownPicture({1: 1, 2: 1, 5: 1}))
    assert survey(items, sources=known).repeats.facts == {}


def test_the_same_words_and_answer_on_another_picture_of_the_scene_are_counted(make, survey):
    def asked(image, gold, scene="scene"):
        return make(
            "ac_001", gold, question="Get to X (red mug)?", protocol="visual_bbox_desc",
            image=image, scene=scene,
        )  # fmt: skip

    report = survey(
        [asked("a", "yes"), asked("b", "yes"), asked("c", "no"), asked("d", "yes", "s2")]
    )
    assert report.repeats.in_scene == {"ac_001": 1}
    assert report.repeats.worded == {"ac_001": 4}


# Measured answers


def test_a_close_call_that_counts_is_told_unless_the_policy_takes_them(make, survey, codes):
    item = make("mr_001", ("left", "above", "front"), (1, 2), margin=0.01, derivation=_measured())
    assert codes(survey([item])) == ["close-call-taken"]
    assert codes(survey([item], sources=SurveySources(close_calls_count=True))) == []
    person = item.model_copy(update={"source": "annotator"})
    assert codes(survey([person])) == []
    sure = item.model_copy(update={"margin": 0.03})
    assert codes(survey([sure])) == []
    doubted = SurveySources(is_close_call=lambda item: True)
    assert codes(survey([sure], sources=doubted)) == ["close-call-taken"]


def test_margins_are_summed_up_by_template_and_unit(make, survey, codes):
    items = [
        make("ac_002", "stop", (k,), offered=ACTIONS, margin=float(k), derivation=_measured("deg"))
        for k in range(1, 11)
    ]
    report = survey(items, sources=SurveySources(close_calls_count=True))
    (margins,) = report.margins
    assert (margins.template_id, margins.unit, margins.items) == ("ac_002", "deg", 10)
    assert (margins.lowest_tenth, margins.median) == (1.9, 5.5)
    assert (margins.bound, margins.below_bound, margins.near) == (5.0, 4, 9)
    assert "near-threshold" in codes(report)


def test_every_unit_has_the_bound_of_its_rule():
    spatial = QualityPolicy().spatial
    bounds = [
        close_call_bound(template_id, unit, spatial)
        for template_id, unit in (
            ("mr_001", "m"),
            ("ac_001", "m"),
            ("ac_004", "m"),
            ("ac_002", "deg"),
            ("ac_003", "ratio"),
            ("ac_003", "px"),
            ("mr_001", None),
        )
    ]
    assert bounds == [0.02, 0.10, 0.05, 5.0, 1.25, None, None]
