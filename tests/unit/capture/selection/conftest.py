"""Drawn views: a wall with a mirror on it, and what the mirror shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from capture.view_files import ViewContent, encode_view
from mira.render.quality import measure_quality
from mira.schema.capture import Scene, SceneSurface, ViewFrame
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.store.session import Session

WIDTH, HEIGHT = 160, 120
Box = tuple[int, int, int, int]
MIRROR: Box = (40, 20, 110, 90)
"""x1, y1, x2, y2."""


def scenery(seed: int, *, blobs: int = 60) -> NDArray[np.uint8]:
    """Blocks of colour on a soft ground, shape (200, 400, 3)."""
    rng = np.random.default_rng(seed)
    ground = cv2.GaussianBlur(rng.normal(size=(200, 400, 3)), (0, 0), 25)
    canvas = (110 + 500 * ground).clip(40, 200).astype(np.uint8)
    for _ in range(blobs):
        x, y = (int(value) for value in rng.integers((0, 0), (380, 190)))
        width, height = (int(value) for value in rng.integers(6, 40, 2))
        canvas[y : y + height, x : x + width] = rng.integers(30, 225, 3)
    return canvas


@dataclass(frozen=True)
class Drawn:
    """How a view is drawn."""

    wall: int = 1
    reflection: int = 2
    shift_px: int = 0
    boxes: tuple[Box, ...] = (MIRROR,)
    masked: bool = True
    depth: bool = True
    blur_px: float = 0.0

    def content(self) -> ViewContent:
        """The view's pictures."""
        color = scenery(self.wall)[:HEIGHT, :WIDTH].copy()
        labels = np.zeros((HEIGHT, WIDTH), np.uint8)
        behind = scenery(self.reflection)[:HEIGHT, self.shift_px : self.shift_px + WIDTH]
        for label, (x1, y1, x2, y2) in enumerate(self.boxes, start=1):
            color[y1:y2, x1:x2] = behind[y1:y2, x1:x2]
            labels[y1:y2, x1:x2] = label
        if self.blur_px:
            color = np.asarray(cv2.GaussianBlur(color, (0, 0), self.blur_px), np.uint8)
        depth = np.full((HEIGHT, WIDTH), 1500, np.uint16) if self.depth else None
        metric = {"depth_unit_m": 0.001, "depth_kind": "metric"} if self.depth else {}
        frame = ViewFrame.model_validate({**metric, "quality": measure_quality(color, depth)})
        return ViewContent(
            color, frame, depth_aligned=depth, surfaces=labels if self.masked else None
        )


@pytest.fixture
def drawn() -> type[Drawn]:
    """Draws views."""
    return Drawn


MakeSession = Callable[[Mapping[str, Mapping[str, Drawn | ViewContent]]], Session]


@pytest.fixture
def make_session(tmp_path: Path) -> MakeSession:
    """Makes a session of views by scene."""

    def made(scenes: Mapping[str, Mapping[str, Drawn | ViewContent]]) -> Session:
        record = CaptureSession(
            session_id="drawn",
            source="simulated",
            provenance=Provenance(tool="test", tool_version="0"),
        )
        session = Session.create(tmp_path / "session", record, durable=False)
        for scene_id, views in scenes.items():
            surfaces = tuple(
                SceneSurface(surface_id=name, surface_type="planar_mirror")
                for name in ("tall mirror", "round mirror")
            )
            session.write_scene(Scene(scene_id=scene_id, place="drawn_room", surfaces=surfaces))
            for view_id, view in views.items():
                content = view.content() if isinstance(view, Drawn) else view
                session.commit_view(scene_id, view_id, encode_view(content))
        return session

    return made
