"""Flags that ask players what they believe while they play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from mira.sim.probing.asking import ProbePolicy

P = TypeVar("P", bound="ProbePolicy")

ProbesOption = Annotated[
    bool,
    typer.Option(
        "--probes", help="Ask models between moves what they believe; no move sees what they say."
    ),
]


def probe_policy(usual: P, steps: str | None, *, asks: bool, flag: str) -> P | None:
    """When players are asked what they believe; None for never.

    Args:
        usual: The policy where no numbers are given.
        steps: The numbers, by commas.
        asks: Whether `--probes` is given.
        flag: Name of the flag that gives the numbers.
    """
    from pydantic import ValidationError

    from mira.schema.record import describe_fault

    if steps is None:
        return usual if asks else None
    if not asks:
        raise typer.BadParameter("expected with --probes only", param_hint=flag)
    names = [part.strip() for part in steps.split(",")]
    if not all(name.isascii() and name.isdecimal() and len(name) <= 4 for name in names):
        raise typer.BadParameter(f"expected numbers by commas, found {steps!r}", param_hint=flag)
    try:
        return type(usual).model_validate({**usual.model_dump(), "steps": names})
    except ValidationError as error:
        raise typer.BadParameter(describe_fault(error), param_hint=flag) from None
