"""A release is there whole or not at all: killed, full disk, two at once."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from export.build import build_release
from export.verify import verify_release
from mira.errors import MiraError

# Writes releases over and over and says when it has begun.
WRITER = """
import sys
from pathlib import Path
from export.build import build_release
from mira.store.workspace import Workspace
print("begun", flush=True)
while True:
    build_release(Workspace.open(Path(sys.argv[1])), Path(sys.argv[2]))
    print("written", flush=True)
"""


def _content(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# Reads what it needs once, then starts such a writer for every line that it is sent.
WRITERS = """
import os, sys
from pathlib import Path
from export.build import build_release
from mira.store.workspace import Workspace
for _ in sys.stdin:
    child = os.fork()
    if not child:
        while True:
            build_release(Workspace.open(Path(sys.argv[1])), Path(sys.argv[2]))
    print(child, flush=True)
    os.waitpid(child, 0)
    print("ended", flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_any_moment_the_release_is_whole(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    start = time.perf_counter()
    build_release(workspace, out)
    once_s = time.perf_counter() - start
    before, moments = _content(out), random.Random(7)
    command = [sys.executable, "-c", WRITERS, str(workspace.root), str(out)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, bufsize=1, **pipes) as writers:
        for _ in range(20):
            writers.stdin.write("\n")
            writer = int(writers.stdout.readline())
            time.sleep(moments.uniform(0, 1.5 * once_s))
            os.kill(writer, signal.SIGKILL)
            assert writers.stdout.readline() == "ended\n"
            assert _content(out) == before
    build_release(workspace, out)
    assert _content(out) == before
    assert not [path for path in tmp_path.iterdir() if ".partial-" in path.name]
    assert {finding.severity for finding in verify_release(out)} == {"warning"}


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_on_a_full_disk_the_old_release_stays_and_the_fault_is_one_line(make_workspace, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("this machine lets nobody mount a tmpfs")
    try:
        build_release(make_workspace("small", pictures=1), disk / "release")
        before = _content(disk / "release")
        with pytest.raises(MiraError, match="the disk is full; what was there before is unchanged"):
            build_release(make_workspace("large", pictures=60), disk / "release")
        assert _content(disk / "release") == before
        # What was finished waits for the next time.
        left = [path.name for path in disk.iterdir() if path.name != "release"]
        assert all(name.startswith(".release.building-") for name in left)
        build_release(make_workspace("again", pictures=1), disk / "release")
        assert [path.name for path in disk.iterdir()] == ["release"]
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_two_at_once_write_one_after_the_other_or_not_at_all(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    command = [sys.executable, "-c", WRITER.replace("while True", "for _ in range(3)")]
    writers = [
        subprocess.Popen(
            [*command, str(workspace.root), str(out)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for writer in writers:
        _, said = writer.communicate(timeout=120)
        assert writer.returncode == 0 or "another process is writing it" in said
    assert any(writer.returncode == 0 for writer in writers)
    assert {finding.severity for finding in verify_release(out)} == {"warning"}
