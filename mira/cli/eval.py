"""`mira eval`: scores of replies to a release."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json, say_next
from mira.errors import ReleaseError

app = typer.Typer(no_args_is_help=True)

ReleaseArgument = Annotated[
    Path, typer.Argument(help="A release folder.", metavar="RELEASE", file_okay=False)
]
ProtocolOption = Annotated[
    str | None, typer.Option("--protocol", help="Score this referring protocol only.")
]
SplitOption = Annotated[str | None, typer.Option("--split", help="Use this split only.")]


class BaselineKind(StrEnum):
    """Makers of predictions that need no model."""

    oracle = "oracle"
    random = "random"
    majority = "majority"


@app.command()
def score(
    release: ReleaseArgument,
    predictions: Annotated[
        Path,
        typer.Argument(
            help="JSON lines with question_id and answer (or raw_text).", dir_okay=False
        ),
    ],
    protocol: ProtocolOption = None,
    split: SplitOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Score predictions: exact accuracy by sub-task, level and overall."""
    import numpy as np

    from mira.evals.mira_bench.predictions import read_predictions
    from mira.evals.mira_bench.questions import QUESTION_COLUMNS
    from mira.evals.mira_bench.scoring import score_predictions
    from mira.evals.mira_bench.table import render_score_table
    from mira.release.reader import read_questions, release_digest

    rows = list(read_questions(release, columns=QUESTION_COLUMNS))
    known = {row["question_id"] for row in rows}
    table = score_predictions(
        rows,
        read_predictions(predictions, question_ids=known),
        release_digest=release_digest(release),
        protocol=protocol,
        split=split,
        rng=np.random.default_rng(seed),
    )
    if as_json:
        print_json(table)
        return
    from rich.console import Console

    Console().print(render_score_table(table))


@app.command()
def baseline(
    release: ReleaseArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="File to write.", metavar="FILE", dir_okay=False)
    ],
    kind: Annotated[
        BaselineKind, typer.Option("--kind", help="Who answers.")
    ] = BaselineKind.random,
    split: SplitOption = None,
    seed: SeedOption = 0,
) -> None:
    """Write predictions of a maker that needs no model, to try scoring or to compare with."""
    import numpy as np

    from mira.evals.mira_bench.baselines import (
        majority_predictions,
        oracle_predictions,
        random_predictions,
    )
    from mira.evals.mira_bench.predictions import write_predictions
    from mira.evals.mira_bench.questions import QUESTION_COLUMNS
    from mira.release.reader import read_questions

    rows = list(read_questions(release, columns=QUESTION_COLUMNS, split=split))
    if not rows:
        raise ReleaseError(release, f"holds no question in split {split!r}")
    if kind is BaselineKind.oracle:
        made = oracle_predictions(rows)
    elif kind is BaselineKind.majority:
        made = majority_predictions(rows)
    else:
        made = random_predictions(rows, rng=np.random.default_rng(seed))
    write_predictions(out, made)
    typer.echo(f"Predictions: {out}", err=True)
    say_next("mira", "eval", "score", release, out)
