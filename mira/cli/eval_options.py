"""Flags of `mira eval` that are called, and mean, the same for its verbs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.plain_help import protocol_ids


def _require_protocol(protocol: str | None) -> str | None:
    if protocol is not None and protocol not in protocol_ids():
        known = ", ".join(protocol_ids())
        raise typer.BadParameter(f"expected one of {known}, found {protocol!r}")
    return protocol


ProtocolOption = Annotated[
    str | None,
    typer.Option(
        "--protocol",
        help="Score this referring protocol only: {protocols}.",
        metavar="ID",
        callback=_require_protocol,
    ),
]
SplitOption = Annotated[
    str | None,
    typer.Option("--split", help="Use this split of the release only.", metavar="NAME"),
]
ReleaseOption = Annotated[
    Path | None,
    typer.Option(
        "--release",
        "-r",
        help="The release; where the runs say that it lies by default.",
        metavar="DIR",
        file_okay=False,
    ),
]
ControlOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--control",
        help="A run on questions without mirrors, to hold beside; repeatable.",
        metavar="RUN",
    ),
]
