"""Counts of a whole set, its page and its tables."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.errors import MiraError
from mira.schema.finding import Finding
from mira.taxonomy.catalogue import taxonomy
from qa_gen.quality.codes import CODES, severity_of
from qa_gen.quality.examples import ExamplePicker, cut_around, show_example
from qa_gen.quality.figures import plot_ring, plot_spread, round_ticks
from qa_gen.quality.page import quality_page
from qa_gen.quality.policy import QualityPagePolicy
from qa_gen.quality.records import QualityReport
from qa_gen.quality.tables import format_tables

PAGE = QualityPagePolicy()


def _set(make):
    return [
        make("vc_001", "yes", scene="s1", image="a", joint_group="g"),
        make("mc_001", 5, (1,), candidates=(5, 6), scene="s1", image="a"),
        make("mr_001", ("left", "above", "front"), (1, 2), scene="s1", image="b"),
        make("ct_001", 3, scene="s2", image="c", direction="left", source="annotator"),
        make("ac_004", "no", scene="s2", image="c", direction="below"),
    ]


def _tables(report):
    return {
        name: list(csv.DictReader(io.StringIO(data.decode())))
        for name, data in format_tables(report).items()
    }


def test_everything_is_counted(make, survey):
    report = survey(_set(make))
    assert (report.items, report.questions, report.pictures, report.scenes) == (5, 5, 3, 2)
    assert [one.template_id for one in report.templates] == [
        "vc_001", "mc_001", "mr_001", "ct_001", "ac_004",
    ]  # fmt: skip
    assert [one.subtask for one in report.subtasks] == ["vc", "mc", "mr", "ct", "cr"]
    assert report.protocols == {"visual_bbox": 5}
    assert report.shape.pictures_a_scene == {1: 1, 2: 1}
    assert report.shape.items_a_picture == {1: 1, 2: 2}
    assert report.shape.options_an_item == {0: 2, 2: 2, 3: 1}
    assert report.shape.objects_a_picture == {1: 1, 2: 1, 3: 1}
    assert {one.template_id: one.by_source for one in report.templates}["ct_001"] == {
        "annotator": 1
    }
    missing = [f.where for f in report.findings if f.code == "template-missing"]
    assert len(missing) == 14 - 5


def test_no_items_make_a_report_and_a_page(survey):
    report = survey([])
    assert report.clean
    assert "There is no item" in quality_page(report, examples=())
    assert QualityReport.from_json(report.to_json(), where="report") == report


@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25
)
@given(order=st.permutations(range(5)))
def test_the_order_of_items_changes_no_number(make, survey, order):
    items = _set(make)
    assert survey([items[k] for k in order]) == survey(items)


def test_the_report_survives_json(make, survey):
    report = survey(_set(make))
    assert QualityReport.from_json(report.to_json(), where="report") == report


def test_a_template_that_nobody_knows_ends_in_one_line(make, survey):
    item = make("mr_001", ("left", "above", "front")).model_copy(update={"template_id": "mr_002"})
    with pytest.raises(MiraError, match="expected one of the taxonomy's, found 'mr_002'"):
        survey([item])


def test_findings_beyond_the_first_are_counted(make, survey):
    items = [make("ac_001", "yes", (k,), image=f"i{k}", texts=()) for k in range(7)]
    report = survey(items, most_listed=3)
    assert [f.code for f in report.findings].count("option-unclear") == 3
    assert report.not_listed["option-unclear"] == 4


def test_the_guide_lists_every_code_with_its_meaning():
    guide = (Path(__file__).parents[4] / "docs" / "questions.md").read_text("utf-8")
    section = guide.split("## What a set is worth")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \| ([^|]+) \|", section, re.MULTILINE)
    told = {code: (severity, meaning.strip()) for code, severity, meaning in rows}
    assert told == {code: (severity_of(code), meaning) for code, meaning in CODES.items()}


def test_every_code_is_kebab_case_and_has_a_severity():
    for code in CODES:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)+", code)
        Finding(code=code, severity=severity_of(code), path="p", where="", message="m")


# The page


def test_hostile_words_stand_on_the_page_as_words(make, survey):
    hostile = "<script>alert(1)</script> {{ 7 * 7 }} & \"'"
    item = make(
        "mc_001", 5, (1,), candidates=(5, 6), question=hostile, texts=(hostile, "b"), image=hostile
    )
    example = show_example(item, _no_picture, PAGE)
    page = quality_page(survey([item]), examples=[example])
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ 7 * 7 }}" in page
    assert "No picture: is gone" in page


def test_the_page_needs_no_other_file_and_gives_the_same_bytes(make, survey):
    items = _set(make)
    examples = [
        show_example(item, lambda _: np.full((40, 60, 3), 90, np.uint8), PAGE) for item in items
    ]
    page = quality_page(survey(items), examples=examples)
    assert page == quality_page(survey(items), examples=examples)
    assert page.count('src="data:image/jpeg;base64,') == len(items)
    assert not re.findall(r'(?:src|href)="(?!data:|#)', page)


def test_cells_that_a_spreadsheet_would_run_are_text(make, survey):
    item = make("ac_001", "yes", texts=("=1+1", "=1+1", "no"))
    found = [row for row in _tables(survey([item]))["findings.csv"] if row["severity"] == "error"]
    assert found
    assert not any(cell.startswith("=") for row in found for cell in row.values())


def test_tables_say_what_the_report_says(make, survey):
    report = survey(_set(make))
    tables = _tables(report)
    assert [row["template_id"] for row in tables["templates.csv"]] == [
        one.template_id for one in report.templates
    ]
    axes = {row["axis"]: row["answer"] for row in tables["answers.csv"] if row["axis"]}
    assert axes == {"horizontal": "left", "vertical": "above", "depth": "front"}
    assert {row["what"] for row in tables["spread.csv"]} >= {"items_a_picture", "options_an_item"}


# Examples and figures


def _no_picture(item):
    raise MiraError("pic", "is gone")


def test_examples_are_few_of_each_template_and_the_same_in_any_order(make):
    items = [make("ac_001", "yes") for _ in range(50)] + [make("vc_001", "no") for _ in range(2)]
    one, other, none = (ExamplePicker(most=most) for most in (4, 4, 0))
    assert list(one.watching(items)) == items
    list(other.watching(items[::-1]))
    list(none.watching(items))
    assert [item.template_id for item in one.picked()].count("ac_001") == 4
    assert len(one.picked()) == 6
    assert one.picked() == other.picked()
    assert none.picked() == ()


@given(
    boxes=st.lists(
        st.tuples(st.integers(0, 90), st.integers(0, 50), st.integers(1, 40), st.integers(1, 30)),
        max_size=4,
    )
)
def test_what_is_cut_out_lies_in_the_picture_and_holds_all_marks(boxes):
    width, height = 120, 80
    marks = [(x, y, min(x + w, width), min(y + h, height)) for x, y, w, h in boxes]
    x1, y1, x2, y2 = cut_around(marks, width, height, PAGE)
    assert 0 <= x1 < x2 <= width
    assert 0 <= y1 < y2 <= height
    assert all(x1 <= a and y1 <= b and c <= x2 and d <= y2 for a, b, c, d in marks)


@pytest.mark.parametrize(
    "box", [(5, 5, 5, 5), (900, 900, 990, 990), (-9, -9, 3, 3), (50, 30, 10, 5)]
)
def test_a_box_that_no_picture_holds_leaves_the_page_whole(make, box):
    item = make("vc_001", "yes")
    mark = item.marks[0].model_copy(update={"box_xyxy_px": box})
    broken = item.model_copy(update={"marks": (mark,)})
    example = show_example(broken, lambda _: np.zeros((40, 60, 3), np.uint8), PAGE)
    assert example.width_px > 0
    assert example.height_px > 0


def test_a_level_that_is_alone_is_a_whole_ring(make, survey):
    ring = plot_ring(survey([make("vc_001", "yes")]).templates)
    assert [sector.kind for sector in ring] == ["template", "subtask", "level"]
    assert all("100.0%" in sector.title for sector in ring)
    # An arc from a point to itself is nothing to draw.
    for sector in ring:
        start = re.match(r"M([\d.]+) ([\d.]+)A", sector.path).groups()
        end = re.search(r"1 1 ([\d.]+) ([\d.]+)L", sector.path).groups()
        assert start != end


@given(spread=st.dictionaries(st.integers(0, 400), st.integers(1, 1000), min_size=1, max_size=60))
def test_bars_stand_in_the_drawing_and_count_everything(spread):
    figure = plot_spread(spread, "items")
    assert figure.total == sum(spread.values())
    assert len(figure.bars) <= 27
    for bar in figure.bars:
        assert bar.x >= 34
        assert bar.x + bar.width <= 340.1
        assert bar.y >= 9.9
        assert bar.width > 0
    counts = [int(bar.title.split(": ")[1].split()[0].replace(",", "")) for bar in figure.bars]
    assert sum(counts) == figure.total


def test_nothing_has_no_histogram():
    assert plot_spread({}, "items") is None


@pytest.mark.parametrize(("most", "last"), [(0, 1), (1, 1), (4, 4), (5, 6), (37, 40), (999, 1000)])
def test_ticks_end_at_a_round_number_that_is_enough(most, last):
    ticks = round_ticks(most)
    assert ticks[0] == 0
    assert ticks[-1] >= most
    assert len(ticks) <= 6
    assert ticks[-1] == last


def test_every_template_of_the_taxonomy_can_stand_on_the_page(make, survey):
    golds = {"yes_no": "yes", "count": 2, "spatial_3d_axes": ("left", "above", "front")}
    items = []
    for row in taxonomy().templates:
        known = taxonomy().option_sets.get(row.options or "")
        if row.format.startswith("single"):
            candidates = () if isinstance(known, tuple) else (8, 9)
            gold = known[0] if isinstance(known, tuple) else 8
            items.append(make(row.id, gold, candidates=candidates))
        else:
            items.append(make(row.id, golds[row.format]))
    report = survey(items)
    assert len(report.templates) == len(taxonomy().templates)
    page = quality_page(report, examples=[show_example(item, _no_picture, PAGE) for item in items])
    assert all(f'id="t-{row.id}"' in page for row in taxonomy().templates)
