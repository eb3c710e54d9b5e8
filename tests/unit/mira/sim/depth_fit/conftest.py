from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.policy import DepthSensorPolicy
from mira.sim.rooms.truth.depth_sensor import sense_depth

FOCAL_PX = 610.0
WIDTH, HEIGHT = 848, 480
PANES = {
    "planar_mirror": (60, 60, 290, 280),
    "glass": (320, 60, 550, 280),
    "convex_mirror": (580, 60, 810, 280),
}
"""Boxes x1, y1, x2, y2 of the reflective surfaces in every picture."""


def true_depth(rng: np.random.Generator) -> NDArray[np.float32]:
    """Floor, ceiling, slanting walls, boxes, and a deeper wall seen in every pane."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    u, v = (x - WIDTH / 2) / FOCAL_PX, (y - HEIGHT / 2) / FOCAL_PX
    back = (1 + 0.3 * rng.uniform(-1, 1) * u) / (4 + rng.random())
    nearness = np.maximum.reduce([v / 1.2, -v / 1.4, u / 2.2, -u / 2.0, back])
    for x1, y1, x2, y2 in PANES.values():
        nearness[y1:y2, x1:x2] = ((1 + 0.1 * u) / 5.5)[y1:y2, x1:x2]
    for _ in range(4):
        left, top = rng.integers(0, WIDTH - 150), rng.integers(290, HEIGHT - 60)
        box = np.s_[top : top + 60, left : left + rng.integers(60, 150)]
        plane = (1 + 0.2 * rng.uniform(-1, 1) * u[box]) / rng.uniform(1.0, 2.2)
        nearness[box] = np.maximum(nearness[box], plane)
    return np.asarray(1 / nearness, np.float32)


def open_depth() -> NDArray[np.float32]:
    """A floor that comes nearer and a street that goes farther than any camera reads."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    v = (y - HEIGHT / 2) / FOCAL_PX
    street = 1 / np.maximum(np.maximum(v / 1.2, np.abs(x - WIDTH / 2) / FOCAL_PX / 6), 1e-3)
    slope = np.s_[300:, 200:500]
    nearer = 1.1 / (1 + (y[slope] - 300) / 40)
    street[slope] = np.minimum(street[slope], nearer)
    return np.asarray(street, np.float32)


def write_frame(
    folder: Path, name: str, steps: NDArray[np.uint16], *, annotated: bool, **camera: Any
) -> None:
    """A depth map with picture, camera and, if asked for, the annotation of the panes."""
    folder.mkdir(exist_ok=True)
    grey = np.random.default_rng(len(list(folder.iterdir()))).integers(0, 255, steps.shape)
    cv2.imwrite(str(folder / f"{name}.png"), grey.astype(np.uint8))
    cv2.imwrite(str(folder / f"{name}_depth.png"), steps)
    values = {"fx_px": FOCAL_PX, "depth_unit_m": 0.001, **camera}
    (folder / f"{name}_intrinsics.json").write_text(json.dumps(values))
    if annotated:
        shapes = [
            {
                "label": "surface",
                "points": [[x1, y1], [x2, y1], [x2, y2], [x1, y2]],
                "group_id": 100 + k,
                "attributes": {"surface_type": kind},
            }
            for k, (kind, (x1, y1, x2, y2)) in enumerate(PANES.items())
        ]
        document = {"shapes": shapes, "imageWidth": WIDTH, "imageHeight": HEIGHT}
        (folder / f"{name}.json").write_text(json.dumps(document))


def sensed(policy: DepthSensorPolicy, seed: int, *, panes: bool = True) -> NDArray[np.uint16]:
    """What a camera of that policy reports of a room, or of the open."""
    rng = np.random.default_rng(seed)
    depth = true_depth(rng) if panes else open_depth()
    dropout = np.full(depth.shape, policy.dropout_share, np.float32)
    shares = (
        policy.mirror_dropout_share,
        policy.glass_dropout_share,
        policy.bent_dropout_share,
    )
    for share, (x1, y1, x2, y2) in zip(shares, PANES.values(), strict=True):
        if panes:
            dropout[y1:y2, x1:x2] = share
    return sense_depth(depth, dropout, focal_px=FOCAL_PX, policy=policy, rng=rng)


@pytest.fixture
def capture(tmp_path: Path) -> Callable[[DepthSensorPolicy], tuple[Path, ...]]:
    """Folders of depth maps that a camera of a policy took."""

    def take(policy: DepthSensorPolicy) -> tuple[Path, ...]:
        for seed in range(4):
            steps = sensed(policy, seed)
            write_frame(tmp_path / "rooms", f"room{seed}", steps, annotated=True)
        steps = sensed(policy, 9, panes=False)
        write_frame(tmp_path / "open", "street", steps, annotated=False)
        return tmp_path / "rooms", tmp_path / "open"

    return take
