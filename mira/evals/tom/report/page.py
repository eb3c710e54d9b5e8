"""The page on which one sees how models take other minds, and how sure one can be of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mira.evals.run_report.figures import parts_of, track_of
from mira.evals.run_report.page import CLASS_WORDS
from mira.evals.tom.records import ALL_SOURCES, RowGroup, TomGap, TomRow
from mira.evals.tom.report.examples import Example
from mira.evals.tom.report.figures import COLORS, curve_of, dumbbell_of
from mira.evals.tom.report.records import TomReport, TomSummary
from mira.evals.tom.titles import title_of
from mira.report.page import render_page

_APPLIED = {"action": "what somebody will do", "judgement": "whether it is sensible"}
_TEMPLATE = Path(__file__).parent / "templates" / "tom_report.html.j2"


def tom_report_page(report: TomReport, *, examples: Mapping[str, Sequence[Example]]) -> str:
    """The HTML of the page; equal content gives equal bytes.

    Args:
        report: The numbers.
        examples: Wrong answers that are shown, by the key of the replies.
    """
    sources = list(report.by_source)
    return render_page(
        _TEMPLATE,
        report=report,
        models=[_model(one, number) for number, one in enumerate(report.replies)],
        incomplete=[one for one in report.replies if not one.scores.complete],
        sources=sources,
        overall=_table(report, sources, ("overall",), with_all=True),
        curves=_curves(report.replies, sources),
        controls=[_table(report, [name], ("condition", "with_controls")) for name in sources],
        joint=_table(report, sources, ("joint",)),
        details=[_table(report, [name], ("kind", "category")) for name in sources],
        gaps=_gaps(report.replies),
        class_words=CLASS_WORDS,
        decks=[(one.key, examples[one.key]) for one in report.replies if examples.get(one.key)],
    )


def _model(one: TomSummary, number: int) -> dict[str, Any]:
    order = [name for name in CLASS_WORDS if name in one.scores.classes]
    classes = {name: one.scores.classes[name] for name in order}
    return {
        "key": one.key,
        "color": number % COLORS + 1,
        "scores": one.scores,
        "manifest": one.manifest,
        "parts": parts_of(classes),
    }


def _table(
    report: TomReport, sources: Sequence[str], groups: Sequence[RowGroup], *, with_all: bool = False
) -> dict[str, Any]:
    """Rows of some groups, with a figure for each model."""
    wanted = (ALL_SOURCES, *sources) if with_all else tuple(sources)
    by_model = [
        {(row.source, row.group, row.name): row for row in one.scores.rows}
        for one in report.replies
    ]
    keys = dict.fromkeys(
        key for rows in by_model for key in rows if key[0] in wanted and key[1] in groups
    )
    lines = []
    for key in keys:
        found = [rows.get(key) for rows in by_model]
        first = next(row for row in found if row is not None)
        cells = [
            row and (row, _track(row, one.key))
            for row, one in zip(found, report.replies, strict=True)
        ]
        source = "All" if first.source == ALL_SOURCES else first.source
        lines.append({"source": source, "title": title_of(first), "row": first, "cells": cells})
    return {"source": sources[0] if len(sources) == 1 else None, "lines": lines}


def _track(row: TomRow, key: str) -> Any:
    return track_of(row.value, row.interval, chance=row.chance, title=key)


def _curves(replies: Sequence[TomSummary], sources: Sequence[str]) -> list[Any]:
    found = [
        curve
        for source in sources
        for curve in (
            curve_of(replies, source, "order", f"{source}, each question"),
            curve_of(replies, source, "order_jointly", f"{source}, right with all lower orders"),
        )
    ]
    return [curve for curve in found if curve is not None]


def _gaps(replies: Sequence[TomSummary]) -> list[dict[str, Any]]:
    """A figure for each source and kind of application."""
    by_kind: dict[tuple[str, str], list[tuple[TomSummary, TomGap]]] = {}
    for one in replies:
        for gap in one.scores.gaps:
            by_kind.setdefault((gap.source, gap.applied), []).append((one, gap))
    return [
        {
            "title": f"{source}: {_APPLIED[applied]}",
            "rows": [(one.key, gap, dumbbell_of(gap, one.key)) for one, gap in found],
        }
        for (source, applied), found in by_kind.items()
    ]
