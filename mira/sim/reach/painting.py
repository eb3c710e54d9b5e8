"""What draws the pictures of the mirror test, as those see it who play."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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


class RememberingPainter:
    """Draws what another painter does, and what it drew last only once.

    A script walks the same way at every level of a scene.
    """

    def __init__(self, painter: Painter, *, kept: int = 32) -> None:
        """Take over a painter.

        Args:
            painter: What draws.
            kept: Pictures that are kept, 3 MB each; an episode has fewer.
        """
        self._painter, self._kept = painter, kept
        self._drawn: OrderedDict[tuple[str, WorldPoint], NDArray[np.uint8]] = OrderedDict()

    def draw(self, scene: ReachScene, hand_m: WorldPoint) -> NDArray[np.uint8]:
        """A picture, RGB of shape (1024, 1024, 3), not to be written to."""
        key = scene.scene_id, hand_m
        if key not in self._drawn:
            self._drawn[key] = self._painter.draw(scene, hand_m)
            if len(self._drawn) > self._kept:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(key)
        return self._drawn[key]

    def close(self) -> None:
        """Let go of the painter and the pictures."""
        self._drawn.clear()
        self._painter.close()


class OneThreadPainter:
    """Draws for any number of threads in one of its own, to which an engine's buffers belong.

    Who asks waits for those who asked before.
    """

    def __init__(self, make: Callable[[], Painter]) -> None:
        """Have the thread get a painter ready.

        Args:
            make: A new painter.

        Raises:
            MiraError: There is nothing to draw with.
        """
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="painter")
        try:
            self._painter = self._thread.submit(make).result()
        except BaseException:
            self._thread.shutdown()
            raise

    def draw(self, scene: ReachScene, hand_m: WorldPoint) -> NDArray[np.uint8]:
        """A picture, as the painter draws it."""
        return self._thread.submit(self._painter.draw, scene, hand_m).result()

    def close(self) -> None:
        """Let go of the painter, once it has drawn what was asked for."""
        self._thread.submit(self._painter.close).result()
        self._thread.shutdown()
