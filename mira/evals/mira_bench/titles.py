"""Names of rows for people."""

from __future__ import annotations

from mira.taxonomy.catalogue import taxonomy


def title_of_row(name: str, group: str) -> str:
    """The name of a row of a score table.

    Args:
        name: Sub-task id, `level:<level>` or `overall`.
        group: Kind of row.
    """
    if group == "overall":
        return "Overall"
    if group == "level":
        level_id = name.removeprefix("level:")
        return next(level.name for level in taxonomy().levels if level.id == level_id)
    return taxonomy().subtask(name).name
