"""`mira eval mirror run`: episodes of the mirror test, played by a model, a script or a person."""

from __future__ import annotations

from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mira.cli.model_options import MODEL_HELP, Reached, with_model_flags
from mira.cli.options import JsonOption, SeedOption, listed
from mira.cli.probe_options import ProbesOption, probe_policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mira.sim.reach.series import ReachSetup, Slot


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
    browser = "browser"


_PEOPLE = (PolicyName.keyboard, PolicyName.browser)


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
        typer.Option(
            "--out",
            "-o",
            help="Folder of the run; with --policy browser, of a run for each player.",
            metavar="RUN",
            file_okay=False,
        ),
    ],
    policy: Annotated[
        PolicyName | None,
        typer.Option(
            "--policy",
            "-p",
            help="Who plays: a script, you at the keyboard, or people in a browser.",
        ),
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
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            help="So many of these episodes, balanced over bodies and levels, drawn by --seed.",
            min=1,
            metavar="N",
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
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            help="Code name of who plays; without it people in a browser choose theirs.",
            metavar="NAME",
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option("--host", help="Address that the browser page is at.", metavar="ADDRESS"),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option("--port", help="Its port; 0 takes a free one.", min=0, max=65535, metavar="N"),
    ] = 7861,
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
    import numpy as np

    from mira.sim.reach.choosing import sample_slots
    from mira.sim.reach.probing import ReachProbePolicy
    from mira.sim.reach.prompting.wording import read_wording
    from mira.sim.reach.rules import ReachPolicy
    from mira.sim.reach.series import ReachSetup, reach_slots

    if (policy is None) == (model is None):
        raise typer.BadParameter("expected one of --policy and --model", param_hint="--policy")
    if player is not None and policy not in _PEOPLE:
        raise typer.BadParameter("only people have one", param_hint="--player")
    probing = probe_policy(ReachProbePolicy(), probe_steps, asks=probes, flag="--probe-steps")
    slots = reach_slots(scenes=listed(scenes), levels=_levels(levels), repeats=repeats)
    if sample is not None:
        slots = sample_slots(slots, sample, rng=np.random.default_rng(seed))
    setup = ReachSetup(
        player=model or player or ("human" if policy in _PEOPLE else str(policy)),
        model=model,
        policy=ReachPolicy(budget=budget.value),
        wording=read_wording(prompts),
        reading=reading.value,
        seed=seed,
        probes=probing,
    )
    if probing is not None and policy is not None:
        raise typer.BadParameter("only a model is asked", param_hint="--probes")
    if policy is PolicyName.browser:
        from mira.cli.eval_mirror_browser import play_in_browser

        if no_render:
            raise typer.BadParameter("people see pictures alone", param_hint="--no-render")
        play_in_browser(out, slots, setup, player=player, host=host, port=port)
        return
    if policy is not None:
        from mira.cli.eval_mirror_here import play_here

        play_here(out, policy.value, slots, setup, render=not no_render)
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
    from mira.cli.eval_mirror_here import mirror_painter
    from mira.cli.eval_playing import play_and_tell, tell_first
    from mira.evals.inspect_runner.options import ModelOptions
    from mira.evals.inspect_runner.playing import model_settings
    from mira.sim.reach.painting import RememberingPainter
    from mira.sim.reach.probing import most_questions
    from mira.sim.reach.rules import budget_of

    options = ModelOptions(**reached)
    setup = setup._replace(settings=model_settings(options))
    by_id = {slot.episode_id: slot for slot in slots}
    with closing(mirror_painter()) as painter:
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


def _levels(text: str) -> tuple[int, ...]:
    names = listed(text)
    if not names or not all(name.isdecimal() and len(name) == 1 for name in names):
        raise typer.BadParameter(f"expected 0, 1, 2 or 3, found {text!r}", param_hint="--levels")
    return tuple(int(name) for name in names)
