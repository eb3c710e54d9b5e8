"""Pictures of the mirror test, and what is true of their pixels."""

from __future__ import annotations

from collections import OrderedDict
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from mira.schema.step import WorldPoint
from mira.sim.engine import load_mujoco
from mira.sim.reach.look.modelling import Group
from mira.sim.reach.look.room import EYE
from mira.sim.reach.look.stage import HAND, build_stage
from mira.sim.reach.rules import MIRROR_X_M
from mira.sim.reach.scenes import ReachScene

_KEPT = 2
"""Scenes whose models stay in memory, those drawn last."""


class MarkPixels(NamedTuple):
    """Where a picture shows the mark.

    Attributes:
        straight: Pixels that show it straight, shape (h, w); the body should hide it.
        mirrored: Pixels that show it in the mirror, shape (h, w).
    """

    straight: NDArray[np.bool_]
    mirrored: NDArray[np.bool_]


class _Stage(NamedTuple):
    model: Any
    data: Any
    renderer: Any


class Painter:
    """Draws scenes of the mirror test; to be closed, or used in a `with` block.

    A model is kept for each of the scenes drawn last, in which only the hand moves.

    Attributes:
        size_px: Width and height of its pictures.
    """

    def __init__(self, *, size_px: int = 1024) -> None:
        """Get the engine ready.

        Args:
            size_px: Width and height of the pictures.

        Raises:
            SimulationError: No GL library is found.
            MissingExtraError: MuJoCo is not installed.
        """
        self.size_px = size_px
        self._mujoco = load_mujoco()
        self._stages: OrderedDict[ReachScene, _Stage] = OrderedDict()

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
            self._stages.popitem()[1].renderer.close()

    def draw(self, scene: ReachScene, hand_m: WorldPoint) -> NDArray[np.uint8]:
        """A picture of a scene, the same bytes for the same scene and hand on one machine.

        Args:
            scene: Who stands there, with which hand and mark.
            hand_m: Where the hand is, metres.

        Returns:
            Red, green and blue, shape (size_px, size_px, 3).
        """
        stage = self._stage(scene, hand_m)
        stage.renderer.update_scene(stage.data, EYE, self._option())
        return np.array(stage.renderer.render(), np.uint8)

    def mark_pixels(self, scene: ReachScene, hand_m: WorldPoint) -> MarkPixels:
        """Which pixels show the mark.

        What the mirror shows is seen from the camera's mirror image, apart from how `draw` does it.

        Args:
            scene: Who stands there, with which hand and mark.
            hand_m: Where the hand is, metres.
        """
        stage = self._stage(scene, hand_m)
        seen = self._groups(stage)
        camera = stage.data.cam_xpos[0], stage.data.cam_xmat[0]
        kept = [values.copy() for values in camera]
        # A mirrored pose is made proper by turning the camera's x around, and the picture with it.
        camera[0][0] = 2 * MIRROR_X_M - camera[0][0]
        camera[1].reshape(3, 3)[1:, 0] *= -1
        camera[1].reshape(3, 3)[0, 1:] *= -1
        through = self._groups(stage, without=(Group.MIRROR, Group.BEHIND))[:, ::-1]
        for values, before in zip(camera, kept, strict=True):
            values[:] = before
        return MarkPixels(seen == Group.MARK, (seen == Group.MIRROR) & (through == Group.MARK))

    def mark_px(self, scene: ReachScene, hand_m: WorldPoint) -> tuple[float, float] | None:
        """Middle of what the mirror shows of the mark, in pixels; None if that is nothing.

        Args:
            scene: Who stands there, with which hand and mark.
            hand_m: Where the hand is, metres.

        Returns:
            x and y; the origin is the centre of the first pixel.
        """
        rows, columns = np.nonzero(self.mark_pixels(scene, hand_m).mirrored)
        return (float(columns.mean()), float(rows.mean())) if len(rows) else None

    def _groups(self, stage: _Stage, *, without: tuple[Group, ...] = ()) -> NDArray[np.int64]:
        """The group of what each pixel shows first, -1 for nothing, shape (h, w)."""
        stage.renderer.update_scene(stage.data, EYE, self._option(without))
        stage.renderer.enable_segmentation_rendering()
        geom = stage.renderer.render()[..., 0]
        stage.renderer.disable_segmentation_rendering()
        return np.asarray(np.append(stage.model.geom_group, -1)[geom], np.int64)

    def _option(self, without: tuple[Group, ...] = ()) -> Any:
        option = self._mujoco.MjvOption()
        option.geomgroup[:] = 1
        option.geomgroup[list(without)] = 0
        return option

    def _stage(self, scene: ReachScene, hand_m: WorldPoint) -> _Stage:
        """The model of a scene, the hand in its place."""
        stage = self._stages.pop(scene, None) or self._set_up(scene)
        self._stages[scene] = stage
        while len(self._stages) > _KEPT:
            self._stages.popitem(last=False)[1].renderer.close()
        stage.data.mocap_pos[stage.model.body(HAND).mocapid[0]] = hand_m
        self._mujoco.mj_kinematics(stage.model, stage.data)
        return stage

    def _set_up(self, scene: ReachScene) -> _Stage:
        model = build_stage(self._mujoco, scene, self.size_px)
        data = self._mujoco.MjData(model)
        self._mujoco.mj_forward(model, data)
        renderer = self._mujoco.Renderer(model, self.size_px, self.size_px)
        # Creased clothes show their inside rather than nothing.
        renderer.scene.flags[self._mujoco.mjtRndFlag.mjRND_CULL_FACE] = False
        return _Stage(model, data, renderer)
