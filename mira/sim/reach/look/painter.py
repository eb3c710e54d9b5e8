"""Pictures of the mirror test, and which of their pixels show the mark."""

from __future__ import annotations

from collections import OrderedDict
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from mira.schema.step import WorldPoint
from mira.sim.engine import load_mujoco
from mira.sim.reach.look.modelling import Group
from mira.sim.reach.look.stage import Stage
from mira.sim.reach.scenes import Body, ReachScene


class MarkPixels(NamedTuple):
    """Where a picture shows the mark.

    Attributes:
        straight: Pixels that show it straight, which the body should hide, shape (h, w).
        mirrored: Pixels that show it in the mirror, shape (h, w).
    """

    straight: NDArray[np.bool_]
    mirrored: NDArray[np.bool_]

    @property
    def middle_px(self) -> tuple[float, float] | None:
        """Where the middle of those in the mirror is, x and y; None where there are none."""
        rows, columns = np.nonzero(self.mirrored)
        return (float(columns.mean()), float(rows.mean())) if len(rows) else None


class Painter:
    """Draws scenes of the mirror test; to be closed, or used in a `with` block.

    The models of the bodies drawn last are kept, and only the hand moves in them. A painter belongs
    to the thread that draws with it first.

    Attributes:
        size_px: Width and height of its pictures.
    """

    def __init__(self, *, size_px: int = 1024, kept: int = 2) -> None:
        """Get the engine ready.

        Args:
            size_px: Width and height of the pictures.
            kept: Bodies whose models stay in memory; each takes some 60 MB at full size.

        Raises:
            SimulationError: No GL library is found.
            MissingExtraError: MuJoCo is not installed.
        """
        self.size_px = size_px
        self._kept = kept
        self._mujoco = load_mujoco()
        self._stages: OrderedDict[Body, Stage] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the engine's buffers back; drawing again gets new ones."""
        while self._stages:
            self._stages.popitem()[1].close()

    def draw(self, scene: ReachScene, hand_m: WorldPoint) -> NDArray[np.uint8]:
        """A picture of a scene, the same bytes for the same scene and hand on one machine.

        Args:
            scene: Who stands there, with which hand and mark.
            hand_m: Where the hand is, metres.

        Returns:
            Red, green and blue, shape (size_px, size_px, 3).
        """
        return self._stage(scene, hand_m).picture()

    def mark_pixels(self, scene: ReachScene, hand_m: WorldPoint) -> MarkPixels:
        """Which pixels show the mark, straight and in the mirror.

        Args:
            scene: Who stands there, with which hand and mark.
            hand_m: Where the hand is, metres.
        """
        stage = self._stage(scene, hand_m)
        seen, through = stage.groups(), stage.groups_in_mirror()
        return MarkPixels(seen == Group.MARK, (seen == Group.MIRROR) & (through == Group.MARK))

    def mark_px(self, scene: ReachScene, hand_m: WorldPoint) -> tuple[float, float] | None:
        """Middle of what the mirror shows of the mark, in pixels; None if that is nothing.

        The hand may hide some of it.

        Args:
            scene: Who stands there, with which hand and mark.
            hand_m: Where the hand is, metres.

        Returns:
            x and y; the origin is the centre of the first pixel.
        """
        return self.mark_pixels(scene, hand_m).middle_px

    def _stage(self, scene: ReachScene, hand_m: WorldPoint) -> Stage:
        """The model of a scene's body, its hand and mark shown."""
        stage = self._stages.pop(scene.body, None)
        if stage is None:
            while len(self._stages) >= self._kept:
                self._stages.popitem(last=False)[1].close()
            stage = Stage(self._mujoco, scene.body, self.size_px)
        self._stages[scene.body] = stage
        stage.set_scene(scene, hand_m)
        return stage
