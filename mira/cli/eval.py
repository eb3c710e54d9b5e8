"""`mira eval`: scores of replies to a release."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.eval_compare import compare
from mira.cli.eval_leaderboard import leaderboard
from mira.cli.eval_mirror import app as mirror
from mira.cli.eval_mosaic import app as mosaic
from mira.cli.eval_options import ProtocolOption, SplitOption
from mira.cli.eval_report import report
from mira.cli.eval_run import run
from mira.cli.eval_table import table
from mira.cli.eval_tom import app as tom
from mira.cli.eval_verify_papers import verify_papers
from mira.cli.options import JsonOption, ReleaseArgument, SeedOption
from mira.cli.output import print_json, say_next
from mira.cli.plain_help import PlainTyper

if TYPE_CHECKING:
    from mira.evals.mira_bench.release import ScoredReplies

app = PlainTyper()
app.command()(run)
app.command("verify-papers")(verify_papers)
app.command()(compare)
app.command()(report)
app.add_typer(mirror, name="mirror")
app.add_typer(mosaic, name="mosaic")
app.command()(table)
app.command()(leaderboard)
app.add_typer(tom, name="tom")


class BaselineKind(StrEnum):
    """Makers of predictions that need no model."""

    oracle = "oracle"
    random = "random"
    majority = "majority"
    blind = "blind"
    always_not_sure = "always-not-sure"


@app.command()
def score(
    release: ReleaseArgument,
    predictions: Annotated[
        Path,
        typer.Argument(
            help="A run; or JSON lines (or CSV) with question_id and answer (or raw_text).",
            metavar="PREDICTIONS",
        ),
    ],
    protocol: ProtocolOption = None,
    split: SplitOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Score predictions: exact accuracy by sub-task, level and overall."""
    import numpy as np

    from mira.evals.mira_bench.release import score_release
    from mira.evals.mira_bench.table import render_score_table

    scored = score_release(
        release, predictions, protocol=protocol, split=split, rng=np.random.default_rng(seed)
    )
    if as_json:
        print_json(scored.table)
    else:
        from mira.cli.terminal import print_view

        print_view(render_score_table(scored.table))
    _tell_unread(scored)


@app.command("read-replies")
def read_replies(
    replies: Annotated[
        Path,
        typer.Argument(
            help="JSON lines with id, format, choices and raw.", metavar="FILE", dir_okay=False
        ),
    ],
) -> None:
    """Read raw replies as answers: one JSON line each, with how it was read and why not."""
    import orjson

    from mira.evals.mira_bench.reply_files import read_reply_file

    # All are read before the first is printed, so that a fault leaves no half of them.
    lines = [orjson.dumps(read).decode() for read in read_reply_file(replies)]
    if lines:
        print("\n".join(lines))


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
    fit_split: Annotated[
        str | None,
        typer.Option(
            "--fit-split",
            help="Split that blind learns from; all scenes but a question's own by default.",
            metavar="NAME",
        ),
    ] = None,
    seed: SeedOption = 0,
) -> None:
    """Write predictions of a maker that needs no model, to try scoring or to compare with."""
    import numpy as np

    from mira.evals.mira_bench.predictions import write_predictions
    from mira.evals.mira_bench.release import baseline_predictions

    if fit_split is not None and kind is not BaselineKind.blind:
        raise typer.BadParameter("only blind learns from a split", param_hint="--fit-split")

    rng = np.random.default_rng(seed)
    said = baseline_predictions(release, kind.value, rng=rng, split=split, fit_split=fit_split)
    write_predictions(out, said)
    typer.echo(f"Predictions: {out}", err=True)
    say_next("mira", "eval", "score", release, out)


def _tell_unread(scored: ScoredReplies) -> None:
    """Say on stderr what a reply has to look like, where many could not be read."""
    from mira.cli.unread_replies import ACCEPTED_FORMS, examples_of_unread, many_unread

    table = scored.table
    overall = table.rows[-1]
    if not many_unread(overall):
        return
    heard = overall.n - overall.n_unscored
    lines = [f"{overall.n_unparsable:,} of {heard:,} replies could not be read as an answer:"]
    lines += examples_of_unread(
        scored.questions, scored.replies, protocol=table.protocol, split=table.split
    )
    typer.echo("\n".join([*lines, ACCEPTED_FORMS]), err=True)
