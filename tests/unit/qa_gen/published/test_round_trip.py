"""What is written is read again, field by field; what others wrote stays as they wrote it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.published.entries import MarkedPictures, published_questions
from mira.published.records import PublishedQuestion
from mira.published.writing import write_questions
from mira.taxonomy.catalogue import taxonomy
from qa_gen.published.items import published_items
from qa_gen.published.reading import NumberedQuestion, read_published

TEMPLATES = [row.id for row in taxonomy().templates]
MARKED = MarkedPictures("b/r.jpg", "b/d.png", "b/rm.jpg", "b/dm.png", "mask/m.png")
FIELDS = [
    "question_id",
    "original_question_id",
    "image_name",
    "category",
    "subcategory",
    "template_id",
    "question_type",
    "referring_style",
    "requires_mirror_reasoning",
    "requires_depth",
    "question",
    "choices",
    "answer",
    "target_objects",
    "related_objects",
    "slot_values",
    "rgb_bbox_path",
    "depth_bbox_path",
    "rgbm_bbox_path",
    "depthm_bbox_path",
    "mask_path",
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
TEXT = st.text(max_size=12)
FOREIGN = st.fixed_dictionaries(
    {
        "question_id": TEXT,
        "image_name": TEXT,
        "template_id": TEXT,
        "question_type": TEXT,
        "question": TEXT,
        "answer": VALUES,
    },
    optional={
        "choices": VALUES,
        "category": st.none() | TEXT,
        "requires_depth": st.none() | st.booleans(),
        "target_objects": st.none() | st.lists(VALUES, max_size=3),
        "slot_values": st.none() | st.dictionaries(TEXT, VALUES, max_size=3),
        "mask_path": st.none() | TEXT,
        "their own": VALUES,
        "schema_version": VALUES,
    },
)


def entries_of(item) -> tuple[PublishedQuestion, ...]:
    return published_questions(item, image_name="picture.png", marked=MARKED)


def items_of(entries):
    numbered = [NumberedQuestion(k, entry) for k, entry in enumerate(entries)]
    return published_items(numbered, where="questions.json")


@pytest.mark.parametrize("template_id", TEMPLATES)
def test_an_item_of_every_template_comes_back_with_all_that_entries_carry(
    make_item, template_id: str
) -> None:
    item = make_item(template_id)
    (read,), findings = items_of(entries_of(item))
    assert findings == ()
    assert (read.item_id, read.template_id, read.image_id) == (
        item.item_id,
        template_id,
        "picture",
    )
    assert read.direction == item.direction
    assert read.options == item.options
    assert read.answer == item.answer
    assert read.joint_group == item.joint_group
    assert read.wordings == item.wordings
    slots = [(mark.label, mark.instance_id) for mark in item.marks if mark.role == "slot"]
    assert [(slot.name, slot.instance_id) for slot in read.slots] == slots


@pytest.mark.parametrize("template_id", TEMPLATES)
def test_entries_are_read_as_they_were_written(make_item, template_id: str, tmp_path: Path) -> None:
    entries = entries_of(make_item(template_id))
    write_questions(tmp_path / "questions.json", entries)
    read = read_published(tmp_path)
    assert tuple(question for _, question in read.questions) == entries
    assert read.findings == ()


@pytest.mark.parametrize("template_id", TEMPLATES)
def test_every_entry_has_the_published_fields_in_their_order(make_item, template_id: str) -> None:
    for entry in entries_of(make_item(template_id)):
        assert list(entry.plain()) == FIELDS


@pytest.mark.parametrize("template_id", TEMPLATES)
def test_the_right_answer_is_one_of_the_choices_letter_by_letter(
    make_item, template_id: str
) -> None:
    for entry in entries_of(make_item(template_id)):
        if entry.question_type == "count":
            assert (entry.choices, entry.answer) == ([], "3")
        else:
            assert isinstance(entry.choices, list)
            assert entry.choices.count(entry.answer) == 1


def test_published_tools_find_the_three_questions_of_visibility_by_their_ids(make_item) -> None:
    keys = {
        re.sub("vc_00[123]", "vc", entry.question_id)
        for template_id in ("vc_001", "vc_002", "vc_003")
        for entry in entries_of(make_item(template_id))
    }
    assert len(keys) == len(taxonomy().protocols)


def test_pictures_are_named_where_a_style_shows_them_and_nowhere_else(make_item) -> None:
    for entry in entries_of(make_item("mc_001")):
        boxes = [entry.rgb_bbox_path, entry.depth_bbox_path]
        boxes += [entry.rgbm_bbox_path, entry.depthm_bbox_path]
        drawn = entry.referring_style in ("visual_bbox", "visual_bbox_desc")
        assert boxes == (list(MARKED[:4]) if drawn else [None] * 4)
        assert entry.mask_path == (MARKED.mask if entry.referring_style == "visual_mask" else None)


def test_options_that_are_objects_stand_below_the_question_with_their_letters(make_item) -> None:
    item = make_item("mc_001", values=("21", "34"), protocols=["visual_bbox"])
    (entry,) = entries_of(item)
    assert entry.question.split("\n")[1:] == [
        f"{letter}. the object {letter} (Drawn box)" for letter in "AB"
    ]
    assert (entry.choices, entry.related_objects) == (["A", "B"], ("21", "34"))


def test_what_points_at_nothing_has_one_entry_in_the_original_style(make_item) -> None:
    (entry,) = entries_of(make_item("ac_004", direction="forward"))
    assert entry.referring_style == "original"
    assert entry.slot_values == {"DIR": "forward"}
    assert entry.target_objects == ()


@settings(deadline=None)
@given(st.lists(FOREIGN, max_size=4))
def test_a_file_of_others_keeps_every_field_and_its_own_keys(
    tmp_path_factory: pytest.TempPathFactory, entries: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("foreign")
    theirs, ours = folder / "theirs.json", folder / "ours.json"
    theirs.write_text(json.dumps(entries, ensure_ascii=False), "utf-8", errors="surrogatepass")
    read = read_published(theirs)
    write_questions(ours, [question for _, question in read.questions])
    assert json.loads(ours.read_bytes()) == entries
    items_of([question for _, question in read.questions])


def foreign(**fields: Any) -> PublishedQuestion:
    return PublishedQuestion.model_validate(
        {
            "question_id": "img7_mc_001_003_visual_bbox",
            "original_question_id": "img7_mc_001_003",
            "image_name": "img7.jpg",
            "template_id": "mc_001",
            "question_type": "single_choice",
            "referring_style": "visual_bbox",
            "question": "Which?",
            "choices": ["17", "4", "Mirror_02"],
            "answer": "4",
            "slot_values": {"X": "Mirror_09"},
            **fields,
        }
    )


def test_ids_as_choices_become_options_with_letters() -> None:
    (item,), _ = items_of([foreign()])
    assert [(option.label, option.value) for option in item.options] == [
        ("A", "17"),
        ("B", "4"),
        ("C", "2"),
    ]
    assert item.answer.value == "B"
    assert (item.slots[0].object_id, item.slots[0].instance_id) == ("Mirror_09", 9)


def test_the_reserved_template_is_accepted() -> None:
    entry = foreign(
        template_id="mr_002",
        question_type="spatial_3d_axes",
        choices=[],
        answer="upper-back-left of",
    )
    (item,), findings = items_of([entry])
    assert (item.template_id, findings) == ("mr_002", ())
    assert (item.answer.vertical, item.answer.depth) == ("above", "behind")


@pytest.mark.parametrize(
    ("answer", "value"), [("C. Only the same visible side", "C"), ("C", "C"), ("c", "C")]
)
def test_attribute_completion_is_answered_by_its_letter(answer: str, value: str) -> None:
    entry = foreign(
        template_id="mpac_001",
        question_type="single_choice_plus_text",
        choices=[
            "A. Not sure",
            "B. No additional info",
            "C. Only the same visible side",
            "D. A dent",
        ],
        answer=answer,
    )
    (item,), _ = items_of([entry])
    assert item.answer.value == value
    assert [option.value for option in item.options] == [
        "not_sure",
        "nothing_added",
        "same_side_only",
        "other_side_distinct",
    ]


def test_questions_of_visibility_of_others_are_joined_by_what_their_ids_share() -> None:
    entries = [
        foreign(
            question_id=f"img7_{template_id}_003_{style}",
            original_question_id=f"img7_{template_id}_003",
            template_id=template_id,
            question_type="yes_no",
            referring_style=style,
            choices=None,
            answer="No",
        )
        for template_id in ("vc_001", "vc_002", "vc_003")
        for style in ("visual_bbox", "bbox_text")
    ]
    items, findings = items_of(entries)
    assert findings == ()
    assert [len(item.wordings) for item in items] == [2, 2, 2]
    assert {item.joint_group for item in items} == {"img7_vc_003"}


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"template_id": "zz_001"}, "template_id"),
        ({"referring_style": "by_voice"}, "referring_style"),
        ({"question_type": "multi_choice"}, "question_type"),
        ({"choices": {"A": 1}}, "choices"),
        ({"choices": ["4", "4"]}, "choices"),
        ({"choices": [str(k) for k in range(27)]}, "choices"),
        ({"answer": "99"}, "answer"),
        ({"answer": None}, "answer"),
        ({"question_type": "yes_no", "answer": "maybe"}, "answer"),
        ({"question_type": "count", "answer": "-1"}, "answer"),
        ({"question_type": "count", "answer": True}, "answer"),
        ({"question_type": "spatial_3d_axes", "answer": "sideways"}, "answer"),
        ({"slot_values": {"DIR": "inwards"}}, "slot_values.DIR"),
        ({"choices": ["A", "B"], "answer": "A"}, "related_objects"),
    ],
)
def test_an_entry_that_is_no_item_is_left_out_with_its_place_and_field(
    fields: dict[str, Any], where: str
) -> None:
    good = foreign(question_id="other", original_question_id="other")
    items, findings = items_of([good, foreign(**fields)])
    assert [item.item_id for item in items] == ["other"]
    assert [finding.where for finding in findings] == [f"[1].{where}"]


def test_entries_of_one_item_that_disagree_are_told() -> None:
    other = foreign(
        question_id="img7_mc_001_003_bbox_text", referring_style="bbox_text", answer="17"
    )
    items, findings = items_of([foreign(), other])
    assert [len(item.wordings) for item in items] == [1]
    assert [finding.where for finding in findings] == ["[1].answer"]


def test_two_entries_of_one_item_and_style_are_told() -> None:
    items, findings = items_of([foreign(), foreign()])
    assert [len(item.wordings) for item in items] == [1]
    assert [finding.where for finding in findings] == ["[1].referring_style"]
