"""`mira export tasks`: a release as tasks of another harness."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mira.cli.options import (
    ColorForm,
    JsonOption,
    LimitOption,
    ModalityName,
    ProtocolName,
    ReleaseArgument,
)
from mira.cli.output import format_count, print_json, progress

if TYPE_CHECKING:
    from export.harnesses.options import TaskSummary


class HarnessName(StrEnum):
    """Whose form of tasks."""

    vlmevalkit = "vlmevalkit"
    lmms_eval = "lmms-eval"


class MissingDepthName(StrEnum):
    """What becomes of questions whose picture has no depth to show."""

    refuse = "refuse"
    skip = "skip"


_WRITERS = {
    HarnessName.vlmevalkit: ("export.harnesses.vlmevalkit", "write_vlmevalkit"),
    HarnessName.lmms_eval: ("export.harnesses.lmms_eval", "write_lmms_eval"),
}
"""Module and function of each; all take a release, a folder, `options` and `progress`."""


def tasks(
    release: ReleaseArgument,
    to: Annotated[HarnessName, typer.Option("--to", help="The harness that is to ask.")],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="New folder, or earlier tasks to replace.", metavar="DIR"),
    ],
    protocol: Annotated[
        ProtocolName, typer.Option("--protocol", help="How the questions point at objects.")
    ] = ProtocolName.visual_bbox,
    modality: Annotated[
        ModalityName, typer.Option("--modality", help="Which pictures go along.")
    ] = ModalityName.rgb,
    split: Annotated[
        str | None,
        typer.Option(
            "--split", help="Use this split of the release only; all by default.", metavar="NAME"
        ),
    ] = None,
    limit: LimitOption = None,
    color: Annotated[
        ColorForm,
        typer.Option("--color-as", help="Files of rendered colours; depth and masks are PNG."),
    ] = ColorForm.jpeg,
    missing_depth: Annotated[
        MissingDepthName,
        typer.Option("--missing-depth", help="Questions whose picture has no depth to show."),
    ] = MissingDepthName.refuse,
    as_json: JsonOption = False,
) -> None:
    """Write what another harness needs to ask the questions of a release and to score the replies.

    Earlier tasks in the folder are replaced in one step.
    """
    from export.harnesses.options import TaskOptions

    options = TaskOptions(
        protocol=protocol.value,
        modality=modality.value,
        split=split,
        limit=limit,
        color_form=color.value,
        missing_depth=missing_depth.value,
    )
    with progress("writing tasks") as advance:
        summary = _writer(to)(release, out, options=options, progress=advance)
    if as_json:
        print_json({"to": to.value, **summary._asdict()})
    else:
        _show(summary)
    typer.echo(f"Tasks: {out}, to run as its README.md says", err=True)


def _writer(harness: HarnessName) -> Callable[..., TaskSummary]:
    module, function = _WRITERS[harness]
    writer: Any = getattr(import_module(module), function)
    return writer  # type: ignore[no-any-return]


def _show(summary: TaskSummary) -> None:
    for subtask, count in summary.questions.items():
        typer.echo(f"{subtask:5} {format_count(count, 'question'):>16}")
    typer.echo(
        f"{summary.name}: {format_count(sum(summary.questions.values()), 'question')}, "
        f"{format_count(summary.pictures, 'picture file')}"
    )
    if summary.without_depth:
        lost = format_count(summary.without_depth, "question")
        typer.echo(f"left out: {lost} about a picture without depth")
