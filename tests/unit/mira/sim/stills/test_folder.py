"""A folder of stills is the same bytes however it came about."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from mira.errors import MiraError, SimulationError
from mira.render.png import encode_png
from mira.schema.record import RootRecord
from mira.sim.stills.folder import Drawn, MadeStills, make_stills, read_stills
from mira.sim.stills.records import Still
from mira.sim.stills.sheet import SheetLayout


class World(RootRecord):
    colour: int


class OtherWorld(RootRecord):
    sound: str


class Grey(Still):
    grey: int


class StopError(Exception):
    """Ends a run in the middle."""


def draw(file: str, grey: int) -> Drawn[Grey]:
    png = encode_png(np.full((8, 12, 3), grey, np.uint8))
    return Drawn(png, Grey(file=file, sha256=hashlib.sha256(png).hexdigest(), grey=grey))


def make(out: Path, greys: tuple[int, ...] = (10, 20, 30), **more: Any) -> MadeStills:
    settings: dict[str, Any] = {
        "draw": draw,
        "kind": Grey,
        "world": World(colour=1),
        "layout": SheetLayout((12, 8), columns=2, most=4, together=2),
        "overwrite": False,
        "progress": None,
    }
    wanted = {f"pictures/{grey:03d}.png": grey for grey in greys}
    return make_stills(out, wanted, **(settings | more))


def files(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_a_run_that_is_cut_off_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    make(tmp_path / "whole")

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise StopError

    with pytest.raises(StopError):
        make(tmp_path / "parts", progress=stop)
    assert sorted(read_stills(tmp_path / "parts", Grey)) == ["pictures/010.png", "pictures/020.png"]
    assert make(tmp_path / "parts").kept == 2
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


def test_what_else_is_there_stays_and_order_changes_nothing(tmp_path: Path) -> None:
    make(tmp_path / "whole", (10, 20, 30, 40))
    make(tmp_path / "parts", (40, 30))
    made = make(tmp_path / "parts", (20, 10, 30))
    assert made.files == ("pictures/020.png", "pictures/010.png", "pictures/030.png")
    assert made.kept == 1
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


@pytest.mark.parametrize("harm", ["torn", "nonsense", "changed", "gone", "outside", "left_behind"])
def test_what_is_not_whole_is_made_anew(tmp_path: Path, harm: str) -> None:
    make(tmp_path)
    before = files(tmp_path)
    frames, picture = tmp_path / "frames.jsonl", tmp_path / "pictures" / "030.png"
    if harm == "torn":
        frames.write_bytes(frames.read_bytes()[:-20])
    elif harm == "nonsense":
        frames.write_bytes(b"\xff\x00[]\n" + b"\n".join(frames.read_bytes().splitlines()[:2]))
    elif harm == "changed":
        picture.write_bytes(picture.read_bytes() + b"x")
    elif harm == "gone":
        picture.unlink()
    elif harm == "outside":
        frames.write_text(frames.read_text().replace("pictures/030", "../pictures/030"))
    else:
        (tmp_path / "pictures" / ".030.png.partial-0123abcd").write_bytes(b"half")
        (tmp_path / ".lock").touch()
        picture.unlink()
    assert make(tmp_path).kept == 2
    assert files(tmp_path) == before


def test_pictures_are_made_anew_only_if_asked(tmp_path: Path) -> None:
    make(tmp_path)
    drawn: list[int] = []

    def note(file: str, grey: int) -> Drawn[Grey]:
        drawn.append(grey)
        return draw(file, grey)

    assert make(tmp_path, draw=note).kept == 3
    assert not drawn
    assert make(tmp_path, (20,), draw=note, overwrite=True).kept == 0
    assert drawn == [20]


def test_another_world_or_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    make(tmp_path / "world")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    before = files(tmp_path)
    with pytest.raises(SimulationError, match="expected colour 2, found 1"):
        make(tmp_path / "world", world=World(colour=2), overwrite=True)
    with pytest.raises(SimulationError, match="expected the world of such pictures"):
        make(tmp_path / "world", world=OtherWorld(sound="loud"))
    with pytest.raises(SimulationError, match=r"found 'notes\.txt'"):
        make(tmp_path / "other")
    with pytest.raises(MiraError, match="found a file"):
        make(tmp_path / "file")
    assert files(tmp_path) == before


def test_a_sheet_keeps_pictures_together_that_belong_together(tmp_path: Path) -> None:
    made = make(tmp_path, tuple(range(0, 240, 24)))
    sheet = cv2.imread(str(made.contact_sheet))
    assert sheet is not None
    tiles = [[int(sheet[row, column, 0]) for column in (5, 23)] for row in (3, 39)]
    assert tiles == [[0, 24], [192, 216]]
