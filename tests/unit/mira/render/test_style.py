from __future__ import annotations

import pytest
from pydantic import ValidationError

from mira.render.style import RenderStyle, contrasting_color


def test_survives_dump_and_load():
    style = RenderStyle(slot_colors=((1, 2, 3), (4, 5, 6)), depth_map="turbo")
    assert RenderStyle.from_json(style.to_json(), where="style.json") == style


@pytest.mark.parametrize(
    "field", [{"slot_colors": ()}, {"mirror_alpha": 1.5}, {"mask_fill": (0, 0, 256)}]
)
def test_refuses_what_cannot_be_drawn(field):
    with pytest.raises(ValidationError):
        RenderStyle.model_validate(field)


def test_slots_and_candidates_differ_in_color(marks):
    slot, first, second = RenderStyle().colors_of(marks)
    assert slot != first
    assert first == second


def test_colors_are_taken_in_turn_within_a_role(marks):
    style = RenderStyle(candidate_colors=((9, 0, 0), (0, 9, 0)))
    assert style.colors_of(marks)[1:] == ((9, 0, 0), (0, 9, 0))


@pytest.mark.parametrize("size_px", [(1280, 720), (720, 1280)])
def test_sizes_hold_at_the_reference_whichever_way_the_picture_is_turned(size_px):
    assert RenderStyle().scale(*size_px) == 1


def test_sizes_grow_with_the_picture_and_stop_shrinking():
    style = RenderStyle(min_scale=0.5)
    assert style.scale(3840, 2160) == 3
    assert style.scale(64, 64) == 0.5


def test_letters_are_white_on_the_default_tags_and_black_on_yellow():
    style = RenderStyle()
    for color in (*style.slot_colors, *style.candidate_colors):
        assert contrasting_color(color) == (255, 255, 255)
    assert contrasting_color((255, 230, 0)) == (0, 0, 0)
