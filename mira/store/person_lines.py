"""What people said, a file a person: a record a line, in the order they were given."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from mira.errors import RecordError
from mira.schema.record import RootRecord
from mira.store.atomic import write_file
from mira.store.names import require_name
from mira.store.stamps import file_stamp

Said = TypeVar("Said", bound=RootRecord)


class PersonLines(Generic[Said]):
    """A folder of `<person>.jsonl`; writers hold the workspace's lock.

    Args:
        folder: Where the files are.
        kind: The record of a line.
        who: Its field that names the person.
    """

    def __init__(self, folder: Path, kind: type[Said], *, who: str) -> None:
        self._folder, self._kind, self._who = folder, kind, who

    def people(self) -> tuple[str, ...]:
        """Who said anything, by name."""
        return tuple(sorted(path.stem for path in self._folder.glob("*.jsonl")))

    def stamp(self) -> Hashable:
        """Another value once anybody said more; reads no file."""
        return tuple((person, file_stamp(self.path_of(person))) for person in self.people())

    def of(self, person: str) -> Iterator[Said]:
        """All that a person said.

        Raises:
            RecordError: A line is no such record, or is another person's.
        """
        path = self.path_of(person)
        if not path.is_file():
            return
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                where = f"{path}:{number}"
                record = self._kind.from_json(line, where=where)
                if (found := getattr(record, self._who)) != person:
                    raise RecordError(where, f"{self._who}: expected {person}, found {found}")
                yield record

    def add(self, person: str, records: Iterable[Said]) -> None:
        """Add what a person said after what is there, all or none."""
        path = self.path_of(person)
        before = path.read_bytes() if path.is_file() else b""
        write_file(path, before + _lines(records))

    def replace(self, person: str, records: Iterable[Said]) -> None:
        """Keep these of a person in place of all that is there."""
        write_file(self.path_of(person), _lines(records))

    def path_of(self, person: str) -> Path:
        """The file of a person, whether it is there or not."""
        return self._folder / f"{require_name(person)}.jsonl"


def _lines(records: Iterable[RootRecord]) -> bytes:
    return b"".join(record.model_dump_json().encode() + b"\n" for record in records)
