from __future__ import annotations

import pytest


def frames(write, folders: str, count: int = 12) -> None:
    """A video whose mirror shows something new from frame 8 on."""
    for k in range(count):
        write.color(folders.format("JPEGImages") + f"/{k}.jpg", seed=k >= 8, size=(48, 32))
        write.depth(folders.format("Depth_Norm_Per_Sequence") + f"/{k}.png", size=(48, 32))
        write.mask(folders.format("Annotations") + f"/{k}.png", 255, size=(48, 32))


@pytest.mark.parametrize(
    ("folders", "scene"),
    [
        ("train/{}/hall", "dvmd_train_hall"),
        ("{}/hall", "dvmd_hall"),
        ("hall/{}", "dvmd_hall"),
        ("test/hall/{}", "dvmd_test_hall"),
    ],
)
def test_a_video_is_a_scene_of_keyframes_that_differ(write, run, held, folders, scene):
    frames(write, folders)
    report = run("dvmd")
    assert (report.scenes, report.imported, report.with_surfaces) == (1, 2, 2)
    (names,) = held().views.values()
    assert {int(name) >= 8 for name in names} == {True, False}
    frame = held().session.read_frame(scene, names[0])
    assert (frame.depth_kind, frame.depth_scope) == ("normalised", "sequence")
    assert frame.timing is None


def test_all_frames_come_in_on_demand(write, run, held):
    frames(write, "{}/hall")
    run("dvmd", keyframes=0)
    assert sorted(map(int, held().views["dvmd_hall"])) == list(range(12))


def test_frames_that_look_the_same_are_not_taken_twice(write, run):
    frames(write, "{}/hall", count=8)
    report = run("dvmd", keyframes=3)
    assert report.imported == 1
    assert any("1 of 3 keyframes" in note for note in report.notes)


def test_a_damaged_frame_is_told_and_another_is_chosen(write, run, source):
    frames(write, "{}/hall")
    for k in range(8, 11):
        (source / f"JPEGImages/hall/{k}.jpg").write_bytes(b"\xff\xd8no")
    report = run("dvmd")
    assert [fault.file for fault in report.left_out] == [
        f"JPEGImages/hall/{k}.jpg" for k in (8, 9, 10)
    ]
    assert report.imported == 2


def test_keyframes_are_the_same_in_every_import(write, run, tree_of, out, tmp_path):
    frames(write, "{}/hall")
    run("dvmd")
    run("dvmd", out=tmp_path / "again")
    assert tree_of(out / "scenes") == tree_of(tmp_path / "again" / "scenes")
    assert run("dvmd").kept == 2
