"""`mira annotate audit`: batches drawn, a sample drawn again blind, and decided on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.annotate_audit_report import report
from mira.cli.annotate_audit_text import show_score, show_status, show_submission
from mira.cli.options import JsonOption, PolicyOption, SeedOption, WorkspaceOption, policy_or
from mira.cli.output import format_count, print_json, say_next
from mira.cli.plain_help import PlainTyper

if TYPE_CHECKING:
    from mira.store.audit import AuditBook

app = PlainTyper()

BatchArgument = Annotated[str, typer.Argument(help="Id of the batch.", metavar="BATCH")]


@app.callback()
def _group() -> None:
    """Batches of images: drawn, a sample drawn again blind, compared, decided on."""


@app.command()
def plan(
    workspace: WorkspaceOption,
    annotators: Annotated[
        str,
        typer.Option(
            "--annotators", help="Code names of three people or more, by commas.", metavar="LIST"
        ),
    ],
    assign: Annotated[
        Path | None,
        typer.Option(
            "--assign",
            help="CSV of who draws which batch: batch, annotator, auditor, third, reauditor; "
            "in turn by default.",
            metavar="FILE",
        ),
    ] = None,
    policy: PolicyOption = None,
    gold: Annotated[
        str | None,
        typer.Option(
            "--gold",
            help="Whose annotations are known answers, hidden as the policy says.",
            metavar="NAME",
        ),
    ] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Put images that are in no batch into new batches, with the people who draw them."""
    from annotate.audit.planning import plan_batches
    from annotate.audit.roster import Assignment
    from mira.schema.audit import AuditPolicy

    people = [name.strip() for name in annotators.split(",") if name.strip()]
    planned = plan_batches(
        _open(workspace),
        Assignment(people, assign),
        policy=policy_or(AuditPolicy(), policy),
        seed=seed,
        gold_annotator=gold,
    )
    if as_json:
        print_json(planned._asdict())
    else:
        batches = format_count(len(planned.batch_ids), "new batch", "new batches")
        typer.echo(f"{batches} of {format_count(planned.n_images, 'image')}")
    say_next("mira", "annotate", "audit", "status", "--workspace", workspace)


@app.command()
def package(
    batch: BatchArgument,
    workspace: WorkspaceOption,
    out: Annotated[Path, typer.Option("--out", "-o", help="New or empty folder.", metavar="DIR")],
    to: Annotated[
        str | None,
        typer.Option("--to", help="Who takes this turn over from another.", metavar="NAME"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the folder for whose turn it is: pictures and labels, nothing that others drew."""
    from annotate.audit.packaging import write_package

    packaged = write_package(_open(workspace), batch, out, to=to)
    if as_json:
        print_json(packaged._asdict())
    else:
        people = ", ".join(packaged.people)
        images = format_count(packaged.n_images, "picture")
        there = ", there already" if packaged.was_there else ""
        typer.echo(f"{out}: {images} for {people} ({packaged.state}){there}")
    submit_words = ("submit", batch, out, "--by", packaged.people[0])
    say_next("mira", "annotate", "audit", *submit_words, "--workspace", workspace)


@app.command()
def submit(
    batch: BatchArgument,
    workspace: WorkspaceOption,
    by: Annotated[str, typer.Option("--by", help="Who drew.", metavar="NAME")],
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="The package with annotation files in it; what the workspace has of the "
            "person already if left out.",
            metavar="FOLDER",
        ),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Keep what is there, if some is missing or refused.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Take a person's drawings; the last one moves the batch on. Exit 1 if some are refused."""
    from annotate.audit.submission import submit_drawings

    result = submit_drawings(_open(workspace), batch, folder, by=by, partial=partial)
    if as_json:
        print_json(result._asdict())
    else:
        show_submission(result)
    if any(refusal.kind != "missing" or not partial for refusal in result.refusals):
        raise typer.Exit(1)
    if result.state in ("auditing", "reauditing") and not result.n_left:
        say_next("mira", "annotate", "audit", "status", "--workspace", workspace)


@app.command()
def score(batch: BatchArgument, workspace: WorkspaceOption, as_json: JsonOption = False) -> None:
    """Compare a batch's sample with the drawing it checks; exit 1 if it failed."""
    from annotate.audit.scoring import score_batch

    scored = score_batch(_open(workspace), batch)
    if as_json:
        print_json({"report": scored.report, "gold": scored.gold})
    else:
        show_score(scored)
    say_next("mira", "annotate", "audit", "decide", batch, "--workspace", workspace)
    if scored.report.verdict == "failed":
        raise typer.Exit(1)


@app.command()
def decide(
    batch: BatchArgument,
    workspace: WorkspaceOption,
    people: Annotated[
        str,
        typer.Option(
            "--people",
            help="Who decides together after a second failure, by commas; the last two who drew "
            "by default.",
            metavar="LIST",
        ),
    ] = "",
    adjudicated: Annotated[
        bool, typer.Option("--adjudicated", help="Those who decide together are done.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Move a batch on by its report: accepted, drawn anew by a third, or decided together."""
    from annotate.audit.deciding import decide_batch

    names = [name.strip() for name in people.split(",") if name.strip()]
    decided = decide_batch(_open(workspace), batch, adjudicated=adjudicated, people=names)
    if as_json:
        print_json(decided._asdict())
    else:
        turn = f", {', '.join(decided.people)}'s turn" if decided.people else ""
        before = " (as before)" if decided.was_decided else ""
        typer.echo(f"{batch}: {decided.state}{turn}{before}")
    say_next("mira", "annotate", "audit", "status", "--workspace", workspace)


@app.command()
def status(workspace: WorkspaceOption, as_json: JsonOption = False) -> None:
    """Say of each batch its state, whose turn it is, how far it is, and what to do next."""
    from annotate.audit.status import people_of, statuses_of

    batches = _open(workspace).batches()
    rows, people = statuses_of(batches), people_of(batches)
    if as_json:
        print_json({"batches": rows, "people": people})
    else:
        show_status(rows, people)


app.command()(report)


def _open(workspace: Path) -> AuditBook:
    from mira.store.audit import AuditBook
    from mira.store.workspace import Workspace

    return AuditBook(Workspace.open(workspace))
