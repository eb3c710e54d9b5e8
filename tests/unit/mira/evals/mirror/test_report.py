from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import MiraError
from mira.evals.mirror.policy import MirrorPolicy
from mira.evals.mirror.records import MirrorScores
from mira.evals.mirror.runs import PlayedEpisode
from mira.evals.mirror_report.scales import Scale, rounded_range
from mira.evals.mirror_report.ways import way_of
from mira.evals.mirror_report.writing import write_mirror_report

HOSTILE = "<script>alert(1)</script> & =1+1 \\input{x} %"


@pytest.fixture(scope="module")
def runs(play_run) -> list[Path]:
    few = {"scenes": ("nova_carter", "male_0"), "levels": (0, 1, 2, 3)}
    return [play_run(name, **few) for name in ("random", "confused", "oracle")]


def test_a_page_stands_alone_and_says_what_the_numbers_say(runs, tmp_path: Path) -> None:
    files = write_mirror_report(runs, tmp_path / "report")
    page = files[0].read_text()
    scores = MirrorScores.from_json(files[1].read_bytes(), where=files[1])
    assert [player.name for player in scores.players] == ["oracle", "random", "confused"]
    for player in scores.players:
        assert f"{player.row('overall').avg.value:.3f}".replace("-", "−") in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page
    assert "18 of 66 scenes scored" in page
    assert "Not the same for all" not in page
    assert "72 episodes" in page


def test_settings_that_were_not_the_same_are_told(play_run, tmp_path: Path) -> None:
    few = {"scenes": ("nova_carter",), "levels": (0,)}
    seeds = [play_run("random", seed=1, **few), play_run("random", seed=2, **few)]
    page = write_mirror_report(seeds, tmp_path / "report")[0].read_text()
    told = page.partition("Not the same for all, so that differences may come of it: ")[2]
    assert told.startswith("<b>seed</b> (1: random (")


def test_equal_runs_give_equal_bytes(runs, tmp_path: Path) -> None:
    first, second = (write_mirror_report(runs, tmp_path / name) for name in ("one", "two"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_tables_hold_every_row_and_episode(runs, tmp_path: Path) -> None:
    files = {path.name: path.read_text() for path in write_mirror_report(runs, tmp_path / "r")}
    rows = list(csv.DictReader(io.StringIO(files["scores.csv"])))
    assert len(rows) == 3 * 3 * 5
    assert len(list(csv.DictReader(io.StringIO(files["episodes.csv"])))) == 3 * 72
    assert files["scores.tex"].count("\\\\") == 2 + 3


def test_names_of_players_cannot_harm_a_page(new_store, make_episode, tmp_path: Path) -> None:
    for level in range(4):
        episode, steps = make_episode([0.5, 0.4, 0.6], level=level)
        agents = (episode.agents[0].model_copy(update={"name": HOSTILE}),)
        new_store.put(episode.model_copy(update={"agents": agents, "model": HOSTILE}), steps)
    other = make_episode([0.5, 0.4, 0.1], mark="star", aborted=False)
    new_store.put(*other)
    files = {p.name: p.read_text() for p in write_mirror_report([new_store.root], tmp_path / "r")}
    assert "<script>" not in files["report.html"]
    assert "&lt;script&gt;" in files["report.html"]
    assert "\\textbackslash{}input\\{x\\} \\%" in files["scores.tex"]


def test_runs_without_scores_make_a_page(new_store, make_episode, tmp_path: Path) -> None:
    new_store.put(*make_episode([0.5, 0.4], aborted=True))
    page = write_mirror_report([new_store.root], tmp_path / "report")[0].read_text()
    assert "1 episode of 1 aborted and in no number" in page


def test_a_folder_with_other_files_is_left_alone(runs, tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("x")
    with pytest.raises(MiraError):
        write_mirror_report(runs, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.doc"]


def test_drawings_are_well_formed(runs, tmp_path: Path) -> None:
    page = write_mirror_report(runs, tmp_path / "report")[0].read_text()
    parts = page.split("<svg")[1:]
    assert len(parts) == 3 + 1 + 3 + 3 * 3 * 2
    for part in parts:
        ElementTree.fromstring("<svg" + part.split("</svg>")[0] + "</svg>")


def test_a_way_keeps_left_on_the_left_and_the_image_behind_the_glass(make_episode) -> None:
    episode, steps = make_episode([0.5, 0.4, 0.3])
    left = steps[-1].model_copy(update={"action": "left", "hand_world_m": (1.0, 0.1, 1.4)})
    played = PlayedEpisode(episode, episode.details, (steps[0], left))
    way = way_of(played, policy=MirrorPolicy())
    assert way.front.stops[-1].x < way.front.mark[0]
    assert way.side.mark[0] < way.side.mirror[0] < way.side.image[0]
    assert way.side.image[0] - way.side.mirror[0] == pytest.approx(
        way.side.mirror[0] - way.side.mark[0], abs=0.2
    )
    assert len(way.side.stops) == 3


def test_scales_are_round() -> None:
    assert rounded_range([-0.556, 1.00001], step=0.2, least=(0, 1)) == pytest.approx((-0.6, 1))
    assert [text for _, text in Scale(-0.4, 1, 0, 10).ticks(0.4)] == ["−0.4", "0.0", "0.4", "0.8"]


def test_the_command_prints_what_it_wrote(runs, tmp_path: Path) -> None:
    words = ["eval", "mirror", "report", *map(str, runs), "--out", str(tmp_path / "r")]
    result = CliRunner().invoke(app, [*words, "--paths", "0"])
    assert result.exit_code == 0
    assert json.loads((tmp_path / "r" / "scores.json").read_text())["seed"] == 0
    assert [Path(line).name for line in result.stdout.split()][:2] == ["report.html", "scores.json"]
