"""A desk carried away and brought back whole."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from annotate.desk.database import Database
from annotate.desk.migrations import VERSION
from mira.errors import MiraError
from mira.store.atomic import exclusive, os_faults, sync_file
from mira.store.workspace import Workspace

PLACE = Path("desk") / "desk.sqlite3"
"""Where a desk is in a workspace."""
_PARTS = ("", "-wal", "-shm")


@contextmanager
def desk_in_use(workspace: Workspace) -> Iterator[None]:
    """Hold a desk as its one server does.

    Raises:
        MiraError: A server has it.
    """
    path = workspace.root / PLACE
    path.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        try:
            held.enter_context(exclusive(path.with_name(".server.lock"), path))
        except MiraError as error:
            if "another process" not in error.problem:
                raise
            raise MiraError(path, "is in use: the app runs", "end it first") from None
        yield


def restore(workspace: Workspace, backup: Path, *, replace: bool = False) -> None:
    """Make a backup the desk of a workspace; nobody is signed in afterwards.

    Args:
        workspace: The workspace.
        backup: A file that `Database.back_up` wrote.
        replace: Whether a desk that is there gives way; it is kept beside as `…replaced`.

    Raises:
        MiraError: A server runs, the file is no backup, or there is a desk already.
    """
    _require_backup(backup)
    path = workspace.root / PLACE
    with desk_in_use(workspace):
        if path.exists() and not replace:
            raise MiraError(path, "expected no desk there, found one", "say --replace")
        partial = path.with_name(f".{path.name}.partial")
        with os_faults(path):
            shutil.copyfile(backup, partial)
            _forget_logins(partial)
            sync_file(partial)
            for part in _PARTS:
                old = path.with_name(path.name + part)
                if old.exists():
                    old.replace(path.with_name(f"{path.name}.replaced{part}"))
            partial.replace(path)


def _require_backup(backup: Path) -> None:
    problem = "expected a backup of a desk, found something else"
    if not backup.is_file():
        raise MiraError(backup, "expected a backup, found no such file")
    try:
        with closing(sqlite3.connect(f"{backup.resolve().as_uri()}?mode=ro", uri=True)) as reading:
            (state,) = reading.execute("pragma integrity_check").fetchone()
            (version,) = reading.execute("pragma user_version").fetchone()
            reading.execute("select 1 from verdicts limit 1")
    except sqlite3.DatabaseError:
        raise MiraError(backup, problem) from None
    if state != "ok" or not 1 <= version <= VERSION:
        raise MiraError(backup, problem)


def _forget_logins(path: Path) -> None:
    """Who was let in when it was made may have been shut out since."""
    database = Database(path)
    with database.write() as writing:
        for table in ("logins", "invitations", "leases"):
            writing.execute(f"delete from {table}")
    connection = database.connection()
    connection.execute("pragma journal_mode = delete")
    database.close()
