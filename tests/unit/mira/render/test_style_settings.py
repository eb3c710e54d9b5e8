"""Styles and sweeps as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mira.errors import MiraError
from mira.render.style import RenderStyle
from mira.render.style_settings import SHORT_NAMES, parse_style, parse_sweep, style_words

BASE = RenderStyle()


def test_settings_by_short_and_by_full_name() -> None:
    style = parse_style(["color=lime+#010203", "thickness=6", "halo_px=0", "label-color=none"])
    assert style.slot_colors == ((0, 255, 0), (1, 2, 3))
    assert (style.line_px, style.halo_px, style.label_color) == (6, 0, None)


def test_short_names_stand_for_fields() -> None:
    assert set(SHORT_NAMES.values()) <= set(RenderStyle.model_fields)


def test_no_setting_is_the_style_as_it_is() -> None:
    assert parse_style([]) == BASE


def test_a_file_of_settings_and_what_comes_after_it_wins(tmp_path: Path) -> None:
    path = tmp_path / "style.json"
    path.write_bytes(RenderStyle(line_px=9, depth_map="turbo").to_json())
    style = parse_style([str(path), "thickness=2"])
    assert (style.line_px, style.depth_map) == (2, "turbo")


@pytest.mark.parametrize(
    "setting",
    ["colour=red", "color=redd", "thickness=0", "thickness=nan", "thickness=", "=2", "no-file",
     "labels=some", "depth-map=rainbow", "schema_version=1"],
)  # fmt: skip
def test_a_setting_at_fault_is_one_line(setting: str) -> None:
    with pytest.raises(MiraError) as fault:
        parse_style([setting])
    assert fault.value.where == "--style"


@pytest.mark.parametrize("text", ["[1]", "{", '{"line_px": "wide"}', '{"widths": 2}'])
def test_a_file_of_settings_at_fault_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "style.json"
    path.write_text(text)
    with pytest.raises(MiraError) as fault:
        parse_style([str(path)])
    assert fault.value.where == str(path)


def test_a_sweep_is_every_combination_in_the_order_it_is_written() -> None:
    styles = parse_sweep(["color=red,#00f", "thickness=2,4,8"], base=BASE)
    assert [style.name for style in styles] == [
        "color-red_thickness-2",
        "color-red_thickness-4",
        "color-red_thickness-8",
        "color-00f_thickness-2",
        "color-00f_thickness-4",
        "color-00f_thickness-8",
    ]
    assert [(s.style.slot_colors[0], s.style.line_px) for s in styles[2:4]] == [
        ((255, 0, 0), 8.0),
        ((0, 0, 255), 2.0),
    ]


def test_what_is_not_swept_is_of_the_base() -> None:
    base = parse_style(["depth-map=gray"])
    assert [one.style.depth_map for one in parse_sweep(["rim=0,2"], base=base)] == ["gray"] * 2
    assert parse_sweep([], base=base)[0].style == base


@pytest.mark.parametrize(
    ("swept", "told"),
    [
        (["thickness"], "expected NAME=VALUE"),
        (["thickness=2,2"], "found '2' twice"),
        (["thickness=2", "line_px=4"], "found 'line_px' twice"),
        (["thickness=2,", "rim=1"], "line_px"),
        (["mirror-alpha=" + ",".join(f"0.{k:03}" for k in range(65))], "at most 64 styles"),
    ],
)
def test_a_sweep_at_fault_is_one_line(swept: list[str], told: str) -> None:
    with pytest.raises(MiraError, match=told):
        parse_sweep(swept, base=BASE)


@pytest.mark.parametrize("value", ["../../x", "a/b", "", "always,../x"])
def test_a_value_that_would_lead_elsewhere_is_refused(value: str) -> None:
    with pytest.raises(MiraError):
        parse_sweep([f"labels={value}"], base=BASE)


def test_a_style_in_words_is_the_style_again() -> None:
    style = parse_style(["color=lime+#010203", "thickness=6", "rim-color=black", "labels=never"])
    words = style_words(style.changes())
    assert words == "labels=never, rim-color=#000000, thickness=6, color=#00ff00+#010203"
    assert parse_style(words.split(", ")) == style
    assert style_words(BASE.changes()) == ""
