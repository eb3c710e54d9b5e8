"""`mira qa`: questions with answers from annotations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import MAX_SEED, JsonOption, LimitOption, WorkspaceOption
from mira.cli.output import format_count, print_json, progress, say_next
from mira.cli.plain_help import PlainTyper
from mira.schema.qa import QASummary

app = PlainTyper()


@app.command()
def generate(
    workspace: WorkspaceOption,
    annotator: Annotated[
        str | None,
        typer.Option(
            "--annotator",
            help="Whose annotation counts.",
            metavar="NAME",
        ),
    ] = None,
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
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            help="Seed of all that is picked; mira.toml's by default.",
            min=0,
            max=MAX_SEED,
            metavar="N",
        ),
    ] = None,
    limit: LimitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Replace the workspace's questions by those its annotations hold now."""
    from mira.schema.qa import QAPolicy
    from mira.store.workspace import Workspace
    from qa_gen.generate import generate_questions

    opened = Workspace.open(workspace)
    settings = opened.settings().questions
    with progress("making questions") as advance:
        summary = generate_questions(
            opened,
            policy=QAPolicy(seed=settings.seed if seed is None else seed),
            annotator=annotator or settings.annotator or None,
            templates=templates,
            limit=limit,
            progress=advance,
        )
    _show(summary, as_json=as_json)
    typer.echo(f"Questions: {opened.root / 'qa'}", err=True)
    if summary.questions:
        say_next("mira", "export", "build", "--workspace", workspace, "--out", "release")


@app.command()
def stats(workspace: WorkspaceOption, as_json: JsonOption = False) -> None:
    """Show how many questions there are, what was dropped and why, and where answers stand."""
    from mira.errors import WorkspaceError
    from mira.store.workspace import Workspace

    summary = Workspace.open(workspace).qa_summary()
    if summary is None:
        raise WorkspaceError(workspace, "holds no questions", "run: mira qa generate")
    _show(summary, as_json=as_json)


def _show(summary: QASummary, *, as_json: bool) -> None:
    if as_json:
        print_json(summary)
        return
    from rich.console import Console
    from rich.table import Table

    from mira.taxonomy.catalogue import taxonomy

    table = Table(box=None, header_style="bold", title_justify="left")
    table.add_column("template")
    table.add_column("sub-task")
    table.add_column("items", justify="right")
    table.add_column("right answers")
    for template_id, count in summary.by_template.items():
        subtask = taxonomy().subtask(taxonomy().template(template_id).subtask)
        golds = summary.gold_positions.get(template_id, {})
        shown = "  ".join(f"{label} {number}" for label, number in golds.items())
        table.add_row(template_id, subtask.name, str(count), shown)
    console = Console()
    if summary.by_template:
        console.print(table)
    items = format_count(summary.items, "item")
    questions = format_count(summary.questions, "question")
    console.print(f"{items}, {questions} over their protocols", highlight=False)
    for reason, count in summary.pictures_left_out.items():
        pictures = format_count(count, "picture")
        console.print(f"left out: {pictures}, {reason}", style="yellow", highlight=False)
    for reason, count in summary.drops.items():
        dropped = format_count(count, "item or wording", "items or wordings")
        console.print(f"left out: {dropped}, {reason}", style="yellow", highlight=False)
