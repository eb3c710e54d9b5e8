"""`mira qa verify`: every answer worked out once more."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import format_count, print_json, progress, show_findings

_SHOWN_OF_A_CODE = 10
"""Findings of one code that are printed; `--json` has all."""


def verify(
    workspace: WorkspaceOption,
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
    quick: Annotated[
        bool, typer.Option("--quick", help="Take stored proposals, and leave depth alone.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Make all questions once more and list what has changed; exit 1 if an answer has."""
    from mira.store.workspace import Workspace
    from qa_gen.verify import verify_questions

    with progress("verifying") as advance:
        found = verify_questions(
            Workspace.open(workspace), templates=templates, from_depth=not quick, progress=advance
        )
    errors = sum(finding.severity == "error" for finding in found.findings)
    if as_json:
        print_json(
            {
                "items": found.items,
                "unchanged": found.unchanged,
                "findings": [finding.model_dump() for finding in found.findings],
            }
        )
    else:
        show_findings(found.findings, most_of_a_code=_SHOWN_OF_A_CODE)
        typer.echo(f"{format_count(found.items, 'item')}: {found.unchanged:,} come out the same")
    if errors:
        raise typer.Exit(1)
