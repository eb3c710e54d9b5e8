"""What a guess without the picture is worth."""

from __future__ import annotations

import pytest

from mira.schema.qa import Derivation
from qa_gen.quality.reading import KnownPicture
from qa_gen.quality.surveying import SurveySources


def _template(report, template_id):
    return next(one for one in report.templates if one.template_id == template_id)


def _subtask(report, subtask):
    return next(one for one in report.subtasks if one.subtask == subtask)


def test_an_answer_that_is_right_everywhere_is_always_guessed_and_told(make, survey, codes):
    items = [make("ac_001", "yes", scene=f"s{k}", image=f"i{k}") for k in range(10)]
    report = survey(items)
    guessing = _template(report, "ac_001").guessing
    assert (guessing.accuracy, guessing.chance) == (1.0, pytest.approx(1 / 3))
    assert codes(report) == ["gold-lopsided", "blind-guess"]


def test_even_answers_are_guessed_no_better_than_chance_and_no_worse(make, survey, codes):
    golds = ("yes", "no")
    items = [make("mc_003", golds[k % 2], scene=f"s{k}", image=f"i{k}") for k in range(40)]
    report = survey(items)
    assert _template(report, "mc_003").guessing.accuracy == 0.5
    assert codes(report) == []


def test_the_answers_of_an_items_own_scene_teach_nothing(make, survey):
    # Each scene has an answer of its own, which no other scene has.
    actions = ("move_left", "move_right", "stop", "none", "turn_around", "rotate_left")
    items = [
        make("ac_002", action, offered=actions, scene=action, image=f"{action}{k}")
        for action in actions
        for k in range(20)
    ]
    assert _template(survey(items), "ac_002").guessing.accuracy == 0.0


def test_one_scene_alone_teaches_nothing_and_says_so(make, survey):
    report = survey([make("ac_001", "yes") for _ in range(9)])
    assert _template(report, "ac_001").guessing.accuracy is None


def test_directions_are_learnt_by_themselves(make, survey, codes):
    items = [
        make(
            "ac_004",
            "no" if direction == "below" else "yes",
            direction=direction,
            scene=f"s{k}",
            image=f"i{k}",
        )
        for k in range(10)
        for direction in ("below", "forward")
    ]
    report = survey(items)
    assert _template(report, "ac_004").guessing.accuracy == 1.0
    assert codes(report) == ["blind-guess"]
    assert report.directions["ac_004"] == {"forward": {"yes": 10}, "below": {"no": 10}}


def test_a_value_that_is_offered_and_never_right_helps_the_guesser(make, survey):
    # Right is one of two values; the two distractors are never right.
    offered = ("stop", "none", "move_left", "move_right")
    items = [
        make("ac_002", ("stop", "none")[k % 2], offered=offered, scene=f"s{k}", image=f"i{k}")
        for k in range(40)
    ]
    guessing = _template(survey(items), "ac_002").guessing
    assert (guessing.accuracy, guessing.chance) == (0.5, 0.25)


def test_of_candidates_the_place_alone_can_be_learnt(make, survey):
    items = [
        make(
            "mc_001",
            gold,
            (50 + gold,),
            candidates=(gold, gold + 1, gold + 2, gold + 3),
            scene=f"s{k}",
        )
        for k, gold in enumerate(range(1, 41, 4))
    ]
    guessing = _template(survey(items), "mc_001").guessing
    assert (guessing.accuracy, guessing.chance) == (1.0, 0.25)


def test_visibility_counts_when_all_three_are_guessed(make, survey):
    golds = {"vc_001": "no", "vc_002": "no", "vc_003": "yes"}
    items = []
    for k in range(12):
        # Every third object has another one of the three right.
        of_this = golds if k % 3 else {"vc_001": "yes", "vc_002": "no", "vc_003": "no"}
        items += [
            make(name, gold, scene=f"s{k}", image=f"i{k}", joint_group=f"g{k}")
            for name, gold in of_this.items()
        ]
    report = survey(items)
    joint = _subtask(report, "vc").guessing
    assert (joint.units, joint.chance) == (12, 0.125)
    assert joint.accuracy == pytest.approx(8 / 12)


def test_chance_of_a_count_follows_from_what_there_is_to_count(make, survey):
    items = [
        make("ct_001", k % 3, direction="left", scene=f"s{k}", image=f"i{k}") for k in range(6)
    ]
    assert _template(survey(items), "ct_001").guessing.chance is None
    known = SurveySources(known=lambda item: KnownPicture({}, countable=5))
    assert _template(survey(items, sources=known), "ct_001").guessing.chance == 0.2
    bound = Derivation(rule="r", annotator="a", annotation_sha256="0", parameters={"count_max": 9})
    items = [item.model_copy(update={"derivation": bound}) for item in items]
    assert _template(survey(items, sources=known), "ct_001").guessing.chance == 0.1
