"""`mira eval mosaic replay`: a trial to look at again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def replay(
    run: Annotated[
        Path, typer.Argument(help="Folder of episodes.", metavar="RUN", file_okay=False)
    ],
    episode: Annotated[str, typer.Argument(help="Id of the episode.", metavar="EPISODE")],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="File: .gif.", metavar="FILE", dir_okay=False)
    ],
) -> None:
    """Write a trial as a film: what either sees, the floor from above, what is done and said."""
    from mira.errors import EpisodeError
    from mira.sim.treasure.replay.film import make_gif
    from mira.sim.treasure.replay.moments import trial_of
    from mira.store.atomic import write_file
    from mira.store.episodes import EpisodeStore
    from mira.store.whole_episodes import whole_steps

    if out.suffix.lower() != ".gif":
        raise typer.BadParameter(f"expected a .gif, found {out.name}", param_hint="--out")
    store = EpisodeStore.open(run)
    ids = store.episode_ids()
    if episode not in ids:
        known = f"one of {len(ids):,} such as {ids[0]}" if ids else "episodes in it"
        raise EpisodeError(run, f"expected {known}, found no {episode}")
    record = store.episode(episode)
    trial = trial_of(record, whole_steps(store, record))
    write_file(out, make_gif(trial), durable=False)
    typer.echo(out)
