"""A session is read to its end whatever is wrong in it, and not one byte of it is written."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from capture.verification.verifying import verify_session
from mira.errors import RecordError, SessionError
from mira.schema.capture import Scene, ViewFrame
from mira.store.session import Session

PACKAGED = Path(str(files("mira.sim") / "packaged"))


def state_of(root: Path) -> dict[str, tuple[bytes, int]]:
    paths = (path for path in root.rglob("*") if path.is_file())
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}


def commit(session: Session, view_id: str) -> None:
    from mira.render.png import encode_png_quickly

    color = encode_png_quickly(np.zeros((4, 6, 3), np.uint8))
    session.commit_view("hall", view_id, {"color.png": color, "frame.json": ViewFrame().to_json()})


@pytest.fixture
def small(open_test_session) -> Session:
    """A session of one scene without views."""
    made = open_test_session("small")
    made.write_scene(Scene(scene_id="hall"))
    return made


def test_packaged_scenes_are_whole() -> None:
    found = verify_session(PACKAGED)
    assert found.views >= 4
    assert (found.faults, found.warnings) == ((), ())


def test_nothing_is_written(session, damage) -> None:
    damage.write("raw.db3", b"SQLite format 3\0 and no more")
    (session.root / "scenes/hall/views/v2/color.png").write_bytes(b"")
    before = state_of(session.root)
    assert verify_session(session.root).faults
    assert state_of(session.root) == before


def test_progress_counts_every_view(session) -> None:
    told: list[tuple[int, int]] = []
    (session.root / "scenes/hall/views/unfinished").mkdir()
    verify_session(session.root, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_folder_that_is_no_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="is no capture session"):
        verify_session(tmp_path)
    with pytest.raises(SessionError, match="is no capture session"):
        verify_session(tmp_path / "nowhere")


def test_a_session_whose_record_is_damaged_is_refused(small: Session) -> None:
    (small.root / "capture.json").write_bytes(b"{}")
    with pytest.raises(RecordError, match="session_id"):
        verify_session(small.root)


def test_a_session_without_views_is_whole(small: Session, open_test_session) -> None:
    assert verify_session(small.root).views == 0
    empty = verify_session(open_test_session("empty").root)
    assert (empty.views, empty.faults) == (0, ())


@pytest.mark.parametrize("content", [b"", b"{", b'{"scene_id": "another"}'])
def test_a_damaged_scene_is_a_fault_of_its_own_and_its_views_are_checked(
    session, damage, report, content
) -> None:
    (session.root / "scenes/hall/scene.json").write_bytes(content)
    damage.remove("color.png")
    first, second = report().faults
    assert (first.file, first.code, first.scene_id, first.view_id) == (
        "scenes/hall/scene.json",
        "record-damaged",
        "hall",
        None,
    )
    assert (second.file, second.code) == ("scenes/hall/views/v1/color.png", "file-missing")
    assert report().faulty_views == 1


def test_views_without_a_scene_are_a_fault_and_are_checked(session, report) -> None:
    (session.root / "scenes/hall/scene.json").unlink()
    (fault,) = report().faults
    assert (fault.file, fault.code) == ("scenes/hall/scene.json", "record-missing")
    assert report().views == 2


def test_an_empty_scene_that_a_crash_left_is_no_fault(small: Session) -> None:
    (small.root / "scenes" / "next").mkdir()
    assert verify_session(small.root).faults == ()


def test_a_line_of_the_journal_that_is_none_is_a_fault(session, report) -> None:
    path = session.root / "journal.jsonl"
    path.write_bytes(path.read_bytes() + b'{"event": "lost"}\n')
    (fault,) = report().faults
    assert (fault.file, fault.code) == ("journal.jsonl", "journal-damaged")
    assert fault.message.startswith("line 3: ")
    assert report().faulty_views == 0


def test_half_a_line_that_a_crash_left_in_the_journal_is_no_fault(session, report) -> None:
    path = session.root / "journal.jsonl"
    path.write_bytes(path.read_bytes() + b'{"event": "comm')
    assert report().faults == ()


def test_views_without_sums_do_not_count(session, report) -> None:
    (session.root / "scenes/hall/views/v1/SHA256SUMS").unlink()
    found = report()
    assert (found.views, found.faulty_views, found.faults) == (1, 0, ())
    (warning,) = found.warnings
    assert (warning.code, warning.file) == ("not-committed", "scenes/hall/views/v1")
    assert (warning.scene_id, warning.view_id) == ("hall", "v1")


def test_what_stopped_processes_left_is_told(small: Session) -> None:
    left = (
        "scenes/hall/views/.tmp-v1-0badcafe",
        "scenes/hall/.scene.json.partial-0badcafe",
        ".capture.json.partial-0badcafe",
    )
    commit(small, "v1")
    for name in left:
        (small.root / name).write_bytes(b"")
    found = verify_session(small.root)
    assert {warning.file for warning in found.warnings} == set(left)
    assert {warning.code for warning in found.warnings} == {"leftover"}
    assert (found.views, found.faults) == (1, ())
    assert {path.relative_to(small.root).as_posix() for path in small.clean()} == set(left)


def test_a_lock_is_no_leftover_and_stays(small):
    lock = small.root / ".journal.jsonl.lock"
    commit(small, "v1")
    lock.write_bytes(b"")

    assert verify_session(small.root).warnings == ()
    assert small.clean() == ()
    assert lock.exists()


def test_folders_whose_names_nobody_reads_are_told(small: Session) -> None:
    for name in ("scenes/the hall", "scenes/hall/views/v 1"):
        (small.root / name).mkdir(parents=True)
    found = verify_session(small.root).warnings
    assert [(warning.code, warning.file) for warning in found] == [
        ("name-unread", "scenes/the hall"),
        ("name-unread", "scenes/hall/views/v 1"),
    ]


def test_a_committed_view_that_is_gone_is_told(small: Session) -> None:
    commit(small, "v1")
    small.note("planned", "hall", "v2")
    folder = small.view_folder("hall", "v1")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    (warning,) = verify_session(small.root).warnings
    assert (warning.code, warning.view_id) == ("view-gone", "v1")
