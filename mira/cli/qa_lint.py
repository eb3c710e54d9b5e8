"""`mira qa lint`: what is wrong with wording files."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from qa_gen.linting.checking import LintReport
    from qa_gen.linting.showing import ShownQuestion

_WIDEST = 110
"""Columns of a terminal that are used; longer lines are hard to read."""


def lint(
    templates: Annotated[
        Path | None,
        typer.Option(
            "--templates",
            help="Wording files in place of the packaged ones.",
            metavar="DIR",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    show: Annotated[
        str | None,
        typer.Option(
            "--show",
            help="Print all that a template can say, and check nothing.",
            metavar="TEMPLATE",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what is wrong with wording files; exit 0 clean, 1 findings, 2 unreadable.

    Every question is put into words in every way in which it can be asked.
    """
    if show is not None:
        _show(show, templates, as_json=as_json)
        return
    from qa_gen.linting.checking import lint_wording

    report = lint_wording(templates)
    if as_json:
        print_json({"clean": report.clean, **report.model_dump()})
    else:
        _report(report)
    if not report.clean:
        raise typer.Exit(1)


def _report(report: LintReport) -> None:
    for finding in report.findings:
        typer.echo(str(finding))
    severities = Counter(finding.severity for finding in report.findings)
    counts = (format_count(severities[s], s) for s in ("error", "warning") if severities[s])
    typer.echo(
        f"{format_count(report.templates, 'template')}, {format_count(report.texts, 'text')}, "
        f"{format_count(report.readings, 'reading')}: {', '.join(counts) or 'clean'}"
    )


def _show(template_id: str, templates: Path | None, *, as_json: bool) -> None:
    from qa_gen.linting.showing import show_template

    questions = show_template(template_id, templates)
    if as_json:
        print_json({"template": template_id, "questions": questions})
        return
    field: str | None = None
    for question in questions:
        if question.field != field:
            typer.echo(f"{'' if field is None else chr(10)}{question.field}")
            field = question.field
        _print_wrapped(_heading(question), question.question)
    _show_options(questions)


def _heading(question: ShownQuestion) -> str:
    protocols = _listed(question.protocols)
    return f"{protocols}, {question.direction}" if question.direction else protocols


def _show_options(questions: Sequence[ShownQuestion]) -> None:
    protocols: dict[tuple[str, ...], dict[str, None]] = {}
    for question in questions:
        named = protocols.setdefault(question.option_texts, {})
        named.update(dict.fromkeys(question.protocols))
    protocols.pop((), None)
    if protocols:
        typer.echo("\noptions")
    for texts, named in protocols.items():
        _print_wrapped(_listed(named), " | ".join(texts))


def _listed(protocols: Collection[str]) -> str:
    from mira.taxonomy.catalogue import taxonomy

    return "all" if len(protocols) == len(taxonomy().protocols) else ", ".join(protocols)


def _print_wrapped(heading: str, text: str) -> None:
    """Print a heading and a text beside it, on one line where no terminal is."""
    start = f"  {heading:<18}  "
    if not sys.stdout.isatty():
        typer.echo(start + text)
        return
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    indent = " " * 22
    for line in textwrap.wrap(start + text, width=max(width, 60), subsequent_indent=indent):
        typer.echo(line)
