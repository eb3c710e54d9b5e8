"""`mira eval mirror import`: episodes of other simulators, to score and to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.output import format_count, say_next


def import_(
    trajectories: Annotated[
        Path,
        typer.Argument(
            help="CSV, JSON, or a folder of MirrorBench's own logs.", metavar="TRAJECTORIES"
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Folder of the run.", metavar="RUN", file_okay=False),
    ],
) -> None:
    """Make a run of what another simulator wrote, such as Isaac Sim."""
    from mira.evals.mirror.importing import import_trajectories
    from mira.evals.mirror.published_logs import SceneStart
    from mira.sim.reach.scenes import reach_scenes

    bodies = {scene.body.name: scene.body for scene in reach_scenes()}
    starts = {name: SceneStart(body.hand_m, body.mark_m) for name, body in bodies.items()}
    store = import_trajectories(trajectories, out, starts=starts)
    typer.echo(f"{format_count(len(store.episode_ids()), 'episode')}: {out}", err=True)
    say_next("mira", "eval", "mirror", "score", out)
