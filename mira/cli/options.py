"""Flags that are called, and mean, the same for every verb."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from mira.schema.record import Record

P = TypeVar("P", bound="Record")

MAX_SEED = 2**63 - 1


class ProtocolName(StrEnum):
    """How a question points at an object."""

    bbox_text = "bbox_text"
    bbox_text_desc = "bbox_text_desc"
    visual_bbox = "visual_bbox"
    visual_mask = "visual_mask"
    visual_bbox_desc = "visual_bbox_desc"


class ModalityName(StrEnum):
    """Which pictures go along."""

    rgb = "rgb"
    rgb_m = "rgb_m"
    rgb_d = "rgb_d"
    rgb_dm = "rgb_dm"


class ColorForm(StrEnum):
    """Kind of file of rendered colours."""

    jpeg = "jpeg"
    png = "png"


WorkspaceOption = Annotated[
    Path,
    typer.Option("--workspace", "-w", help="The workspace.", metavar="DIR", file_okay=False),
]
ReleaseArgument = Annotated[
    Path, typer.Argument(help="A release folder.", metavar="RELEASE", file_okay=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
SeedOption = Annotated[
    int,
    typer.Option(
        "--seed",
        help="Seed of all that is drawn by chance.",
        min=0,
        max=MAX_SEED,
        metavar="N",
    ),
]
WorkersOption = Annotated[
    int, typer.Option("--workers", help="Processes.", min=1, max=256, metavar="N")
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", help="Use the first N pictures only.", min=1, metavar="N")
]
PolicyOption = Annotated[
    Path | None,
    typer.Option(
        "--policy", help="Thresholds other than the defaults, in YAML or JSON.", metavar="FILE"
    ),
]


def policy_or(defaults: P, path: Path | None) -> P:
    """The thresholds of a file, if there is one, over the defaults."""
    from mira.store.policy_files import read_policy

    return defaults if path is None else read_policy(path, defaults)


def listed(text: str | None) -> tuple[str, ...]:
    """What a flag names by commas."""
    return tuple(filter(None, (part.strip() for part in (text or "").split(","))))


StyleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--style",
        help="A setting such as color=red or thickness=6, or a JSON file of them; repeatable.",
        metavar="NAME=VALUE",
    ),
]
