from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

Json = dict[str, Any]


def shape(label: str, number: int | None, box: tuple[float, ...], **attributes: Any) -> Json:
    """A polygon around a box, with points along its sides as people set them."""
    x1, y1, x2, y2 = box
    corners = [(x1, y1), (x2, y1), (x2, y2), (x1, y2), (x1, y1)]
    points = [
        [a[0] + (b[0] - a[0]) * k / 8, a[1] + (b[1] - a[1]) * k / 8]
        for a, b in pairwise(corners)
        for k in range(8)
    ]
    return {
        "label": label,
        "points": points,
        "group_id": number,
        "shape_type": "polygon",
        "description": "",
        "flags": {},
        "attributes": attributes,
        "kie_linking": [],
        "house_key": [1, {"a": None}],
    }


@pytest.fixture
def document() -> Json:
    """A mirror with a hole, four objects, two linked reflections and one without an object."""
    link = {"in_mirror": "100", "counterpart": "in_frame"}
    shapes = [
        shape("surface", 100, (300, 40, 600, 300), surface_type="planar_mirror"),
        shape("hole", 100, (340, 80, 380, 120)),
        shape("object", 1, (20, 20, 60, 60)),
        shape("cup", 2, (80, 100, 180, 200)),
        shape("object", 3, (20, 240, 120, 330)),
        shape("object", 4, (200, 300, 280, 380)),
        shape("object_reflection", 5, (420, 60, 460, 100), reflection_of="1", **link),
        shape("cup_reflection", 6, (480, 120, 560, 200), reflection_of="2", **link),
        shape(
            "object_reflection",
            7,
            (320, 200, 380, 280),
            reflection_of="",
            in_mirror="100",
            counterpart="out_of_frame",
        ),
    ]
    return {
        "version": "4.0.2",
        "flags": {},
        "checked": True,
        "shapes": shapes,
        "imagePath": "color.png",
        "imageData": None,
        "imageHeight": 400,
        "imageWidth": 640,
        "tags": {"kept": ["as", "is"]},
    }
