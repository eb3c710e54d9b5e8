"""`mira eval verify-papers`: published tables recomputed."""

from __future__ import annotations

import typer

from mira.cli.options import JsonOption
from mira.cli.output import print_json


def verify_papers(as_json: JsonOption = False) -> None:
    """Recompute published cells from each other, and list those that do not reproduce.

    Exits 1 only where other cells differ than those that are known to.
    """
    from mira.evals.papers.verifying import verify_papers as verify

    report = verify()
    if as_json:
        print_json(report)
    else:
        from mira.cli.terminal import print_view
        from mira.evals.papers.printing import PapersView

        print_view(PapersView(report))
    if not report.clean:
        raise typer.Exit(1)
