"""An episode of the mirror test, played by somebody at the terminal."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mira.cli.output import in_columns

if TYPE_CHECKING:
    from mira.plays import Request
    from mira.schema.step import WorldPoint
    from mira.sim.reach.play import ReachPlay
    from mira.store.episodes import EpisodeStore

_KEYS = {name[0]: name for name in ("up", "down", "left", "right", "forward", "backward")}


def play_at_keyboard(play: ReachPlay, store: EpisodeStore) -> None:
    """Let somebody play an episode with the words and pictures that a model would get.

    Without pictures there is nothing to go by, so where things are is told instead.

    Args:
        play: The episode.
        store: Where it is written once it is over; one that is left is not.
    """
    with tempfile.TemporaryDirectory(prefix="mira-mirror-") as scratch:
        shown = Path(scratch) / "view.png"
        while (request := play.request()) is not None:
            _show(request, play, shown)
            play.hear(_ask())
    play.write(store)
    done = play.episode().success
    typer.echo("The mark is reached." if done else "The turns are spent.", err=True)


def _show(request: Request, play: ReachPlay, shown: Path) -> None:
    typer.echo(f"\n{request.text}" if play.game.turns == 0 else _last_part(request), err=True)
    for picture in request.pictures:
        shown.write_bytes(picture)
        typer.echo(f"Picture: {shown}", err=True)
    if not request.pictures:
        rows = [
            ("hand", *_in_cm(play.game.hand_m)),
            ("mark", *_in_cm(play.scene.body.mark_m)),
        ]
        header = ("cm", "forward", "left", "up")
        typer.echo("\n".join(in_columns([header, *rows], numbers=True)), err=True)


def _last_part(request: Request) -> str:
    """What became of the last turn; the rest has been read before."""
    return "\n" + request.text.rsplit("\n", 1)[-1]


def _in_cm(place_m: WorldPoint) -> tuple[str, ...]:
    return tuple(f"{100 * along:.0f}" for along in place_m)


def _ask() -> str:
    """What is typed; a key for each move."""
    typer.echo(
        f"Move ({', '.join(f'{key} {name}' for key, name in _KEYS.items())}): ", nl=False, err=True
    )
    line = sys.stdin.readline()
    if not line:
        raise KeyboardInterrupt
    said = line.strip()
    return _KEYS.get(said.casefold(), said)
