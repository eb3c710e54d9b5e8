from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mira.evals.mira_bench.judging import judge_run
from mira.evals.mira_bench.questions import parse_questions
from mira.evals.mira_bench.runs import Run
from mira.schema.evaluation import Decoding, Prediction, RunManifest
from mira.taxonomy.catalogue import taxonomy


def _row(name: str, template_id: str = "mc_003", *, scene: str = "s0", **more: Any) -> Any:
    """A question whose right answer is `yes`, or `left,above,front`."""
    places = template_id.startswith("mr")
    words = () if places else ("yes", "no")
    return {
        "question_id": name,
        "question_sha8": f"{zlib.crc32(name.encode()):08x}",
        "item_id": more.pop("item_id", name),
        "scene_id": scene,
        "image_id": scene,
        "split": "test",
        "template_id": template_id,
        "subtask": taxonomy().template(template_id).subtask,
        "protocol": "visual_bbox",
        "format": "spatial_3d_axes" if places else "yes_no",
        "options": [{"label": word, "value": word, "text": word} for word in words],
        "answer": "left,above,front" if places else "yes",
        "joint_group": None,
        "count_max": None,
        "marks": [],
        **more,
    }


def _run(rows: Any, right: Mapping[str, bool | None], **manifest: Any) -> Any:
    """A judged run that has some right, others wrong, and was not heard on what is None."""
    answers = {True: ("yes", "left,above,front"), False: ("no", "right,below,behind")}
    said = []
    for row in rows:
        got = right.get(row["question_id"])
        if got is not None:
            answer = answers[got][row["format"] == "spatial_3d_axes"]
            said.append(Prediction(question_id=row["question_id"], answer=answer))
    told = RunManifest(
        **{
            "model": "m",
            "decoding": Decoding(),
            "dataset_digest": "d" * 64,
            "prompt_version": "1",
            "protocol": "visual_bbox",
            "modality": "rgb",
            "code_version": "0",
            **manifest,
        }
    )
    run = Run(told.name or told.model, Path("run"), told, tuple(said))
    return judge_run(run, parse_questions(rows))


@pytest.fixture(scope="session")
def tiny() -> SimpleNamespace:
    """Builders of questions and of judged runs."""
    return SimpleNamespace(row=_row, run=_run)
