"""A file or folder is there whole or not at all, whatever happens to the writer."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mira.errors import MiraError
from mira.store import atomic
from mira.store.atomic import exclusive, file_ref, os_faults, replace_folder, write_file

SLOW_WRITER = """
import sys, time
from pathlib import Path
from mira.store.atomic import replace_folder
with replace_folder(Path(sys.argv[1])) as partial:
    (partial / "half.txt").write_text("half")
    print("writing", flush=True)
    time.sleep(60)
"""


def start_slow_writer(target: Path) -> subprocess.Popen[str]:
    """A process that is in the middle of replacing `target`."""
    writer = subprocess.Popen(
        [sys.executable, "-c", SLOW_WRITER, str(target)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout
    assert writer.stdout.readline() == "writing\n"
    return writer


def kill(writer: subprocess.Popen[str]) -> None:
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert writer.stdout
    writer.stdout.close()


def fill(target: Path, text: str) -> None:
    with replace_folder(target) as partial:
        (partial / "data.txt").write_text(text)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_write_file_makes_folders_and_leaves_nothing_else(tmp_path: Path) -> None:
    write_file(tmp_path / "a" / "b.json", b"one")
    write_file(tmp_path / "a" / "b.json", b"two")
    assert (tmp_path / "a" / "b.json").read_bytes() == b"two"
    assert names(tmp_path / "a") == ["b.json"]


def test_written_files_and_folders_can_be_read_by_others(tmp_path: Path) -> None:
    write_file(tmp_path / "file", b"")
    fill(tmp_path / "folder", "x")
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "folder").stat().st_mode & 0o777 == 0o755


def test_replaced_folder_holds_only_what_is_new(tmp_path: Path) -> None:
    target = tmp_path / "release"
    with replace_folder(target) as partial:
        (partial / "old.txt").write_text("old")
    fill(target, "new")
    assert names(target) == ["data.txt"]
    assert names(tmp_path) == ["release"]


def test_exception_keeps_the_old_folder_and_cleans_up(tmp_path: Path) -> None:
    target = tmp_path / "release"
    fill(target, "old")
    with pytest.raises(ZeroDivisionError), replace_folder(target) as partial:
        (partial / "data.txt").write_text("new")
        raise ZeroDivisionError
    assert (target / "data.txt").read_text() == "old"
    assert names(tmp_path) == ["release"]


def test_killed_writer_leaves_the_old_folder_whole(tmp_path: Path) -> None:
    target = tmp_path / "release"
    fill(target, "old")
    kill(start_slow_writer(target))
    assert names(target) == ["data.txt"]
    assert (target / "data.txt").read_text() == "old"


def test_killed_writer_leaves_no_target_where_there_was_none(tmp_path: Path) -> None:
    kill(start_slow_writer(tmp_path / "release"))
    assert not (tmp_path / "release").exists()


def test_next_writer_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    target = tmp_path / "release"
    kill(start_slow_writer(target))
    assert any(".partial-" in name for name in names(tmp_path))
    fill(target, "new")
    assert names(tmp_path) == ["release"]
    assert (target / "data.txt").read_text() == "new"


def test_second_writer_is_refused_while_the_first_is_at_work(tmp_path: Path) -> None:
    target = tmp_path / "release"
    writer = start_slow_writer(target)
    try:
        with pytest.raises(MiraError, match="another process is writing it"):
            fill(target, "mine")
    finally:
        kill(writer)
    fill(target, "mine")
    assert (target / "data.txt").read_text() == "mine"


def test_targets_whose_names_begin_alike_do_not_disturb_each_other(tmp_path: Path) -> None:
    writer = start_slow_writer(tmp_path / "a.b")
    try:
        fill(tmp_path / "a", "x")
        assert any(name.startswith(".a.b.partial-") for name in names(tmp_path))
    finally:
        kill(writer)


def test_folder_is_replaced_where_the_system_cannot_swap_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "exchange", lambda *_: False)
    fill(tmp_path / "release", "old")
    fill(tmp_path / "release", "new")
    assert (tmp_path / "release" / "data.txt").read_text() == "new"
    assert names(tmp_path) == ["release"]


def test_lock_is_free_again_after_an_exception(tmp_path: Path) -> None:
    with pytest.raises(KeyError), exclusive(tmp_path / ".lock", tmp_path):
        raise KeyError
    with exclusive(tmp_path / ".lock", tmp_path):
        assert names(tmp_path) == [".lock"]
    assert names(tmp_path) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_told_of_the_place_that_was_written(number: int) -> None:
    with pytest.raises(MiraError, match="^out: the disk is full"), os_faults(Path("out")):
        raise OSError(number, os.strerror(number))


def test_faults_of_the_file_system_name_the_file_that_the_system_names(tmp_path: Path) -> None:
    with pytest.raises(MiraError, match=r"nowhere\.txt: No such file") as raised:
        with os_faults(tmp_path / "out"):
            (tmp_path / "nowhere.txt").read_bytes()
    assert isinstance(raised.value.__cause__, FileNotFoundError)


def test_faults_of_copying_a_tree_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "gone").symlink_to(tmp_path / "nowhere")
    with pytest.raises(MiraError, match="No such file") as raised, os_faults(tmp_path):
        shutil.copytree(tmp_path / "from", tmp_path / "to")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("folder", [".", ".."])
def test_the_folder_one_is_in_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    (tmp_path / "in").mkdir()
    monkeypatch.chdir(tmp_path / "in")
    with pytest.raises(MiraError, match="holds the folder you are in"):
        with replace_folder(Path(folder)):
            pass


def test_a_link_that_leads_to_itself_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(MiraError, match="leads to itself"), replace_folder(tmp_path / "loop"):
        pass


def test_leftovers_of_other_targets_are_left_alone(tmp_path: Path) -> None:
    others = [".rel1.partial-0123abcd", ".rel[1].x.partial-0123abcd", ".rel[1].partial-x"]
    for name in others:
        (tmp_path / name).mkdir()
    (tmp_path / ".rel[1].partial-0123abcd").mkdir()
    with replace_folder(tmp_path / "rel[1]"):
        pass
    assert names(tmp_path) == sorted([*others, "rel[1]"])


def test_without_swapping_names_the_old_folder_survives_a_crash_between_two_renames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "exchange", lambda first, second: False)
    target = tmp_path / "release"
    fill(target, "old")
    rename = Path.rename

    def dies(self: Path, other: Path) -> Path:
        if ".partial-" in self.name:
            raise KeyboardInterrupt
        return rename(self, other)

    monkeypatch.setattr(Path, "rename", dies)
    with pytest.raises(KeyboardInterrupt):
        fill(target, "new")
    assert not target.exists()
    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(ZeroDivisionError), replace_folder(target):
        raise ZeroDivisionError
    assert (target / "data.txt").read_text() == "old"
    fill(target, "new")
    assert (target / "data.txt").read_text() == "new"
    assert names(tmp_path) == ["release"]


def test_without_swapping_names_a_rename_that_fails_puts_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "exchange", lambda first, second: False)
    target = tmp_path / "release"
    fill(target, "old")
    rename = Path.rename

    def fails(self: Path, other: Path) -> Path:
        if ".partial-" in self.name:
            raise OSError(errno.EIO, "input or output error")
        return rename(self, other)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(MiraError, match="input or output"):
        fill(target, "new")
    assert (target / "data.txt").read_text() == "old"


def test_new_files_and_folders_get_the_rights_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_file(tmp_path / "a.json", b"x")
        fill(tmp_path / "release", "new")
    finally:
        os.umask(before)
    assert (tmp_path / "a.json").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "release").stat().st_mode & 0o777 == 0o700


def test_full_disk_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_file(tmp_path / "a.json", b"old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MiraError, match="the disk is full; what was there before is unchanged"):
        write_file(tmp_path / "a.json", b"new")
    assert (tmp_path / "a.json").read_bytes() == b"old"
    assert names(tmp_path) == ["a.json"]


FILL_SMALL_DISK = """
import sys
from pathlib import Path
from mira.errors import MiraError
from mira.store.atomic import replace_folder
target = Path(sys.argv[1]) / "release"
with replace_folder(target) as partial:
    (partial / "data.txt").write_text("old")
