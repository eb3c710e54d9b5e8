"""Findings about wording files, made from a code and a place."""

from __future__ import annotations

from mira.schema.finding import Finding, Severity
from qa_gen.linting.places import Place, visible

_UNUSABLE = frozenset(
    {"jinja-invalid", "slot-unknown", "slot-missing", "value-unknown", "value-missing"}
)
_FOR_THE_RECORD = frozenset({"grammar-unchecked"})


def made(code: str, place: Place, message: str) -> Finding:
    """A finding; an error where the text cannot be used, else a warning or for the record."""
    severity: Severity = "warning"
    if code in _UNUSABLE:
        severity = "error"
    elif code in _FOR_THE_RECORD:
        severity = "info"
    return Finding(
        code=code,
        severity=severity,
        path=visible(place.path),
        where=visible(place.where),
        message=visible(" ".join(message.split())),
    )
