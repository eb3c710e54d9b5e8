"""What `mira annotate audit` prints for people."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from mira.cli.output import format_count, in_columns

if TYPE_CHECKING:
    from annotate.audit.scoring import Scored
    from annotate.audit.status import BatchStatus, PersonStatus
    from annotate.audit.submission import Submission
    from mira.schema.audit import AuditReport

_SHOWN = 20
"""Refusals that are printed; `--json` has all."""
_TITLES = ("batch", "state", "turn", "since", "drawn", "mean IoU", "next")
_ROUNDING = 1e-9


def show_submission(result: Submission) -> None:
    """Print what became of drawings that were handed in."""
    for refusal in result.refusals[:_SHOWN]:
        typer.echo(str(refusal))
    if len(result.refusals) > _SHOWN:
        typer.echo(f"and {len(result.refusals) - _SHOWN:,} more")
    if not result.is_kept:
        typer.echo(f"{result.batch_id}: nothing taken (--partial keeps what can be)")
        return
    taken = f"{format_count(result.n_taken, 'drawing')} taken, {result.n_unchanged:,} unchanged"
    left = f"{result.n_left:,} left" if result.n_left else "complete"
    typer.echo(f"{result.batch_id}: {taken}, {left}; now {result.state}")


def show_score(scored: Scored) -> None:
    """Print what a comparison came to; the verdict is the last line."""
    report = scored.report
    who = f"{report.annotator} by {report.auditor}"
    iou = f"mean IoU {format_iou(report.mean_iou)} of {report.policy.min_mean_iou:g}"
    typer.echo(f"{report.batch_id}, round {report.round}: {who}, {iou}")
    for agreement in report.agreements:
        typer.echo(f"{agreement.name.replace('_', ' ')}: {agreement.n_agreed}/{agreement.n}")
    for gold in scored.gold:
        known = f"{format_count(gold.score.n_images, 'known image')} of {gold.score.person}"
        typer.echo(f"{known}: mean IoU {format_iou(gold.score.mean_iou)}")
    typer.echo(report.verdict)


def show_status(rows: Iterable[BatchStatus], people: Iterable[PersonStatus]) -> None:
    """Print a table of batches, and a line for each person with hidden images."""
    for line in in_columns([_TITLES, *map(_cells, rows)]):
        typer.echo(line)
    for person in people:
        images = format_count(person.n_images, "known image")
        typer.echo(f"{person.person}: {images}, mean IoU {format_iou(person.mean_iou)}")


def show_reports(reports: Iterable[AuditReport]) -> None:
    """Print a line for each report."""
    for report in reports:
        iou = format_iou(report.mean_iou)
        typer.echo(f"{report.batch_id}, round {report.round}: mean IoU {iou}, {report.verdict}")


def format_iou(value: float | None) -> str:
    """An IoU with four digits, never rounded up to a bound that it misses."""
    return "none drawn" if value is None else f"{math.floor((value + _ROUNDING) * 1e4) / 1e4:.4f}"


def _cells(row: BatchStatus) -> tuple[str, ...]:
    drawn = f"{row.n_submitted}/{row.n_needed}" if row.n_needed else ""
    scores = ", ".join(f"{format_iou(s.mean_iou)} {s.verdict}" for s in row.scores)
    since = f"{row.since:%Y-%m-%d %H:%M}"
    turn = ", ".join(row.people)
    return (row.batch_id, row.state, turn, since, drawn, scores, row.next_command or "")
