"""What an import promises whatever the layout is."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import orjson
import pytest

from capture.importers.importing import import_data_set
from capture.importers.settings import ImportSettings
from mira.errors import MiraError, SessionError
from mira.store import atomic, folder_commit


def test_pictures_depth_masks_and_sources_are_in_the_session(write, run, held):
    color = write.color("a_color.jpg")
    depth = write.depth("a_depth.png")
    mask = write.mask("a_mask.png", 255)
    report = run("folder", licence="CC0-1.0", source_name="Crew", consent="granted")
    assert (report.scenes, report.imported, report.with_surfaces) == (1, 1, 1)
    assert report.left_out == ()
    found = held()
    assert found.views == {"a": ["a"]}
    assert (found.picture("a", "a", "color.png") == color).all()
    assert (found.picture("a", "a", "depth_aligned.png") == depth).all()
    assert (found.picture("a", "a", "surfaces.png") == (mask > 0)).all()
    assert found.session.verify_view("a", "a") == ()
    scene = found.session.read_scene("a")
    assert (scene.source, scene.licence, scene.consent) == ("Crew", "CC0-1.0", "granted")
    assert [surface.surface_id for surface in scene.surfaces] == ["surface_0"]
    frame = found.session.read_frame("a", "a")
    assert [ref.path for ref in frame.inputs] == ["a_color.jpg", "a_depth.png", "a_mask.png"]
    assert (frame.depth_kind, frame.depth_unit_m) == ("metric", 0.001)
    assert frame.quality.valid_depth_fraction == pytest.approx((depth > 0).mean(), abs=1e-6)
    assert found.session.read_session().source == "imported"


def test_two_imports_give_the_same_bytes(three, run, tree_of, tmp_path):
    for name in ("one", "two"):
        run("folder", out=tmp_path / name)
    assert tree_of(tmp_path / "one" / "scenes") == tree_of(tmp_path / "two" / "scenes")


def test_a_second_import_keeps_what_is_there(three, run, tree_of, out):
    run("folder")
    before = tree_of(out / "scenes")
    report = run("folder")
    assert (report.imported, report.kept) == (0, 3)
    assert tree_of(out / "scenes") == before


def test_an_import_cut_off_by_a_full_disk_goes_on_as_if_nothing_had_been(
    three, run, tree_of, out, tmp_path, monkeypatch
):
    whole = tmp_path / "whole"
    run("folder", out=whole)
    left = [9]

    def write_new(path: Path, data: bytes, *, durable: bool) -> None:
        left[0] -= 1
        if left[0] < 0:
            path.write_bytes(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        atomic.write_new(path, data, durable=durable)

    with monkeypatch.context() as patched:
        patched.setattr(folder_commit, "write_new", write_new)
        with pytest.raises(MiraError, match="the disk is full"):
            run("folder")
    assert not list(out.rglob(".tmp-*"))
    report = run("folder")
    assert (report.imported, report.kept) == (2, 1)
    assert tree_of(out / "scenes") == tree_of(whole / "scenes")


@pytest.mark.parametrize(
    "more",
    [{"surface_type": "glass"}, {"licence": "other"}, {"depth_unit_m": 0.002}, {"keyframes": 1}],
)
def test_another_import_does_not_go_into_the_same_session(three, run, more):
    run("folder")
    with pytest.raises(SessionError, match="session_id"):
        run("folder", **more)


def test_files_that_changed_under_a_committed_view_are_told(three, source, run, write):
    run("folder")
    write.color("1_color.png", size=(24, 16), seed=99)
    with (source / "1_color.png").open("ab") as stream:
        stream.write(b"more")
    report = run("folder")
    assert [fault.file for fault in report.left_out] == ["1_color.png"]
    assert "another folder" in report.left_out[0].reason
    assert report.kept == 2


def test_a_limit_takes_the_first_and_a_later_run_the_rest(three, run, tree_of, out, tmp_path):
    assert run("folder", limit=1).imported == 1
    assert run("folder", limit=2).kept == 1
    report = run("folder")
    assert (report.imported, report.kept) == (1, 2)
    run("folder", out=tmp_path / "whole")
    assert tree_of(out / "scenes") == tree_of(tmp_path / "whole" / "scenes")


def test_a_dry_run_reads_all_and_writes_nothing(three, source, run, out):
    (source / "0_mask.png").write_bytes(b"nothing")
    report = run("folder", dry_run=True)
    assert (report.imported, len(report.left_out)) == (2, 1)
    assert not out.exists()


def test_surfaces_count_through_all_masks_of_a_scene(write, run, held):
    for k, values in enumerate(((3,), (7, 3))):
        write.color(f"hall/{k}_color.png", seed=k)
        write.mask(f"hall/{k}_mask.png", *values)
    run("folder", limit=1)
    report = run("folder")
    assert report.imported == 1
    scene = held().session.read_scene("hall")
    assert [surface.surface_id for surface in scene.surfaces] == ["surface_0", "surface_1"]
    surfaces = held().picture("hall", "1", "surfaces.png")
    assert (surfaces[0, 2], surfaces[0, 6], surfaces[0, 0]) == (2, 1, 0)


def test_a_mask_that_is_mended_numbers_the_other_views_anew_and_keeps_what_people_added(
    write, source, run, held, tree_of, out, tmp_path
):
    for k, values in enumerate(((7,), (3,))):
        write.color(f"hall/{k}_color.png", seed=k)
        write.mask(f"hall/{k}_mask.png", *values)
    good = (source / "hall/1_mask.png").read_bytes()
    (source / "hall/1_mask.png").write_bytes(good[:-20])
    run("folder")
    assert held().picture("hall", "0", "surfaces.png").max() == 1
    annotation = held().session.view_folder("hall", "0") / "color.json"
    annotation.write_text("{}")
    record = out / "scenes/hall/scene.json"
    said = {**orjson.loads(record.read_bytes()), "place": "hall"}
    record.write_bytes(orjson.dumps(said))
    (source / "hall/1_mask.png").write_bytes(good)
    run("folder")
    assert held().picture("hall", "0", "surfaces.png").max() == 2
    assert annotation.read_text() == "{}"
    scene = held().session.read_scene("hall")
    assert (scene.place, len(scene.surfaces)) == ("hall", 2)
    before = tree_of(out / "scenes")
    assert run("folder").kept == 2
    assert tree_of(out / "scenes") == before


def test_a_committed_view_that_was_damaged_is_made_again(three, run, tree_of, out, tmp_path):
    run("folder")
    before = tree_of(out / "scenes")
    (out / "scenes/1/views/1/frame.json").write_bytes(b"{")
    report = run("folder")
    assert (report.imported, report.kept) == (1, 2)
    assert tree_of(out / "scenes") == before


def test_a_source_without_the_files_of_a_committed_view_is_told(three, source, run, tmp_path):
    run("folder")
    (source / "1_depth.png").unlink()
    report = run("folder")
    assert [fault.file for fault in report.left_out] == ["1_color.png"]
    assert report.kept == 2


def test_progress_counts_every_picture(three, source, out):
    told = []
    settings = ImportSettings(layout="folder")
    import_data_set(source, out, settings=settings, progress=lambda *numbers: told.append(numbers))
    assert told == [(1, 3), (2, 3), (3, 3)]
