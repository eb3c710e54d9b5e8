from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path

import pytest

from capture.importers.policy import ImportPolicy
from capture.importers.source_tree import SourceTree, in_time
from mira.errors import CaptureError, SceneSourceError

POLICY = ImportPolicy()


def touch(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")


def test_links_that_lead_back_are_not_followed_and_others_are(tmp_path):
    touch(tmp_path / "a/b/1.png")
    (tmp_path / "a/b/up").symlink_to(tmp_path / "a")
    (tmp_path / "c").symlink_to(tmp_path / "a/b")
    (tmp_path / "self.png").symlink_to(tmp_path / "self.png")
    tree = SourceTree(tmp_path, policy=POLICY)
    assert list(tree.files()) == ["a/b/1.png", "c/1.png"]
    assert [fault.file for fault in tree.faults] == ["self.png"]


def test_folders_are_walked_however_deep_they_are(tmp_path):
    folder = tmp_path.joinpath(*["a"] * 200)
    touch(folder / "1.png")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        tree = SourceTree(tmp_path, policy=POLICY)
    finally:
        sys.setrecursionlimit(limit)
    assert list(tree.folders) == ["/".join(["a"] * 200)]


def test_hidden_files_sessions_and_workspaces_are_passed_over(tmp_path):
    for name in (
        ".hidden.png",
        ".git/a.png",
        "__MACOSX/a.png",
        "ws/workspace.json",
        "ws/a.png",
        "run/capture.json",
        "run/scenes/a/color.png",
        "out/a.png",
        "a.png",
    ):
        touch(tmp_path / name)
    tree = SourceTree(tmp_path, policy=POLICY, less=tmp_path / "out")
    assert list(tree.files()) == ["a.png"]


def test_pictures_that_cannot_be_read_or_named_are_faults(tmp_path):
    (tmp_path / "gone.png").symlink_to(tmp_path / "nowhere.png")
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere.txt")
    os.mkfifo(tmp_path / "pipe.png")
    touch(tmp_path / "a\\b.png")
    touch(tmp_path / "c:d.png")
    touch(tmp_path / os.fsdecode(b"bad\xff.png"))
    tree = SourceTree(tmp_path, policy=POLICY)
    assert not tree.folders
    assert [fault.file for fault in tree.faults] == [
        "a\\b.png",
        "bad\\xff.png",
        "c:d.png",
        "gone.png",
        "pipe.png",
    ]


def test_too_many_files_are_refused(tmp_path):
    for k in range(3):
        touch(tmp_path / f"{k}.png")
    with pytest.raises(CaptureError, match="at most 2 files"):
        SourceTree(tmp_path, policy=ImportPolicy(file_limit=2))


def test_a_session_is_no_source(tmp_path):
    touch(tmp_path / "capture.json")
    (tmp_path / "scenes").mkdir()
    with pytest.raises(CaptureError, match="already"):
        SourceTree(tmp_path, policy=POLICY)


def test_a_file_that_is_large_or_gone_is_not_read(tmp_path):
    touch(tmp_path / "a.png")
    tree = SourceTree(tmp_path, policy=ImportPolicy(picture_limit_bytes=1))
    assert tree.read_picture_bytes("a.png") == b"x"
    (tmp_path / "a.png").write_bytes(b"xy")
    with pytest.raises(SceneSourceError, match="at most 1 bytes"):
        tree.read_picture_bytes("a.png")
    (tmp_path / "a.png").unlink()
    with pytest.raises(SceneSourceError, match="found none"):
        tree.read_picture_bytes("a.png")


def test_frames_sort_as_people_count():
    names = ["10", "9", "a2", "a10", "09", "²", ""]
    assert sorted(names, key=in_time) == ["", "09", "9", "10", "a2", "a10", "²"]
