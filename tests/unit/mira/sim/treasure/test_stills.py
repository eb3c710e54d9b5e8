"""Stills of the treasure game say what their pictures show."""

from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import SimulationError
from mira.sim.stills.folder import read_stills
from mira.sim.treasure.agent import Emotion
from mira.sim.treasure.floor import Stance
from mira.sim.treasure.pictures.views import picture
from mira.sim.treasure.rules import PLAYERS, other
from mira.sim.treasure.still_records import TreasureStill
from mira.sim.treasure.stills import make_treasure_stills


def run(*words):
    return CliRunner().invoke(app, ["sim", "treasure", *map(str, words)])


def files(folder: Path):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("stills") / "treasure"
    make_treasure_stills(out, count=4, seed=3)
    return out


def test_the_truth_alone_draws_the_same_pictures(folder):
    for still in read_stills(folder, TreasureStill).values():
        players = {"subject": still.subject, "participant": still.participant}
        own, partner = (
            Stance(players[who].at_cells, players[who].facing_deg // 45)
            for who in (still.viewer, other(still.viewer))
        )
        seen = players[other(still.viewer)]
        shown = Emotion(seen.facial_valence, seen.physiological_valence)
        again = picture("rendered", still.viewer, own, partner, still.boxes_cells, shown)
        assert again == (folder / still.file).read_bytes()


def test_both_views_of_a_situation_agree_on_it(folder):
    stills = read_stills(folder, TreasureStill).values()
    own = {"file", "sha256", "viewer", "camera_pose"}
    own |= {"boxes_px", "other_px", "head_px", "face_px"}
    common = {(one.situation_id, one.model_dump_json(exclude=own)) for one in stills}
    assert len(common) == 4
    assert {one.viewer for one in stills} == set(PLAYERS)


def test_who_looks_at_a_box_is_surer_of_it_than_of_the_other(folder):
    looks = set()
    for still in read_stills(folder, TreasureStill).values():
        for player in (still.subject, still.participant):
            looks.add(player.looks_at_box)
            if player.looks_at_box is None:
                assert max(player.gaze_certainty) < 0.3
            else:
                sure = player.gaze_certainty[player.looks_at_box]
                assert sure == max(player.gaze_certainty) >= 0.3
    assert looks == {0, 1, None}


def test_a_situation_is_the_same_however_many_are_made(folder, tmp_path):
    few = run("--out", tmp_path / "out", "--count", 2, "--seed", 3, "--json")
    assert few.exit_code == 0, few.output
    assert len(orjson.loads(few.stdout)["files"]) == 4
    more = run("--out", tmp_path / "out", "--count", 4, "--seed", 3)
    assert f"{tmp_path / 'out'}: 8 pictures, 4 of them there already" in more.stdout
    assert files(tmp_path / "out") == files(folder)


def test_another_seed_needs_a_folder_of_its_own(folder):
    before = files(folder)
    with pytest.raises(SimulationError, match="expected seed 4, found 3"):
        make_treasure_stills(folder, count=1, seed=4)
    assert files(folder) == before
