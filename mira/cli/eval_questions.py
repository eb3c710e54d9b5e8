"""Models that are asked: what `run` of them does and prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mira.cli.model_options import tell_download
from mira.cli.output import Advance, format_count, format_size, print_json, progress, say_next

if TYPE_CHECKING:
    from mira.evals.inspect_runner.collecting import Tally
    from mira.evals.inspect_runner.options import ModelOptions, Progress, Step
    from mira.evals.inspect_runner.rehearsing import Rehearsal
    from mira.schema.evaluation import PredictionStatus

_ANSWERED: tuple[PredictionStatus, ...] = ("parsed", "repaired", "truncated")
_UNANSWERED: tuple[PredictionStatus, ...] = ("refused", "abstained", "unparsable")
_ERRORS_SHOWN = 3


def ask_and_tell(
    ask: Callable[[Progress], Tally],
    out: Path,
    options: ModelOptions,
    *,
    then: Sequence[str],
    as_json: bool,
) -> None:
    """Have a model asked, and print how it stands.

    Args:
        ask: Asks it, and tells what it is doing.
        out: Folder of the run.
        options: Who is asked.
        then: Command that takes the runs, to be suggested.
        as_json: Print for machines.

    Raises:
        typer.Exit: A question failed or was not asked; 1.
    """
    tell_download([options])
    with ExitStack() as bars:
        try:
            tally = ask(_bar_a_step(bars))
        except KeyboardInterrupt:
            bars.close()
            typer.echo(
                f"What was heard is in {out}; the same command goes on with --resume", err=True
            )
            raise
    if as_json:
        print_json(tally_content(tally))
    else:
        for line in tally_lines(tally):
            typer.echo(line)
    typer.echo(f"Run: {', '.join(str(folder) for folder in tally.folders)}", err=True)
    if tally.log is not None:
        typer.echo(f"Log: {tally.log}, to look at with: inspect view", err=True)
    say_next(*then, *tally.folders)
    if not tally.complete:
        typer.echo("incomplete: the same command asks what is missing with --resume", err=True)
        raise typer.Exit(1)


def _bar_a_step(bars: ExitStack) -> Progress:
    """Shows the step that runs: a terminal holds one bar at a time."""
    shown: dict[str, Advance] = {}

    def advance(step: Step, done: int, total: int) -> None:
        if step not in shown:
            bars.close()
            shown[step] = bars.enter_context(progress(step))
        shown[step](done, total)

    return advance


def tally_content(tally: Tally) -> dict[str, Any]:
    """How a run stands, for machines."""
    return {
        "runs": tally.folders,
        "complete": tally.complete,
        "asked": tally.asked - tally.missing,
        "questions": tally.asked,
        "kinds": tally.kinds,
        "repair_calls": tally.repair_calls,
        "failed": tally.failed,
        "missing": tally.missing,
        "errors": tally.errors,
        "input_tokens": tally.input_tokens,
        "output_tokens": tally.output_tokens,
        "cost_usd": tally.cost_usd,
        "log": tally.log,
    }


def tally_lines(tally: Tally) -> Iterator[str]:
    """How a run stands, for people."""
    kinds = tally.kinds
    answered = "  ".join(f"{name} {kinds.get(name, 0):,}" for name in _ANSWERED)
    silent = "  ".join(f"{name} {kinds.get(name, 0):,}" for name in _UNANSWERED)
    yield f"asked      {tally.asked - tally.missing:,} of {format_count(tally.asked, 'question')}"
    yield f"answered   {answered}"
    yield f"no answer  {silent}"
    yield f"repair     {format_count(tally.repair_calls, 'call')}"
    yield f"failed     {tally.failed:,}"
    for error, count in list(tally.errors.items())[:_ERRORS_SHOWN]:
        yield f"           {count:,} x {error}"
    cost = "" if tally.cost_usd is None else f", {tally.cost_usd:,.2f} USD"
    yield f"tokens     {tally.input_tokens:,} in, {tally.output_tokens:,} out{cost}"
    if tally.spent:
        yield f"limit      reached; {format_count(tally.missing, 'question')} not asked"


def rehearsal_lines(found: Rehearsal) -> Iterator[str]:
    """What would be asked, for people."""
    yield f"First question, {found.first_id}, as it would be sent:"
    for one in found.first_pictures:
        size = f"{one.width_px} x {one.height_px} px, {format_size(one.size_bytes)}"
        yield f"  [{one.role}: {one.file}, {size}]"
    yield from (f"  {line}" for line in found.first_prompt.splitlines())
    yield ""
    yield f"questions  {found.questions:,}"
    yield "           " + "  ".join(f"{name} {count:,}" for name, count in found.subtasks.items())
    if found.without_depth:
        yield f"left out   {format_count(found.without_depth, 'question')} without depth"
    yield f"pictures   {found.pictures:,} sent"
    cost = "" if found.cost_usd is None else f", {found.cost_usd:,.2f} USD"
    yield f"tokens     about {found.input_tokens:,} in, {found.output_tokens:,} out{cost}"
    yield f"runs       {', '.join(found.runs)}"
