"""What is committed to a session is there whole, whoever writes and whatever happens to them."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mira.errors import MiraError, RecordError, SessionError
from mira.schema.capture import Calibration, CameraIntrinsics, Scene, ViewFrame
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.store import folder_commit
from mira.store.session import Session, image_id_of, is_session

RECORD = CaptureSession(
    session_id="run-1", source="simulated", provenance=Provenance(tool="test", tool_version="0")
)
FILES = {"color.png": b"colour", "frame.json": ViewFrame().to_json()}


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session.create(tmp_path / "run", RECORD)
    made.write_scene(Scene(scene_id="hall", place="hallway"))
    return made


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def events(session: Session) -> list[tuple[str, str]]:
    return [(entry.event, entry.view_id) for entry in session.journal()]


def test_created_session_opens_and_reads_back(session: Session) -> None:
    session.commit_view("hall", "v1", FILES)
    opened = Session.open(session.root)
    assert opened.read_session() == RECORD
    assert opened.scenes() == ("hall",)
    assert opened.read_scene("hall") == Scene(scene_id="hall", place="hallway")
    assert opened.committed("hall") == ("v1",)
    assert opened.read_frame("hall", "v1") == ViewFrame()
    assert opened.verify_view("hall", "v1") == ()
    assert events(opened) == [("committed", "v1")]
    assert names(session.root) == ["capture.json", "journal.jsonl", "scenes"]
    assert names(session.root / "scenes" / "hall" / "views") == ["v1"]


def test_a_session_is_made_once_and_gone_on_with(session: Session) -> None:
    session.commit_view("hall", "v1", FILES)
    again = RECORD.model_copy(update={"sdk_version": "2"})
    found = Session.create(session.root, again)
    assert found.committed("hall") == ("v1",)
    assert found.read_session() == RECORD
    other = RECORD.model_copy(update={"session_id": "run-2"})
    with pytest.raises(SessionError, match=r"session_id: expected 'run-2', found 'run-1'"):
        Session.create(session.root, other)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("mine")
    with pytest.raises(SessionError, match="found other files"):
        Session.create(tmp_path, RECORD)
    assert names(tmp_path) == ["a.txt"]


def test_what_a_killed_creator_left_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / ".capture.json.partial-00ff00ff").write_bytes(b"{")
    session = Session.create(tmp_path, RECORD)
    assert [path.name for path in session.clean()] == [".capture.json.partial-00ff00ff"]


def test_a_folder_without_the_mark_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="is no capture session"):
        Session.open(tmp_path)
    assert not is_session(tmp_path)
    (tmp_path / "capture.json").write_bytes(b'{"session_id": 3}')
    with pytest.raises(RecordError, match=r"capture\.json: session_id"):
        Session.open(tmp_path)


def test_a_session_is_told_by_its_mark_and_its_scenes(session: Session) -> None:
    assert is_session(session.root)
    assert not is_session(session.root / "scenes")
    assert not is_session(Path("\0"))


@pytest.mark.parametrize(
    ("scene_id", "view_id", "image_id"),
    [
        ("hall", "v1", "hall_v1"),
        ("hall", "hall_v1", "hall_v1"),
        ("hall", "hall", "hall"),
        ("hall", "Hall-1", "hall_Hall-1"),
    ],
)
def test_an_image_is_named_by_scene_and_view(scene_id: str, view_id: str, image_id: str) -> None:
    assert image_id_of(scene_id, view_id) == image_id


HOSTILE = ["", ".", "..", "../x", "a/b", "a\\b", ".tmp-x", "_x", "nul", "x.", "a\nb", "x" * 300]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_reach_no_file(session: Session, name: str) -> None:
    before = sorted(session.root.rglob("*"))
    with pytest.raises(SessionError):
        session.write_scene(Scene(scene_id=name))
    with pytest.raises(SessionError):
        session.read_scene(name)
    with pytest.raises(SessionError):
        session.commit_view(name, "v1", FILES)
    with pytest.raises(SessionError):
        session.commit_view("hall", name, FILES)
    with pytest.raises(SessionError):
        session.commit_view("hall", "v1", {**FILES, name: b""})
    with pytest.raises(SessionError):
        session.note("planned", "hall", name)
    with pytest.raises(SessionError):
        session.view_folder("hall", name)
    assert sorted(session.root.rglob("*")) == before


def test_a_view_needs_its_scene_and_its_picture(session: Session) -> None:
    with pytest.raises(SessionError, match="expected the scene before its views"):
        session.commit_view("bath", "v1", FILES)
    with pytest.raises(SessionError, match=r"expected color\.png among its files, found frame"):
        session.commit_view("hall", "v1", {"frame.json": b""})
    with pytest.raises(SessionError, match="found their sums"):
        session.commit_view("hall", "v1", {**FILES, "SHA256SUMS": b""})
    assert session.views("hall") == ()


def test_sums_are_those_that_the_usual_program_checks(session: Session) -> None:
    session.commit_view("hall", "v1", FILES)
    folder = session.view_folder("hall", "v1")
    if shutil.which("sha256sum") is None:
        pytest.skip("needs sha256sum")
    command = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    checked = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert checked.stdout == "color.png: OK\nframe.json: OK\n"


def test_equal_input_gives_equal_bytes_under_scenes(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        session = Session.create(tmp_path / name, RECORD, durable=False)
        session.write_scene(Scene(scene_id="hall"))
        files = dict(reversed(FILES.items())) if name == "two" else FILES
        session.commit_view("hall", "v1", files)
        paths = [path for path in sorted((session.root / "scenes").rglob("*")) if path.is_file()]
        assert len(paths) == 4
        found.append([(path.relative_to(session.root), path.read_bytes()) for path in paths])
    assert found[0] == found[1]


def test_a_committed_view_is_replaced_on_demand_alone(session: Session) -> None:
    session.commit_view("hall", "v1", {**FILES, "depth.png": b"deep"})
    folder = session.view_folder("hall", "v1")
    (folder / "color.json").write_text("drawn")
    (folder / "notes").mkdir()
    (folder / "notes" / "a.txt").write_text("kept")
    with pytest.raises(SessionError, match="is committed already"):
        session.commit_view("hall", "v1", FILES)
    session.commit_view("hall", "v1", {"color.png": b"new"}, replace=True)
    assert names(folder) == ["SHA256SUMS", "color.json", "color.png", "notes"]
    assert (folder / "color.png").read_bytes() == b"new"
    assert (folder / "color.json").read_text() == "drawn"
    assert (folder / "notes" / "a.txt").read_text() == "kept"
    assert names(folder.parent) == ["v1"]
    assert session.verify_view("hall", "v1") == ()


def test_a_view_is_replaced_where_the_system_cannot_swap_names(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_commit, "exchange", lambda *_: False)
    session.commit_view("hall", "v1", FILES)
    session.commit_view("hall", "v1", {"color.png": b"new"}, replace=True)
    assert (session.view_folder("hall", "v1") / "color.png").read_bytes() == b"new"
    assert names(session.root / "scenes" / "hall" / "views") == ["v1"]


@pytest.mark.parametrize(
    "sums",
    [
        None,
        b"",
        b"0123  color.png\n",
        b"\xff\xfe",
        b"0" * 64 + b"  color.png",
        b"0" * 64 + b"  ../color.png\n",
        b"0" * 64 + b"  gone.png\n",
        (b"0" * 64 + b"  color.png\n") * 2,
    ],
)
def test_a_view_without_valid_sums_does_not_exist_and_makes_way(
    session: Session, sums: bytes | None
) -> None:
    session.commit_view("hall", "v1", {**FILES, "depth.png": b"old"})
    folder = session.view_folder("hall", "v1")
    (folder / "color.json").write_text("drawn")
    (folder / "SHA256SUMS").unlink()
    if sums is not None:
        (folder / "SHA256SUMS").write_bytes(sums)
    assert session.committed("hall") == ()
    assert session.views("hall") == ("v1",)
    assert session.verify_view("hall", "v1") != ()
    session.commit_view("hall", "v1", FILES)
    assert session.committed("hall") == ("v1",)
    assert names(folder) == ["SHA256SUMS", "color.json", "color.png", "frame.json"]


def test_verifying_names_the_file_at_fault(session: Session) -> None:
    session.commit_view("hall", "v1", {**FILES, "depth.png": b"deep"})
    folder = session.view_folder("hall", "v1")
    (folder / "color.json").write_text("came later")
    assert session.verify_view("hall", "v1") == ()
    (folder / "color.png").write_bytes(b"other")
    (folder / "depth.png").unlink()
    faults = [str(fault) for fault in session.verify_view("hall", "v1")]
    assert faults == ["color.png: is not what was written", "depth.png: is missing"]
    assert session.committed("hall") == ()


def test_a_view_that_is_not_as_it_was_committed_makes_way(session: Session) -> None:
    session.commit_view("hall", "v1", FILES)
    (session.view_folder("hall", "v1") / "color.png").write_bytes(b"")
    session.commit_view("hall", "v1", FILES)
    assert session.verify_view("hall", "v1") == ()


def test_a_scene_record_in_another_folder_is_named(session: Session) -> None:
    shutil.copytree(session.root / "scenes" / "hall", session.root / "scenes" / "bath")
    with pytest.raises(SessionError, match=r"scene_id: expected 'bath' as its folder, found 'hall"):
        session.read_scene("bath")
    with pytest.raises(SessionError, match=r"scene\.json: expected a record, found no file"):
        session.read_scene("none")


def test_records_of_a_view_are_read_or_named(session: Session) -> None:
    camera = CameraIntrinsics(width_px=8, height_px=6, fx_px=5, fy_px=5, cx_px=4, cy_px=3)
    calibration = Calibration(color=camera)
    session.commit_view("hall", "v1", {**FILES, "calib.json": calibration.to_json()})
    assert session.read_calibration("hall", "v1") == calibration
    (session.view_folder("hall", "v1") / "frame.json").write_text('{"depth_unit_m": -1}')
    with pytest.raises(RecordError, match=r"frame\.json: depth_unit_m"):
        session.read_frame("hall", "v1")


def test_folders_that_are_none_of_ours_are_passed_over(session: Session) -> None:
    views = session.root / "scenes" / "hall" / "views"
    session.commit_view("hall", "v1", FILES)
    (views / "my view").mkdir()
    (views / "readme.txt").write_text("")
    shutil.copytree(session.root / "scenes" / "hall", session.root / "scenes" / "my hall")
    (session.root / "scenes" / "empty").mkdir()
    assert session.scenes() == ("hall",)
    assert session.views("hall") == session.committed("hall") == ("v1",)
    assert session.views("empty") == ()


# Journal


def test_the_journal_keeps_every_event_in_order(session: Session) -> None:
    session.note("planned", "hall", "v1")
    session.note("started", "hall", "v1")
    session.note("failed", "hall", "v1", reason="the stream stalled")
    session.commit_view("hall", "v1", FILES)
    assert [event for event, _ in events(session)] == ["planned", "started", "failed", "committed"]
    assert session.journal()[2].reason == "the stream stalled"


@pytest.mark.parametrize("torn", [b"{", b'{"at":"2026-01-02T03', b"x" * 10_000, b"\x00\xff"])
@pytest.mark.parametrize("whole", [0, 2])
def test_half_a_line_at_the_end_is_ignored_and_then_repaired(
    session: Session, whole: int, torn: bytes
) -> None:
    for k in range(whole):
        session.note("planned", "hall", f"v{k}")
    path = session.root / "journal.jsonl"
    with path.open("ab") as stream:
        stream.write(torn)
    assert len(session.journal()) == whole
    session.note("started", "hall", "v9")
    assert events(session)[whole:] == [("started", "v9")]
    assert path.read_bytes().count(b"\n") == whole + 1


def test_a_line_that_is_no_entry_is_named_by_its_number(session: Session) -> None:
    session.note("planned", "hall", "v1")
    with (session.root / "journal.jsonl").open("ab") as stream:
        stream.write(b'{"event": "lost"}\nnothing\n')
    with pytest.raises(RecordError, match=r"journal\.jsonl:2: "):
        session.journal()


# Crashes and neighbours

COMMIT = """
import sys
from pathlib import Path
from mira.store.session import Session
session = Session.open(Path(sys.argv[1]), durable=False)
for k in range(int(sys.argv[3])):
    session.note("started", "hall", f"{sys.argv[2]}{k}")
    session.commit_view("hall", f"{sys.argv[2]}{k}", {"color.png": sys.argv[2].encode() * 1000})
