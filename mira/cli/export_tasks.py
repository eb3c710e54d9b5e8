"""`mira export tasks`: a release in the layout of another harness."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
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
    from export.harnesses.coco import CocoSummary
    from export.harnesses.options import TaskSummary
    from mira.published.writing import PublishedSummary


class HarnessName(StrEnum):
    """Whose layout."""

    questions_json = "questions-json"
    vlmevalkit = "vlmevalkit"
    lmms_eval = "lmms-eval"
    coco = "coco"


class MissingDepthName(StrEnum):
    """What becomes of questions whose picture has no depth to show."""

    refuse = "refuse"
    skip = "skip"


_USED = {
    "--protocol": (HarnessName.vlmevalkit, HarnessName.lmms_eval),
    "--modality": (HarnessName.vlmevalkit, HarnessName.lmms_eval),
    "--missing-depth": (HarnessName.vlmevalkit, HarnessName.lmms_eval),
    "--color-as": (HarnessName.vlmevalkit, HarnessName.lmms_eval, HarnessName.questions_json),
}
"""Flags that mean something to some layouts alone: the others hold all there is, as it is."""


def tasks(
    release: ReleaseArgument,
    to: Annotated[HarnessName, typer.Option("--to", help="Whose layout.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="New folder, or an earlier one to replace.", metavar="DIR"
        ),
    ],
    protocol: Annotated[
        ProtocolName | None,
        typer.Option("--protocol", help="How questions point at objects; visual_bbox by default."),
    ] = None,
    modality: Annotated[
        ModalityName | None,
        typer.Option("--modality", help="Which pictures go along; rgb by default."),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            "--split", help="Use this split of the release only; all by default.", metavar="NAME"
        ),
    ] = None,
    limit: LimitOption = None,
    color: Annotated[
        ColorForm | None,
        typer.Option(
            "--color-as", help="Files of rendered colours, jpeg by default; others are PNG."
        ),
    ] = None,
    missing_depth: Annotated[
        MissingDepthName | None,
        typer.Option(
            "--missing-depth",
            help="Questions whose picture has no depth to show; refused by default.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write what another harness needs to ask the questions of a release and to score the replies.

    Protocol, modality and missing depth are for harnesses that ask, vlmevalkit and lmms-eval;
    questions-json and coco hold all. An earlier folder is replaced in one step.
    """
    given = {
        "--protocol": protocol,
        "--modality": modality,
        "--missing-depth": missing_depth,
        "--color-as": color,
    }
    _require_used(to, given)
    chosen = {
        "protocol": (protocol or ProtocolName.visual_bbox).value,
        "modality": (modality or ModalityName.rgb).value,
        "missing_depth": (missing_depth or MissingDepthName.refuse).value,
        "color_form": (color or ColorForm.jpeg).value,
    }
    with progress("writing tasks") as advance:
        summary = _write(to, release, out, {**chosen, "split": split, "limit": limit}, advance)
    if as_json:
        print_json({"to": to.value, **summary._asdict()})
    else:
        for line in _told(summary):
            typer.echo(line)
    typer.echo(f"Tasks: {out}, to run as its README.md says", err=True)


def _require_used(to: HarnessName, given: dict[str, Any]) -> None:
    from mira.errors import MiraError

    for flag, value in given.items():
        if value is not None and to not in _USED[flag]:
            meant = " or ".join(name.value for name in _USED[flag])
            raise MiraError(flag, f"is for {meant}, not for {to.value}, which holds all there is")


def _write(
    to: HarnessName, release: Path, out: Path, options: dict[str, Any], advance: Any
) -> TaskSummary | PublishedSummary | CocoSummary:
    part = {"split": options["split"], "limit": options["limit"], "progress": advance}
    if to is HarnessName.questions_json:
        from export.harnesses.questions_json import write_questions_json

        return write_questions_json(release, out, color_form=options["color_form"], **part)
    if to is HarnessName.coco:
        from export.harnesses.coco import write_coco

        return write_coco(release, out, **part)
    from export.harnesses.lmms_eval import write_lmms_eval
    from export.harnesses.options import TaskOptions
    from export.harnesses.vlmevalkit import write_vlmevalkit

    write = write_lmms_eval if to is HarnessName.lmms_eval else write_vlmevalkit
    return write(release, out, options=TaskOptions(**options), progress=advance)


def _told(summary: TaskSummary | PublishedSummary | CocoSummary) -> Iterator[str]:
    """What was written, in lines."""
    fields = summary._asdict()
    pictures = fields["pictures"]
    if "questions" in fields:
        questions = fields["questions"]
        for name, count in questions.items():
            yield f"{name:5} {format_count(count, 'question'):>16}"
        asked = format_count(sum(questions.values()), "question")
        yield f"{fields['name']}: {asked}, {format_count(pictures, 'picture file')}"
        if lost := fields["without_depth"]:
            yield f"left out: {format_count(lost, 'question')} about a picture without depth"
        return
    for name, count in (fields.get("by_template") or fields.get("by_category") or {}).items():
        yield f"{name:24} {count:>10,}"
    yield f"{fields['out']}: {format_count(pictures, 'picture')}"
