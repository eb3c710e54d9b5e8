"""All shapes, links and means of a report as tables for spreadsheets and plots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotate.agreement.comparison import ImageComparison
from annotate.agreement.overlaps import Drawings
from annotate.agreement.summary import MeanIou
from annotate.agreement_report.records import AgreementReport
from annotate.agreement_report.rounds import ComparedRound
from mira.report.csv_tables import format_csv
from mira.schema.evaluation import Interval

_WHO = ("round", "annotator", "auditor")
SHAPE_COLUMNS = (
    *_WHO,
    "image_id",
    "role",
    "annotator_id",
    "auditor_id",
    "annotator_label",
    "auditor_label",
    "iou",
    "boundary_iou",
    "area_px",
    "matched",
)
"""Of `shapes.csv`: a row for each two partners, and for each shape without one."""
LINK_COLUMNS = (
    *_WHO,
    "image_id",
    "annotator_id",
    "auditor_id",
    "annotator_says",
    "annotator_shows",
    "auditor_says",
    "auditor_shows",
    "agrees",
)
"""Of `links.csv`: a row for each reflection that both drew and gave a link. What it shows is each
one's own id; `agrees` is empty where one of them left it open."""
MEAN_COLUMNS = (
    *_WHO,
    "group",
    "name",
    "n_shapes",
    "n_matched",
    "mean_iou",
    "low",
    "high",
    "matched_iou",
    "matched_low",
    "matched_high",
    "boundary_iou",
)
"""Of `means.csv`: a row for each mean of each round, and for those of all rounds together, which
have no people."""
TOTAL = "all rounds"

Row = tuple[Any, ...]


def format_tables(rounds: Sequence[ComparedRound], report: AgreementReport) -> dict[str, bytes]:
    """The tables by file name; equal rounds give equal bytes.

    Drawings are read of images alone that have links.
    """
    return {
        "shapes.csv": format_csv(SHAPE_COLUMNS, _shape_rows(rounds)),
        "links.csv": format_csv(LINK_COLUMNS, _link_rows(rounds)),
        "means.csv": format_csv(MEAN_COLUMNS, _mean_rows(report)),
    }


def _who(compared: ComparedRound) -> Row:
    return compared.title, compared.annotator, compared.auditor


def _shape_rows(rounds: Iterable[ComparedRound]) -> Iterator[Row]:
    for compared in rounds:
        for pair in compared.comparison.pairs:
            yield (
                *_who(compared),
                pair.image_id,
                pair.role,
                pair.first_id,
                pair.second_id,
                pair.first_label,
                pair.second_label,
                pair.iou,
                pair.boundary_iou,
                pair.area_px,
                int(pair.is_matched),
            )


def _link_rows(rounds: Iterable[ComparedRound]) -> Iterator[Row]:
    for compared in rounds:
        for image in compared.comparison.images:
            if image.links.choices or image.links.undecided:
                drawings = compared.drawings_of(image.image_id)
                for row in _links_of(image, drawings):
                    yield (*_who(compared), image.image_id, *row)


def _links_of(image: ImageComparison, drawings: Drawings) -> Iterator[Row]:
    said: dict[tuple[int, int], int | None] = {
        (choice.first_id, choice.second_id): int(choice.agrees) for choice in image.links.choices
    }
    said.update(dict.fromkeys(image.links.undecided))
    ours, theirs = ({link.reflected_id: link for link in drawn.links} for drawn in drawings)
    for (first_id, second_id), agrees in sorted(said.items()):
        one, other = ours[first_id], theirs[second_id]
        yield (
            first_id,
            second_id,
            one.counterpart,
            one.shows,
            other.counterpart,
            other.shows,
            agrees,
        )


def _mean_rows(report: AgreementReport) -> Iterator[Row]:
    if report.total is not None:
        yield from ((TOTAL, None, None, *_mean(mean)) for mean in report.total.means)
    for compared in report.rounds:
        who = (compared.title, compared.annotator, compared.auditor)
        yield from ((*who, *_mean(mean)) for mean in compared.summary.means)


def _mean(mean: MeanIou) -> Row:
    return (
        mean.group,
        mean.name,
        mean.n_shapes,
        mean.n_matched,
        mean.mean_iou,
        *_ends(mean.interval),
        mean.matched_iou,
        *_ends(mean.matched_interval),
        mean.boundary_iou,
    )


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval else (None, None)
