from __future__ import annotations

import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mira.evals.mira_bench.judging import JudgedRuns, judge_run
from mira.evals.mira_bench.questions import parse_question, parse_questions
from mira.evals.mira_bench.runs import Run
from mira.schema.evaluation import Decoding, Prediction, RunManifest

UNSURE = ("yes", "no", "not_sure")


def _row(name: str, template_id: str, **more: Any) -> dict[str, Any]:
    subtask, format = {
        "mc_003": ("mc", "yes_no"),
        "ac_001": ("re", "yes_no"),
        "ac_002": ("as", "single_choice"),
        "mr_001": ("mr", "spatial_3d_axes"),
        "ct_001": ("ct", "count"),
        "mc_001": ("mc", "single_choice"),
    }[template_id]
    words = more.pop("words", UNSURE if template_id == "ac_001" else ("yes", "no"))
    lettered = format == "single_choice"
    options = [
        {
            "label": "ABCDEF"[k] if lettered else word.replace("_", " "),
            "value": word,
            "text": word.replace("_", " "),
        }
        for k, word in enumerate(words)
    ]
    return {
        "question_id": name,
        "question_sha8": f"{zlib.crc32(name.encode()):08x}",
        "item_id": name,
        "scene_id": f"s-{name}",
        "split": "test",
        "template_id": template_id,
        "subtask": subtask,
        "protocol": "visual_bbox",
        "format": format,
        "options": options if format in ("yes_no", "single_choice") else [],
        "answer": "yes",
        "joint_group": None,
        "count_max": 9,
        **more,
    }


def _judged(rows: list[dict[str, Any]], said: list[Prediction], **manifest: Any) -> Any:
    told = None
    if manifest:
        told = RunManifest(
            **{
                "model": "m",
                "decoding": Decoding(),
                "dataset_digest": "d" * 64,
                "prompt_version": "1",
                "code_version": "0",
                **manifest,
            }
        )
    name = (told.name or told.model) if told else "plain"
    return judge_run(Run(name, Path(name), told, tuple(said)), parse_questions(rows))


def _together(rows: list[dict[str, Any]], *runs: Any) -> JudgedRuns:
    questions = tuple(parse_question(row) for row in rows)
    return JudgedRuns(Path("release"), "d" * 64, questions, runs)


@pytest.fixture(scope="session")
def small() -> SimpleNamespace:
    """Builders of questions, judged runs, and runs together."""
    return SimpleNamespace(row=_row, judged=_judged, together=_together)
