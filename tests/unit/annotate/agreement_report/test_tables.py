"""Tables have every shape, link and mean once."""

from __future__ import annotations

import csv
import io

from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.summarising import CountedRound, summarise_rounds
from annotate.agreement_report.tables import format_tables


def tables_of(*rounds) -> dict[str, list[dict[str, str]]]:
    counted = [CountedRound(compared, 0) for compared in rounds]
    report = summarise_rounds(counted, policy=ReportPolicy())
    return {
        name: list(csv.DictReader(io.StringIO(data.decode(), newline="")))
        for name, data in format_tables(rounds, report).items()
    }


def test_every_pair_is_a_row_with_its_numbers(disputed) -> None:
    rows = tables_of(disputed)["shapes.csv"]
    assert len(rows) == len(disputed.comparison.pairs)
    for row, pair in zip(rows, disputed.comparison.pairs, strict=True):
        assert row["annotator_id"] == ("" if pair.first_id is None else str(pair.first_id))
        assert row["auditor_label"] == (pair.second_label or "")
        assert float(row["iou"]) == pair.iou
        assert float(row["area_px"]) == pair.area_px
        assert row["matched"] == str(int(pair.is_matched))


def test_every_link_that_both_gave_is_a_row_in_each_one_s_own_ids(disputed) -> None:
    rows = tables_of(disputed)["links.csv"]
    said = {
        row["annotator_id"]: (
            row["annotator_says"],
            row["annotator_shows"],
            row["auditor_id"],
            row["auditor_says"],
            row["auditor_shows"],
            row["agrees"],
        )
        for row in rows
    }
    assert said == {
        "2": ("in_frame", "1", "12", "out_of_frame", "", "0"),
        "3": ("", "", "13", "in_frame", "11", ""),
    }


def test_means_are_of_each_round_and_of_all(disputed) -> None:
    rows = tables_of(disputed)["means.csv"]
    everything = [row for row in rows if row["group"] == "all"]
    assert [(row["round"], row["annotator"]) for row in everything] == [
        ("all rounds", ""),
        ("anna and ben", "anna"),
    ]
    assert float(everything[1]["mean_iou"]) == disputed.comparison.mean_iou
    assert everything[1]["low"] == ""


def test_without_a_round_only_headers_are_left() -> None:
    assert tables_of() == {"shapes.csv": [], "links.csv": [], "means.csv": []}


def test_hostile_names_are_no_formulas(draw, compare, box) -> None:
    name = "=HYPERLINK(1)"
    pair = draw({1: box(0, 0)}, image_id=name), draw({1: box(0, 0)}, image_id=name)
    tables = tables_of(compare([pair], people=("@anna", "+ben"), title="-1"))
    for row in tables["shapes.csv"] + tables["means.csv"]:
        assert not [cell for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
