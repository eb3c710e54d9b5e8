"""`mira export verify`: whether a release holds what it says."""

from __future__ import annotations

from typing import Annotated

import typer

from mira.cli.options import JsonOption, ReleaseArgument
from mira.cli.output import print_json, progress


def verify(
    release: ReleaseArgument,
    final: Annotated[
        bool,
        typer.Option("--final", help="Hold a draft to what a final release must be."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check a release as its users will meet it; exit 1 if anything is wrong."""
    from export.verify import verify_release

    with progress("verifying") as advance:
        findings = verify_release(release, final=final, progress=advance)
    failed = any(finding.severity == "error" for finding in findings)
    if as_json:
        print_json({"ok": not failed, "findings": findings})
    else:
        for finding in findings:
            typer.echo(str(finding))
        typer.echo(f"{release}: " + ("does not hold" if failed else "holds what it says"))
    if failed:
        raise typer.Exit(1)
