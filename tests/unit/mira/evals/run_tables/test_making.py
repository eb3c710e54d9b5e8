"""Tables that are asked for, and nothing that they are not made from."""

from __future__ import annotations

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.judging import JudgedRuns
from mira.evals.mira_bench.questions import parse_questions
from mira.evals.run_tables.making import make_tables


def test_a_sweep_needs_neither_marks_nor_scenes_of_the_release(tiny, tmp_path):
    rows = [tiny.row(f"m{k}", scene=f"s{k}") for k in range(4)]
    right = {row["question_id"]: True for row in rows}
    runs = tuple(tiny.run(rows, right, modality=one) for one in ("rgb", "rgb_m"))
    judged = JudgedRuns(tmp_path / "gone", "d" * 64, parse_questions(rows), runs)
    policy = BootstrapPolicy(resamples=100)
    (sweep,) = make_tables(judged, ("a", "b"), only="modality", policy=policy, seed=0).sweeps
    assert sweep.variants == ("rgb", "rgb_m")
