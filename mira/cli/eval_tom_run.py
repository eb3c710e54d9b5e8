"""`mira eval tom run`: a model asked the items of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.model_options import MODEL_HELP, Reached, with_model_flags
from mira.cli.options import JsonOption
from mira.cli.tom_options import TomRunArgument

if TYPE_CHECKING:
    from mira.evals.inspect_runner.collecting import Tally
    from mira.evals.inspect_runner.options import Progress


@with_model_flags
def run(
    items: TomRunArgument,
    model: Annotated[str, typer.Option("--model", "-m", help=MODEL_HELP, metavar="PROVIDER/NAME")],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="New folder for the replies.", metavar="RUN"),
    ],
    limit: Annotated[
        int | None, typer.Option("--limit", help="Ask the first N items only.", min=1, metavar="N")
    ] = None,
    *,
    reached: Reached,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on: ask what failed or was never asked, nothing else."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the first item and count all; ask nobody.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Ask a model theory-of-mind items; what it says becomes a run, to score and report.

    Exits 1 where an item failed or was not asked.
    """
    from mira.cli.eval_questions import ask_and_tell
    from mira.evals.inspect_runner.options import ModelOptions
    from mira.evals.inspect_runner.tom_questions import ItemQuestions, run_items
    from mira.evals.tom.asking import prompt_of
    from mira.evals.tom.runs import read_items
    from mira.evals.tom.scoring import digest_of

    options = ModelOptions(model=model, **reached)
    found = read_items(items)
    asked = ItemQuestions(found, digest_of(found.items), out, options, limit)
    if dry_run:
        first = next(iter(asked.asked.values())).item
        typer.echo(f"First item, {first.item_id}, as it would be sent:")
        for line in prompt_of(first).splitlines():
            typer.echo(f"  {line}")
        typer.echo(f"\nitems      {len(asked.asked):,}")
        return

    def ask(progress: Progress) -> Tally:
        return run_items(asked, resume=resume, progress=progress)

    then = ("mira", "eval", "tom", "score", str(items))
    ask_and_tell(ask, out, options, then=then, as_json=as_json)
