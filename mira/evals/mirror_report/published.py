"""Rows of the published tables, to hold scores against."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from mira.evals.mirror.measuring import SCORES
from mira.evals.papers.tables import read_table

SHOWN = ("Human", "Gemini-2.5-Pro-API", "Random")
"""Rows that stand below those of a report; all others are a click away."""


class PublishedRow(NamedTuple):
    """A published row.

    Attributes:
        name: As printed.
        values: By group and metric.
    """

    name: str
    values: dict[str, dict[str, float]]


@cache
def published_rows(level: int | None = None) -> tuple[PublishedRow, ...]:
    """Rows of Table II, or of the table of a level (IV to VII), in their order."""
    name = "reach_means" if level is None else "reach_levels"
    rows: dict[str, dict[str, dict[str, float]]] = {}
    for row in read_table(name):
        if level is not None and row["level"] != str(level):
            continue
        values = {metric: float(row[metric]) for metric in SCORES}
        rows.setdefault(row["row"], {})[row["group"]] = values
    return tuple(PublishedRow(row, values) for row, values in rows.items())


def published_value(row: str, group: str, metric: str, level: int | None = None) -> float | None:
    """A published number; None where there is none, such as for people at one level."""
    for one in published_rows(level):
        if one.name == row:
            return one.values[group][metric]
    return None
