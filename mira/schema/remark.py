"""Records of what people remark on pictures and questions beside answers and verdicts."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from mira.schema.record import RootRecord, UtcDatetime

RemarkKind = Literal["flag", "comment", "resolution"]
"""`flag`: something has to be put right, and stays open until a resolution names it; `comment`:
words alone; `resolution`: what became of a flag."""


class Remark(RootRecord):
    """What one person remarked; nothing in it changes, and a flag is closed by another remark."""

    remark_id: str
    """Its id; no two of a workspace have the same."""
    kind: RemarkKind
    """What it asks of others."""
    image_id: str
    """The picture that it is about."""
    item_id: str | None = None
    """The question that it is about; absent where it is about the picture."""
    resolves: str | None = None
    """The flag that a resolution closes; absent in all others."""
    text: str
    """The words; a resolution may have none."""
    by: str
    """Who, as a code name."""
    at: UtcDatetime
    """When, UTC."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if (self.kind == "resolution") != (self.resolves is not None):
            found = "none" if self.resolves is None else self.resolves
            raise ValueError(f"resolves: expected a flag in a resolution alone, found {found}")
        if self.kind != "resolution" and not self.text.strip():
            raise ValueError(f"text: expected words in a {self.kind}, found none")
        return self
