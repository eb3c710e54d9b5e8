"""The report as a folder: a page, the same in numbers, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mira.evals.mira_bench.judging import judge_runs
from mira.evals.mira_bench.naming import keys_of
from mira.evals.run_report.gallery import examples_of
from mira.evals.run_report.page import run_report_page
from mira.evals.run_report.policy import RunReportPolicy
from mira.evals.run_report.records import RunReport
from mira.evals.run_report.slicing import QUESTION_COLUMNS, SCENE_COLUMNS, traits_of
from mira.evals.run_report.summarising import summarise_runs
from mira.evals.run_report.tables import TABLE_NAMES, format_tables
from mira.evals.run_tables.making import make_tables
from mira.release.question_sets import read_questions, read_scenes
from mira.store.atomic import os_faults, replace_folder, write_new
from mira.store.replacing import require_replaceable

PAGE_NAME, NUMBERS_NAME = "report.html", "report.json"
_KNOWN = frozenset({PAGE_NAME, NUMBERS_NAME, *TABLE_NAMES})
_PICTURE_COLUMNS = ("question", "protocol")


class WrittenRunReport(NamedTuple):
    """A report that was written."""

    report: RunReport
    """The numbers."""
    files: tuple[Path, ...]
    """The page, the numbers, the tables."""


def write_run_report(
    paths: Sequence[Path],
    out: Path,
    *,
    control: Sequence[Path] = (),
    release: Path | None = None,
    protocol: str | None = None,
    split: str | None = None,
    policy: RunReportPolicy | None = None,
    seed: int = 0,
) -> WrittenRunReport:
    """Write a report on runs in place of an earlier one, in one step; equal input, equal bytes.

    Args:
        paths: Run folders and files of predictions.
        out: The folder: new, empty, or an earlier report with nothing else in it.
        control: Runs on another set of questions, without mirrors, to hold beside.
        release: The release; by default where the manifests say that it lies.
        protocol: Judge this referring protocol alone.
        split: Judge this split alone.
        policy: How it is computed and how much it shows.
        seed: Seed of the resamples.

    Raises:
        MiraError: A run or the release cannot be read, or the folder holds something else.
    """
    require_replaceable(out, mark=PAGE_NAME, own=_KNOWN)
    bounds = policy or RunReportPolicy()
    judged = judge_runs(paths, release=release, protocol=protocol, split=split)
    columns = (*QUESTION_COLUMNS, *_PICTURE_COLUMNS)
    rows = {row["question_id"]: row for row in read_questions(judged.release, columns=columns)}
    scenes = read_scenes(judged.release, columns=SCENE_COLUMNS)
    traits = traits_of(judged.questions, rows.values(), scenes)
    other = None
    if control:
        other = judge_runs(control, split=split)
    tables = make_tables(
        judged,
        keys_of(judged),
        control=other,
        linked_by=bounds.linked_by,
        policy=bounds.bootstrap,
        seed=seed,
    )
    report = summarise_runs(judged, traits, tables=tables, policy=bounds, seed=seed)
    examples = examples_of(judged, rows, policy=bounds)
    page = run_report_page(report, examples=dict(zip(keys_of(judged), examples, strict=True)))
    files = {PAGE_NAME: page.encode(), NUMBERS_NAME: report.to_json(), **format_tables(report)}
    with replace_folder(out) as partial, os_faults(out):
        for name, data in files.items():
            write_new(partial / name, data, durable=False)
    return WrittenRunReport(report, tuple(out / name for name in files))
