"""`mira qa generate`: questions from labels, proposals and people's answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import (
    MAX_SEED,
    JsonOption,
    LimitOption,
    PolicyOption,
    WorkspaceOption,
    policy_or,
)
from mira.cli.output import progress, say_next


def generate(
    workspace: WorkspaceOption,
    annotator: Annotated[
        str | None,
        typer.Option("--annotator", help="Whose annotation counts.", metavar="NAME"),
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
    sample: Annotated[
        str | None,
        typer.Option(
            "--sample",
            help="Questions to keep: `paper` for those of MIRA-Bench, or so many a sub-task, "
            "as in `mr=200,ct=50`.",
            metavar="SIZES",
        ),
    ] = None,
    balance: Annotated[
        float | None,
        typer.Option(
            "--balance",
            help="Most share of a template's items with the same right answer.",
            min=0.05,
            max=0.99,
            metavar="SHARE",
        ),
    ] = None,
    paraphrases: Annotated[
        int | None,
        typer.Option(
            "--paraphrases", help="Texts of a template that are used.", min=1, metavar="N"
        ),
    ] = None,
    close_calls: Annotated[
        bool,
        typer.Option("--close-calls", help="Take proposals that are close calls as answers too."),
    ] = False,
    policy: PolicyOption = None,
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
    """Replace the workspace's questions by those that have an answer now.

    Perception is answered by labels and links; the rest by people, then by proposals that are sure.
    """
    from mira.cli.qa_stats import show_summary
    from mira.schema.qa import QAPolicy
    from mira.store.workspace import Workspace
    from qa_gen.generate import generate_questions

    opened = Workspace.open(workspace)
    settings = opened.settings().questions
    bounds = policy_or(QAPolicy(seed=settings.seed), policy)
    flags = {
        "seed": seed,
        "max_gold_share": balance,
        "paraphrases": paraphrases,
        "close_calls": "take" if close_calls else None,
        "target_size": None if sample is None else _sizes(sample),
    }
    changes = {name: value for name, value in flags.items() if value is not None}
    with progress("making questions") as advance:
        summary = generate_questions(
            opened,
            policy=bounds.model_copy(update=changes),
            annotator=annotator or settings.annotator or None,
            templates=templates,
            limit=limit,
            progress=advance,
        )
    show_summary(summary, as_json=as_json)
    typer.echo(f"Questions: {opened.root / 'qa'}", err=True)
    if summary.questions:
        if (opened.root / "desk" / "desk.sqlite3").is_file():
            say_next("mira", "annotate", "app", "import", "--workspace", workspace)
        say_next("mira", "export", "build", "--workspace", workspace, "--out", "release")


def _sizes(text: str) -> dict[str, int]:
    """Sizes of sub-tasks, as in `mr=200,ct=50`; those of MIRA-Bench for `paper`.

    Raises:
        MiraError: A sub-task is not known, or a size is no whole number.
    """
    from mira.errors import MiraError
    from mira.taxonomy.catalogue import taxonomy
    from qa_gen.selecting import PAPER_SIZE

    if text == "paper":
        return dict(PAPER_SIZE)
    known = [row.id for row in taxonomy().subtasks]
    sizes: dict[str, int] = {}
    for part in text.split(","):
        name, _, size = part.strip().partition("=")
        if name not in known or not (size.isascii() and size.isdigit()):
            problem = f"expected `paper` or sub-task=number, found {part.strip()!r}"
            raise MiraError("--sample", problem, f"sub-tasks are {', '.join(known)}")
        sizes[name] = int(size)
    return sizes
