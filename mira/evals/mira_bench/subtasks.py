"""Sub-tasks and levels of scores: those of the taxonomy, and controls."""

from __future__ import annotations

from collections.abc import Collection

from mira.release.question_files import CONTROL
from mira.taxonomy.catalogue import taxonomy


def is_control(subtask: str) -> bool:
    """Whether questions are of others, to hold beside: `control`, or `control:<kind>`."""
    return subtask == CONTROL or subtask.startswith(f"{CONTROL}:")


def is_subtask(subtask: str) -> bool:
    """Whether there is such a row of a score table."""
    return is_control(subtask) or any(one.id == subtask for one in taxonomy().subtasks)


def subtasks_in_order(present: Collection[str]) -> tuple[str, ...]:
    """Those that are present, in the order of the taxonomy, controls behind it."""
    known = [one.id for one in taxonomy().subtasks if one.id in present]
    return (*known, *sorted(one for one in present if is_control(one)))


def level_of(subtask: str) -> str:
    """Id of its level."""
    return CONTROL if is_control(subtask) else taxonomy().subtask(subtask).level


def levels_in_order() -> tuple[str, ...]:
    """All levels, that of controls behind those of the taxonomy."""
    return (*(one.id for one in taxonomy().levels), CONTROL)


def name_of(subtask: str) -> str:
    """Its name, for people."""
    if is_control(subtask):
        return subtask.replace(":", ": ").replace("_", " ").capitalize()
    return taxonomy().subtask(subtask).name


def level_name(level: str) -> str:
    """The name of a level, for people."""
    if level == CONTROL:
        return "Control"
    return next(one.name for one in taxonomy().levels if one.id == level)
