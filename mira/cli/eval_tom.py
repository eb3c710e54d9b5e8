"""`mira eval tom`: theory-of-mind questions, imported, asked and scored."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mira.cli.eval_tom_import import import_
from mira.cli.eval_tom_probes import probes
from mira.cli.eval_tom_report import report
from mira.cli.eval_tom_run import run
from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json, say_next
from mira.cli.plain_help import PlainTyper
from mira.cli.tom_options import RepliesArgument, TomRunArgument

app = PlainTyper()
app.command("import")(import_)
app.command()(run)
app.command()(report)
app.command()(probes)


@app.callback()
def _tom() -> None:
    """Theory of mind: published sets imported, asked and scored."""


class TomBaseline(StrEnum):
    """Makers of replies that need no model."""

    oracle = "oracle"
    random = "random"
    majority = "majority"
    first = "first"
    longest = "longest"


@app.command()
def score(
    run: TomRunArgument,
    replies: RepliesArgument,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Score replies: by source, kind, order, condition, jointly, told against applied."""
    from mira.evals.tom.runs import read_items, read_tom_replies, score_replies

    items = read_items(run)
    scores = score_replies(items, read_tom_replies(items, replies), seed=seed)
    if as_json:
        print_json(scores)
        return
    from mira.cli.terminal import print_view
    from mira.evals.tom.table import TomScoresView

    print_view(TomScoresView(scores))


@app.command()
def baseline(
    run: TomRunArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="File to write.", metavar="FILE", dir_okay=False)
    ],
    kind: Annotated[TomBaseline, typer.Option("--kind", help="Who answers.")] = TomBaseline.random,
    seed: SeedOption = 0,
) -> None:
    """Write replies of a maker that needs no model, to try scoring or to compare with."""
    import numpy as np

    from mira.evals.mira_bench.predictions import write_predictions
    from mira.evals.tom.baselines import baseline_replies
    from mira.evals.tom.runs import read_items

    items = read_items(run).items
    write_predictions(out, baseline_replies(items, kind.value, rng=np.random.default_rng(seed)))
    typer.echo(f"Replies: {out}", err=True)
    say_next("mira", "eval", "tom", "score", run, out)


@app.command()
def prompts(
    run: TomRunArgument,
    limit: Annotated[
        int | None,
        typer.Option("--limit", help="The first N questions only.", min=1, metavar="N"),
    ] = None,
) -> None:
    """Print what a model is told, one JSON line a question, for a harness of one's own."""
    import orjson

    from mira.evals.tom.asking import item_sha8, prompt_of, prompt_version
    from mira.evals.tom.runs import read_items

    for item in read_items(run).items[:limit]:
        line = {
            "question_id": item.item_id,
            "question_sha8": item_sha8(item),
            "prompt": prompt_of(item),
            "prompt_version": prompt_version(),
        }
        print(orjson.dumps(line).decode())
