"""Names of rows for people."""

from __future__ import annotations

from mira.evals.mira_bench.subtasks import level_name, name_of


def title_of_row(name: str, group: str) -> str:
    """The name of a row of a score table.

    Args:
        name: Sub-task id, `level:<level>` or `overall`.
        group: Kind of row.
    """
    if group == "overall":
        return "Overall"
    if group == "level":
        return level_name(name.removeprefix("level:"))
    return name_of(name)
