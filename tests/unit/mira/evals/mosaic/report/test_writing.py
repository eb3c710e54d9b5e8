"""The report on runs of MOSAIC: what is on its pages and in its tables."""

from __future__ import annotations

import csv
import hashlib
import json
import re

import cv2
import numpy as np
import pytest

from mira.errors import MiraError
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.report.figures import bias_kind
from mira.evals.mosaic.report.writing import write_mosaic_report
from mira.evals.mosaic.sources import group_trials, with_keys
from mira.schema.record import FileRef

HOSTILE = '</script><img src=x onerror="alert(1)">'
PICTURE = cv2.imencode(".png", np.full((48, 72, 3), 90, np.uint8))[1].tobytes()


def played(make_trial, name, *, follows):
    """Three trials of each condition; the participant follows a subject that goes to the light."""
    told = {
        "gaze_certainty": [(0.1, 0.8)] * 10,
        "facial_valence": [0.3] * 10,
        "move": ["left_forward"] * 10,
        "utterance": [HOSTILE if k in (3, 6, 9) else None for k in range(1, 11)],
        "inner_speech": [HOSTILE if k == 3 else None for k in range(1, 11)],
    }
    believes = {"preference_boxes": [(-k / 10, k / 10) for k in range(10)]}
    return [
        make_trial(
            trial_id=f"{name}-{mode[:4]}-{order}-{k}",
            mode=mode,
            tom_order=order,
            reward=k % 2,
            choice=1 if follows else 0,
            xs=[-k / 5 for k in range(10)],
            subject=told,
            participant=believes,
            visual="rendered",
        )
        for mode in ("cooperative", "competitive")
        for order in (0, 1)
        for k in range(3)
    ]


@pytest.fixture(scope="module")
def groups(make_trial):
    """Two runs: one that follows, and one that goes against what it believes, with a picture."""
    ref = FileRef(path="3.png", sha256=hashlib.sha256(PICTURE).hexdigest(), size_bytes=len(PICTURE))
    seeing = [
        one._replace(
            subject=tuple(
                step.model_copy(update={"image": ref}) if step.round == 3 else step
                for step in one.subject
            )
        )
        for one in played(make_trial, "b", follows=False)
    ]
    broken = make_trial(trial_id="b-broken", choice=None, xs=(0,), visual="rendered")
    return with_keys(
        [
            *group_trials(played(make_trial, "a", follows=True), name="a_run & more", licence=None),
            *group_trials(
                [*seeing, broken],
                name=HOSTILE,
                licence="CC0-1.0",
                read_picture=lambda episode_id, image: PICTURE,
            ),
        ]
    )


@pytest.fixture(scope="module")
def written(groups, tmp_path_factory):
    out = tmp_path_factory.mktemp("report") / "out"
    return write_mosaic_report(groups, out, policy=MosaicPolicy(), seed=0)


def text_of(written, name):
    return next(path for path in written.files if path.name == name).read_text("utf-8")


def rows_of(written, name):
    return list(csv.DictReader(text_of(written, name).splitlines()))


def test_equal_trials_give_equal_bytes_in_place_of_an_earlier_report(groups, written):
    before = {path.name: path.read_bytes() for path in written.files}
    again = write_mosaic_report(groups, written.files[0].parent, policy=MosaicPolicy(), seed=0)
    assert {path.name: path.read_bytes() for path in again.files} == before


def test_a_folder_with_something_else_is_left_alone(groups, tmp_path):
    (tmp_path / "mine.txt").write_text("x", "utf-8")
    with pytest.raises(MiraError, match=r"holds 'mine\.txt', which would be lost"):
        write_mosaic_report(groups, tmp_path, policy=MosaicPolicy(), seed=0)


def test_pages_need_nothing_from_elsewhere_and_show_hostile_text_as_text(written):
    for name in ("report.html", "trials.html"):
        page = text_of(written, name)
        assert "<img src=x" not in page
        assert "&lt;img src=x" in page
        assert not re.findall(r'(?:src|href)="(?!#|data:|report\.html|trials\.html)', page)
        assert "aborted" in page or name == "trials.html"


def test_the_page_has_the_paper_s_figures_and_tables(written):
    page = text_of(written, "report.html")
    for number in range(2, 8):
        assert f"<summary>Table {number}: " in page
    assert page.count("TOCS against uncertainty</title>") == 4
    assert page.count("GAS by threshold of gaze</title>") == 4
    assert page.count('class="card heat"') == 4
    assert "1 trial broke off and counts in no figure: 1 of" in page


def test_every_shown_trial_is_in_the_list_with_its_picture_and_failures(written):
    page = text_of(written, "trials.html")
    assert page.count('<article class="trial"') == 24
    assert re.findall(r'<a href="#(t\d+)">', page) == [f"t{k}" for k in range(1, 25)]
    assert page.count('<img src="data:image/jpeg;base64,') == 12
    assert page.count('<span class="chip tag"') >= 12


def test_no_more_trials_are_shown_than_asked_for(groups, tmp_path):
    for most, shown in ((0, 0), (1, 8)):
        policy = MosaicPolicy(trials_shown=most)
        out = write_mosaic_report(groups, tmp_path / str(most), policy=policy, seed=0)
        assert text_of(out, "trials.html").count('<article class="trial"') == shown


def test_a_picture_that_cannot_be_read_is_told_of(groups, tmp_path):
    torn = [one._replace(read_picture=lambda episode_id, image: b"PNG?") for one in groups]
    out = write_mosaic_report(torn, tmp_path / "out", policy=MosaicPolicy(), seed=0)
    assert "3.png cannot be read as a picture" in text_of(out, "trials.html")


def test_tables_hold_what_the_record_does(written):
    scores = json.loads(text_of(written, "report.json"))
    metrics = rows_of(written, "metrics.csv")
    assert len(metrics) == 2 * 4 * 13
    cell = scores["cells"][0]
    first = {one["name"]: one["value"] for one in cell["metrics"]}
    told = {
        row["metric"]: row["value"]
        for row in metrics
        if (row["run"], row["condition"]) == (cell["run"], cell["condition"])
    }
    assert float(told["tocs"]) == pytest.approx(first["tocs"], rel=1e-5)
    assert len(rows_of(written, "tests.csv")) == len(scores["tests"]) == 2 * (12 + 15) + 20
    trials = rows_of(written, "trials.csv")
    assert len(trials) == 24
    assert {row["reasoning-action-dissociation"] for row in trials} == {"0", "1"}
    assert len(rows_of(written, "gaze_sweep.csv")) == 2 * 4 * 10
    assert len(rows_of(written, "failures.csv")) == 2 * 4 * 4


def test_latex_escapes_names_and_has_as_many_cells_a_row_as_columns(written):
    text = text_of(written, "tables.tex")
    assert r"a\_run \& more" in text
    assert text.count(r"\begin{tabular}") == 7
    for columns, body in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end", text, re.DOTALL):
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert rows
        assert {len(re.split(r"(?<!\\)&", row)) for row in rows} == {len(columns)}


@pytest.mark.parametrize(
    ("bias", "kind"),
    [(None, "none"), (0.5, "low"), (0.65, "medium"), (0.79, "medium"), (0.8, "high"), (1, "high")],
)
def test_colours_of_bias_are_those_of_the_policy(bias, kind):
    assert bias_kind(bias, MosaicPolicy()) == kind
