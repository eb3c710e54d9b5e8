"""`mira qa stats`: how many questions there are, where answers stand, and what they are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import format_count, print_json, progress

if TYPE_CHECKING:
    from rich.console import Console

    from mira.schema.qa import QASummary
    from qa_gen.quality.records import QualityReport, TemplateQuality

_WORDS_SHOWN, _FEW_WORDS_SHOWN = 6, 3
"""Right answers of a template in the table, and in a narrow one; the page has all."""
_NARROW = 110
"""A table with fewer columns of letters leaves out the names of sub-tasks."""


def stats(
    workspace: WorkspaceOption,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Folder for questions.html, which shows it all, with the numbers and tables; "
            "replaces an earlier one.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 1 if there is an error or a warning.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show how many questions there are, where answers stand, and what the set is worth.

    Checks among others whether answers can be guessed without the picture, and whether they
    contradict each other.
    """
    from mira.errors import WorkspaceError
    from mira.store.workspace import Workspace
    from qa_gen.quality.policy import QualityPolicy
    from qa_gen.quality.writing import survey_workspace

    opened = Workspace.open(workspace)
    summary = opened.qa_summary()
    if summary is None:
        raise WorkspaceError(workspace, "holds no questions", "run: mira qa generate")
    with progress("reading questions") as advance:
        written = survey_workspace(opened, policy=QualityPolicy(), out=out, progress=advance)
    report = written.report
    if as_json:
        shown = {"files": written.files} if written.files else {}
        print_json({**summary.model_dump(mode="json"), **shown, "quality": report})
    else:
        show_summary(summary, report=report)
        _show_findings(report)
        for path in written.files[:1]:
            typer.echo(f"Page: {path}", err=True)
    if strict and not report.clean:
        raise typer.Exit(1)


def show_summary(
    summary: QASummary, *, as_json: bool = False, report: QualityReport | None = None
) -> None:
    """Print what a run of the generator made.

    Args:
        summary: What it made.
        as_json: One document in place of text.
        report: What the items are worth, for columns that the summary has nothing on.
    """
    if as_json:
        print_json(summary)
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console()
    if summary.by_template:
        _print_table(console, summary, report)
    items = format_count(summary.items, "item")
    questions = format_count(summary.questions, "question")
    answered = ", ".join(f"{count:,} by {name}" for name, count in summary.by_source.items())
    console.print(
        f"{items}, {questions} over their protocols{f'; {answered}' if answered else ''}",
        highlight=False,
    )
    for reason, count in summary.pictures_left_out.items():
        pictures = format_count(count, "picture")
        console.print(f"left out: {pictures}, {escape(reason)}", style="yellow", highlight=False)
    for reason, count in summary.drops.items():
        dropped = format_count(count, "item or wording", "items or wordings")
        console.print(f"left out: {dropped}, {escape(reason)}", style="yellow", highlight=False)


def _print_table(console: Console, summary: QASummary, report: QualityReport | None) -> None:
    from rich.table import Table

    from mira.taxonomy.catalogue import taxonomy

    known = {one.template_id: one for one in report.templates} if report else {}
    narrow = bool(known) and console.width < _NARROW
    table = Table(box=None, header_style="bold", title_justify="left")
    table.add_column("template", no_wrap=True)
    if not narrow:
        table.add_column("sub-task")
    table.add_column("items", justify="right")
    if known:
        table.add_column("answered by")
        table.add_column("guess", justify="right")
        table.add_column("chance", justify="right")
    table.add_column("right answers")
    for template_id, count in summary.by_template.items():
        subtask = taxonomy().subtask(taxonomy().template(template_id).subtask)
        cells = [template_id, *(() if narrow else (subtask.name,)), f"{count:,}"]
        if known:
            cells += _quality_cells(known.get(template_id))
        most = _FEW_WORDS_SHOWN if narrow else _WORDS_SHOWN
        table.add_row(*cells, _gold_text(template_id, summary, report, most=most))
    console.print(table)


def _gold_text(
    template_id: str, summary: QASummary, report: QualityReport | None, *, most: int
) -> str:
    """Right answers; axis by axis where that is known."""
    axes = report.axes.get(template_id) if report else None
    if axes:
        return " | ".join(map(_listed, axes.values()))
    golds = summary.gold_words.get(template_id) or summary.gold_positions.get(template_id, {})
    return _listed(golds, most=most)


def _quality_cells(one: TemplateQuality | None) -> tuple[str, str, str]:
    if one is None:
        return "", "", ""
    guessing = one.guessing
    return _listed(one.by_source), _percent(guessing.accuracy), _percent(guessing.chance)


def _show_findings(report: QualityReport) -> None:
    told = [finding for finding in report.findings if finding.severity != "info"]
    for finding in told:
        typer.echo(str(finding))
    codes = {finding.code for finding in told}
    for code, count in report.not_listed.items():
        if code in codes:
            typer.echo(f"and {count:,} more [{code}]")
    counts = Counter(finding.severity for finding in told)
    listed = (format_count(counts[s], s) for s in ("error", "warning") if counts[s])
    typer.echo(f"checks: {', '.join(listed) or 'clean'}")


def _listed(counts: Mapping[str, int], *, most: int = _WORDS_SHOWN) -> str:
    """The commonest words first; those beyond a few are counted."""
    from rich.markup import escape

    ordered = sorted(counts.items(), key=lambda entry: -entry[1])
    shown = [f"{escape(word.replace('_', ' '))} {count:,}" for word, count in ordered]
    more = len(shown) - most
    return "  ".join(shown[:most]) + (f"  and {more} more" if more > 0 else "")


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f} %"
