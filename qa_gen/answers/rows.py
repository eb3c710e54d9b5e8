"""Rows of a file of answers or reviews: CSV with a header, or one JSON object a line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mira.errors import MiraError
from mira.store.atomic import os_faults

_ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}


class Row(NamedTuple):
    """One row as it was written.

    Attributes:
        where: File and line, for messages.
        values: Filled cells by name; numbers may be numbers or text.
    """

    where: str
    values: Mapping[str, Any]


def read_rows(path: Path, *, one_of: Sequence[str]) -> Iterator[Row]:
    """All rows of a file.

    Args:
        path: A `.csv` file in UTF-8 whose first line names the columns, or a `.jsonl` file.
        one_of: Columns of which a CSV file has at least one, or it has no first line of names.

    Raises:
        MiraError: The file cannot be read or its ending is another.
    """
    form = _ENDINGS.get(path.suffix.lower())
    if form is None:
        raise MiraError(path, f"expected the ending .csv or .jsonl, found {path.suffix!r}")
    with os_faults(path):
        data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MiraError(path, f"expected UTF-8, found {error}", "save it as UTF-8") from None
    yield from _csv_rows(path, text, one_of) if form == "csv" else _json_rows(path, text)


def _csv_rows(path: Path, text: str, one_of: Sequence[str]) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text), restkey="(too many)", strict=True)
    names = [(name or "").strip() for name in reader.fieldnames or ()]
    if not set(names) & set(one_of):
        found = ", ".join(names) or "nothing"
        raise MiraError(path, f"expected a first line with a column `{one_of[0]}`, found {found}")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise MiraError(path, f"expected each column once, found {twice[0]!r} again")
    reader.fieldnames = names
    try:
        for cells in reader:
            where = f"{path}:{reader.line_num}"
            filled = {
                name: value.strip() if isinstance(value, str) else value
                for name, value in cells.items()
            }
            yield Row(where, {name: value for name, value in filled.items() if value})
    except csv.Error as error:
        raise MiraError(f"{path}:{reader.line_num}", f"expected CSV, found {error}") from None


def _json_rows(path: Path, text: str) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            document = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise MiraError(where, f"expected one JSON object a line, found {error}") from None
        if not isinstance(document, dict):
            found = type(document).__name__
            raise MiraError(where, f"expected one JSON object a line, found {found}")
        yield Row(where, {name: value for name, value in document.items() if value is not None})
