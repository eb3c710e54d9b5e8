"""The `mira` command: names the stages and imports none of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.lazy import stage_app
from mira.cli.options import JsonOption
from mira.cli.plain_help import PlainTyper

STAGES = {
    "capture": "Record with a depth camera; replay, import, check and select views.",
    "annotate": "Check, import and audit annotations; the desk where people author and review.",
    "qa": "Make questions with answers from annotations, and count them.",
    "export": "Build a release that `datasets` reads, and verify it.",
    "eval": "Score replies to a release; make baselines to compare with.",
    "sim": "Make simulated scenes whose truth is known.",
}
"""Stage and its help; the verbs are in `mira.cli.<stage>`, imported on use."""

app = PlainTyper(
    name="mira",
    help="Carries an RGB-D mirror dataset from the camera to the leaderboard.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"mira {version('mira-toolkit')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", callback=_show_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(help="New or empty folder.", metavar="DIR")],
) -> None:
    """Make a workspace."""
    from mira.cli.output import say_next
    from mira.store.workspace import Workspace

    Workspace.create(folder)
    typer.echo(f"Workspace ready: {folder}", err=True)
    say_next("mira", "annotate", "import", "SOURCE", "--workspace", folder)


@app.command()
def demo(
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Folder to write to.", metavar="DIR", file_okay=False),
    ] = Path("demo-out"),
) -> None:
    """Run the whole pipeline on packaged scenes; ends with the report's path."""
    from mira.cli.demo import run_demo

    run_demo(out)


@app.command()
def doctor(
    workspace: Annotated[
        Path | None,
        typer.Option("--workspace", "-w", help="Also look at this workspace.", metavar="DIR"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what is installed, what is missing and how to get it."""
    from mira.cli.doctor import run_doctor

    if not run_doctor(workspace, as_json=as_json):
        raise typer.Exit(1)


for _stage, _help in STAGES.items():
    app.add_typer(stage_app(f"mira.cli.{_stage}"), name=_stage, help=_help)
