"""`mira eval mirror replay`: an episode to look at again."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mira.schema.episode import ReachDetails
    from mira.schema.step import WorldPoint
    from mira.sim.reach.painting import Painter


def replay(
    run: Annotated[
        Path, typer.Argument(help="Folder of episodes.", metavar="RUN", file_okay=False)
    ],
    episode: Annotated[str, typer.Argument(help="Id of the episode.", metavar="EPISODE")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="File: .gif, .mp4 or .html.", metavar="FILE", dir_okay=False
        ),
    ],
    no_render: Annotated[
        bool, typer.Option("--no-render", help="Draw no pictures that were not kept.")
    ] = False,
) -> None:
    """Write an episode as a film, or as a page to step through; pictures not kept are drawn."""
    from mira.evals.mirror_report.replaying import require_episode, require_film_name, write_replay

    require_film_name(out)
    one = require_episode(run, episode)
    with ExitStack() as stack:
        draw = None if no_render else _Drawing(one.details, stack)
        write_replay(run, one, out, draw=draw)
    typer.echo(out)


class _Drawing:
    """Draws a scene, once the first picture is wanted."""

    def __init__(self, details: ReachDetails, stack: ExitStack) -> None:
        self._details, self._stack = details, stack
        self._painter: Painter | None = None

    def __call__(self, hand_m: WorldPoint) -> NDArray[np.uint8]:
        from mira.sim.reach.look.painter import Painter as MirrorPainter
        from mira.sim.reach.scenes import find_scene

        scene = find_scene(self._details.body, self._details.hand, self._details.mark)
        if self._painter is None:
            self._painter = self._stack.enter_context(closing(MirrorPainter()))
        return self._painter.draw(scene, hand_m)