try:
    with replace_folder(target) as partial:
        (partial / "data.txt").write_bytes(bytes(1 << 20))
except MiraError as error:
    assert "the disk is full" in str(error), error
else:
    raise SystemExit("expected a full disk")
assert (target / "data.txt").read_text() == "old"
assert [path.name for path in target.parent.iterdir()] == ["release"]
print("kept")
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
def test_really_full_disk_keeps_the_old_folder(tmp_path: Path) -> None:
    script = 'mount -t tmpfs -o size=256k tmpfs "$1" || exit 77; exec "$2" -c "$3" "$1"'
    mounted = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", tmp_path, sys.executable, FILL_SMALL_DISK],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode == 77 or mounted.stderr.startswith("unshare:"):
        pytest.skip("needs the right to mount a small file system")
    assert mounted.stdout == "kept\n", mounted.stderr


def test_file_ref_names_digest_and_size(tmp_path: Path) -> None:
    data = bytes(range(256)) * 5000
    write_file(tmp_path / "sub" / "a.bin", data)
    ref = file_ref(tmp_path / "sub" / "a.bin", relative_to=tmp_path)
    assert ref.path == "sub/a.bin"
    assert ref.sha256 == hashlib.sha256(data).hexdigest()
    assert ref.size_bytes == len(data)
