"""Files of a published set: from a file, a folder or a zip archive, and rows in them."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import orjson

from mira.errors import TomSetError
from mira.schema.record import FileRef, Json
from mira.store.atomic import os_faults

_MOST_BYTES = 1 << 30
"""More than any of the sets; a zip archive that unpacks to more is none of them."""
_BYTE_ORDER_MARK = "\N{BYTE ORDER MARK}"


@dataclass(frozen=True)
class SourceFile:
    """A file of a set.

    Attributes:
        name: Its path from what was named, POSIX.
        path: Named in errors.
        data: Its bytes.
    """

    name: str
    path: str
    data: bytes

    @property
    def stem(self) -> str:
        """The file's own name without its ending."""
        return PurePosixPath(self.name).stem

    @property
    def trunk(self) -> str:
        """Its path without its ending: what files that belong together share."""
        return str(PurePosixPath(self.name).with_suffix(""))

    @property
    def suffix(self) -> str:
        """Its ending with the dot, lower case."""
        return PurePosixPath(self.name).suffix.lower()

    def ref(self) -> FileRef:
        """What it was when it was read."""
        digest = hashlib.sha256(self.data).hexdigest()
        return FileRef(path=self.name, sha256=digest, size_bytes=len(self.data))

    def text(self) -> str:
        """Its text, with line feeds between lines.

        Raises:
            TomSetError: It is no UTF-8.
        """
        try:
            text = self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"expected UTF-8 text, found byte {self.data[error.start]:#04x}"
            raise TomSetError(self.path, f"{problem} at {error.start:,}") from None
        return text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n")

    def json(self) -> Any:
        """Its one JSON document.

        Raises:
            TomSetError: It is none.
        """
        return _parsed(self.text(), self.path)

    def json_lines(self) -> Iterator[tuple[str, Json]]:
        """Its lines that are not blank, as JSON objects, each with where it is.

        Raises:
            TomSetError: A line is no JSON object.
        """
        for number, line in enumerate(self.text().split("\n"), start=1):
            if line.strip():
                where = f"{self.path}:{number}"
                yield where, require_object(_parsed(line, where), where)


def open_source(source: Path) -> tuple[SourceFile, ...]:
    """All files of a set, sorted by name; zip archives give what is in them.

    Args:
        source: A file, a folder or a zip archive.

    Raises:
        TomSetError: There is nothing, or it is larger than any set.
        MiraError: It cannot be read.
    """
    if not source.exists():
        raise TomSetError(source, "expected a file, a folder or a zip archive, found nothing")
    root = source if source.is_dir() else source.parent
    paths = sorted(path for path in source.rglob("*") if path.is_file()) if source.is_dir() else []
    files: list[SourceFile] = []
    for path in paths or ([] if source.is_dir() else [source]):
        name = path.relative_to(root).as_posix()
        if path.suffix.lower() == ".zip":
            files += _unpacked(path, name)
        else:
            with os_faults(path):
                files.append(SourceFile(name, str(path), path.read_bytes()))
        if sum(len(one.data) for one in files) > _MOST_BYTES:
            raise TomSetError(source, f"expected at most {_MOST_BYTES >> 20:,} MiB, found more")
    if not files:
        raise TomSetError(source, "expected files of a set, found none in it")
    return tuple(sorted(files, key=lambda one: one.name))


def _unpacked(path: Path, name: str) -> Iterator[SourceFile]:
    try:
        with os_faults(path), zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            if sum(one.file_size for one in members) > _MOST_BYTES:
                raise TomSetError(path, f"expected at most {_MOST_BYTES >> 20:,} MiB, found more")
            for one in members:
                inner = "/".join(part for part in PurePosixPath(one.filename).parts if part != "..")
                inner = inner.lstrip("/").replace("\\", "/")
                yield SourceFile(f"{name}/{inner}", f"{path}/{inner}", archive.read(one))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise TomSetError(path, f"expected a zip archive, found a fault: {error}") from None


def _parsed(text: str, where: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise TomSetError(where, f"expected JSON, found a fault: {error}") from None


# Fields of a row


def require_object(value: Any, where: str) -> Json:
    """A JSON object.

    Raises:
        TomSetError: It is none.
    """
    if not isinstance(value, dict):
        raise TomSetError(where, f"expected an object, found {_shown(value)}")
    return value


def require_list(value: Any, where: str) -> list[Any]:
    """A JSON list.

    Raises:
        TomSetError: It is none.
    """
    if not isinstance(value, list):
        raise TomSetError(where, f"expected a list, found {_shown(value)}")
    return value


def field(row: Mapping[str, Any], name: str, where: str) -> Any:
    """A field of a row.

    Raises:
        TomSetError: It is missing.
    """
    if name not in row:
        raise TomSetError(f"{where}: {name}", "expected it, found nothing")
    return row[name]


def text_field(row: Mapping[str, Any], name: str, where: str) -> str:
    """A field of a row as text; numbers as they are written, nothing for null.

    Raises:
        TomSetError: It is missing, or no text.
    """
    value = field(row, name, where)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TomSetError(f"{where}: {name}", f"expected text, found {_shown(value)}")
    return str(value).strip()


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
