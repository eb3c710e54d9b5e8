"""Tables of comma-separated values that a spreadsheet opens without running what is in them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

_STARTS_OF_FORMULAS = ("=", "+", "-", "@")


def format_csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A table in UTF-8 with its header; what is None is empty.

    Text that a spreadsheet would take for a formula gets an apostrophe in front (OWASP, CSV
    Injection); numbers stay numbers.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _harmless(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    # Readers take a bare carriage return for the end of a row.
    text = cell.replace("\r", " ")
    return f"'{text}" if text.lstrip().startswith(_STARTS_OF_FORMULAS) else text
