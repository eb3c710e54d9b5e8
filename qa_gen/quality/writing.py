"""What a set is worth as a folder: a page, the same in numbers, and tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mira.store.atomic import os_faults, replace_folder, write_new
from mira.store.replacing import require_replaceable
from mira.store.workspace import Workspace
from qa_gen.quality.collecting import collection_of
from qa_gen.quality.examples import ExamplePicker, WorkspaceColors, show_example
from qa_gen.quality.knowing import WorkspaceKnowledge
from qa_gen.quality.page import quality_page
from qa_gen.quality.policy import QualityPagePolicy, QualityPolicy
from qa_gen.quality.records import QualityReport
from qa_gen.quality.surveying import SurveySources, survey_questions
from qa_gen.quality.tables import TABLE_NAMES, format_tables

PAGE_NAME, NUMBERS_NAME = "questions.html", "questions.json"
_KNOWN = frozenset({PAGE_NAME, NUMBERS_NAME, *TABLE_NAMES})
Progress = Callable[[int, int], None]
"""Takes items done and items in all, 0 while nobody knows."""


class WrittenQuality(NamedTuple):
    """What a workspace's questions are worth, and where it was written."""

    report: QualityReport
    """The numbers."""
    files: tuple[Path, ...]
    """Page, numbers and tables; empty where nothing was to be written."""


def survey_workspace(
    workspace: Workspace,
    *,
    policy: QualityPolicy,
    out: Path | None = None,
    page: QualityPagePolicy | None = None,
    progress: Progress | None = None,
) -> WrittenQuality:
    """What the questions of a workspace are worth, with a folder of it where one is wanted.

    The same workspace gives the same bytes.

    Args:
        workspace: Read only.
        policy: Bounds.
        out: A folder that is new, empty, or an earlier one of these, which is replaced in one step.
        page: How much the page shows.
        progress: Called after each item.

    Raises:
        WorkspaceError: It holds no questions.
        MiraError: The folder holds something else, or cannot be written.
    """
    if out is not None:
        require_replaceable(out, mark=PAGE_NAME, own=_KNOWN)
    shown = page or QualityPagePolicy()
    picker = ExamplePicker(most=0 if out is None else shown.examples)
    knowledge = WorkspaceKnowledge(workspace)
    summary = workspace.qa_summary()
    items_known = summary.items if summary else 0

    def told(done: int, _total: int) -> None:
        if progress is not None:
            progress(done, items_known)

    report = survey_questions(
        picker.watching(workspace.items()),
        policy=policy,
        sources=SurveySources(
            known=knowledge.picture,
            is_close_call=knowledge.is_close_call,
            close_calls_count=summary is not None and summary.policy.close_calls == "take",
            collection=lambda scene_of: collection_of(workspace, scene_of),
        ),
        progress=told,
    )
    if out is None:
        return WrittenQuality(report, ())
    colors = WorkspaceColors(workspace)
    examples = [show_example(item, colors, shown) for item in picker.picked()]
    html = quality_page(report, examples=examples)
    files = {
        PAGE_NAME: html.encode(),
        NUMBERS_NAME: report.to_json(),
        **format_tables(report),
    }
    with replace_folder(out) as partial, os_faults(out):
        for name, data in files.items():
            write_new(partial / name, data, durable=False)
    return WrittenQuality(report, tuple(out / name for name in files))
