"""What was heard so far: one line a question, written when it is heard.

A process may end at any moment; what it was told stays, and nothing is asked for twice. The log of
inspect_ai is for looking at: it is written in pieces, and a killed process leaves the last out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from mira.errors import PredictionError
from mira.schema.evaluation import Prediction
from mira.schema.record import Record
from mira.store.atomic import os_faults

R = TypeVar("R", bound=Record)


class Heard(Record):
    """What became of a question that was asked."""

    key: str
    """The question and its modality."""
    prediction: Prediction
    """What the model said; `failed` where it was not heard."""
    input_tokens: int = 0
    """Tokens that went in, over all calls."""
    output_tokens: int = 0
    """Tokens that came out, over all calls."""
    wall_s: float = 0
    """From the first call to the last reply."""
    error: str | None = None
    """Why the model was not heard; absent where it was."""

    @property
    def failed(self) -> bool:
        """Whether the model was not heard."""
        return self.prediction.status == "failed"


def read_journal(path: Path) -> dict[str, Heard]:
    """What was heard, by key; the last line about a question counts.

    Args:
        path: The journal; one that is not there yet is empty.

    Raises:
        PredictionError: A line is no record of what was heard.
    """
    return {one.key: one for one in read_lines(path, Heard)}


def read_lines(path: Path, kind: type[R]) -> Iterator[R]:
    """The whole lines of a journal.

    Args:
        path: The journal; one that is not there yet is empty. A last line that a dead process
            left unfinished is not read.
        kind: What a line holds.

    Raises:
        PredictionError: A line is no such record.
    """
    with os_faults(path):
        data = path.read_bytes() if path.is_file() else b""
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        try:
            one = kind.model_validate_json(line)
        except ValueError:
            raise PredictionError(
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
