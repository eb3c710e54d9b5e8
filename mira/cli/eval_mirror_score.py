"""`mira eval mirror score`: what runs of the mirror test are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json, progress

MirrorRunsArgument = Annotated[
    list[Path],
    typer.Argument(help="Folders of episodes.", metavar="RUN...", file_okay=False),
]


def score(runs: MirrorRunsArgument, seed: SeedOption = 0, as_json: JsonOption = False) -> None:
    """Score runs of the mirror test: success, improvement, completion, by level and body."""
    from mira.evals.mirror.runs import read_players, score_players

    with progress("reading episodes") as advance:
        players = read_players(runs, progress=advance)
    scores = score_players(players, seed=seed)
    if as_json:
        print_json(scores)
        return
    from mira.cli.terminal import print_view
    from mira.evals.mirror.table import MirrorTableView

    print_view(MirrorTableView(scores))
