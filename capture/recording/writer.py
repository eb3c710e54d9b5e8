"""Views written behind the camera's back, so that encoding never holds up its frames."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from capture.recording.taking import Take
from capture.recording.view_content import files_of_take
from mira.errors import MiraError
from mira.store.session import Session

Written = Callable[[str, str], None]
"""Takes scene and view of each view that is written."""


class ViewWriter:
    """Writes takes as views, a bounded number at once.

    A fault while writing, such as a full disk, is raised by the next call, and at the end.
    """

    def __init__(self, session: Session, *, waiting: int, writers: int, written: Written) -> None:
        """Start a writer; close it by leaving its `with` block.

        Args:
            session: Where the views go.
            waiting: Takes that may be in hand.
            writers: Threads.
            written: Told of each view; from another thread.
        """
        self._session, self._written = session, written
        self._room = threading.Semaphore(waiting)
        self._pool = ThreadPoolExecutor(writers, thread_name_prefix="write-view")
        self._futures: list[Future[None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pool.shutdown(wait=True)
        if error is None:
            self._raise_faults()

    def has_room(self) -> bool:
        """Whether a take would be accepted at once.

        Raises:
            MiraError: A view could not be written.
        """
        self._raise_faults()
        if self._room.acquire(blocking=False):
            self._room.release()
            return True
        return False

    def submit(self, take: Take) -> None:
        """Write a take soon, and remove its recording; waits where there is no room.

        Raises:
            MiraError: An earlier view could not be written; the take is given up.
        """
        try:
            self._raise_faults()
        except BaseException:
            _drop_recording(take)
            raise
        self._room.acquire()
        self._futures.append(self._pool.submit(self._write, take))

    def _write(self, take: Take) -> None:
        try:
            self._session.commit_view(
                take.scene_id, take.view_id, files_of_take(take), replace=take.replace
            )
        except MiraError as error:
            self._note_failure(take, error)
            raise
        finally:
            _drop_recording(take)
            self._room.release()
        self._written(take.scene_id, take.view_id)

    def _note_failure(self, take: Take, error: MiraError) -> None:
        try:
            self._session.note("failed", take.scene_id, take.view_id, reason=str(error))
        except MiraError:
            # On a full disk the journal cannot grow either; the fault itself is raised.
            return

    def _raise_faults(self) -> None:
        going = []
        for future in self._futures:
            if not future.done():
                going.append(future)
            elif (error := future.exception()) is not None:
                self._futures = [f for f in self._futures if f is not future]
                raise error
        self._futures = going


def _drop_recording(take: Take) -> None:
    if take.raw is not None:
        take.raw.unlink(missing_ok=True)
