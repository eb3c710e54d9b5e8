from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from capture.recording.raw_file import count_frames
from capture.sources.recording_file import RecordingFile, recording_format
from mira.errors import CaptureError, MiraError


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (b"\x89PNG\r\n\x1a\n", r"b'\\x89PNG"),
        (b"SQLite", "b'SQLite'"),
    ],
)
def test_a_file_that_is_no_recording_is_told_by_its_first_bytes(
    tmp_path: Path, data: bytes, found: str
) -> None:
    path = tmp_path / "x.bag"
    path.write_bytes(data)

    with pytest.raises(CaptureError, match=rf"expected a RealSense recording.*found {found}"):
        recording_format(path)


def test_the_format_is_that_of_the_bytes_whatever_the_name_says(tmp_path: Path) -> None:
    (tmp_path / "a.bag").write_bytes(b"SQLite format 3\0rest")
    (tmp_path / "b.db3").write_bytes(b"#ROSBAG V2.0\nrest")

    assert recording_format(tmp_path / "a.bag") == "db3"
    assert recording_format(tmp_path / "b.db3") == "bag"


def test_a_missing_file_and_a_folder_are_user_errors(tmp_path: Path) -> None:
    with pytest.raises(MiraError, match="No such file"):
        recording_format(tmp_path / "none.db3")
    with pytest.raises(CaptureError, match="found a folder"):
        recording_format(tmp_path)


@pytest.mark.parametrize("head", [b"SQLite format 3\0", b"#ROSBAG V2.0\n"])
def test_a_damaged_recording_is_one_line(tmp_path: Path, head: bytes, sdk: Any) -> None:
    path = tmp_path / "x.db3"
    path.write_bytes(head + b"x" * 5000)

    with pytest.raises(CaptureError, match=r"^[^\n]*x.db3: cannot be read as a recording: [^\n]*$"):
        RecordingFile(path).start()


def test_a_recording_takes_no_settings(simulated: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "made.db3"
    camera = simulated()
    camera.start(record_to=path)
    camera.set_recording(on=True)
    camera.next_pair(0.5)
    camera.next_pair(0.5)
    camera.stop()
    recording = RecordingFile(path)
    recording.start()

    with pytest.raises(CaptureError, match="a recording has no settings"):
        recording.control.set_option("depth.emitter_enabled", 0.0)
    with pytest.raises(CaptureError, match="a recording has none"):
        recording.control.apply_preset("default")
    with pytest.raises(CaptureError, match="a recording has no advanced settings"):
        recording.control.apply_advanced("{}", where=Path("a.json"))
    with pytest.raises(CaptureError, match="cannot be reset"):
        recording.reset()
    recording.stop()
    with pytest.raises(CaptureError, match="is a recording already"):
        recording.start(record_to=tmp_path / "other.db3")


def test_counting_what_is_no_recording_is_a_user_error(tmp_path: Path) -> None:
    (tmp_path / "x.db3").write_bytes(b"SQLite format 3\0" + b"x" * 5000)

    with pytest.raises(CaptureError, match="expected a recording of the SDK"):
        count_frames(tmp_path / "x.db3")
    with pytest.raises(CaptureError, match="expected a recording of the SDK"):
        count_frames(tmp_path / "none.db3")
    assert not (tmp_path / "none.db3").exists()


def test_a_recording_that_tells_what_cannot_be_is_one_line(
    simulated: Callable[..., Any], tmp_path: Path
) -> None:
    import sqlite3

    path = tmp_path / "made.db3"
    camera = simulated()
    camera.start(record_to=path)
    camera.set_recording(on=True)
    for _ in range(4):
        camera.next_pair(0.5)
    camera.stop()
    with sqlite3.connect(path) as database:
        rows = database.execute(
            "select m.id, m.data from messages m join topics t on m.topic_id = t.id "
            "where t.name like '%/metadata'"
        ).fetchall()
        for number, data in rows:
            changed = data.replace(b"Frame number=", b"Frame number=-")[: len(data)]
            database.execute("update messages set data = ? where id = ?", (changed, number))
    database.close()
    recording = RecordingFile(path)

    # Whatever the SDK makes of it, nothing but one line comes out.
    assert rows
    told = f"{path}: nothing"
    try:
        recording.start()
        for _ in range(20):
            recording.next_pair(0.05)
    except CaptureError as fault:
        told = str(fault)
    recording.stop()
    assert told.startswith(str(path))
    assert "\n" not in told
