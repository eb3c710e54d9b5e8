"""Killed at any write and begun again, each step leaves what it leaves when nothing happens.

A step is killed at every write the first time that it is taken. Where it is taken again, in another
state of the batch and otherwise alike, every fourth write is tried, the first of them drawn by a
seed.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import mira.store.atomic
from mira.schema.audit import AuditPolicy

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs fork"),
]

KILLED = 9
STRIDE = 4
POLICY = AuditPolicy(batch_size=3, sample_fraction=0.3, honeypots=1)


class Killer:
    """Ends the process without a word before the k-th write, or in the middle of it."""

    def __init__(self, at: int) -> None:
        self._left = at

    def _tick(self) -> bool:
        self._left -= 1
        return self._left < 0

    def wrap(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **more: Any) -> Any:
            if self._tick():
                os._exit(KILLED)
            result = real(*arguments, **more)
            if self._tick():
                os._exit(KILLED)
            return result

        return wrapped

    def arm(self) -> None:
        write = os.write

        def half_write(handle: int, data: bytes) -> int:
            if self._tick():
                write(handle, data[: len(data) // 2])
                os._exit(KILLED)
            return write(handle, data)

        os.write = half_write  # type: ignore[assignment]
        os.fsync = self.wrap(lambda handle: None)
        for name in ("replace", "rename"):
            setattr(Path, name, self.wrap(getattr(Path, name)))
        mira.store.atomic.exchange = self.wrap(mira.store.atomic.exchange)


def run_killed(step: Callable[[], object], *, at: int) -> bool:
    """Run a step in a process that is killed at a write; whether it was, or came through."""
    child = os.fork()
    if child == 0:
        try:
            Killer(at).arm()
            step()
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, KILLED)
    return status == KILLED


class Tree:
    """All files and folders below a folder, to compare and to put back."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: set[str] = set()
        self._files: dict[str, bytes] = {}
        for folder, folders, files in os.walk(root):
            self._folders.update(f"{folder}/{name}" for name in folders)
            for path in (f"{folder}/{name}" for name in files):
                self._files[path] = Path(path).read_bytes()

    @property
    def content(self) -> dict[str, bytes]:
        """Bytes by path, but for locks and what a killed process left."""
        start = len(str(self._root))
        return {path: data for path, data in self._files.items() if "/." not in path[start:]}

    def put_back(self, now: Tree) -> None:
        """Make the folder what it was.

        Args:
            now: What it is.
        """
        for path in now._files.keys() - self._files.keys():
            Path(path).unlink()
        for folder in sorted(now._folders - self._folders, reverse=True):
            Path(folder).rmdir()
        for folder in sorted(self._folders - now._folders):
            Path(folder).mkdir()
        for path, data in self._files.items():
            if now._files.get(path) != data:
                Path(path).write_bytes(data)


class Step(NamedTuple):
    """What is done to a batch at a time."""

    kind: str
    take: Callable[[], object]


def steps_of(project: Any) -> Iterator[Step]:
    """Every step of a batch that fails twice, the drawing between them done."""
    yield Step("plan", lambda: project.plan(policy=POLICY, gold_annotator="gold"))
    for _ in range(2):
        for noise_px in (9, 0.3):
            yield from turn_of(project, noise_px)
        yield Step("score", lambda: project.score("b001"))
        yield Step("decide", lambda: project.decide("b001"))
    yield Step("package", lambda: project.package("b001"))
    yield Step("accept", lambda: project.decide("b001", adjudicated=True))


def turn_of(project: Any, noise_px: float) -> Iterator[Step]:
    now = project.book.batch("b001").now.step
    folder = project.packages / f"b001-{now.state}-{now.people[0]}"
    yield Step("package", lambda: project.package("b001", to=now.people[0]))
    project.draw(folder, noise_px=noise_px)
    yield Step("submit", lambda: project.submit("b001", folder, now.people[0]))


def test_killed_at_every_write_and_begun_again_each_step_leaves_the_same(make_project, draw_gold):
    project = make_project(5)
    draw_gold(project, ["pic_003", "pic_004"])
    root = project.packages.parent
    states, kills = [], {}
    for number, step in enumerate(steps_of(project)):
        before = Tree(root)
        step.take()
        whole = Tree(root)
        before.put_back(whole)
        stride = STRIDE if step.kind in kills else 1
        at = random.Random(number).randrange(stride)
        while run_killed(step.take, at=at):
            step.take()
            after = Tree(root)
            assert after.content == whole.content, f"{step.kind} {number}, killed at write {at}"
            kills[step.kind] = kills.get(step.kind, 0) + 1
            at += stride
            before.put_back(after)
        assert Tree(root).content == whole.content
        states.append(project.book.batch("b001").state)
    assert states[-1] == "accepted"
    assert {"auditing", "reannotating", "reauditing", "adjudicating"} <= set(states)
    assert kills.keys() == {"plan", "package", "submit", "score", "decide", "accept"}
    assert sum(kills.values()) > 100
