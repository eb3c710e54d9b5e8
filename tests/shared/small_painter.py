"""A painter of the mirror test for tests that need no likeness."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mira.schema.step import WorldPoint
from mira.sim.reach.scenes import ReachScene


class SmallPainter:
    """Draws a grey picture with the hand's place in its first pixel, and counts what it draws."""

    def __init__(self) -> None:
        self.drawn: list[WorldPoint] = []
        self.is_closed = False

    def draw(self, scene: ReachScene, hand_m: WorldPoint) -> NDArray[np.uint8]:
        assert scene.scene_id
        self.drawn.append(hand_m)
        picture = np.full((1024, 1024, 3), 90, np.uint8)
        picture[0, 0] = [round(100 + 20 * along) for along in hand_m]
        return picture

    def close(self) -> None:
        self.is_closed = True
