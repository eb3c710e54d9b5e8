"""Either vocabulary says the same."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest

from mira.published.vocabulary import (
    axis_choices,
    category_of,
    format_axes,
    needs_of,
    parse_axes,
    parse_direction,
    parse_object_id,
    protocol_of,
    subcategory_of,
)
from mira.schema.qa import AxesAnswer, Derivation, QAItem, YesNoAnswer
from mira.taxonomy.catalogue import taxonomy

ALL_AXES = [
    AxesAnswer(horizontal=h, vertical=v, depth=d)
    for h, v, d in product(*taxonomy().option_sets["axes"].values())
]


def test_every_spatial_answer_has_one_text_of_its_own_and_comes_back() -> None:
    texts = [format_axes(axes) for axes in ALL_AXES]
    assert sorted(texts) == sorted(axis_choices())
    assert len(set(texts)) == 27
    assert [parse_axes(text) for text in texts] == ALL_AXES


def test_the_order_is_vertical_depth_horizontal_in_the_published_words() -> None:
    axes = AxesAnswer(horizontal="right", vertical="below", depth="behind")
    assert format_axes(axes) == "lower-back-right of"
    still = AxesAnswer(horizontal="aligned", vertical="aligned", depth="same_depth")
    assert format_axes(still) == "aligned-same_depth-aligned of"


@pytest.mark.parametrize("words", list(permutations(["above", "behind", "left"])))
def test_our_words_are_read_in_any_order(words: tuple[str, ...]) -> None:
    expected = AxesAnswer(horizontal="left", vertical="above", depth="behind")
    assert parse_axes(", ".join(words)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("upper-left of", ("left", "above", "same_depth")),
        ("Front of", ("aligned", "aligned", "front")),
        ("aligned-front-aligned of", ("aligned", "aligned", "front")),
        ("lower-same depth-right", ("right", "below", "same_depth")),
        ({"horizontal": "left", "vertical": "upper", "depth": "back"}, ("left", "above", "behind")),
    ],
)
def test_an_axis_without_a_word_is_aligned(text: object, expected: tuple[str, ...]) -> None:
    horizontal, vertical, depth = expected
    assert parse_axes(text) == AxesAnswer.model_validate(
        {"horizontal": horizontal, "vertical": vertical, "depth": depth}
    )


@pytest.mark.parametrize(
    "text", ["", "of", "left-right of", "upper-lower-left", "nowhere", 7, None, {"x": "left"}, []]
)
def test_what_is_no_spatial_answer_is_not_guessed(text: object) -> None:
    assert parse_axes(text) is None


@pytest.mark.parametrize(
    ("name", "number"),
    [("17", 17), (17, 17), ("07", 7), ("Mirror_07", 7), ("mirror-3", 3), ("cup", None), ("", None)],
)
def test_objects_are_known_by_the_number_in_their_name(name: object, number: int | None) -> None:
    assert parse_object_id(name) == number


def test_directions_are_those_of_the_template() -> None:
    assert parse_direction("ct_001", "behind") == "behind"
    assert parse_direction("ct_001", "Back") == "behind"
    assert parse_direction("ac_004", "back") == "backward"
    assert parse_direction("ac_004", "behind") is None
    assert parse_direction("ct_001", "forward") is None


def test_every_template_has_its_published_names() -> None:
    for row in taxonomy().templates:
        assert category_of(row.id) in ("perception", "reasoning", "action")
        assert subcategory_of(row.id)
    for template_id in taxonomy().reserved_templates:
        assert subcategory_of(template_id) == "mirror_to_real_spatial_inference"


def test_styles_of_both_vocabularies_are_protocols() -> None:
    assert {protocol_of(row.id) for row in taxonomy().protocols} == {
        row.id for row in taxonomy().protocols
    }
    assert protocol_of("visual_bbox_text_desc") == "visual_bbox_desc"
    assert protocol_of("original") == protocol_of(None) == "bbox_text"
    assert protocol_of("visual_mask_desc") is None


def asked(template_id: str, *, direction: str | None = None, **reflected: Any) -> QAItem:
    """An item of which only what it needs is looked at."""
    return QAItem(
        item_id="item",
        template_id=template_id,
        image_id="picture",
        scene_id="scene",
        direction=direction,
        marks=(),
        answer=YesNoAnswer(value="yes"),
        wordings=(),
        derivation=Derivation(
            rule="rule", annotator="ann", annotation_sha256="0" * 64, **reflected
        ),
    )


def test_depth_is_needed_where_a_distance_along_the_view_decides() -> None:
    assert needs_of(asked("mr_001")).depth
    assert needs_of(asked("ct_001", direction="front")).depth
    assert not needs_of(asked("ct_001", direction="left")).depth
    assert not needs_of(asked("vc_001")).depth


def test_reaching_an_object_without_a_reflection_needs_no_mirror() -> None:
    assert not needs_of(asked("ac_001")).mirror_reasoning
    assert needs_of(asked("ac_001", surface_ids=(9,))).mirror_reasoning
    assert needs_of(asked("ac_001", links=((2, 1),))).mirror_reasoning
    assert needs_of(asked("ac_003")).mirror_reasoning
