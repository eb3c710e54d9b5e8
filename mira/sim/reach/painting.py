"""What draws the pictures of the mirror test, as those see it who play."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mira.schema.step import WorldPoint
from mira.sim.reach.scenes import ReachScene

PICTURE_PX = 1024
"""Width and height of a picture."""


class Painter(Protocol):
    """Draws scenes as the camera behind the body sees them."""

    def draw(self, scene: ReachScene, hand_m: WorldPoint) -> NDArray[np.uint8]:
        """A picture, RGB of shape (1024, 1024, 3).

        Args:
            scene: Who stands there, with which hand and mark.
            hand_m: Where the hand is.
        """

    def close(self) -> None:
        """Let go of what drawing takes."""
