"""Runs over a release on disk, held against each other and on one page."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import MiraError, PredictionError, ReleaseError
from mira.evals.inspect_runner.drawing import draw_questions
from mira.evals.inspect_runner.options import AskingOptions
from mira.evals.inspect_runner.planning import plan_asking
from mira.evals.mira_bench.judging import judge_runs
from mira.evals.mira_bench.predictions import write_predictions
from mira.evals.mira_bench.release import baseline_predictions, score_release
from mira.evals.mira_bench.runs import write_run
from mira.evals.run_report.writing import write_run_report
from mira.release.reader import release_digest
from mira.render.style import RenderStyle
from mira.render.style_settings import parse_sweep
from mira.schema.evaluation import Decoding, RunManifest


@pytest.fixture
def runs(full_release, tmp_path):
    """A run folder of the oracle, which knows its release, and a plain file of guesses."""
    manifest = RunManifest(
        model="oracle",
        decoding=Decoding(),
        dataset_digest=release_digest(full_release),
        prompt_version="1",
        modality="rgb_dm",
        code_version="0",
        release="../full-release",
    )
    rng = np.random.default_rng(0)
    write_run(tmp_path / "oracle", manifest, baseline_predictions(full_release, "oracle", rng=rng))
    guesses = baseline_predictions(full_release, "random", rng=rng)
    write_predictions(tmp_path / "guesses.jsonl", guesses)
    return [tmp_path / "oracle", tmp_path / "guesses.jsonl"]


def test_a_report_holds_the_scores_of_each_run_and_equal_input_gives_equal_bytes(
    runs, full_release, tmp_path
):
    first = write_run_report(runs, tmp_path / "one")
    second = write_run_report(runs, tmp_path / "two")
    for one, two in zip(first.files, second.files, strict=True):
        assert one.read_bytes() == two.read_bytes()
    told = {run.key: run for run in first.report.runs}
    rng = np.random.default_rng(0)
    assert told["guesses"].scores == score_release(full_release, runs[1], rng=rng).table
    assert told["oracle"].scores.rows[-1].value == 1
    assert {one.accuracy for one in told["oracle"].slices} == {1.0}
    page = first.files[0].read_text("utf-8")
    assert len(re.findall(r'<img src="data:image/jpeg;base64,', page)) >= 8
    assert "No picture" not in page


def test_a_report_takes_the_place_of_an_earlier_one_and_of_nothing_else(runs, tmp_path):
    write_run_report(runs, tmp_path / "out")
    write_run_report(runs[1:], tmp_path / "out", release=tmp_path / "full-release")
    (tmp_path / "out" / "mine.txt").write_text("x", "utf-8")
    with pytest.raises(MiraError, match=r"holds 'mine\.txt', which would be lost"):
        write_run_report(runs, tmp_path / "out")


def test_the_release_is_found_where_runs_say_it_lies_or_asked_for(runs, full_release):
    assert judge_runs(runs[:1]).release == full_release.resolve()
    with pytest.raises(ReleaseError, match="expected one that all runs name, found none"):
        judge_runs(runs[1:])


def test_replies_to_another_release_are_refused_unless_they_show_what_was_asked(
    runs, full_release, tmp_path
):
    manifest = RunManifest.from_json((runs[0] / "run.json").read_bytes(), where="run.json")
    other = manifest.model_copy(update={"dataset_digest": "0" * 64})
    said = list(baseline_predictions(full_release, "oracle", rng=np.random.default_rng(0)))
    write_run(tmp_path / "shown", other, said)
    judge_runs([tmp_path / "shown"], release=full_release)
    bare = [one.model_copy(update={"question_sha8": None}) for one in said]
    write_run(tmp_path / "bare", other, bare)
    with pytest.raises(PredictionError, match="expected replies to release"):
        judge_runs([tmp_path / "bare"], release=full_release)


def test_the_commands_print_what_they_found(runs, tmp_path):
    first, second = map(str, runs)
    done = CliRunner().invoke(app, ["eval", "compare", second, first])
    assert done.exit_code == 0
    assert "Neither tells" not in done.stdout
    assert "modality: not told | rgb_dm" in done.stdout
    told = json.loads(CliRunner().invoke(app, ["eval", "compare", second, first, "--json"]).stdout)
    assert told["rows"][-1]["second"] == 1
    out = str(tmp_path / "report")
    done = CliRunner().invoke(app, ["eval", "report", first, second, "--out", out])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == f"{out}/report.html"


@pytest.mark.parametrize("kind", ["blind", "always-not-sure"])
def test_baselines_without_a_model_are_scored_whole(full_release, tmp_path, kind):
    path = tmp_path / "said.jsonl"
    rng = np.random.default_rng(0)
    write_predictions(path, baseline_predictions(full_release, kind, rng=rng))
    table = score_release(full_release, path).table
    assert table.complete
    assert table.rows[-1].value < 1


def test_a_question_is_drawn_in_the_style_it_is_asked_in(full_release, tmp_path):
    styles = parse_sweep(["thickness=4,9"], base=RenderStyle())
    options = AskingOptions(model="m", styles=styles, limit=3)
    plan = plan_asking(full_release, tmp_path / "run", options)
    drawn = list(draw_questions(plan, plan.asked, options, tmp_path / "files"))
    assert len(drawn) == 6
    shown = {one.asked.key: [picture.path for picture in one.pictures] for one in drawn}
    for key, paths in shown.items():
        name, _, style = key.rpartition("@")
        if style == "thickness-4":
            assert paths != shown[f"{name}@thickness-9"]


def test_tables_are_printed_as_text_csv_latex_and_json_and_none_is_status_1(
    runs, full_release, tmp_path
):
    run = RunManifest.from_json((runs[0] / "run.json").read_bytes(), where="run.json")
    said = list(baseline_predictions(full_release, "random", rng=np.random.default_rng(1)))
    other = run.model_copy(update={"modality": "rgb"})
    write_run(tmp_path / "rgb", other, said)
    both = [str(tmp_path / "rgb"), str(runs[0])]

    def printed(*flags):
        done = CliRunner().invoke(app, ["eval", "table", *flags])
        assert done.exit_code == 0
        return done.stdout

    assert "RGB-DM − RGB" in printed("modality", *both)
    rows = list(csv.DictReader(printed("modality", *both, "-f", "csv").splitlines()))
    (sweep,) = json.loads(printed("modality", *both, "--json"))
    overall = next(row for row in sweep["rows"] if row["name"] == "overall")
    told = {row["row"]: float(row["value"]) for row in rows if row["column"] == "Overall"}
    assert told["RGB-DM − RGB"] == pytest.approx(overall["cells"][1]["difference"], abs=1e-6)
    assert told["RGB"] == pytest.approx(overall["cells"][0]["value"], abs=1e-6)
    assert "\\toprule" in printed("protocol", *both, "-f", "latex")
    assert "single region" in printed("subset", *both)
    done = CliRunner().invoke(app, ["eval", "table", "style", *both])
    assert (done.exit_code, done.stdout) == (1, "")
    report = write_run_report([tmp_path / "rgb", runs[0]], tmp_path / "report").report
    assert {one.axis for one in report.tables.sweeps} == {"modality", "protocol"}
    assert "Modalities: oracle" in (tmp_path / "report" / "report.html").read_text("utf-8")
