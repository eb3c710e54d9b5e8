"""`mira export`: releases that `datasets` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import format_count, format_size, print_json, progress, say_next
from mira.cli.plain_help import PlainTyper

app = PlainTyper()

ReleaseArgument = Annotated[
    Path, typer.Argument(help="A release folder.", metavar="RELEASE", file_okay=False)
]


@app.command()
def build(
    workspace: WorkspaceOption,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="The release to write or replace.", metavar="DIR"),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            "--name", help="Name of the data set; the folder's by default.", metavar="NAME"
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            "--split", help="Split of all scenes; mira.toml's by default.", metavar="NAME"
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the workspace's questions and pictures as a release."""
    from export.build import build_release, release_summary
    from mira.store.workspace import Workspace

    opened = Workspace.open(workspace)
    settings = opened.settings().export
    with progress("writing") as advance:
        info = build_release(
            opened,
            out,
            name=name or settings.name or None,
            split=split or settings.split,
            progress=advance,
        )
    if as_json:
        print_json(release_summary(info))
    else:
        for config in info.configs:
            for part in config.splits:
                size = format_size(sum(ref.size_bytes for ref in part.files))
                rows = format_count(part.rows, "row")
                typer.echo(f"{config.name:8} {part.split:8} {rows:>12} {size:>12}")
        typer.echo(f"digest   {info.digest}")
    typer.echo(f"Release: {out}", err=True)
    say_next("mira", "export", "verify", out)


@app.command()
def verify(release: ReleaseArgument, as_json: JsonOption = False) -> None:
    """Check a release as its users will meet it; exit 1 if anything is wrong."""
    from export.verify import verify_release

    with progress("verifying") as advance:
        findings = verify_release(release, progress=advance)
    failed = any(finding.severity == "error" for finding in findings)
    if as_json:
        print_json({"ok": not failed, "findings": findings})
    else:
        for finding in findings:
            typer.echo(str(finding))
        typer.echo(f"{release}: " + ("does not hold" if failed else "holds what it says"))
    if failed:
        raise typer.Exit(1)
