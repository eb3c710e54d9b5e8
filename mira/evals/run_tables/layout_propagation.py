"""Failures of decisions laid out as MIRA-Bench prints them, a column a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mira.evals.run_tables.records import LowerOutcome, Propagation
from mira.evals.run_tables.sheets import Line, Sheet, cell_of
from mira.taxonomy.catalogue import taxonomy

_OUTCOME_WORDS: dict[LowerOutcome, str] = {
    "linked": "all that are linked",
    "perception_fails": "perception fails",
    "spatial_fails": "spatial reasoning fails",
    "any_fails": "at least one fails",
    "both_right": "both right",
}


def propagation_sheets(found: Sequence[Propagation]) -> Iterator[Sheet]:
    """A table for each kind of decision, and one for both together."""
    by_subtasks: dict[tuple[str, ...], list[Propagation]] = {}
    for one in found:
        by_subtasks.setdefault(one.subtasks, []).append(one)
    for subtasks, runs in by_subtasks.items():
        asked = " and ".join(taxonomy().subtask(one).name.lower() for one in subtasks)
        lines = [
            Line(
                words,
                tuple(
                    cell_of(rate.rate, rate.interval)._replace(n=rate.n or None)
                    for run in runs
                    for rate in run.rates
                    if rate.outcome == outcome
                ),
            )
            for outcome, words in _OUTCOME_WORDS.items()
        ]
        gaps = (cell_of(run.difference, run.difference_interval, signed=True) for run in runs)
        lines.append(Line("at least one fails − both right", tuple(gaps), apart=True))
        yield Sheet(
            "propagation" if len(subtasks) > 1 else f"propagation-{subtasks[0]}",
            f"Failures of decisions by what is below: {asked}",
            "Share of decisions that are wrong, by what became of the questions on visibility and "
            f"on places about the same {runs[0].linked_by}, in the same protocol. Groups overlap, "
            "but for the last. It says what goes together, not what causes what. Decisions that "
            "are linked to nothing of one kind: "
            + "; ".join(f"{run.run} {run.n_unlinked:,}" for run in runs)
            + ".",
            tuple(run.run for run in runs),
            tuple(lines),
        )
