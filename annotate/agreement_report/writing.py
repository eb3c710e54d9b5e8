"""The report as a folder: a page, the same in numbers, and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from annotate.agreement_report.cards import draw_cards
from annotate.agreement_report.disputes import disputes_of
from annotate.agreement_report.page import agreement_page
from annotate.agreement_report.pictures import Pictures
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.records import AgreementReport
from annotate.agreement_report.rounds import ComparedRound, Progress
from annotate.agreement_report.summarising import CountedRound, summarise_rounds
from annotate.agreement_report.tables import format_tables
from mira.store.atomic import os_faults, replace_folder, write_new
from mira.store.replacing import require_replaceable

PAGE_NAME = "report.html"
NUMBERS_NAME = "report.json"
TABLE_NAMES = ("shapes.csv", "links.csv", "means.csv")
_AUDIT_TABLE_NAMES = ("rows.csv", "agreements.csv", "gold.csv")
_KNOWN = frozenset({PAGE_NAME, NUMBERS_NAME, *TABLE_NAMES, *_AUDIT_TABLE_NAMES})
"""All that a report may have written, and so may replace."""


class WrittenReport(NamedTuple):
    """A report that was written."""

    page: Path
    """`report.html`: all of it, for people."""
    numbers: Path
    """`report.json`: an `AgreementReport`."""
    tables: tuple[Path, ...]
    """Files of comma-separated values."""
    report: AgreementReport
    """The numbers."""


def write_agreement_report(
    out: Path,
    rounds: Sequence[ComparedRound],
    *,
    policy: ReportPolicy,
    pictures: Pictures,
    tables: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
) -> WrittenReport:
    """Write a report in place of an earlier one, in one step; the same input gives the same bytes.

    Args:
        out: The folder: new, empty, or an earlier report with nothing else in it.
        rounds: What was compared; a report of none says so.
        policy: Bounds, and how much is shown.
        pictures: Gives the pictures; one that is missing leaves its outlines alone.
        tables: More tables by file name, such as those of an audit.
        progress: Called with pictures drawn and pictures to draw.

    Raises:
        MiraError: The folder holds something else or cannot be written, or a drawing is gone.
    """
    require_report_folder(out)
    disputes = [disputes_of(compared, policy=policy) for compared in rounds]
    counted = [CountedRound(r, len(mine)) for r, mine in zip(rounds, disputes, strict=True)]
    report = summarise_rounds(counted, policy=policy)
    cards = draw_cards(rounds, disputes, policy=policy, pictures=pictures, progress=progress)
    page = agreement_page(rounds, report=report, disputes=disputes, cards=cards)
    csv_files = {**format_tables(rounds, report), **(tables or {})}
    files = {PAGE_NAME: page.encode(), NUMBERS_NAME: report.to_json(), **csv_files}
    with replace_folder(out) as partial, os_faults(out):
        for name, data in files.items():
            write_new(partial / name, data, durable=False)
    paths = tuple(out / name for name in csv_files)
    return WrittenReport(out / PAGE_NAME, out / NUMBERS_NAME, paths, report)


def require_report_folder(out: Path) -> None:
    """Raise unless a folder is missing, empty or a report with nothing else in it.

    Raises:
        MiraError: It is no folder, or holds something else.
    """
    require_replaceable(out, mark=PAGE_NAME, own=_KNOWN)
