"""How far away what a question is about is, as far as its picture's depth tells."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mira.release.reader import Row
from mira.render.source import decode_depth

DEPTH_COLUMNS = ("depth", "depth_unit_m", "depth_kind")
"""Columns of `scenes` that are looked into."""
_MIDDLE = 0.25
"""Share of a box that is left out on each side: there is background."""


def distances_of(scene: Row, rows: Iterable[Row]) -> dict[str, float | None]:
    """Metres to what each question about a picture asks of first, by question id.

    The median of the readings in the middle of its box; of a reflection that is the way by the
    mirror, or to its glass, as the sensor had it. None where nothing was measured there. Questions
    that point at nothing are left out, and so are pictures without depth in metres.

    Args:
        scene: A row of `scenes`, with the `DEPTH_COLUMNS`.
        rows: Rows of `qa` about it, with `question_id` and `marks`.
    """
    if scene.get("depth") is None or scene.get("depth_kind") != "metric":
        return {}
    boxes: dict[str, tuple[int, ...]] = {}
    for row in rows:
        marked = [mark["box_xyxy_px"] for mark in row["marks"] or () if mark["role"] == "slot"]
        if marked:
            boxes[row["question_id"]] = tuple(marked[0])
    if not boxes:
        return {}
    steps = decode_depth(scene["depth"]["bytes"], where=scene["image_id"])
    known: dict[tuple[int, ...], float | None] = {}
    for x1, y1, x2, y2 in set(boxes.values()):
        across, down = int(_MIDDLE * (x2 - x1)), int(_MIDDLE * (y2 - y1))
        middle = steps[y1 + down : y2 - down, x1 + across : x2 - across]
        read = middle[middle > 0]
        median_m = float(np.median(read) * scene["depth_unit_m"]) if read.size else None
        known[x1, y1, x2, y2] = median_m
    return {question_id: known[box] for question_id, box in boxes.items()}
