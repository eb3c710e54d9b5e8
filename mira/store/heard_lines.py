"""What was heard, line by line: written the moment it is heard, so that a process may die.

A process may end at any moment; what it was told stays, and nothing is asked for twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from mira.errors import MiraError, RecordError
from mira.schema.record import Record
from mira.store.atomic import os_faults

R = TypeVar("R", bound=Record)


def read_lines(path: Path, kind: type[R], *, error: type[MiraError] = RecordError) -> Iterator[R]:
    """The whole lines of a journal.

    Args:
        path: The journal; one that is not there yet is empty. A last line that a dead process
            left unfinished is not read.
        kind: What a line holds.
        error: What is raised, by what the journal is of.

    Raises:
        MiraError: A line is no such record.
    """
    with os_faults(path):
        data = path.read_bytes() if path.is_file() else b""
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        try:
            one = kind.model_validate_json(line)
        except ValueError:
            raise error(
                f"{path}:{number}", "expected what was heard, found no such record"
            ) from None
        yield one


@contextmanager
def open_journal(path: Path) -> Iterator[IO[bytes]]:
    """The journal to add lines to, cut behind its last whole line."""
    with os_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as stream:
            stream.seek(0)
            whole = stream.read().rfind(b"\n") + 1
            stream.truncate(whole)
            stream.seek(0, os.SEEK_END)
            yield stream


def add_line(stream: IO[bytes], record: Record) -> None:
    """Write a line, out of this process's hands when this returns."""
    stream.write(record.model_dump_json(exclude_defaults=True).encode() + b"\n")
    stream.flush()
