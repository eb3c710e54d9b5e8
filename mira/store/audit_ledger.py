"""The audit's ledger: a file of events, one a line, that only ever grows."""

from __future__ import annotations

import os
from pathlib import Path

import orjson

from mira.errors import RecordError
from mira.schema.audit_ledger import AuditEvent
from mira.store.atomic import os_faults, sync_folder
from mira.store.stamps import FileStamp, file_stamp


class Ledger:
    """Reads and extends one ledger; who extends it holds the audit's lock."""

    def __init__(self, path: Path) -> None:
        """Name a ledger, which may not be there yet."""
        self._path = path

    def stamp(self) -> FileStamp | None:
        """Another value once an event was added; None where there is no ledger."""
        return file_stamp(self._path)

    def append(self, event: AuditEvent) -> None:
        """Add an event as one whole line that survives a power cut; half a line before it goes.

        Raises:
            MiraError: The disk is full, or the file cannot be written.
        """
        fields = event.model_dump(mode="json").items()
        line = orjson.dumps({name: value for name, value in fields if value not in (None, [])})
        line += b"\n"
        with os_faults(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            is_new = not self._path.exists()
            with self._path.open("ab", buffering=0) as stream:
                whole = self._path.read_bytes().rfind(b"\n") + 1
                os.ftruncate(stream.fileno(), whole)
                write_all(stream.fileno(), line)
                os.fsync(stream.fileno())
            if is_new:
                sync_folder(self._path.parent)

    def events(self) -> tuple[tuple[str, AuditEvent], ...]:
        """All events, each with its place; half a line at the end is not one yet.

        Raises:
            RecordError: A line holds no event, or one of a newer program.
        """
        if not self._path.exists():
            return ()
        with os_faults(self._path):
            lines = self._path.read_bytes().split(b"\n")[:-1]
        found = []
        for number, line in enumerate(lines, start=1):
            where = f"{self._path}:{number}"
            if not line.strip():
                raise RecordError(where, "expected an event, found an empty line")
            found.append((where, AuditEvent.from_json(line, where=where)))
        return tuple(found)


def write_all(handle: int, data: bytes) -> None:
    """Write bytes to an open file, in as many goes as the system needs."""
    while data:
        data = data[os.write(handle, data) :]
