"""Rooms of every kind from the camera to the scores, the oracle right every time."""

from __future__ import annotations

import datasets
import numpy as np
import pytest
from extras import skip_without

from annotate.importing import import_annotations
from export.build import build_release
from export.verify import verify_release
from mira.evals.mira_bench.predictions import write_predictions
from mira.evals.mira_bench.release import baseline_predictions, score_release
from mira.schema.qa import QAPolicy
from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.places.registry import PLACES
from mira.sim.rooms.policy import CameraPolicy, RoomPolicy
from mira.store.workspace import Workspace
from qa_gen.generate import generate_questions

skip_without("embreex", extra="sim")
COUNT = 3 * len(PLACES)
"""Kinds take turns, so there are three of each."""


@pytest.mark.slow
def test_three_rooms_of_each_kind_from_session_to_release_to_scores(tmp_path):
    policy = RoomPolicy(
        camera=CameraPolicy(width_px=424, height_px=240, focal_px=305), views_per_scene=1
    )
    made = make_rooms(tmp_path / "rooms", count=COUNT, seed=11, policy=policy, workers=2)
    workspace = Workspace.create(tmp_path / "workspace")
    report = import_annotations(
        tmp_path / "rooms", workspace, scenes=None, annotator="simulator", progress=None
    )
    summary = generate_questions(workspace, policy=QAPolicy(seed=0))
    release = tmp_path / "release"
    build_release(workspace, release, name="rooms")

    assert len(made.scenes) == report.imported == COUNT
    warned = [f.code for f in report.findings if f.severity in ("error", "warning")]
    # The depth has a sensor's noise: now and then it speaks against a right link.
    assert set(warned) <= {"link-apart"}
    assert len(warned) <= 0.01 * report.links
    assert [f for f in verify_release(release) if f.severity == "error"] == []
    loaded = datasets.load_dataset(str(release), "scenes", split="test", streaming=True)
    assert sum(1 for _ in loaded) == COUNT
    assert summary.items > 20 * COUNT
    scores = {}
    for kind in ("oracle", "random"):
        path = tmp_path / f"{kind}.jsonl"
        write_predictions(path, baseline_predictions(release, kind, rng=np.random.default_rng(0)))
        scores[kind] = score_release(release, path, rng=np.random.default_rng(0)).table.rows
    assert all(row.value == 1 for row in scores["oracle"] if row.value is not None)
    assert scores["random"][-1].value < 0.5
