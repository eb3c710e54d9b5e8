"""The report as a folder: two pages, the numbers, tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mira.evals.beliefs.records import BeliefScores
from mira.evals.beliefs.section import NUMBERS_NAME as BELIEFS_NAME
from mira.evals.mosaic.evaluating import evaluate
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.records import MosaicScores
from mira.evals.mosaic.report.page import mosaic_page
from mira.evals.mosaic.report.tables import TABLE_NAMES, format_tables
from mira.evals.mosaic.report.trial_page import pick_trials, trial_page
from mira.evals.mosaic.sources import TrialGroup
from mira.store.atomic import os_faults, replace_folder, write_new
from mira.store.replacing import require_replaceable

PAGE_NAME, TRIALS_NAME, NUMBERS_NAME = "report.html", "trials.html", "report.json"
_KNOWN = frozenset({PAGE_NAME, TRIALS_NAME, NUMBERS_NAME, BELIEFS_NAME, *TABLE_NAMES})


class WrittenMosaicReport(NamedTuple):
    """A report that was written."""

    scores: MosaicScores
    """The numbers."""
    files: tuple[Path, ...]
    """The pages, the numbers, the tables."""


def require_report_folder(out: Path) -> None:
    """Raise unless a report may be written there.

    Raises:
        MiraError: The folder holds something else.
    """
    require_replaceable(out, mark=PAGE_NAME, own=_KNOWN)


def write_mosaic_report(
    groups: Sequence[TrialGroup],
    out: Path,
    *,
    policy: MosaicPolicy,
    seed: int,
    beliefs: BeliefScores | None = None,
) -> WrittenMosaicReport:
    """Write a report in place of an earlier one, in one step; equal input, equal bytes.

    Args:
        groups: Runs with their trials.
        out: The folder: new, empty, or an earlier report with nothing else in it.
        policy: Thresholds, and how much is shown.
        seed: Seed of the resamples.
        beliefs: What players said that they believe; None where nobody was asked.

    Raises:
        MiraError: The folder holds something else, or a picture cannot be read.
    """
    require_report_folder(out)
    evaluation = evaluate(groups, policy, seed=seed)
    scores, picked = evaluation.scores, pick_trials(evaluation, groups)
    believed = {} if beliefs is None else {BELIEFS_NAME: beliefs.to_json()}
    names = (NUMBERS_NAME, *TABLE_NAMES, *believed)
    page = mosaic_page(scores, shown=len(picked), files=names, beliefs=beliefs)
    total = sum(run.n for run in scores.runs)
    files = {
        PAGE_NAME: page.encode(),
        TRIALS_NAME: trial_page(picked, policy, total=total).encode(),
        NUMBERS_NAME: scores.to_json(),
        **format_tables(evaluation),
        **believed,
    }
    with replace_folder(out) as partial, os_faults(out):
        for name, data in files.items():
            write_new(partial / name, data, durable=False)
    return WrittenMosaicReport(scores, tuple(out / name for name in files))
