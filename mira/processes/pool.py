"""One piece of work after the other, in this process or in several."""

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
from typing import Any, TypeVar

from mira.processes.memory import keep_freed_memory

Item = TypeVar("Item")
Result = TypeVar("Result")
_WAITING = 2
"""Items handed to the pool ahead, for each worker."""
_LOOK_EVERY_S = 1.0


def results_of(
    work: Callable[[Item], Result], items: Iterable[Item], *, workers: int
) -> Iterator[Result]:
    """Results as they get done: in order from one worker, in any order from several.

    An interrupt ends all workers; what they were at is lost.

    Args:
        work: A function that can be pickled, with all it needs beside the item.
        items: Taken as workers come free, never all at once.
        workers: Processes; with one, all is done in this one.
    """
    if workers <= 1:
        keep_freed_memory()
        yield from map(work, items)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_settle_in) as pool:
        rest = iter(items)
        with _deaf_to_interrupts():
            running = _start(pool, work, islice(rest, _WAITING * workers))
        try:
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= _start(pool, work, islice(rest, len(done)))
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _start(
    pool: ProcessPoolExecutor, work: Callable[[Any], Result], items: Iterable[Any]
) -> set[Future[Result]]:
    return {pool.submit(work, item) for item in items}


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
    """Workers share the machine by items, not by threads, and do not outlive their parent."""
    import cv2

    cv2.setNumThreads(1)
    keep_freed_memory()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY_S)
    os._exit(1)
