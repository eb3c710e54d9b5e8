"""`mira eval mosaic run`: trials of the treasure game, played by scripts and models."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from mira.cli.model_options import MODEL_HELP, Reached, with_model_flags
from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import format_count, progress, say_next
from mira.cli.probe_options import ProbesOption, probe_policy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mira.schema.episode import Role
    from mira.sim.treasure.match import Visual
    from mira.sim.treasure.play import Camera
    from mira.sim.treasure.rules import Player
    from mira.sim.treasure.series import Casting, TreasureSetup
    from mira.sim.treasure.trials import Condition, Trial

_MOST_CALLS = 2 * (10 + 3 + 3)
"""Requests to one role in a trial: turns, sentences, what is made of the other's; each twice."""


class VisualName(StrEnum):
    """What players are shown."""

    rendered = "rendered"
    blank = "blank"
    rendered_face = "rendered_face"
    none = "none"


@with_model_flags
def run(
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Folder of the run.", metavar="RUN", file_okay=False),
    ],
    subject: Annotated[
        str | None,
        typer.Option(
            "--subject",
            help="Who knows the box: honest, deceptive, belief_action, biased, idle, random; "
            "or PROVIDER/NAME of a model.",
            metavar="WHO",
        ),
    ] = None,
    participant: Annotated[
        str | None,
        typer.Option(
            "--participant",
            help="Who looks for it: attentive, deaf, belief_action, biased, idle, random; "
            "or PROVIDER/NAME of a model.",
            metavar="WHO",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help=f"Plays the roles that nobody else does. {MODEL_HELP}",
            metavar="PROVIDER/NAME",
        ),
    ] = None,
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
        VisualName | None,
        typer.Option(
            "--visual",
            help="What players are shown; rendered for models, none for scripts.",
        ),
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(
            "--prompts", help="Other words, in YAML or JSON.", metavar="FILE", dir_okay=False
        ),
    ] = None,
    faces_by_picture: Annotated[
        bool,
        typer.Option(
            "--faces-by-picture", help="Do not tell a model in words what the other's face shows."
        ),
    ] = False,
    probes: ProbesOption = False,
    probe_rounds: Annotated[
        str | None,
        typer.Option(
            "--probe-rounds",
            help="After which rounds --probes asks, by commas; 3,6,9,10 by default.",
            metavar="LIST",
        ),
    ] = None,
    seed: SeedOption = 0,
    *,
    reached: Reached,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with a model: no reply is asked for twice."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what a model would be told first; ask nobody.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Play MOSAIC's treasure game: 4 conditions, 50 trials of each; goes on where it stopped.

    Exits 1 where a model was not heard to the end of a trial.
    """
    from mira.sim.treasure.asking.asked_player import AskingPolicy
    from mira.sim.treasure.asking.wording import read_wording
    from mira.sim.treasure.probing import TreasureProbePolicy
    from mira.sim.treasure.series import TreasureSetup
    from mira.sim.treasure.trials import plan_trials

    planned = plan_trials(seed, count=trials, conditions=_conditions(conditions))
    casting = _casting(subject, participant, model)
    asked: dict[Role, str] = {role: one.name for role, one in casting.items() if not one.is_script}
    shown = visual or (VisualName.rendered if asked else VisualName.none)
    asking = AskingPolicy(wording=read_wording(prompts), tells_faces=not faces_by_picture)
    probing = probe_policy(TreasureProbePolicy(), probe_rounds, asks=probes, flag="--probe-rounds")
    setup = TreasureSetup(
        casting=casting, visual=_visual(shown), seed=seed, asking=asking, probes=probing
    )
    setup.require_scripts()
    if not asked:
        if probing is not None:
            raise typer.BadParameter("only models are asked", param_hint="--probes")
        _play_scripts(out, planned, setup)
        return
    named = {"model": next(iter(asked.values())), **reached}
    _play_models(out, planned, setup, asked, named, resume=resume, dry_run=dry_run, as_json=as_json)


def _casting(
    subject: str | None, participant: str | None, model: str | None
) -> dict[Player, Casting]:
    """Who plays: a script by its name, else a model."""
    from mira.sim.treasure.series import Casting

    def cast_of(who: str | None, flag: str) -> Casting:
        name = who or model
        if name is None:
            raise typer.BadParameter("expected it, or --model", param_hint=flag)
        return Casting(name, is_script=who is not None and "/" not in who)

    return {
        "subject": cast_of(subject, "--subject"),
        "participant": cast_of(participant, "--participant"),
    }


def _play_models(
    out: Path,
    planned: Sequence[Trial],
    setup: TreasureSetup,
    asked: Mapping[Role, str],
    reached: dict[str, Any],
    *,
    resume: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    from mira.cli.eval_playing import play_and_tell, tell_first
    from mira.evals.inspect_runner.options import ModelOptions
    from mira.evals.inspect_runner.playing import model_settings
    from mira.sim.treasure.probing import most_questions

    options = ModelOptions(**reached)
    setup = setup._replace(settings=model_settings(options))
    by_id = {trial.trial_id: trial for trial in planned}
    camera = _camera(setup.visual)
    if dry_run:
        first = setup.play(planned[0], camera)
        calls = (_MOST_CALLS + most_questions(setup.probes)) * len(asked) * len(planned)
        tell_first(first, episodes=len(planned), calls=calls)
        return
    play_and_tell(
        out,
        setup.run(),
        lambda name: setup.play(by_id[name], camera),
        list(by_id),
        options=options,
        role_models=asked,
        resume=resume,
        as_json=as_json,
        score=("mira", "eval", "mosaic", "score"),
    )


def _play_scripts(out: Path, planned: Sequence[Trial], setup: TreasureSetup) -> None:
    from mira.sim.treasure.series import open_trials, play_scripts

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
