"""The report as a folder: a page, the same in numbers, and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.tom.report.examples import Example, examples_of
from mira.evals.tom.report.page import tom_report_page
from mira.evals.tom.report.records import TomReport, TomSummary
from mira.evals.tom.report.tables import TABLE_NAMES, format_tables
from mira.evals.tom.runs import TomRun, read_items, read_tom_replies, score_replies
from mira.evals.tom.scoring import digest_of, hear_all
from mira.store.atomic import os_faults, replace_folder, write_new
from mira.store.replacing import require_replaceable
from mira.store.version import tool_version

PAGE_NAME, NUMBERS_NAME = "report.html", "report.json"
_KNOWN = frozenset({PAGE_NAME, NUMBERS_NAME, *TABLE_NAMES})


Progress = Callable[[int, int], None]
"""Takes how many are done and how many there are."""


def _tell_nobody(done: int, total: int) -> None:
    del done, total


class WrittenTomReport(NamedTuple):
    """A report that was written."""

    report: TomReport
    """The numbers."""
    files: tuple[Path, ...]
    """The page, the numbers, the tables."""


def write_tom_report(
    run: Path,
    replies: Sequence[Path],
    out: Path,
    *,
    examples: int = 2,
    bootstrap: BootstrapPolicy | None = None,
    seed: int = 0,
    progress: Progress = _tell_nobody,
) -> WrittenTomReport:
    """Write a report in place of an earlier one, in one step; equal input, equal bytes.

    Args:
        run: Folder of the questions.
        replies: Files of replies, and models' runs.
        out: The folder: new, empty, or an earlier report with nothing else in it.
        examples: Wrong answers of each source and kind that are shown of a model.
        bootstrap: How intervals are computed.
        seed: Seed of the resamples.
        progress: Told how many sets of replies are scored, and how many there are.

    Raises:
        MiraError: The questions or replies cannot be read, or the folder holds something else.
    """
    require_replaceable(out, mark=PAGE_NAME, own=_KNOWN)
    policy = bootstrap or BootstrapPolicy()
    questions = read_items(run)
    given = [read_tom_replies(questions, path) for path in replies]
    shown: dict[str, tuple[Example, ...]] = {}
    summaries = []
    keys = _keys(one.name for one in given)
    for number, (key, one) in enumerate(zip(keys, given, strict=True), start=1):
        scores = score_replies(questions, one, seed=seed, bootstrap=policy)
        summaries.append(TomSummary(key=key, manifest=one.manifest, scores=scores))
        said = hear_all(questions.items, one.predictions)
        shown[key] = examples_of(questions.items, said, one.predictions, most=examples)
        progress(number, len(given))
    report = _report(questions, summaries, policy=policy, seed=seed)
    page = tom_report_page(report, examples=shown)
    files = {PAGE_NAME: page.encode(), NUMBERS_NAME: report.to_json(), **format_tables(report)}
    with replace_folder(out) as partial, os_faults(out):
        for name, data in files.items():
            write_new(partial / name, data, durable=False)
    return WrittenTomReport(report, tuple(out / name for name in files))


def _report(
    questions: TomRun, summaries: Sequence[TomSummary], *, policy: BootstrapPolicy, seed: int
) -> TomReport:
    own = [one for one in questions.items if one.rotation_of in (None, one.item_id)]
    stated = questions.run.licence or "not stated"
    return TomReport(
        tool_version=tool_version(),
        run=questions.run.name,
        items_digest=digest_of(questions.items),
        licences={one.source: one.licence or stated for one in own},
        by_source=dict(Counter(one.source for one in own)),
        bootstrap=policy,
        seed=seed,
        replies=tuple(summaries),
    )


def _keys(names: Iterable[str]) -> list[str]:
    """Names of which no two are the same."""
    keys: list[str] = []
    for name in names:
        key, number = name, 1
        while key in keys:
            number += 1
            key = f"{name} ({number})"
        keys.append(key)
    return keys
