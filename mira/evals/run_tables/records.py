"""Records of the tables of runs."""

from __future__ import annotations

from typing import Literal

from mira.schema.evaluation import Interval
from mira.schema.record import Record

Axis = Literal["modality", "protocol", "style"]
"""The one setting that differs."""
LowerOutcome = Literal["linked", "perception_fails", "spatial_fails", "any_fails", "both_right"]
"""What became of the questions below a decision; `linked` is whatever it was."""


class SweepCell(Record):
    """One way of asking, in one row of a sweep."""

    variant: str
    """The value of the setting."""
    value: float | None
    """Accuracy; absent where nothing was heard."""
    interval: Interval | None
    """Of the accuracy; absent where fewer than two scenes were heard on."""
    difference: float | None
    """How much more accurate it is than the first way; absent for the first."""
    difference_interval: Interval | None
    """Of the difference, over the same scenes for both."""
    p_scenes: float | None
    """How probable so large a difference is by exchange of answers scene by scene."""
    p_holm: float | None
    """The same, corrected for the number of differences in the row (Holm 1979)."""


class Spread(Record):
    """How far the ways of asking are apart in one row."""

    value: float
    """Highest accuracy minus lowest."""
    highest: str
    """The way with the highest."""
    lowest: str
    """The way with the lowest."""
    interval: Interval | None
    """Of the difference of these two, over the same scenes for both. They were picked by what is
    measured, so chance alone keeps it from 0; the p is the test."""
    p_scenes: float
    """How probable so large a spread is between ways that are equally good."""


class SweepRow(Record):
    """One sub-task, level, or all of them, in all ways of asking."""

    name: str
    """Sub-task id, `level:<level>`, `overall`, or `questions`: each question for itself."""
    group: Literal["subtask", "level", "overall", "questions"]
    """Kind of row."""
    n_units: int
    """Units that were heard on in every way."""
    cells: tuple[SweepCell, ...]
    """In the order of the ways."""
    spread: Spread | None
    """How far they are apart; absent where there is one way, or nothing was heard."""


class Sweep(Record):
    """Runs of one model that differ in one setting alone, on what was heard in all of them."""

    axis: Axis
    """The setting."""
    model: str
    """Name of the runs."""
    subset: str
    """The questions: `all`, or the name of a subset."""
    settings: dict[str, str]
    """What all of them share."""
    variants: tuple[str, ...]
    """Values of the setting."""
    n_questions: int
    """Questions, or items over protocols, that were heard on in every way."""
    n_left_out: int
    """Those that were not asked, or not heard on, in every way; they count for nothing."""
    n_scenes: int
    """Scenes they are about."""
    rows: tuple[SweepRow, ...]
    """Sub-tasks in the taxonomy's order, levels, overall, and each question for itself."""


class LinkedRate(Record):
    """How often decisions are wrong where what lies below came out in one way."""

    outcome: LowerOutcome
    """What became of the questions below."""
    n: int
    """Decisions."""
    n_wrong: int
    """Wrong ones of these."""
    rate: float | None
    """Their share; absent where there are none."""
    interval: Interval | None
    """Of the share, over scenes; absent where fewer than two scenes have any."""


class Propagation(Record):
    """Whether decisions go wrong where perception and spatial reasoning on the same object do."""

    run: str
    """Key of the run."""
    subtasks: tuple[str, ...]
    """Sub-tasks of the decisions."""
    linked_by: Literal["instance", "object"]
    """What a decision shares with the questions below it."""
    n_scenes: int
    """Scenes of linked decisions that count."""
    n_unlinked: int
    """Decisions without a question on perception, or without one on space, about the same."""
    n_unheard: int
    """Linked decisions that do not count: they, or a question below, were never heard on."""
    rates: tuple[LinkedRate, ...]
    """In the order of `LowerOutcome`. Groups overlap, but for `both_right`."""
    difference: float | None
    """How much more often decisions fail where any below failed than where all are right."""
    difference_interval: Interval | None
    """Of the difference, over scenes. It says what goes together, not what causes what."""


class RunTables(Record):
    """All tables of some runs."""

    sweeps: tuple[Sweep, ...] = ()
    """By modality, by protocol and by style, over all questions."""
    subsets: tuple[Sweep, ...] = ()
    """By modality, over questions of a subset, and over all beside."""
    control: tuple[Sweep, ...] = ()
    """By modality, over another set of questions, without mirrors."""
    propagation: tuple[Propagation, ...] = ()
    """Of each run, of reachability and action together and apart."""
