"""`mira capture verify`: whether a session is what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json, progress

if TYPE_CHECKING:
    from capture.verification.report import VerificationReport


def verify(
    session: Annotated[
        Path, typer.Argument(help="A capture session.", metavar="SESSION", file_okay=False)
    ],
    as_json: JsonOption = False,
) -> None:
    """Say what is wrong in a session; exit 0 clean, 1 faults, 2 no session.

    Files are hashed, decoded and compared, depth is aligned anew; nothing is written.
    """
    from capture.verification.verifying import verify_session

    with progress("verifying") as advance:
        report = verify_session(session, progress=advance)
    if as_json:
        print_json(report)
    else:
        _show(session, report)
    if report.faults:
        raise typer.Exit(1)


def _show(session: Path, report: VerificationReport) -> None:
    for warning in report.warnings:
        typer.echo(f"warning: {session / warning.file}: {warning.code}: {warning.message}")
    for fault in report.faults:
        typer.echo(f"{session / fault.file}: {fault.code}: {fault.message}")
    summary = f"{format_count(report.views, 'view')}, {report.faulty_views:,} with faults"
    others = sum(fault.view_id is None for fault in report.faults)
    if others:
        summary += f"; {format_count(others, 'fault')} of no view"
    if report.warnings:
        summary += f"; {format_count(len(report.warnings), 'warning')}"
    typer.echo(summary)
