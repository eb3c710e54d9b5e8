"""A journal: a file of JSON lines that only ever grows, by several processes at once."""

from __future__ import annotations

import os
from pathlib import Path

import orjson
from pydantic import ValidationError

from mira.errors import RecordError
from mira.schema.record import describe_fault
from mira.schema.session import JournalEntry
from mira.store.atomic import exclusive, os_faults, sync_folder

_WAIT_S = 60.0
"""An entry takes a moment; who waits longer waits for a process that hangs."""
_BLOCK = 4096


class Journal:
    """Reads and extends one journal."""

    def __init__(self, path: Path, *, durable: bool) -> None:
        """Name a journal, which may not be there yet.

        Args:
            path: Its file.
            durable: Whether entries are to survive a power cut.
        """
        self._path = path
        self._durable = durable

    def append(self, entry: JournalEntry) -> None:
        """Add an entry as one whole line; half a line that a crash left before it goes.

        Raises:
            MiraError: The file cannot be written, or another process does not let go of it.
        """
        line = orjson.dumps(entry.model_dump(mode="json", exclude_none=True)) + b"\n"
        lock = self._path.with_name(f".{self._path.name}.lock")
        with exclusive(lock, self._path, timeout_s=_WAIT_S), os_faults(self._path):
            is_new = not self._path.exists()
            with self._path.open("a+b", buffering=0) as stream:
                whole = _whole_length(stream.fileno())
                if whole < os.fstat(stream.fileno()).st_size:
                    os.ftruncate(stream.fileno(), whole)
                stream.write(line)
                if self._durable:
                    os.fsync(stream.fileno())
            if is_new and self._durable:
                sync_folder(self._path.parent)

    def entries(self) -> tuple[JournalEntry, ...]:
        """All entries, in order; half a line at the end is not one yet.

        Raises:
            RecordError: A line holds no entry.
        """
        if not self._path.exists():
            return ()
        with os_faults(self._path):
            lines = self._path.read_bytes().split(b"\n")[:-1]
        numbered = enumerate(lines, start=1)
        return tuple(_entry_of(line, f"{self._path}:{number}") for number, line in numbered)


def _whole_length(handle: int) -> int:
    """Length of a file up to the end of its last whole line."""
    end = os.fstat(handle).st_size
    while end > 0:
        start = max(0, end - _BLOCK)
        os.lseek(handle, start, os.SEEK_SET)
        place = os.read(handle, end - start).rfind(b"\n")
        if place >= 0:
            return start + place + 1
        end = start
    return 0


def _entry_of(line: bytes, where: str) -> JournalEntry:
    try:
        return JournalEntry.model_validate(orjson.loads(line))
    except orjson.JSONDecodeError as error:
        raise RecordError(where, f"expected one JSON document, found a fault: {error}") from None
    except ValidationError as error:
        raise RecordError(where, describe_fault(error)) from None
