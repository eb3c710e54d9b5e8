"""`mira annotate compare`: how far two annotators of a workspace agree."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mira.cli.annotate_compare_text import show_comparison, show_cross_check
from mira.cli.options import JsonOption, WorkersOption, WorkspaceOption
from mira.cli.output import print_json, progress

if TYPE_CHECKING:
    from annotate.agreement.annotators import AnnotatorComparison, BothDrew
    from annotate.agreement.comparison import Comparison
    from annotate.agreement.cross_check import CrossCheck
    from annotate.agreement.overlaps import Drawings as DrawnPair
    from annotate.agreement.policy import AgreementPolicy
    from annotate.agreement_report.writing import WrittenReport
    from mira.store.workspace import Workspace


class MethodName(StrEnum):
    """How areas are measured."""

    polygon = "polygon"
    pixel = "pixel"


def compare(
    first: Annotated[str, typer.Argument(help="Code name of one annotator.", metavar="FIRST")],
    second: Annotated[str, typer.Argument(help="Of the other.", metavar="SECOND")],
    workspace: WorkspaceOption,
    method: Annotated[
        MethodName,
        typer.Option("--method", help="IoU of polygons, exact, or of pixels, many times as fast."),
    ] = MethodName.polygon,
    boundaries: Annotated[
        bool, typer.Option("--boundaries/--no-boundaries", help="Compare outlines' rims too.")
    ] = True,
    cross_check: Annotated[
        bool,
        typer.Option("--cross-check", help="Measure both ways, and tell where they differ."),
    ] = False,
    min_iou: Annotated[
        float | None,
        typer.Option(
            "--min-iou", help="Exit 1 if the mean IoU is lower.", min=0, max=1, metavar="IOU"
        ),
    ] = None,
    workers: WorkersOption = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Write a report here: a page to look at, tables, numbers.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say how far two annotators agree on the pictures that both drew.

    Shapes are matched by what they share, whatever their ids; links are compared through the match.
    """
    from annotate.agreement.annotators import AnnotatorComparison, compare_files, find_both
    from annotate.agreement.comparing import comparison_of
    from annotate.agreement.policy import AgreementPolicy
    from annotate.agreement.summary import summarise
    from mira.schema.audit import AuditPolicy
    from mira.store.workspace import Workspace

    policy = AgreementPolicy()
    opened = Workspace.open(workspace)
    if out is not None:
        from annotate.agreement_report.writing import require_report_folder

        require_report_folder(out)
    both = find_both(opened, first, second)
    with progress("comparing") as advance:
        images = compare_files(
            tuple(both.files.values()),
            method=method.value,
            policy=policy,
            boundary_fraction=AuditPolicy().boundary_fraction if boundaries else None,
            workers=workers,
            progress=advance,
        )
    comparison = comparison_of(images, policy=policy)
    found = AnnotatorComparison(
        first=first,
        second=second,
        method=method.value,
        only_first=both.only_first,
        only_second=both.only_second,
        summary=summarise(comparison, policy=policy),
        cross_check=_cross_checked(both, policy) if cross_check else None,
    )
    if as_json:
        print_json(found)
    else:
        show_comparison(found, comparison, bound=min_iou)
        if found.cross_check is not None:
            show_cross_check(found.cross_check)
    if out is not None:
        written = _write_report(out, opened, both, found, comparison, bound=min_iou)
        typer.echo(f"Report: {written.page}", err=True)
    if _is_below(comparison, min_iou) or (found.cross_check and found.cross_check.beyond):
        raise typer.Exit(1)


def _is_below(comparison: Comparison, bound: float | None) -> bool:
    from mira.schema.audit import AuditPolicy

    return bound is not None and not AuditPolicy(min_mean_iou=bound).passes(comparison.mean_iou)


def _cross_checked(both: BothDrew, policy: AgreementPolicy) -> CrossCheck:
    from annotate.agreement.annotators import read_pair
    from annotate.agreement.cross_check import cross_check

    with progress("cross-checking") as advance:
        files = list(both.files.values())

        def drawings() -> Iterator[DrawnPair]:
            for done, pair in enumerate(files, start=1):
                yield read_pair(pair)
                advance(done, len(files))

        return cross_check(drawings(), policy=policy)


def _write_report(
    out: Path,
    workspace: Workspace,
    both: BothDrew,
    found: AnnotatorComparison,
    comparison: Comparison,
    *,
    bound: float | None,
) -> WrittenReport:
    from annotate.agreement.annotators import read_pair
    from annotate.agreement_report.pictures import WorkspacePictures
    from annotate.agreement_report.policy import ReportPolicy
    from annotate.agreement_report.rounds import ComparedRound
    from annotate.agreement_report.writing import write_agreement_report

    verdict: Literal["passed", "failed"] | None = None
    if bound is not None:
        verdict = "failed" if _is_below(comparison, bound) else "passed"
    compared = ComparedRound(
        title=f"{found.first} and {found.second}",
        annotator=found.first,
        auditor=found.second,
        comparison=comparison,
        method=found.method,
        drawings_of=lambda image_id: read_pair(both.files[image_id]),
        bound=bound,
        verdict=verdict,
    )
    with progress("drawing") as advance:
        return write_agreement_report(
            out,
            [compared],
            policy=ReportPolicy(),
            pictures=WorkspacePictures(workspace),
            progress=advance,
        )
