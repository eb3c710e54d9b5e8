"""Findings of a verification, as they are made and gathered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from mira.schema.finding import Finding, Severity

_MAX_EXAMPLES = 5
"""A kind of fault is shown so many times, then counted."""


def finding(
    code: str, path: Path, where: str, message: str, *, severity: Severity = "error"
) -> Finding:
    """A finding about a file or folder of a release."""
    return Finding(code=code, severity=severity, path=str(path), where=where, message=message)


class FindingList:
    """Findings, of which each kind is kept a few times and counted beyond."""

    def __init__(self) -> None:
        self._kept: dict[str, list[Finding]] = {}
        self._counts: Counter[str] = Counter()

    def add(self, found: Finding) -> None:
        """Take in one."""
        self._counts[found.code] += 1
        kept = self._kept.setdefault(found.code, [])
        if len(kept) < _MAX_EXAMPLES:
            kept.append(found)

    def add_all(self, findings: Iterable[Finding]) -> None:
        """Take in findings as they come."""
        for found in findings:
            self.add(found)

    def has(self, *codes: str) -> bool:
        """Whether there is one of these kinds."""
        return any(self._counts[code] for code in codes)

    def all(self) -> tuple[Finding, ...]:
        """By kind, in the order of the first of each; a last one counts what was not kept."""
        found: list[Finding] = []
        for code, kept in self._kept.items():
            found += kept
            if more := self._counts[code] - len(kept):
                message = f"and {more} more of this kind"
                found.append(kept[0].model_copy(update={"where": "", "message": message}))
        return tuple(found)
