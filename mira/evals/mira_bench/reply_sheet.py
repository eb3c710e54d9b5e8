"""Replies as people write them down: a table as spreadsheets save it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mira.errors import PredictionError

COLUMNS = ("question_id", "id", "answer", "raw_text", "raw", "status", "confidence")
"""What is read; other columns, such as the question itself, are passed over."""
_IDS = ("question_id", "id")


def is_sheet(path: Path) -> bool:
    """Whether a file is a table, by its name."""
    return path.suffix.lower() == ".csv"


def numbered_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows of a table with the numbers of their lines; empty cells, and empty rows, are left out.

    Args:
        path: UTF-8, with or without a byte order mark; commas or semicolons between cells.

    Raises:
        PredictionError: The file cannot be read, or has no column of questions.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            head = stream.readline()
            stream.seek(0)
            reader = csv.DictReader(stream, delimiter=_delimiter(head), strict=True)
            names = [name.strip() for name in reader.fieldnames or ()]
            if not any(name in _IDS for name in names):
                found = ", ".join(names) or "nothing"
                problem = f"expected a column question_id, found {found:.200}"
                raise PredictionError(f"{path}:1", problem)
            reader.fieldnames = names
            for row in reader:
                cells = {name: (row.get(name) or "").strip() for name in COLUMNS}
                fields = {name: cell for name, cell in cells.items() if cell}
                if fields:
                    yield reader.line_num, _with_number(fields)
    except OSError as error:
        raise PredictionError(path, f"cannot be read: {error.strerror}") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise PredictionError(path, f"expected a table in UTF-8, found a fault: {error}") from None


def _delimiter(head: str) -> str:
    return ";" if head.count(";") > head.count(",") else ","


def _with_number(fields: dict[str, Any]) -> dict[str, Any]:
    try:
        return {**fields, "confidence": float(fields["confidence"].replace(",", "."))}
    except (KeyError, ValueError):
        return fields
