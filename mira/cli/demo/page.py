"""What the demo page shows, gathered from a release and its scores."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mira.cli.demo.question_cards import Album, examples, question_card
from mira.cli.demo.scene_cards import scene_card
from mira.evals.mira_bench.table import row_title
from mira.release.reader import read_info, read_scenes
from mira.render.style import RenderStyle
from mira.report.page import render_page
from mira.schema.evaluation import ScoreTable
from mira.taxonomy.catalogue import taxonomy

_TEMPLATE = Path(__file__).with_name("demo_page.html.j2")
_FIRST_PROTOCOL = "visual_bbox"
_FIRST_MODALITY = "rgb_dm"


@dataclass(frozen=True)
class Step:
    """One step of the pipeline, for the strip at the top."""

    name: str
    result: str
    command: str


def demo_page(
    release: Path, *, folder: Path, steps: Sequence[Step], tables: dict[str, ScoreTable]
) -> str:
    """The HTML of the page.

    Args:
        release: What was built.
        folder: Where the demo will lie, as its user named it.
        steps: What was done; their commands run in that folder.
        tables: For each player, its scores.
    """
    info = read_info(release)
    scenes = {row["image_id"]: row for row in read_scenes(release)}
    style = RenderStyle()
    album = Album()
    questions = [
        question_card(rows, scenes[rows[0]["image_id"]], album, style)
        for rows in examples(release, list(scenes))
    ]
    return render_page(
        _TEMPLATE,
        figures=_figures(info.statistics, len(scenes)),
        go_there=shlex.join(("cd", str(folder))),
        steps=steps,
        scenes=[scene_card(row, style) for row in scenes.values()],
        questions=questions,
        pictures=album.pictures,
        protocols=taxonomy().protocols,
        modalities=taxonomy().modalities,
        first_protocol=_FIRST_PROTOCOL,
        first_modality=_FIRST_MODALITY,
        players=list(tables),
        score_rows=_score_rows(tables),
        digest=info.digest,
        release_name=release.name,
        version=version("mira-toolkit"),
        content={
            "protocol": _FIRST_PROTOCOL,
            "modality": _FIRST_MODALITY,
            "pictures": album.pictures,
            "questions": [
                {key: question[key] for key in ("answer", "wordings", "shown")}
                for question in questions
            ],
        },
    )


def _figures(statistics: dict[str, dict[str, int]], pictures: int) -> list[dict[str, Any]]:
    def total(table: str) -> int:
        return sum(statistics.get(table, {}).values())

    linked = statistics.get("reflections by counterpart", {}).get("in_frame", 0)
    return [
        {"name": "pictures", "value": pictures},
        {"name": "reflective surfaces", "value": total("surfaces by type")},
        {"name": "outlined instances", "value": total("instances by visibility")},
        {"name": "reflections linked to their object", "value": linked},
        {"name": "questions", "value": total("questions by template")},
    ]


def _score_rows(tables: dict[str, ScoreTable]) -> list[dict[str, Any]]:
    return [
        {
            "name": row_title(results[0]),
            "sum": results[0].group != "subtask",
            "n": results[0].n,
            "chance": results[0].chance,
            "cells": [
                {"player": player, "value": result.value, "interval": result.interval}
                for player, result in zip(tables, results, strict=True)
            ],
        }
        for results in zip(*(table.rows for table in tables.values()), strict=True)
    ]
