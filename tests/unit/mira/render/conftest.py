from __future__ import annotations

import numpy as np
import pytest

from mira.geometry.mask import box_of_rle, rle_from_polygons
from mira.render.pictures import ScenePictures
from mira.schema.qa import Mark

WIDTH_PX, HEIGHT_PX = 320, 240


def _rectangle(x1, y1, x2, y2):
    ring = ((x1, y1), (x2, y1), (x2, y2), (x1, y2))
    return rle_from_polygons([ring], width_px=WIDTH_PX, height_px=HEIGHT_PX)


@pytest.fixture
def scene():
    """A noisy picture, a depth ramp with a hole, one mirror, a reflected and two real things."""
    rng = np.random.default_rng(7)
    depth = np.tile(np.linspace(500, 4000, WIDTH_PX).astype(np.uint16), (HEIGHT_PX, 1))
    depth[100:110, 200:220] = 0
    return ScenePictures(
        color_rgb=rng.integers(0, 256, (HEIGHT_PX, WIDTH_PX, 3), dtype=np.uint8),
        depth=depth,
        depth_unit_m=0.001,
        depth_kind="metric",
        surface_masks=(_rectangle(20, 10, 160, 110),),
        instance_masks={
            1: _rectangle(60, 60, 90, 95),
            2: _rectangle(180, 150, 220, 200),
            3: _rectangle(250, 150, 290, 200),
        },
        image_id="room_1",
    )


def _mark(scene, label, instance_id, role):
    return Mark(
        label=label,
        instance_id=instance_id,
        role=role,
        box_xyxy_px=box_of_rle(scene.instance_masks[instance_id]),
    )


@pytest.fixture
def slot(scene):
    return (_mark(scene, "X", 1, "slot"),)


@pytest.fixture
def marks(scene, slot):
    return (*slot, _mark(scene, "A", 2, "candidate"), _mark(scene, "B", 3, "candidate"))
