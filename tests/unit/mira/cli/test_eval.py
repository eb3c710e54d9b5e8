"""Scores that people can read on any terminal, and replies that they can mend."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from typer.testing import CliRunner

from mira.cli.app import app
from mira.cli.unread_replies import examples_of_unread, many_unread
from mira.evals.mira_bench.table import render_score_table
from mira.schema.evaluation import Interval, MetricResult, Prediction, ScoreTable
from mira.taxonomy.catalogue import taxonomy


def row(name: str, group: str, *, method: str = "over scenes", unparsable: int = 0) -> MetricResult:
    return MetricResult(
        name=name,
        group=group,  # type: ignore[arg-type]
        value=1.0,
        chance=0.125,
        n=141_400,
        n_units=1,
        n_unparsable=unparsable,
        n_unscored=0,
        interval=Interval(method=method, level=0.95, low=1.0, high=1.0),
    )


def table(**more: object) -> ScoreTable:
    return ScoreTable(
        release_digest="0123456789abcdef",
        protocol=None,
        complete=True,
        rows=(
            row("vc", "subtask", **more),  # type: ignore[arg-type]
            row("level:perception", "level", **more),  # type: ignore[arg-type]
            row("overall", "overall", **more),  # type: ignore[arg-type]
        ),
    )


def shown(scores: ScoreTable, *, width: int, encoding: str = "utf-8") -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    Console(file=stream, width=width, color_system=None).print(render_score_table(scores))
    stream.seek(0)
    return stream.read()


@pytest.mark.parametrize("width", [20, 30, 40, 50, 60, 80, 120])
def test_percent_is_whole_at_every_width_and_columns_that_go_are_named(width: int) -> None:
    text = shown(table(), width=width)
    assert text.count("100.0") >= 3
    assert "…" not in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width
    words = " ".join(text.split())
    for column, cell in {
        "interval": "100.0–100.0",
        "chance": "12.5",
        "questions": "141,400",
    }.items():
        assert (cell in text) != (f"{column}" in words.partition("Not shown")[2])


def test_interval_goes_before_chance_and_chance_before_the_counts() -> None:
    widths = {
        cell: min(width for width in range(20, 120) if cell in shown(table(), width=width))
        for cell in ("100.0–100.0", "12.5", "141,400")
    }
    assert widths["100.0–100.0"] > widths["12.5"] > widths["141,400"]


def test_terminal_that_knows_ascii_alone_gets_a_hyphen() -> None:
    assert "100.0-100.0" in shown(table(), width=100, encoding="ascii")


def test_footnote_tells_of_joint_questions_and_of_intervals_from_one_scene() -> None:
    words = " ".join(shown(table(), width=80).split())
    assert "three visibility questions of an object count jointly" in words
    assert "Intervals" not in words
    words = " ".join(shown(table(method="bootstrap over the items of one scene"), width=80).split())
    assert "Intervals: bootstrap over the items of one scene" in words


def test_unknown_protocol_is_refused_and_the_known_are_listed() -> None:
    refused = CliRunner().invoke(app, ["eval", "score", ".", "x.jsonl", "--protocol", "vc"])
    assert refused.exit_code == 2
    for protocol in taxonomy().protocols:
        assert protocol.id in refused.output


def test_help_lists_the_protocols() -> None:
    text = CliRunner().invoke(app, ["eval", "score", "--help"]).output
    for protocol in taxonomy().protocols:
        assert protocol.id in text
    assert "Usage: mira eval score [OPTIONS] RELEASE PREDICTIONS" in text
    assert "<bool>" not in text


def question(question_id: str, **more: object) -> dict[str, object]:
    options = [{"label": label, "value": label, "text": f"cup {label}"} for label in "AB"]
    return {
        "question_sha8": "0",
        "question_id": question_id,
        "item_id": question_id,
        "scene_id": "s",
        "split": "test",
        "template_id": "mc_001",
        "subtask": "mc",
        "protocol": "visual_bbox",
        "format": "single_choice",
        "options": options,
        "answer": "A",
        "joint_group": None,
        "count_max": None,
        **more,
    }


def test_examples_are_replies_that_could_not_be_read_of_what_was_scored() -> None:
    rows = [question(f"q{k}") for k in range(5)] + [question("other", protocol="bbox_text")]
    replies = [
        Prediction(question_id="other", raw_text="I say A"),
        Prediction(question_id="q0", raw_text="B"),
        Prediction(question_id="q1", status="failed"),
        Prediction(question_id="q2", raw_text="It is B because " + "x" * 500),
        Prediction(question_id="q3", answer="both"),
        Prediction(question_id="q4", raw_text="none at all"),
    ]
    lines = examples_of_unread(rows, replies, protocol="visual_bbox", split=None)
    assert [line.split()[0] for line in lines] == ["q2", "q3"]
    assert "labels A, B" in lines[0]
    assert all(len(line) < 200 for line in lines)


@pytest.mark.parametrize(("unparsable", "many"), [(0, False), (28_279, False), (28_280, True)])
def test_a_fifth_is_many(unparsable: int, many: bool) -> None:
    assert many_unread(row("overall", "overall", unparsable=unparsable)) is many
