"""`mira qa import --from reviews`: what reviewers said, out of a file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mira.cli.output import format_count, print_json, say_next

if TYPE_CHECKING:
    from qa_gen.reviewing import ReviewImport

_SHOWN = 20
"""Faults that are printed; `--json` has all."""


def import_reviews_file(
    source: Path, workspace: Path, *, by: str | None, partial: bool, as_json: bool
) -> None:
    """Take verdicts over; status 1 if a row is at fault."""
    from mira.store.workspace import Workspace
    from qa_gen.reviewing import import_reviews

    opened = Workspace.open(workspace)
    report = import_reviews(source, opened, by=by, now=datetime.now(UTC), partial=partial)
    if as_json:
        print_json(report)
    else:
        _show(report)
    if report.standing.accepted:
        say_next("mira", "export", "build", "--workspace", workspace, "--out", "release", "--final")
    if report.faults:
        raise typer.Exit(1)


def _show(report: ReviewImport) -> None:
    for line in report.faults[:_SHOWN]:
        typer.echo(line)
    if len(report.faults) > _SHOWN:
        typer.echo(f"and {len(report.faults) - _SHOWN:,} more")
    if report.is_kept:
        new = f"{report.added:,} new, {report.unchanged:,} given before"
        typer.echo(f"{format_count(report.rows, 'row')}: {new}, {len(report.faults):,} at fault")
    else:
        typer.echo("nothing taken (--partial keeps the rows without a fault)")
    now = report.standing
    typer.echo(
        f"{format_count(now.items, 'item')}: {now.accepted:,} accepted ({now.corrected:,} of them "
        f"corrected), {now.rejected:,} rejected, {now.disputed:,} disputed, {now.waiting:,} waiting"
    )
