"""`mira annotate audit report`: what comparisons found, as a page, tables and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.annotate_audit_text import show_reports
from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import print_json, progress

if TYPE_CHECKING:
    from annotate.agreement_report.writing import WrittenReport
    from mira.store.audit import AuditBook


def report(
    workspace: WorkspaceOption,
    batches: Annotated[
        list[str] | None, typer.Argument(help="Batches; all by default.", metavar="BATCH")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Folder for report.html, which shows what to talk about, with all tables; "
            "replaces an earlier report.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", help="Folder for rows.csv and agreements.csv.", metavar="DIR"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Give the numbers of all comparisons, image by image, as a page, CSV or JSON."""
    from annotate.audit.tables import format_audit_tables, gold_of, reports_of, write_tables
    from mira.store.audit import AuditBook
    from mira.store.workspace import Workspace

    book = AuditBook(Workspace.open(workspace))
    reports, gold = reports_of(book, batches or ()), gold_of(book, batches or ())
    written = write_tables(csv, reports, gold) if csv else ()
    page = None
    if out is not None:
        made = _write_page(book, batches or (), out, format_audit_tables(reports, gold))
        page = made.page
        written = (*written, made.page, made.numbers, *made.tables)
    if as_json:
        shown = {"report": page} if page else {}
        print_json({**shown, "reports": reports, "gold": [found for _, found in gold]})
        return
    for path in written:
        typer.echo(path)
    show_reports(reports)


def _write_page(
    book: AuditBook, batches: Sequence[str], out: Path, tables: dict[str, bytes]
) -> WrittenReport:
    from annotate.agreement_report.pictures import WorkspacePictures
    from annotate.agreement_report.policy import ReportPolicy
    from annotate.agreement_report.rounds import rounds_of_audit
    from annotate.agreement_report.writing import require_report_folder, write_agreement_report

    require_report_folder(out)
    policy = ReportPolicy()
    with progress("comparing") as advance:
        rounds = rounds_of_audit(book, batches, agreement=policy.agreement, progress=advance)
    with progress("drawing") as advance:
        return write_agreement_report(
            out,
            rounds,
            policy=policy,
            pictures=WorkspacePictures(book.workspace),
            tables=tables,
            progress=advance,
        )
