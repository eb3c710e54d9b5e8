"""`mira qa propose`: answers that labels and depth suggest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import (
    JsonOption,
    LimitOption,
    PolicyOption,
    WorkersOption,
    WorkspaceOption,
    policy_or,
)
from mira.cli.output import format_count, in_columns, print_json, progress, say_next

if TYPE_CHECKING:
    from qa_gen.proposing.run import ProposalSummary


def propose(
    workspace: WorkspaceOption,
    annotator: Annotated[
        str | None,
        typer.Option("--annotator", help="Whose annotation counts.", metavar="NAME"),
    ] = None,
    policy: PolicyOption = None,
    workers: WorkersOption = 1,
    limit: LimitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Propose answers on real positions, reach, next actions and collisions, by geometry.

    Pictures that have not changed keep what was proposed. What is a close call, and what geometry
    refuses, is for people: see `mira qa import`.
    """
    from mira.schema.qa import QAPolicy
    from mira.store.workspace import Workspace
    from qa_gen.proposing.policy import ProposalPolicy
    from qa_gen.proposing.run import propose_answers

    opened = Workspace.open(workspace)
    with progress("proposing answers") as advance:
        summary = propose_answers(
            opened,
            policy=policy_or(ProposalPolicy(), policy),
            bounds=QAPolicy(seed=opened.settings().questions.seed),
            annotator=annotator or opened.settings().questions.annotator or None,
            limit=limit,
            workers=workers,
            progress=advance,
        )
    if as_json:
        print_json(summary)
    else:
        _show(summary)
    typer.echo(f"Proposals: {opened.root / 'proposals'}", err=True)
    say_next("mira", "qa", "generate", "--workspace", workspace)


def _show(summary: ProposalSummary) -> None:
    rows: list[tuple[str, ...]] = [
        ("template", "sure", "close calls", "refused", "most often because")
    ]
    for template_id, found in summary.by_template.items():
        reason = next(iter(found.refused), "").replace("-", " ")
        refused = sum(found.refused.values())
        counts = (f"{count:,}" for count in (found.sure, found.close_calls, refused))
        rows.append((template_id, *counts, reason))
    for line in in_columns(rows, numbers=True):
        typer.echo(line)
    kept = f", {summary.kept:,} of them unchanged" if summary.kept else ""
    typer.echo(f"{format_count(summary.images, 'picture')}{kept}")
    for reason, count in (summary.pictures_left_out | summary.drops).items():
        typer.echo(f"left out: {count:,}, {reason}")
