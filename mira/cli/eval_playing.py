"""Models that play: what `run --model` of the simulated tests does and prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mira.cli.model_options import tell_download
from mira.cli.output import format_count, print_json, progress, say_next

if TYPE_CHECKING:
    from mira.evals.inspect_runner.options import ModelOptions
    from mira.evals.inspect_runner.playing import PlayTally
    from mira.plays import Play
    from mira.schema.episode import EpisodeRun, Role

_ERRORS_SHOWN = 3


def play_and_tell(
    out: Path,
    run: EpisodeRun,
    open_play: Callable[[str], Play],
    episode_ids: Sequence[str],
    *,
    options: ModelOptions,
    role_models: Mapping[Role, str],
    resume: bool,
    as_json: bool,
    score: Sequence[str],
) -> None:
    """Have models play, and print how it stands.

    Args:
        out: Folder of the run.
        run: What its episodes have in common.
        open_play: An episode from its start, by id.
        episode_ids: The episodes.
        options: Who plays.
        role_models: Names of models, by the roles that are asked.
        resume: Go on with what is there.
        as_json: Print for machines.
        score: Command that scores the run, to be suggested.

    Raises:
        typer.Exit: An episode was not played to its end; 1.
    """
    from mira.evals.inspect_runner.playing import play_with_model

    tell_download(replace(options, model=name) for name in role_models.values())
    try:
        with progress("playing") as advance:
            tally = play_with_model(
                out,
                run,
                open_play,
                episode_ids,
                options=options,
                role_models=role_models,
                resume=resume,
                progress=lambda _, done, total: advance(done, total),
            )
    except KeyboardInterrupt:
        typer.echo(
            f"\nWhat was heard is in {out}; the same command goes on with --resume", err=True
        )
        raise
    if as_json:
        print_json(_content(out, tally))
    else:
        for line in _lines(tally):
            typer.echo(line)
    typer.echo(f"Run: {out}", err=True)
    if tally.log is not None:
        typer.echo(f"Log: {tally.log}, to look at with: inspect view", err=True)
    if tally.missing < tally.episodes:
        say_next(*score, out)
    if not tally.complete:
        typer.echo("incomplete: the same command plays what is missing with --resume", err=True)
        raise typer.Exit(1)


def tell_first(play: Play, *, episodes: int, calls: int) -> None:
    """Print the first request of a run, and how many there may be."""
    request = play.request()
    assert request is not None, "an episode that is over before it begins"
    pictures = format_count(len(request.pictures), "picture")
    typer.echo(f"First request, of {play.episode_id}, as it would be sent with {pictures}:")
    for line in request.text.splitlines():
        typer.echo(f"  {line}")
    typer.echo("")
    typer.echo(f"episodes   {episodes:,}")
    typer.echo(f"calls      at most {calls:,}")


def _content(out: Path, tally: PlayTally) -> dict[str, Any]:
    return {
        "run": out,
        "complete": tally.complete,
        "episodes": tally.episodes,
        "endings": tally.endings,
        "missing": tally.missing,
        "replies": tally.replies,
        "errors": tally.errors,
        "input_tokens": tally.usage.input_tokens,
        "output_tokens": tally.usage.output_tokens,
        "cost_usd": tally.usage.cost_usd,
        "log": tally.log,
    }


def _lines(tally: PlayTally) -> Iterator[str]:
    there = tally.episodes - tally.missing
    endings = "  ".join(f"{name} {count:,}" for name, count in sorted(tally.endings.items()))
    yield f"episodes   {there:,} of {tally.episodes:,}   {endings}"
    replies = "  ".join(f"{name} {count:,}" for name, count in sorted(tally.replies.items()))
    yield f"replies    {replies or 'none'}"
    for error, count in list(tally.errors.items())[:_ERRORS_SHOWN]:
        yield f"failed     {count:,} x {error}"
    cost = "" if tally.usage.cost_usd is None else f", {tally.usage.cost_usd:,.2f} USD"
    yield f"tokens     {tally.usage.input_tokens:,} in, {tally.usage.output_tokens:,} out{cost}"
    if tally.spent:
        yield f"limit      reached; {format_count(tally.missing, 'episode')} not played"
