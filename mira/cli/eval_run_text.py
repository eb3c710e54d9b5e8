"""What `mira eval run` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mira.cli.output import format_count, format_size

if TYPE_CHECKING:
    from mira.evals.inspect_runner.collecting import Tally
    from mira.evals.inspect_runner.rehearsing import Rehearsal
    from mira.schema.evaluation import PredictionStatus

_ANSWERED: tuple[PredictionStatus, ...] = ("parsed", "repaired", "truncated")
_UNANSWERED: tuple[PredictionStatus, ...] = ("refused", "abstained", "unparsable")
_ERRORS_SHOWN = 3


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
