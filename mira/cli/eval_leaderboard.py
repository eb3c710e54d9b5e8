"""`mira eval leaderboard`: models in order, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.eval_options import ReleaseOption
from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json, progress


def leaderboard(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Runs, folders of runs, files of people's replies.", metavar="RUN"),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Page to write.", metavar="PAGE.html", dir_okay=False),
    ] = Path("leaderboard.html"),
    reference: Annotated[
        list[Path] | None,
        typer.Option(
            "--reference",
            help="Predictions that need no model, shown without a rank; repeatable.",
            metavar="FILE",
        ),
    ] = None,
    release: ReleaseOption = None,
    like: Annotated[
        Path | None,
        typer.Option(
            "--like",
            help="Rank what was asked as this run was; as most models were by default.",
            metavar="RUN",
        ),
    ] = None,
    published: Annotated[
        bool, typer.Option("--published", help="Show what MIRA-Bench printed, below and apart.")
    ] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Rank models that were asked alike; say of all others what keeps them from being compared."""
    from mira.evals.leaderboard.making import make_leaderboard
    from mira.evals.leaderboard.page import write_leaderboard

    with progress("comparing models") as advance:
        board = make_leaderboard(
            runs,
            references=reference or (),
            release=release,
            like=like,
            with_published=published,
            seed=seed,
            progress=advance,
        )
    write_leaderboard(board, out)
    if as_json:
        print_json(board)
    else:
        from mira.cli.terminal import print_view
        from mira.evals.leaderboard.terminal import BoardView

        print_view(BoardView(board))
    typer.echo(f"Page: {out}", err=True)
