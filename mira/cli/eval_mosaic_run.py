"""`mira eval mosaic run`: trials of the treasure game, played by scripts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from mira.cli.options import SeedOption
from mira.cli.output import format_count, progress, say_next

if TYPE_CHECKING:
    from mira.sim.treasure.match import Visual
    from mira.sim.treasure.play import Camera
    from mira.sim.treasure.trials import Condition


class VisualName(StrEnum):
    """What players are shown."""

    rendered = "rendered"
    blank = "blank"
    rendered_face = "rendered_face"
    none = "none"


def run(
    subject: Annotated[
        str,
        typer.Option(
            "--subject",
            help="Who knows the box: honest, deceptive, belief_action, biased, idle, random.",
            metavar="POLICY",
        ),
    ],
    participant: Annotated[
        str,
        typer.Option(
            "--participant",
            help="Who looks for it: attentive, deaf, belief_action, biased, idle, random.",
            metavar="POLICY",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Folder of the run.", metavar="RUN", file_okay=False),
    ],
    trials: Annotated[
        int, typer.Option("--trials", help="Trials of each condition.", min=1, max=999, metavar="N")
    ] = 50,
    conditions: Annotated[
        str | None,
        typer.Option(
            "--conditions",
            help="Of coop-tom0, coop-tom1, comp-tom0, comp-tom1, by commas; all by default.",
            metavar="LIST",
        ),
    ] = None,
    visual: Annotated[
        VisualName,
        typer.Option("--visual", help="What players are shown; scripts do not look at it."),
    ] = VisualName.none,
    seed: SeedOption = 0,
) -> None:
    """Play MOSAIC's treasure game: 4 conditions, 50 trials of each; goes on where it stopped."""
    from mira.sim.treasure.series import Casting, TreasureSetup, open_trials, play_scripts
    from mira.sim.treasure.trials import plan_trials

    planned = plan_trials(seed, count=trials, conditions=_conditions(conditions))
    setup = TreasureSetup(
        casting={"subject": Casting(subject, True), "participant": Casting(participant, True)},
        visual=_visual(visual),
        seed=seed,
    )
    setup.require_scripts()
    store = setup.open(out)
    left = open_trials(store, planned)
    try:
        with progress("playing") as advance:
            play_scripts(store, left, setup=setup, camera=_camera(setup.visual), progress=advance)
    except KeyboardInterrupt:
        typer.echo(f"\nWhat was played is in {out}; the same command goes on", err=True)
        raise
    kept = len(planned) - len(left)
    told = format_count(len(left), "trial") + " played"
    typer.echo(f"{told}, {kept:,} kept: {out}" if kept else f"{told}: {out}", err=True)
    say_next("mira", "eval", "mosaic", "score", out)


def _visual(name: VisualName) -> Visual | None:
    return None if name is VisualName.none else cast("Visual", name.value)


def _camera(visual: Visual | None) -> Camera | None:
    from mira.sim.treasure.pictures.views import make_camera

    return None if visual is None else make_camera(visual)


def _conditions(text: str | None) -> tuple[Condition, ...]:
    from mira.sim.treasure.trials import CONDITIONS

    known = {condition.name: condition for condition in CONDITIONS}
    if text is None:
        return CONDITIONS
    names = [part.strip() for part in text.split(",")]
    for name in names:
        if name not in known:
            raise typer.BadParameter(
                f"expected some of {', '.join(known)}, found {name!r}", param_hint="--conditions"
            )
    return tuple(known[name] for name in names)
