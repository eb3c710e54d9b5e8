from __future__ import annotations

from importlib.util import find_spec

import pytest

from mira.errors import MiraError, MissingExtraError
from qa_gen.space_page.rerun_file import require_rerun, write_rerun_file

HAS_RERUN = find_spec("rerun") is not None


@pytest.mark.skipif(HAS_RERUN, reason="the extra `rerun` is installed")
def test_without_the_sdk_the_extra_is_named(bathroom, tmp_path) -> None:
    for attempt in (require_rerun, lambda: write_rerun_file(bathroom.model, tmp_path / "a.rrd")):
        with pytest.raises(MissingExtraError, match="rerun-sdk: is not installed .*rerun"):
            attempt()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not HAS_RERUN, reason="needs the extra `rerun`")
@pytest.mark.parametrize("room", ["room_s28_0000", "room_s28_0003"])
def test_a_scene_is_written_whole(read, tmp_path, room) -> None:
    path = tmp_path / "new" / "scene.rrd"
    write_rerun_file(read(room).model, path)
    assert path.read_bytes().startswith(b"RRF2")
    assert path.stat().st_size > 100_000
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.skipif(not HAS_RERUN, reason="needs the extra `rerun`")
def test_a_folder_in_the_way_is_told_in_one_line(bathroom, tmp_path) -> None:
    (tmp_path / "a.rrd").mkdir()
    with pytest.raises(MiraError, match=r"a\.rrd"):
        write_rerun_file(bathroom.model, tmp_path / "a.rrd")
    assert [path.name for path in tmp_path.iterdir()] == ["a.rrd"]


@pytest.mark.skipif(not HAS_RERUN, reason="needs the extra `rerun`")
def test_a_picture_without_metres_is_written_too(bathroom, tmp_path) -> None:
    model = bathroom.model.model_copy(
        update={"cloud": None, "ground": None, "camera": None, "surfaces": (), "links": ()}
    )
    write_rerun_file(model.model_copy(update={"proposals": ()}), tmp_path / "a.rrd")
    assert (tmp_path / "a.rrd").stat().st_size > 0
