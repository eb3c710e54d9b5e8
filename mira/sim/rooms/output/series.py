"""Many rooms at once: in several processes, resumed where a run was cut off."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import cv2

from mira.errors import SimulationError
from mira.sim.memory import keep_freed_memory
from mira.sim.rooms.output.contact_sheet import SHEET_NAME, write_contact_sheet
from mira.sim.rooms.output.session_writer import is_written, open_rooms, scene_name, write_room
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.tracing.rays import embree_version
from mira.store.session import Session

Progress = Callable[[int, int], None]
_WAITING = 2
"""Scenes handed to the pool ahead, for each worker."""
_LOOK_EVERY_S = 1.0


class MadeRooms(NamedTuple):
    """What a run left in its folder.

    Attributes:
        scenes: Ids of all scenes that were asked for, in order.
        kept: How many of them were there already.
        contact_sheet: The preview picture.
    """

    scenes: tuple[str, ...]
    kept: int
    contact_sheet: Path


def make_rooms(
    out_dir: Path,
    *,
    count: int,
    seed: int,
    policy: RoomPolicy | None = None,
    workers: int = 1,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> MadeRooms:
    """Scenes number 0 to `count` - 1 of a seed as a capture session with annotation and truth.

    Equal seeds, policies and renderer versions give equal bytes under `scenes` and `truth`; scene
    k does not depend on how many are made or by how many workers.

    Args:
        out_dir: Folder of the session; one that was begun with the same seed and policy goes on.
        count: Number of scenes, at least 1.
        seed: Seed of the series, at least 0.
        policy: All settings; the defaults when missing.
        workers: Processes that make scenes, at least 1.
        overwrite: Whether scenes that are there already are made anew.
        progress: Called with the number of finished scenes and `count` after each.

    Raises:
        SimulationError: A number is out of range, or a scene could not be laid out.
        SessionError: The folder holds something else.
        MissingExtraError: Embree is not installed.
    """
    for name, value, least in (("count", count, 1), ("workers", workers, 1), ("seed", seed, 0)):
        if value < least:
            raise SimulationError(name, f"expected at least {least}, found {value}")
    embree_version()
    chosen = policy or RoomPolicy()
    session = open_rooms(out_dir, seed=seed, policy=chosen)
    wanted = [
        index
        for index in range(count)
        if overwrite or not is_written(session, seed=seed, index=index, policy=chosen)
    ]
    kept = count - len(wanted)
    for done, _ in enumerate(_made(session, wanted, seed, chosen, min(workers, len(wanted))), 1):
        if progress is not None:
            progress(kept + done, count)
    scenes = tuple(scene_name(seed, index) for index in range(count))
    sheet = session.root / SHEET_NAME
    if wanted or not sheet.is_file():
        write_contact_sheet(session, scenes)
    return MadeRooms(scenes, kept, sheet)


def _made(
    session: Session, indices: list[int], seed: int, policy: RoomPolicy, workers: int
) -> Iterator[str]:
    """Scenes as they get done."""
    if workers <= 1:
        keep_freed_memory()
        for index in indices:
            yield write_room(session, seed=seed, index=index, policy=policy)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_settle_in) as pool:
        rest = iter(indices)
        with _deaf_to_interrupts():
            running = _start(pool, islice(rest, _WAITING * workers), session.root, seed, policy)
        try:
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= _start(pool, islice(rest, len(done)), session.root, seed, policy)
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _start(
    pool: ProcessPoolExecutor, indices: Iterable[int], root: Path, seed: int, policy: RoomPolicy
) -> set[Future[str]]:
    return {pool.submit(_write, root, seed, index, policy) for index in indices}


def _write(root: Path, seed: int, index: int, policy: RoomPolicy) -> str:
    session = Session.open(root, durable=False)
    return write_room(session, seed=seed, index=index, policy=policy)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile leave Ctrl-C to this one, which ends them in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _settle_in() -> None:
    """Workers share the machine by scenes, not by threads, and do not outlive their parent."""
    cv2.setNumThreads(1)
    keep_freed_memory()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY_S)
    os._exit(1)
