from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from mira.evals.mira_bench.baselines import oracle_predictions, random_predictions
from mira.evals.mira_bench.scoring import score_predictions
from mira.evals.mira_bench.table import render_score_table


def shown(table, *, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(render_score_table(table))
    return console.file.getvalue()


def score(rows, answers, **keys):
    return score_predictions(rows, answers, release_digest="0123456789abcdef", **keys)


@pytest.mark.parametrize("right", [True, False])
def test_a_table_fits_80_columns_whole(make, right):
    rows = make.release(4)
    guesses = random_predictions(rows, rng=np.random.default_rng(0))
    table = score(rows, oracle_predictions(rows) if right else guesses)
    large = [row.model_copy(update={"n": 141_400}) for row in table.rows]
    table = table.model_copy(update={"rows": tuple(large)})
    text = shown(table)
    assert "…" not in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    assert text.replace(" ", "") == shown(table, width=200).replace(" ", "")


def test_each_row_shows_percent_interval_chance_and_counts(make):
    rows = [
        make.row(str(i), "mc_003", answer="yes", options=("yes", "no"), scene_id=f"s{i}")
        for i in range(3)
    ]
    answers = list(oracle_predictions(rows))
    answers[0] = answers[0].model_copy(update={"answer": "perhaps"})
    text = shown(score(rows, answers, split="test", protocol="visual_bbox"))
    assert "Release 0123456789ab, visual_bbox, split test" in text
    assert "95 %" in text
    line = next(line for line in text.splitlines() if "Mirror correspondence" in line)
    assert line.split()[2:] == ["66.7", "0.0–100.0", "50.0", "3", "1", "0"]
    assert "Visibility" not in text


def test_an_incomplete_table_says_so(make):
    rows = make.release(2)
    complete = shown(score(rows, oracle_predictions(rows)))
    incomplete = shown(score(rows, list(oracle_predictions(rows))[3:]))
    assert "INCOMPLETE" not in complete
    assert "INCOMPLETE: 3 of 28 questions have no reply" in incomplete


def test_what_could_not_be_scored_is_a_dash(make):
    rows = [make.row("c", "ct_001", answer="1")]
    line = next(x for x in shown(score(rows, [])).splitlines() if "Counting" in x)
    assert line.split()[1:] == ["–", "–", "–", "1", "0", "1"]