"""

DIE_AT = """
import os, signal, sys
from pathlib import Path
from mira.store import folder_commit, journal, session
step, view_id, replace = sys.argv[2], sys.argv[3], sys.argv[4] == "replace"

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

write_new = folder_commit.write_new
def write(path, data, *, durable):
    if path.name == step:
        path.write_bytes(data[: len(data) // 2])
        die()
    write_new(path, data, durable=durable)

folder_commit.write_new = write
if step == "rename":
    folder_commit._put_in_place = die
if step == "journal":
    session.Session.note = die
open_ = session.Session.open(Path(sys.argv[1]))
open_.commit_view("hall", view_id, {"color.png": b"new", "depth.png": b"deep"}, replace=replace)
"""


def run(script: str, *arguments: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", script, *map(str, arguments)])


@pytest.mark.parametrize("step", ["color.png", "depth.png", "SHA256SUMS", "rename", "journal"])
@pytest.mark.parametrize("mode", ["new", "replace"])
def test_killed_between_any_two_writes_a_view_is_whole_or_not_there(
    session: Session, step: str, mode: str
) -> None:
    if mode == "replace":
        session.commit_view("hall", "v1", {"color.png": b"old"})
    assert run(DIE_AT, session.root, step, "v1", mode).wait() == -signal.SIGKILL
    old = ("v1",) if mode == "replace" else ()
    assert session.committed("hall") == (("v1",) if step == "journal" else old)
    for view_id in session.committed("hall"):
        assert session.verify_view("hall", view_id) == ()
        content = (session.view_folder("hall", view_id) / "color.png").read_bytes()
        assert content == (b"new" if step == "journal" else b"old")
    session.clean()
    assert names(session.root / "scenes" / "hall" / "views") == list(session.committed("hall"))
    session.commit_view("hall", "v1", FILES, replace=True)
    assert session.verify_view("hall", "v1") == ()
    assert events(session)[-1] == ("committed", "v1")


def test_processes_at_once_lose_no_view_and_no_line(session: Session) -> None:
    writers = [run(COMMIT, session.root, name, 40) for name in "abc"]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    wanted = {f"{name}{k}" for name in "abc" for k in range(40)}
    assert set(session.committed("hall")) == wanted
    assert {view for event, view in events(session) if event == "committed"} == wanted
    assert len(session.journal()) == 2 * len(wanted)
    assert session.clean() == ()


def test_of_two_processes_with_one_view_one_is_refused(session: Session) -> None:
    writers = [run(COMMIT, session.root, "v", 1) for _ in range(2)]
    assert sorted(writer.wait() for writer in writers) == [0, 1]
    assert session.verify_view("hall", "v0") == ()
    assert events(session).count(("committed", "v0")) == 1


def test_a_full_disk_leaves_nothing_of_a_new_view(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MiraError, match="the disk is full"):
        session.commit_view("hall", "v1", FILES)
    assert names(session.root / "scenes" / "hall" / "views") == []


def test_without_durability_nothing_is_synced(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: int) -> None:
        raise AssertionError

    monkeypatch.setattr(os, "fsync", refuse)
    fast = Session.open(session.root, durable=False)
    fast.write_scene(Scene(scene_id="bath"))
    fast.commit_view("bath", "v1", FILES)
    assert fast.committed("bath") == ("v1",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("name", ["color.png", "frame.json"])
def test_a_pipe_in_place_of_a_file_is_told_and_not_read(session, name):
    session.commit_view("hall", "v1", {**FILES, "frame.json": b"{}"})
    path = session.view_folder("hall", "v1") / name
    path.unlink()
    os.mkfifo(path)

    assert [str(fault) for fault in session.verify_view("hall", "v1")] == [f"{name}: is no file"]
    if name == "frame.json":
        with pytest.raises(SessionError, match="found no regular file"):
            session.read_frame("hall", "v1")
