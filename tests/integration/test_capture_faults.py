"""Recording is killed, crowded and starved of disk; what it had committed is there, whole."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from capture.sdk import load_sdk
from mira.errors import MiraError
from mira.store.session import Session

SCENE = "hall"
VIEWS = 30
MANY_VIEWS = 60
"""More than a process can take before it is caught."""


@pytest.fixture(autouse=True)
def _sdk() -> None:
    try:
        load_sdk()
    except MiraError as error:
        pytest.skip(str(error))


def _plan(folder: Path, **changes: object) -> Path:
    content = {
        "session_id": "faults",
        "camera": {"color": "848x480", "depth": "848x480"},
        "scenes": [{"scene_id": SCENE, "views": VIEWS}],
        **changes,
    }
    path = folder / "plan.yaml"
    path.write_text(yaml.safe_dump(content))
    return path


def _command(plan: Path, out: Path) -> list[str]:
    words = ("capture", "record", str(plan), "--simulate", "--headless", "--out", str(out))
    return [sys.executable, "-m", "mira.cli.main", *words]


def _start(plan: Path, out: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        _command(plan, out),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Who runs the tests in the background has interrupts ignored, and passes that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def _finish(plan: Path, out: Path) -> str:
    done = subprocess.run(
        _command(plan, out), capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _sums(out: Path) -> list[Path]:
    """Sums of committed views; folders may come and go while one looks."""
    try:
        return list(out.glob("scenes/*/views/v*/SHA256SUMS"))
    except FileNotFoundError:
        return []


def _wait_for(process: subprocess.Popen[str], condition) -> None:
    until = time.monotonic() + 120
    while not condition() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)


def _assert_whole(out: Path, views: int) -> None:
    session = Session.open(out)
    assert len(session.committed(SCENE)) == views
    assert all(session.verify_view(SCENE, view) == () for view in session.committed(SCENE))
    assert not list(out.rglob(".tmp-*"))


@pytest.mark.slow
def test_a_killed_recording_goes_on_and_keeps_every_committed_view(tmp_path: Path) -> None:
    plan, out = _plan(tmp_path), tmp_path / "session"
    rng = random.Random(4)
    kept: set[Path] = set()
    for _ in range(3):
        process = _start(plan, out)
        wanted = len(kept) + rng.randrange(2, 6)
        _wait_for(process, lambda n=wanted: len(_sums(out)) >= n)
        process.kill()
        process.communicate()
        there = {path.parent for path in _sums(out)}
        assert kept <= there
        session = Session.open(out)
        assert all(session.verify_view(SCENE, folder.name) == () for folder in there)
        kept = there

    summary = _finish(plan, out)

    assert f"{VIEWS - len(kept)} views recorded, {len(kept)} there already" in summary
    _assert_whole(out, VIEWS)


@pytest.mark.slow
def test_a_recording_killed_in_mid_burst_leaves_no_file_behind(tmp_path: Path) -> None:
    plan = _plan(tmp_path, raw_pairs=60, scenes=[{"scene_id": SCENE, "views": 4}])
    for attempt in range(5):
        out = tmp_path / f"session-{attempt}"
        process = _start(plan, out)
        _wait_for(process, lambda folder=out: _is_growing(folder))
        process.kill()
        process.communicate()
        # On a busy machine the burst may have ended before it was killed.
        if list(out.rglob(".tmp-raw-*.db3")):
            break

    _finish(plan, out)

    _assert_whole(out, 4)
    assert len(list(out.rglob("raw.db3"))) == 4


def _is_growing(out: Path) -> bool:
    try:
        found = list(out.glob("scenes/*/views/.tmp-raw-*.db3"))
        return any(path.stat().st_size > 5_000_000 for path in found)
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_of_two_processes_on_one_session_one_is_refused(tmp_path: Path) -> None:
    plan, out = _plan(tmp_path), tmp_path / "session"
    first = _start(plan, out)
    _wait_for(first, lambda: bool(_sums(out)))
    # It is held up, so that it is at work still when the second one asks.
    first.send_signal(signal.SIGSTOP)
    assert len(_sums(out)) < VIEWS

    second = subprocess.run(
        _command(plan, out), capture_output=True, text=True, check=False, timeout=300
    )
    first.send_signal(signal.SIGCONT)
    first.communicate(timeout=300)

    assert second.returncode == 2
    assert "another process is writing it" in second.stderr
    assert first.returncode == 0
    _assert_whole(out, VIEWS)


@pytest.mark.slow
def test_an_interrupted_recording_says_how_to_go_on(tmp_path: Path) -> None:
    many = [{"scene_id": SCENE, "views": MANY_VIEWS}]
    plan, out = _plan(tmp_path, scenes=many), tmp_path / "session"
    process = _start(plan, out)
    _wait_for(process, lambda: bool(_sums(out)))
    os.kill(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=120)

    assert process.returncode == 130
    assert f"Next: mira capture record {plan} --simulate --headless --out {out}" in told
    assert "Traceback" not in told
    _finish(plan, out)
    _assert_whole(out, MANY_VIEWS)


def test_a_session_of_another_plan_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "session"
    small = [{"scene_id": SCENE, "views": 1}]
    _finish(_plan(tmp_path, scenes=small), out)

    done = subprocess.run(
        _command(_plan(tmp_path, session_id="other", scenes=small), out),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "session_id: expected 'other', found 'faults'" in done.stderr
    _assert_whole(out, 1)
