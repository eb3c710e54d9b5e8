"""All published cells that follow from others, recomputed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from mira.evals.papers.mira_tables import check_mira_tables
from mira.evals.papers.mirrorbench_tables import check_mirrorbench_tables
from mira.evals.papers.mosaic_tables import check_mosaic_tables
from mira.evals.papers.records import PaperCheck, PapersReport
from mira.evals.papers.tables import read_table


def verify_papers() -> PapersReport:
    """Each published cell that can be recomputed, with what came of it.

    A cell that differs is a finding about print, and listed. The report is clean while those that
    differ are the known ones: one more or one fewer means that what we compute has changed.
    """
    return judge_checks(
        chain(check_mira_tables(), check_mirrorbench_tables(), check_mosaic_tables()),
        known=frozenset(
            (row["paper"], row["table"], row["cell"], row["rule"])
            for row in read_table("known_differences")
        ),
    )


def judge_checks(
    checks: Iterable[PaperCheck], *, known: frozenset[tuple[str, str, str, str]]
) -> PapersReport:
    """A report of checks, in which those that are known to differ are told apart.

    Args:
        checks: Cell by cell.
        known: Paper, table, cell and rule of those that are known to differ.
    """
    told = tuple(
        one.model_copy(update={"known": one.verdict == "differs" and _key(one) in known})
        for one in checks
    )
    differing = [one for one in told if one.verdict == "differs"]
    gone = known - {_key(one) for one in differing}
    counts = Counter(one.verdict for one in told)
    return PapersReport(
        clean=not gone and all(one.known for one in differing),
        reproduced=counts["reproduces"],
        differing=counts["differs"],
        not_recomputable=counts["not_recomputable"],
        not_differing=tuple(sorted(" / ".join(key) for key in gone)),
        checks=told,
    )


def _key(check: PaperCheck) -> tuple[str, str, str, str]:
    return check.paper, check.table, check.cell, check.rule
