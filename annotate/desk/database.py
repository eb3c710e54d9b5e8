"""The SQLite file of a desk: nothing that was acknowledged is lost, whatever is killed."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotate.desk.migrations import VERSION, bring_up
from mira.errors import DeskError, MiraError

_BUSY_MS = 10_000
"""How long a writer waits for the one before it."""


class Database:
    """Connections to one file, one a thread; writers wait for each other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._prepare()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction that is on the disk when the block ends, or did not happen."""
        connection = self.connection()
        with _faults(self.path):
            connection.execute("begin immediate")
        try:
            yield connection
            with _faults(self.path):
                connection.execute("commit")
        except BaseException:
            if connection.in_transaction:
                connection.execute("rollback")
            raise

    def connection(self) -> sqlite3.Connection:
        """The connection of this thread, to read by."""
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            with _faults(self.path):
                found = sqlite3.connect(
                    self.path,
                    timeout=_BUSY_MS / 1000,
                    isolation_level=None,
                    # Closed together at the end, by whoever ends.
                    check_same_thread=False,
                )
                found.row_factory = sqlite3.Row
                found.execute("pragma foreign_keys = on")
                found.execute("pragma synchronous = full")
            self._local.connection = found
            with self._lock:
                self._open.append(found)
        return found

    def back_up(self, target: Path) -> None:
        """A copy that is whole, while others go on writing; a plain copy of the file is not.

        Raises:
            MiraError: There is a file already, or it cannot be written.
        """
        if target.exists():
            raise MiraError(target, "expected no file there, found one", "choose another name")
        with _faults(target):
            self.connection().execute("vacuum into ?", (str(target),))

    def close(self) -> None:
        """Close all connections; what was committed is on the disk."""
        with self._lock:
            while self._open:
                self._open.pop().close()
        self._local = threading.local()

    def _prepare(self) -> None:
        connection = self.connection()
        with _faults(self.path):
            connection.execute("pragma journal_mode = wal")
            (found,) = connection.execute("pragma user_version").fetchone()
        if found > VERSION:
            problem = f"this program reads version {VERSION} of it, found {found}"
            raise MiraError(self.path, problem, "use a newer program")
        if found < VERSION:
            with self.write() as writing:
                bring_up(writing)


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            problem = "is being written by many at once"
            raise DeskError(path, problem, "try again", code="busy") from None
        raise MiraError(path, f"cannot be used: {error}") from None
    except sqlite3.DatabaseError as error:
        raise MiraError(path, f"cannot be used: {error}") from None
