"""`mira eval tom probes`: what players said that they believe, against what they did."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json, progress


def probes(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Folders of episodes, played with --probes.", metavar="RUN...", file_okay=False
        ),
    ],
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Score beliefs that players stated between moves, and the gap to what they then did."""
    from mira.evals.beliefs.runs import read_asked
    from mira.evals.beliefs.scoring import score_beliefs

    with progress("reading episodes") as advance:
        episodes = read_asked(runs, progress=advance)
    scores = score_beliefs(episodes, seed=seed)
    if as_json:
        print_json(scores)
        return
    from mira.cli.terminal import print_view
    from mira.evals.beliefs.table import BeliefsView

    print_view(BeliefsView(scores))
