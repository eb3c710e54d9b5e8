"""What a command prints: results on stdout, progress on stderr."""

from __future__ import annotations

import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mira.schema.finding import Finding

SECONDS_BETWEEN_LINES = 5.0
"""How often progress is told where there is no terminal to draw a bar on."""

Advance = Callable[[int, int], None]
"""Takes how many are done and how many there are, 0 while nobody knows."""


def print_json(content: Any) -> None:
    """Print one JSON document on stdout.

    Args:
        content: Dicts, lists, tuples, plain values, paths and records, at any depth.
    """
    import orjson

    options = orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS
    print(orjson.dumps(content, default=_plain, option=options).decode())


def format_count(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: `1 file`, `2,000 files`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def format_size(size_bytes: int) -> str:
    """A size for people: `840 bytes`, `12.3 kB`, `1.5 MB`."""
    if size_bytes < 1000:
        return format_count(size_bytes, "byte")
    if size_bytes < 999_950:
        return f"{size_bytes / 1e3:.1f} kB"
    return f"{size_bytes / 1e6:,.1f} MB"


def say_next(*words: object) -> None:
    """Tell on stderr the command that one would run next, ready to paste."""
    print(f"Next: {shlex.join(str(word) for word in words)}", file=sys.stderr, flush=True)


@contextmanager
def progress(label: str) -> Iterator[Advance]:
    """A progress bar on stderr, or a plain line now and then where stderr is no terminal.

    Args:
        label: What is being done, such as `reading annotations`.

    Yields:
        A function to call with how many are done and how many there are.
    """
    if not sys.stderr.isatty():
        yield _PlainProgress(label)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=Console(stderr=True)) as bars:
        task = bars.add_task(label, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total or None)


class _PlainProgress:
    """Prints `label: done/total` every few seconds and when all is done."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._next_line_s = time.monotonic() + SECONDS_BETWEEN_LINES

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now >= self._next_line_s or 0 < total <= done:
            count = f"{done}/{total}" if total else str(done)
            print(f"{self._label}: {count}", file=sys.stderr, flush=True)
            self._next_line_s = now + SECONDS_BETWEEN_LINES


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    raise TypeError(f"cannot be written as JSON: {type(value).__name__}")


def in_columns(rows: list[tuple[str, ...]], *, numbers: bool = False) -> list[str]:
    """Lines in which cells of a column begin together.

    Args:
        rows: Cells of each line.
        numbers: Whether all columns but the first hold numbers, and end together.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_padded(row, widths, numbers)).rstrip() for row in rows]


def _padded(row: tuple[str, ...], widths: list[int], numbers: bool) -> Iterator[str]:
    for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.rjust(width) if numbers and place else cell.ljust(width)


def show_findings(findings: Iterable[Finding], *, most_of_a_code: int) -> None:
    """Print findings, and of each code no more than so many; how many more there are is told."""
    shown: Counter[str] = Counter()
    for finding in findings:
        shown[finding.code] += 1
        if shown[finding.code] <= most_of_a_code:
            print(str(finding))
    for code, count in shown.items():
        if count > most_of_a_code:
            print(f"and {count - most_of_a_code:,} more [{code}]")
