"""Rows of reports as CSV files, for spreadsheets and plots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mira.report.csv_tables import format_csv
from mira.schema.audit import Agreement, AuditReport, AuditRow
from mira.schema.audit_ledger import GoldReport
from mira.store.atomic import write_file
from mira.store.audit import AuditBook

_WHO = ("batch_id", "round", "annotator", "auditor")
_SHAPES = (
    "image_id",
    "role",
    "label",
    "n_matched",
    "n_only_annotator",
    "n_only_auditor",
    "mean_iou",
    "mean_boundary_iou",
)
_CHOICES = ("name", "n", "n_agreed", "low", "high", "kappa", "kappa_low", "kappa_high")

Row = tuple[Any, ...]


def reports_of(book: AuditBook, batch_ids: Sequence[str] = ()) -> tuple[AuditReport, ...]:
    """All reports of some batches, or of all where none is named, by batch and round.

    Raises:
        MiraError: There is no batch of a name.
    """
    ids = batch_ids or tuple(book.batches())
    found = (
        book.read_report(book.batch(batch_id).batch.batch_id, round_=round_)
        for batch_id in ids
        for round_ in (1, 2)
    )
    return tuple(report for report in found if report is not None)


def gold_of(book: AuditBook, batch_ids: Sequence[str] = ()) -> tuple[tuple[int, GoldReport], ...]:
    """All reports of hidden images of some batches, or of all, each with its round."""
    ids = batch_ids or tuple(book.batches())
    return tuple(
        (round_, report)
        for batch_id in ids
        for round_ in (1, 2)
        for report in book.gold_reports(batch_id, round_=round_)
    )


def format_audit_tables(
    reports: Sequence[AuditReport], gold: Sequence[tuple[int, GoldReport]]
) -> dict[str, bytes]:
    """`rows.csv`, `agreements.csv` and, with hidden images, `gold.csv`, by name.

    Args:
        reports: Of samples.
        gold: Of hidden images, with their rounds; here the known answer is the annotator.
    """
    tables = {
        "rows.csv": format_csv((*_WHO, *_SHAPES), _sample_rows(reports)),
        "agreements.csv": format_csv((*_WHO, *_CHOICES), _sample_choices(reports)),
    }
    if gold:
        tables["gold.csv"] = format_csv((*_WHO, *_SHAPES), _gold_rows(gold))
    return tables


def write_tables(
    folder: Path,
    reports: Sequence[AuditReport],
    gold: Sequence[tuple[int, GoldReport]],
) -> tuple[Path, ...]:
    """Write the tables of `format_audit_tables`.

    Args:
        folder: Where to write; other files in it stay.
        reports: Of samples.
        gold: Of hidden images, with their rounds.

    Returns:
        The files.
    """
    tables = format_audit_tables(reports, gold)
    for name, data in tables.items():
        write_file(folder / name, data, durable=False)
    return tuple(folder / name for name in tables)


def _sample_rows(reports: Iterable[AuditReport]) -> Iterable[Row]:
    for report in reports:
        yield from (_who(report) + _shapes(row) for row in _worst_first(report.rows))


def _sample_choices(reports: Iterable[AuditReport]) -> Iterable[Row]:
    for report in reports:
        yield from (_who(report) + _choices(agreement) for agreement in report.agreements)


def _gold_rows(gold: Iterable[tuple[int, GoldReport]]) -> Iterable[Row]:
    for round_, report in gold:
        who = (report.batch_id, round_, report.gold_annotator, report.score.person)
        yield from (who + _shapes(row) for row in _worst_first(report.rows))


def _worst_first(rows: Iterable[AuditRow]) -> list[AuditRow]:
    return sorted(rows, key=lambda row: (row.mean_iou, row.image_id, row.role, row.label))


def _who(report: AuditReport) -> Row:
    return tuple(getattr(report, name) for name in _WHO)


def _shapes(row: AuditRow) -> Row:
    return tuple(getattr(row, name) for name in _SHAPES)


def _choices(agreement: Agreement) -> Row:
    bounds: list[float | None] = []
    for interval in (agreement.interval, agreement.kappa_interval):
        bounds += [interval.low, interval.high] if interval else [None, None]
    kappa = (*bounds[:2], agreement.kappa, *bounds[2:])
    return (agreement.name, agreement.n, agreement.n_agreed, *kappa)
