"""The mirror test, played by a script or by somebody at this terminal."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from mira.cli.output import format_count, progress, say_next

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mira.sim.reach.agents import AgentName
    from mira.sim.reach.painting import Painter
    from mira.sim.reach.series import ReachSetup, Slot
    from mira.store.episodes import EpisodeStore


def play_here(
    out: Path, policy: str, slots: Sequence[Slot], setup: ReachSetup, *, render: bool
) -> None:
    """Have a script or somebody at the keyboard play what is left, and say how it stands.

    Args:
        out: Folder of the run.
        policy: `keyboard`, or the name of the script.
        slots: The episodes.
        setup: How.
        render: Whether pictures are drawn.
    """
    from mira.sim.reach.series import open_slots

    store = setup.open(out)
    left = open_slots(store, slots)
    try:
        with ExitStack() as stack:
            painter = stack.enter_context(closing(mirror_painter())) if left and render else None
            if policy == "keyboard":
                _play_by_hand(store, left, setup, painter)
            else:
                _play_script(store, left, setup, painter, policy)
    except KeyboardInterrupt:
        typer.echo(f"\nWhat was played is in {out}; the same command goes on", err=True)
        raise
    kept = len(slots) - len(left)
    told = format_count(len(left), "episode") + " played"
    typer.echo(f"{told}, {kept:,} kept: {out}" if kept else f"{told}: {out}", err=True)
    say_next("mira", "eval", "mirror", "score", out)


def _play_script(
    store: EpisodeStore,
    slots: Sequence[Slot],
    setup: ReachSetup,
    painter: Painter | None,
    policy: str,
) -> None:
    from mira.sim.reach.painting import RememberingPainter
    from mira.sim.reach.series import play_script

    remembering = None if painter is None else RememberingPainter(painter)
    with progress("playing") as advance:
        play_script(
            store,
            slots,
            setup=setup,
            name=cast("AgentName", policy),
            painter=remembering,
            progress=advance,
        )


def _play_by_hand(
    store: EpisodeStore, slots: Sequence[Slot], setup: ReachSetup, painter: Painter | None
) -> None:
    from mira.cli.eval_mirror_keyboard import play_at_keyboard
    from mira.sim.reach.choosing import order_for_people
    from mira.sim.reach.series import rng_of

    ordered = order_for_people(slots, rng=rng_of(setup.seed, setup.player))
    for number, slot in enumerate(ordered, start=1):
        typer.echo(f"\nEpisode {number} of {len(slots)}", err=True)
        play_at_keyboard(setup.play(slot, painter), store)


def mirror_painter() -> Painter:
    """What draws the test."""
    from mira.sim.reach.look.painter import Painter as MirrorPainter

    return MirrorPainter()
