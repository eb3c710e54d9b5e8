"""`mira annotate app`: the desk of a workspace in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import format_count, print_json, say_next
from mira.cli.plain_help import PlainGroup, PlainTyper
from mira.errors import MiraError

if TYPE_CHECKING:
    from annotate.desk.desk import Desk
    from mira.store.workspace import Workspace
    from qa_gen.authoring import QuestionBook

_DEFAULT = "run"


class RunByDefault(PlainGroup):
    """A group that runs its first verb where none is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See `click.Command`."""
        is_flag = bool(args) and args[0].startswith("-") and args[0] not in ("--help", "-h")
        return super().parse_args(ctx, [_DEFAULT, *args] if is_flag else args)


app = PlainTyper(cls=RunByDefault)


@app.callback()
def _app() -> None:
    """Author, review and settle questions in the browser; without a verb, run it."""


@app.command()
def run(
    workspace: WorkspaceOption,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen at.", metavar="ADDRESS")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option("--port", help="Port; 0 takes a free one.", min=0, max=65535, metavar="N"),
    ] = 7860,
    annotator: Annotated[
        str | None,
        typer.Option("--annotator", help="Whose annotation authors are given.", metavar="NAME"),
    ] = None,
) -> None:
    """Serve the desk of a workspace until Ctrl-C; the first admin is let in by a link."""
    from annotate.app.running import serve
    from annotate.desk.desk import Desk

    opened, questions = _questions(workspace, annotator)
    desk = Desk(opened, questions=questions)
    try:
        _tell_pictures(questions)
        if desk.workspace.qa_summary() is None:
            typer.echo("no questions to review yet: mira qa generate makes them", err=True)
        else:
            found = desk.import_items()
            typer.echo(f"{format_count(found.items, 'question')}, {found.new:,} new", err=True)
        serve(desk, host=host, port=port, told=lambda line: typer.echo(line, err=True))
    finally:
        desk.close()


@app.command("import")
def import_(workspace: WorkspaceOption, as_json: JsonOption = False) -> None:
    """Take over the workspace's questions; `run` begins with it."""
    found = _desk(workspace).import_items()
    if as_json:
        print_json(found._asdict())
    else:
        count = format_count(found.items, "question")
        typer.echo(f"{count}, {found.new:,} new or changed, {found.gone:,} gone")


@app.command()
def export(workspace: WorkspaceOption, as_json: JsonOption = False) -> None:
    """Bring all that was said into the workspace, and its questions to where they stand."""
    from mira.cli.annotate_baseline import baseline_json, tell_baseline

    found = _desk(workspace).export()
    if as_json:
        standing = found.standing.model_dump(mode="json") if found.standing else None
        baseline = baseline_json(found.baseline) if found.baseline else None
        print_json({**found._asdict(), "standing": standing, "baseline": baseline})
        return
    counts = [
        format_count(found.verdicts, "verdict"),
        format_count(found.answers, "answer"),
        format_count(found.descriptions, "description"),
        format_count(found.remarks, "remark"),
    ]
    typer.echo(f"{', '.join(counts)} added")
    if found.standing is not None:
        now = found.standing
        typer.echo(
            f"{format_count(now.items, 'question')}: {now.accepted:,} accepted "
            f"({now.corrected:,} corrected), {now.rejected:,} rejected, {now.disputed:,} disputed, "
            f"{now.waiting:,} waiting"
        )
    typer.echo(format_count(found.open_flags, "open flag"))
    if found.baseline is not None:
        tell_baseline(found.baseline)
    if found.answers or found.descriptions:
        say_next("mira", "qa", "generate", "--workspace", workspace)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="New file.", metavar="FILE", dir_okay=False)],
    workspace: WorkspaceOption,
) -> None:
    """Write the desk into one file, whole, while people go on working."""
    _desk(workspace).database.back_up(file)
    typer.echo(f"{file}: people, drafts and all that was said")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.", metavar="FILE", dir_okay=False)],
    workspace: WorkspaceOption,
    replace: Annotated[
        bool, typer.Option("--replace", help="A desk that is there gives way; it is kept beside.")
    ] = False,
) -> None:
    """Bring a backup back; refused while the app runs. People sign in anew."""
    from annotate.desk.backup import restore as bring_back
    from mira.store.workspace import Workspace

    bring_back(Workspace.open(workspace), file, replace=replace)
    typer.echo(f"{workspace}: has the desk of {file}")
    say_next("mira", "annotate", "app", "run", "--workspace", workspace)


def _tell_pictures(questions: QuestionBook) -> None:
    """Read what may be asked about, before anybody waits for it."""
    try:
        typer.echo(format_count(len(questions.image_ids()), "annotated picture"), err=True)
    except MiraError as error:
        typer.echo(f"note: nobody can author: {error}", err=True)


def _desk(workspace: Path) -> Desk:
    from annotate.desk.desk import Desk
    from mira.store.workspace import Workspace

    return Desk(Workspace.open(workspace))


def _questions(workspace: Path, annotator: str | None) -> tuple[Workspace, QuestionBook]:
    """A workspace and what may be asked of its pictures."""
    from mira.schema.qa import QAPolicy
    from mira.store.workspace import Workspace
    from qa_gen.authoring import QuestionBook

    opened = Workspace.open(workspace)
    settings = opened.settings().questions
    chosen = annotator or settings.annotator or None
    return opened, QuestionBook(opened, annotator=chosen, policy=QAPolicy(seed=settings.seed))
