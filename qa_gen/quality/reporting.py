"""Findings as they come: the first of each code are kept, the rest is counted."""

from __future__ import annotations

from collections import Counter

from mira.schema.finding import Finding
from qa_gen.quality.codes import CODES, severity_of

ITEMS_PATH = "qa/items.jsonl"
"""The file that findings are about, from the workspace's folder on."""


class FindingList:
    """Gathers findings.

    Args:
        most: So many of one code are kept.
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._found: dict[str, list[Finding]] = {code: [] for code in CODES}
        self._more: Counter[str] = Counter()

    def add(self, code: str, where: str, message: str) -> None:
        """Take in a finding.

        Args:
            code: One of `CODES`.
            where: Item, template or picture.
            message: What was expected and what was found.
        """
        found = self._found[code]
        if len(found) == self._most:
            self._more[code] += 1
            return
        found.append(
            Finding(
                code=code,
                severity=severity_of(code),
                path=ITEMS_PATH,
                where=where,
                message=" ".join(message.split()),
            )
        )

    def listed(self) -> tuple[Finding, ...]:
        """Errors, warnings, then what is for the record; each in the order of the codes."""
        order = ("error", "warning", "info")
        everything = [finding for found in self._found.values() for finding in found]
        return tuple(sorted(everything, key=lambda finding: order.index(finding.severity)))

    def not_listed(self) -> dict[str, int]:
        """How many more there are, by code."""
        return dict(sorted(self._more.items()))
