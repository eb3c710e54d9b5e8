"""`mira eval mirror run`: episodes of the mirror test, played by a model, a script or a person."""

from __future__ import annotations

from contextlib import ExitStack, closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from mira.cli.model_options import MODEL_HELP, Reached, with_model_flags
from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import format_count, progress, say_next
from mira.cli.probe_options import ProbesOption, probe_policy

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


class ReadingName(StrEnum):
    """How replies are read."""

    strict = "strict"
    published = "published"


@with_model_flags
def run(
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Folder of the run.", metavar="RUN", file_okay=False),
    ],
    policy: Annotated[
        PolicyName | None,
        typer.Option("--policy", "-p", help="Who plays: a script, or you at the keyboard."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help=f"Or a model. {MODEL_HELP}", metavar="PROVIDER/NAME"),
    ] = None,
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
    reading: Annotated[
        ReadingName,
        typer.Option(
            "--reading",
            help="Take what a reply says to be its choice; or the last number in it, as published.",
        ),
    ] = ReadingName.strict,
    probes: ProbesOption = False,
    probe_steps: Annotated[
        str | None,
        typer.Option(
            "--probe-steps",
            help="After which moves --probes asks, by commas; 0,5,10 by default.",
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
    """Play the mirror test: 66 scenes at 4 levels, an episode each; goes on where it stopped.

    Exits 1 where a model was not heard to the end of an episode.
    """
    from mira.sim.reach.probing import ReachProbePolicy
    from mira.sim.reach.prompting.wording import read_wording
    from mira.sim.reach.rules import ReachPolicy
    from mira.sim.reach.series import ReachSetup, reach_slots

    if (policy is None) == (model is None):
        raise typer.BadParameter("expected one of --policy and --model", param_hint="--policy")
    probing = probe_policy(ReachProbePolicy(), probe_steps, asks=probes, flag="--probe-steps")
    slots = reach_slots(scenes=_listed(scenes), levels=_levels(levels), repeats=repeats)
    setup = ReachSetup(
        player=model or ("human" if policy is PolicyName.keyboard else str(policy)),
        model=model,
        policy=ReachPolicy(budget=budget.value),
        wording=read_wording(prompts),
        reading=reading.value,
        seed=seed,
        probes=probing,
    )
    if model is None:
        assert policy is not None
        if probing is not None:
            raise typer.BadParameter("only a model is asked", param_hint="--probes")
        _play_without_model(out, policy, slots, setup, render=not no_render)
        return
    if no_render:
        raise typer.BadParameter("a model sees pictures alone", param_hint="--no-render")
    _play_with_model(
        out,
        slots,
        setup,
        {"model": model, **reached},
        resume=resume,
        dry_run=dry_run,
        as_json=as_json,
    )


def _play_with_model(
    out: Path,
    slots: Sequence[Slot],
    setup: ReachSetup,
    reached: dict[str, Any],
    *,
    resume: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    from mira.cli.eval_playing import play_and_tell, tell_first
    from mira.evals.inspect_runner.options import ModelOptions
    from mira.evals.inspect_runner.playing import model_settings
    from mira.sim.reach.painting import RememberingPainter
    from mira.sim.reach.probing import most_questions
    from mira.sim.reach.rules import budget_of

    options = ModelOptions(**reached)
    setup = setup._replace(settings=model_settings(options))
    by_id = {slot.episode_id: slot for slot in slots}
    with closing(_painter()) as painter:
        remembering = RememberingPainter(painter)
        if dry_run:
            calls = sum(budget_of(slot.scene.body, setup.policy) for slot in slots)
            calls += len(slots) * most_questions(setup.probes)
            tell_first(setup.play(slots[0], remembering), episodes=len(slots), calls=calls)
            return
        play_and_tell(
            out,
            setup.run(),
            lambda name: setup.play(by_id[name], remembering),
            list(by_id),
            options=options,
            role_models={"agent": options.model},
            resume=resume,
            as_json=as_json,
            score=("mira", "eval", "mirror", "score"),
        )


def _play_without_model(
    out: Path, policy: PolicyName, slots: Sequence[Slot], setup: ReachSetup, *, render: bool
) -> None:
    from mira.sim.reach.series import open_slots

    store = setup.open(out)
    left = open_slots(store, slots)
    try:
        with ExitStack() as stack:
            painter = stack.enter_context(closing(_painter())) if left and render else None
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
