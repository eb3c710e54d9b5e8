"""`mira qa import --from answers`: what people answered, out of a file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mira.cli.output import format_count, print_json, say_next

if TYPE_CHECKING:
    from qa_gen.answers.importing import AnswerImport

_SHOWN = 20
"""Faults and disagreements that are printed; `--json` has all."""


def import_answers_file(
    source: Path,
    workspace: Path,
    *,
    by: str | None,
    annotator: str | None,
    partial: bool,
    as_json: bool,
) -> None:
    """Take people's answers over; status 1 if a row is at fault."""
    from mira.schema.qa import QAPolicy
    from mira.store.workspace import Workspace
    from qa_gen.answers.importing import import_answers

    opened = Workspace.open(workspace)
    settings = opened.settings().questions
    report = import_answers(
        source,
        opened,
        by=by,
        now=datetime.now(UTC),
        bounds=QAPolicy(seed=settings.seed),
        annotator=annotator or settings.annotator or None,
        partial=partial,
    )
    if as_json:
        print_json(report)
    else:
        _show(report)
    if report.is_kept and report.added:
        say_next("mira", "qa", "generate", "--workspace", workspace)
    if report.faults:
        raise typer.Exit(1)


def _show(report: AnswerImport) -> None:
    _show_some(report.faults)
    lines = [
        f"{one.image_id}: {one.item_id}: {one.by} says {one.answered}; proposed was {one.proposed}"
        + (", a close call" if one.close_call else f", and no close call: {one.reason}")
        for one in sorted(report.disagreements, key=lambda one: one.close_call)
    ]
    _show_some(lines)
    if not report.is_kept:
        typer.echo("nothing taken (--partial keeps the rows without a fault)")
        return
    new = f"{report.added:,} new, {report.unchanged:,} given before"
    typer.echo(f"{format_count(report.rows, 'row')}: {new}, {len(report.faults):,} at fault")
    held = report.agreeing + len(report.disagreements)
    if held:
        typer.echo(f"as proposed: {report.agreeing:,} of {held:,}")


def _show_some(lines: tuple[str, ...] | list[str]) -> None:
    for line in lines[:_SHOWN]:
        typer.echo(line)
    if len(lines) > _SHOWN:
        typer.echo(f"and {len(lines) - _SHOWN:,} more")
