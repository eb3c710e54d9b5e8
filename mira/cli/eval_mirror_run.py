"""`mira eval mirror run`: episodes of the mirror test, played by a script or at the keyboard."""

from __future__ import annotations

from contextlib import ExitStack, closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from mira.cli.options import SeedOption
from mira.cli.output import format_count, progress, say_next

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mira.sim.reach.agents import AgentName
    from mira.sim.reach.painting import Painter
    from mira.sim.reach.series import ReachSetup, Slot
    from mira.store.episodes import EpisodeStore


class PolicyName(StrEnum):
    """Players that are no models."""

    random = "random"
    up = "up"
    down = "down"
    left = "left"
    right = "right"
    forward = "forward"
    backward = "backward"
    oracle = "oracle"
    confused = "confused"
    keyboard = "keyboard"


class BudgetName(StrEnum):
    """How moves of the shortest way are counted."""

    published = "published"
    exact = "exact"


def run(
    policy: Annotated[
        PolicyName,
        typer.Option("--policy", "-p", help="Who plays: a script, or you at the keyboard."),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Folder of the run.", metavar="RUN", file_okay=False),
    ],
    no_render: Annotated[
        bool,
        typer.Option("--no-render", help="Draw no pictures; scripts do not look at them."),
    ] = False,
    budget: Annotated[
        BudgetName,
        typer.Option(
            "--budget",
            help="Turns: 10 more than the shortest way, which published counts one short at times.",
        ),
    ] = BudgetName.published,
    levels: Annotated[
        str, typer.Option("--levels", help="Levels, by commas.", metavar="LIST")
    ] = "0,1,2,3",
    scenes: Annotated[
        str | None,
        typer.Option(
            "--scenes",
            help="Scenes, bodies, human or robot, by commas; all 66 by default.",
            metavar="LIST",
        ),
    ] = None,
    repeats: Annotated[
        int, typer.Option("--repeats", help="How often each is played.", min=1, metavar="N")
    ] = 1,
    prompts: Annotated[
        Path | None,
        typer.Option(
            "--prompts", help="Other words, in YAML or JSON.", metavar="FILE", dir_okay=False
        ),
    ] = None,
    seed: SeedOption = 0,
) -> None:
    """Play the mirror test: 66 scenes at 4 levels, an episode each; goes on where it stopped."""
    from mira.sim.reach.prompting.wording import read_wording
    from mira.sim.reach.rules import ReachPolicy
    from mira.sim.reach.series import ReachSetup, open_slots, reach_slots

    slots = reach_slots(scenes=_listed(scenes), levels=_levels(levels), repeats=repeats)
    setup = ReachSetup(
        player="human" if policy is PolicyName.keyboard else policy.value,
        model=None,
        policy=ReachPolicy(budget=budget.value),
        wording=read_wording(prompts),
        seed=seed,
    )
    store = setup.open(out)
    left = open_slots(store, slots)
    try:
        with ExitStack() as stack:
            painter = None
            if left and not no_render:
                painter = stack.enter_context(closing(_painter()))
            if policy is PolicyName.keyboard:
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
    policy: PolicyName,
) -> None:
    from mira.sim.reach.painting import RememberingPainter
    from mira.sim.reach.series import play_script

    remembering = None if painter is None else RememberingPainter(painter)
    with progress("playing") as advance:
        play_script(
            store,
            slots,
            setup=setup,
            name=cast("AgentName", policy.value),
            painter=remembering,
            progress=advance,
        )


def _play_by_hand(
    store: EpisodeStore, slots: Sequence[Slot], setup: ReachSetup, painter: Painter | None
) -> None:
    from mira.cli.eval_mirror_keyboard import play_at_keyboard

    for number, slot in enumerate(slots, start=1):
        typer.echo(f"\nEpisode {number} of {len(slots)}", err=True)
        play_at_keyboard(setup.play(slot, painter), store)


def _painter() -> Painter:
    from mira.sim.reach.look.painter import Painter as MirrorPainter

    return MirrorPainter()


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in (text or "").split(","))))


def _levels(text: str) -> tuple[int, ...]:
    names = _listed(text)
    if not names or not all(name.isdecimal() and len(name) == 1 for name in names):
        raise typer.BadParameter(f"expected 0, 1, 2 or 3, found {text!r}", param_hint="--levels")
    return tuple(int(name) for name in names)
