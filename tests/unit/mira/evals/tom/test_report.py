"""The report on replies: a page, and the same in numbers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from mira.errors import MiraError
from mira.evals.mira_bench.predictions import write_predictions
from mira.evals.tom.baselines import baseline_replies
from mira.evals.tom.importing import TomImport
from mira.evals.tom.report.records import TomReport
from mira.evals.tom.report.writing import write_tom_report
from mira.evals.tom.runs import read_items
from mira.schema.evaluation import Prediction


@pytest.fixture
def run(imported: Callable[..., TomImport]) -> Path:
    return Path(imported("bigtom").out)


def replies(run: Path, out: Path, *, leave: int = 0) -> Path:
    items = read_items(run).items
    said = list(baseline_replies(items, "random", rng=np.random.default_rng(0)))
    write_predictions(out, said[leave:])
    return out


def test_the_page_holds_all_it_needs_and_no_text_of_a_reply_as_markup(
    run: Path, tmp_path: Path
) -> None:
    hostile = "</pre><script>alert(1)</script>\nand more"
    path = tmp_path / "<b>bold</b>.jsonl".replace("/", "_")
    items = read_items(run).items
    write_predictions(path, [Prediction(question_id=i.item_id, raw_text=hostile) for i in items])
    written = write_tom_report(run, [path], tmp_path / "out")
    page = written.files[0].read_text("utf-8")
    assert "<script" not in page
    assert "<b>bold" not in page
    assert not re.search(r"(?:src|href)=\"(?!#)", page)
    HTMLParser().feed(page)


def test_the_same_in_numbers(run: Path, tmp_path: Path) -> None:
    given = [replies(run, tmp_path / "a.jsonl"), replies(run, tmp_path / "b.jsonl", leave=3)]
    written = write_tom_report(run, given, tmp_path / "out")
    files = {path.name: path.read_bytes() for path in written.files}
    assert TomReport.from_json(files["report.json"], where="x") == written.report
    rows = list(csv.DictReader(io.StringIO(files["scores.csv"].decode())))
    overall = {one["replies"]: one for one in rows if one["group"] == "overall"}
    for one in written.report.replies:
        assert float(overall[one.key]["accuracy"]) == pytest.approx(one.scores.rows[0].value)
    page = files["report.html"].decode()
    assert "b is incomplete" in page
    assert "a is incomplete" not in page
    assert "b$^\\dagger$" in files["scores.tex"].decode()


def test_equal_input_gives_equal_bytes_and_an_earlier_report_makes_way(
    run: Path, tmp_path: Path
) -> None:
    given = [replies(run, tmp_path / "a.jsonl"), replies(run, tmp_path / "a.jsonl")]
    one = write_tom_report(run, given, tmp_path / "out")
    before = [path.read_bytes() for path in one.files]
    two = write_tom_report(run, given, tmp_path / "out")
    assert [path.read_bytes() for path in two.files] == before
    assert [summary.key for summary in two.report.replies] == ["a", "a (2)"]
    (tmp_path / "out" / "notes.txt").write_text("mine")
    with pytest.raises(MiraError, match=r"notes\.txt"):
        write_tom_report(run, given, tmp_path / "out")


def test_curves_are_drawn_where_a_set_has_orders(
    imported: Callable[..., TomImport], run: Path, tmp_path: Path
) -> None:
    tomi = Path(imported("tomi").out)
    path = tmp_path / "o.jsonl"
    write_predictions(
        path, baseline_replies(read_items(tomi).items, "oracle", rng=np.random.default_rng(0))
    )
    page = write_tom_report(tomi, [path], tmp_path / "with").files[0].read_text("utf-8")
    assert page.count('class="curve"') == 2
    other = write_tom_report(run, [replies(run, tmp_path / "a.jsonl")], tmp_path / "without")
    assert 'class="curve"' not in other.files[0].read_text("utf-8")
