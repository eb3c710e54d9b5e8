"""How the tables of a desk came to be what they are, step by step."""

from __future__ import annotations

import sqlite3
from importlib import resources

STEPS: tuple[str, ...] = (
    "schema.sql",
    "schema_2_remarks.sql",
    "schema_3_descriptions.sql",
    "schema_4_baseline.sql",
)
"""The first makes version 1 of nothing, each other one the next version of the one before it. Desks
of people have been through them, so that none of them changes any more."""
VERSION = len(STEPS)
"""What this program reads and writes."""


def bring_up(writing: sqlite3.Connection) -> None:
    """Bring a desk to this program's version, within a transaction; nothing in it is lost."""
    # Another process may have been first.
    (found,) = writing.execute("pragma user_version").fetchone()
    for step in STEPS[found:]:
        for statement in _statements(step):
            writing.execute(statement)
    if found < VERSION:
        writing.execute(f"pragma user_version = {VERSION}")


def _statements(step: str) -> list[str]:
    text = resources.files("annotate.desk").joinpath(step).read_text("utf-8")
    code = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    return [statement for statement in code.split(";") if statement.strip()]
