from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.schema.qa import Drop, QAItem, QAPolicy
from mira.taxonomy.catalogue import taxonomy
from qa_gen.facts import image_facts
from qa_gen.generate import Tally, image_questions
from qa_gen.wording import WordingBook, protocol_infos

BOOK = WordingBook.read()


def _questions(view, annotation, **policy):
    facts = image_facts(view, annotation, QAPolicy(**policy))
    return list(image_questions(facts, None, {}, BOOK, protocol_infos()))


def _items(view, annotation, **policy):
    return [r for r in _questions(view, annotation, **policy) if isinstance(r, QAItem)]


def _drops(view, annotation, **policy):
    return [r for r in _questions(view, annotation, **policy) if isinstance(r, Drop)]


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        ({"direct": (1,)}, {"vc_001": "no", "vc_002": "yes", "vc_003": "no"}),
        ({"reflected": {1: "out_of_frame"}}, {"vc_001": "yes", "vc_002": "no", "vc_003": "no"}),
        ({"direct": (1,), "reflected": {2: 1}}, {"vc_001": "no", "vc_002": "no", "vc_003": "yes"}),
    ],
)
def test_visibility_follows_from_labels_and_links(draw, view, drawn, expected):
    items = _items(view, draw(**drawn))
    assert {i.template_id: i.answer.value for i in items if i.joint_group} == expected


def test_the_three_visibility_questions_of_an_object_share_a_group_and_a_referent(draw, view):
    items = _items(view, draw(direct=(1, 3), reflected={2: 1, 4: "out_of_frame"}))
    groups = defaultdict(list)
    for item in items:
        if item.joint_group:
            groups[item.joint_group].append(item)
    assert len(groups) == 3
    for members in groups.values():
        assert sorted(i.template_id for i in members) == ["vc_001", "vc_002", "vc_003"]
        assert [i.answer.value for i in members].count("yes") == 1
        assert len({i.marks[0].instance_id for i in members}) == 1


def test_objects_seen_both_ways_are_asked_about_by_either_appearance(draw, view):
    referents = Counter()
    for seed in range(40):
        annotation = draw(direct=(1,), reflected={2: 1})
        item = next(i for i in _items(view, annotation, seed=seed) if i.joint_group)
        referents[item.marks[0].instance_id] += 1
    assert set(referents) == {1, 2}
    assert min(referents.values()) > 8


def test_correspondence_offers_the_linked_object_and_others_of_the_same_side(draw, view):
    annotation = draw(direct=(1, 3, 5, 7, 9), reflected={2: 1, 4: 3, 6: "out_of_frame"})
    for item in _items(view, annotation):
        if item.template_id not in ("mc_001", "mc_002"):
            continue
        offered = [int(o.value) for o in item.options]
        side = {1, 3, 5, 7, 9} if item.template_id == "mc_001" else {2, 4, 6}
        assert set(offered) <= side
        assert len(offered) == len(set(offered)) == (4 if item.template_id == "mc_001" else 3)
        gold = next(int(o.value) for o in item.options if o.label == item.answer.value)
        asked = item.marks[0].instance_id
        assert {(asked, gold), (gold, asked)} & {(2, 1), (4, 3)}


def test_another_reflection_of_the_same_object_is_never_a_wrong_option(draw, view):
    annotation = draw(direct=(1, 5), reflected={2: 1, 3: 1, 4: 2, 6: 5})
    for seed in range(10):
        asked = [i for i in _items(view, annotation, seed=seed) if i.template_id == "mc_002"]
        for item in asked:
            if item.marks[0].instance_id == 1:
                offered = {int(o.value) for o in item.options}
                assert len(offered & {2, 3, 4}) == 1


def test_an_undecided_reflection_is_never_a_wrong_option(draw, view):
    annotation = draw(direct=(1, 5), reflected={2: 1, 3: None, 6: 5})
    for item in _items(view, annotation):
        if item.template_id == "mc_002":
            assert "3" not in {o.value for o in item.options}


def test_with_one_candidate_there_is_no_correspondence_question(draw, view):
    annotation = draw(direct=(1,), reflected={2: 1})
    assert not [i for i in _items(view, annotation) if i.template_id in ("mc_001", "mc_002")]
    reasons = Counter(d.reason for d in _drops(view, annotation))
    assert reasons == {"too-few-candidates": 3}


def test_same_object_questions_are_as_often_yes_as_no(draw, view):
    annotation = draw(direct=(1, 3, 5), reflected={2: 1, 4: 3, 6: 5})
    answers = Counter(i.answer.value for i in _items(view, annotation) if i.template_id == "mc_003")
    assert answers == {"yes": 3, "no": 3}


def test_undecided_objects_are_dropped_with_a_counted_reason(draw, view):
    drops = _drops(view, draw(reflected={2: "ambiguous"}))
    assert [(d.template_id, d.reason) for d in drops] == [
        (t, "counterpart-undecided") for t in ("vc_001", "vc_002", "vc_003")
    ]


def test_an_instance_too_small_to_see_is_not_asked_about(draw, view):
    drops = _drops(view, draw(direct=(1,), sides={1: 2.0}))
    assert {d.reason for d in drops} == {"box-too-small"}


@pytest.mark.parametrize("tiny", [1, 2])
def test_a_side_that_nobody_can_make_out_decides_nothing(draw, view, tiny):
    annotation = draw(direct=(1,), reflected={2: 1}, sides={tiny: 2.0})
    assert not [i for i in _items(view, annotation) if i.joint_group]
    assert {d.reason for d in _drops(view, annotation)} >= {"box-too-small"}


