"""What a check has to say about a file: the one form for every stage."""

from __future__ import annotations

from typing import Literal

from mira.schema.record import Record

Severity = Literal["info", "warning", "error"]
"""`error`: what is named was left out; `warning`: read, but look at it; `info`: for the record."""


class Finding(Record):
    """One observation, with a stable code that scripts can rely on."""

    code: str
    """Kebab-case name of the kind of finding."""
    severity: Severity
    """How much it matters."""
    path: str
    """The file."""
    where: str
    """Field in the file, such as `shapes[3].points`; empty for the whole file."""
    message: str
    """What was expected and what was found."""

    def __str__(self) -> str:
        place = f"{self.path}: {self.where}" if self.where else self.path
        return f"{self.severity}: {place}: {self.message} [{self.code}]"
