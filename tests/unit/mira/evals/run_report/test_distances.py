"""Distances of what is asked about, from a picture one can work out."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from mira.evals.run_report.distances import distances_of


def row(name, *boxes, role="slot"):
    marks = [{"role": role, "box_xyxy_px": list(box)} for box in boxes]
    return {"question_id": name, "marks": marks}


def test_distance_is_the_median_reading_in_the_middle_of_the_first_box():
    steps = np.full((40, 40), 9000, np.uint16)
    steps[10:20, 10:20] = 1500
    steps[10:20, 14] = 0
    steps[30:, 30:] = 0
    data = cv2.imencode(".png", steps)[1].tobytes()
    scene = {
        "image_id": "p",
        "depth": {"bytes": data, "path": "p.png"},
        "depth_unit_m": 0.001,
        "depth_kind": "metric",
    }
    rows = [
        row("near", (5, 5, 25, 25), (30, 30, 40, 40)),
        row("none", (30, 30, 40, 40)),
        row("option", (5, 5, 25, 25), role="candidate"),
    ]
    assert distances_of(scene, rows) == {"near": pytest.approx(1.5), "none": None}
    assert distances_of({**scene, "depth_kind": "normalised"}, rows) == {}
    assert distances_of({**scene, "depth": None}, rows) == {}


def test_depth_is_not_opened_where_no_question_points_at_anything():
    scene = {
        "image_id": "p",
        "depth": {"bytes": b"no picture", "path": "p.png"},
        "depth_unit_m": 0.001,
        "depth_kind": "metric",
    }
    assert distances_of(scene, [row("whole"), row("option", (1, 1, 2, 2), role="candidate")]) == {}