def test_a_lost_reflection_is_the_reason_that_is_given(draw, view):
    annotation = draw(direct=(1,)).model_copy(update={"lost_reflections": 1})
    assert {d.reason for d in _drops(view, annotation)} == {"reflection-lost"}


def test_every_item_is_worded_in_all_five_protocols(draw, view):
    for item in _items(view, draw(direct=(1, 3), reflected={2: 1})):
        assert [w.protocol for w in item.wordings] == [p.id for p in taxonomy().protocols]


def test_without_a_description_the_protocols_that_describe_are_dropped(draw, view):
    annotation = draw(direct=(1,), descriptions={1: " "})
    assert {w.protocol for i in _items(view, annotation) for w in i.wordings} == {
        "bbox_text",
        "visual_bbox",
        "visual_mask",
    }
    assert {d.reason for d in _drops(view, annotation)} == {"no-description"}


@pytest.mark.parametrize("words", ["cup in the mirror", "Reflection of a cup", "VIRTUAL cup"])
def test_a_description_that_tells_the_answer_is_not_shown(draw, view, words):
    annotation = draw(direct=(1,), descriptions={1: words})
    assert words not in " ".join(w.question for i in _items(view, annotation) for w in i.wordings)
    assert {d.reason for d in _drops(view, annotation)} == {"description-reveals-visibility"}


def test_matching_questions_describe_one_side_only(draw, view):
    annotation = draw(
        direct=(1, 3),
        reflected={2: 1, 4: 3},
        descriptions={1: "cup", 2: "cup", 3: "vase", 4: "vase"},
    )
    for item in _items(view, annotation):
        for wording in item.wordings:
            if item.template_id.startswith("mc") and wording.protocol.endswith("desc"):
                text = " ".join((wording.question, *wording.option_texts))
                assert text.count("cup") + text.count("vase") == 1


def test_annotation_ids_are_never_shown(draw, view):
    annotation = draw(direct=(41, 43), reflected={42: 41, 44: 43}, descriptions={})
    for item in _items(view, annotation):
        for wording in item.wordings:
            if wording.protocol in ("visual_bbox", "visual_mask"):
                assert not re.search(
                    r"\b4[1-4]\b", " ".join((wording.question, *wording.option_texts))
                )


def test_text_protocols_state_whole_pixels_and_the_size_of_the_picture(draw, view):
    item = next(i for i in _items(view, draw(direct=(1,))) if i.template_id == "vc_001")
    text = next(w.question for w in item.wordings if w.protocol == "bbox_text")
    assert "640 x 480" in text
    assert "(55, 10, 95, 50)" in text


def test_a_hostile_description_stays_text(draw, view):
    words = "{{ 7 * 7 }} {% raw %} </script>"
    annotation = draw(direct=(1,), descriptions={1: words})
    item = next(i for i in _items(view, annotation) if i.template_id == "vc_001")
    assert any(words in w.question for w in item.wordings)


def test_an_unrelated_edit_leaves_ids_and_options_alone(draw, view):
    before = {i.item_id: i for i in _items(view, draw(direct=(1, 3), reflected={2: 1}))}
    after = {
        i.item_id: i for i in _items(view, draw(direct=(1, 3), reflected={2: 1, 9: "out_of_frame"}))
    }
    assert before.keys() <= after.keys()
    for item_id, item in before.items():
        assert after[item_id].options == item.options
        assert after[item_id].answer == item.answer


def test_the_seed_changes_choices_but_not_ids(draw, view):
    annotation = draw(direct=(1, 3, 5, 7, 9, 11), reflected={2: 1, 4: 3, 6: 5})
    runs = [
        {i.item_id: i for i in _items(view, annotation, seed=seed) if i.template_id == "mc_001"}
        for seed in range(3)
    ]
    assert runs[0].keys() == runs[1].keys() == runs[2].keys()
    assert any(a != b for a, b in combinations(runs, 2))


def test_gold_positions_are_spread_over_the_options(draw, view):
    tally = Tally(QAPolicy())
    for seed in range(60):
        annotation = draw(direct=(1, 3, 5, 7), reflected={2: 1, 4: 3, 6: 5, 8: 7})
        list(tally.counting(iter(_questions(view, annotation, seed=seed))))
    for template_id in ("mc_001", "mc_002"):
        counts = tally.summary({}).gold_positions[template_id]
        assert set(counts) == {"A", "B", "C", "D"}
        assert max(counts.values()) < 1.5 * min(counts.values())


@st.composite
def _drawings(draw_from):
    direct = draw_from(st.sets(st.integers(1, 20), max_size=6))
    reflected = {}
    for k in range(21, 21 + draw_from(st.integers(0, 6))):
        known = [*direct, *reflected]
        reflected[k] = draw_from(
            st.one_of(
                st.sampled_from(known) if known else st.nothing(),
                st.sampled_from(["out_of_frame", "ambiguous", "in_frame", None]),
            )
        )
    return {"direct": tuple(direct), "reflected": reflected}


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawing=_drawings())
def test_whatever_is_drawn_every_item_has_one_right_answer_and_distinct_marks(draw, view, drawing):
    items = _items(view, draw(**drawing))
    assert len({i.item_id for i in items}) == len(items)
    for item in items:
        assert [o.label for o in item.options].count(str(item.answer.value)) == 1
        assert len({m.label for m in item.marks}) == len(item.marks)
        assert len({m.instance_id for m in item.marks}) == len(item.marks)
        assert QAItem.from_json(item.to_json(), where="item") == item
    yes = Counter(i.joint_group for i in items if i.joint_group and i.answer.value == "yes")
    assert set(yes.values()) <= {1}
