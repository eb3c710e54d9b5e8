"""A body of the mirror test with all its hands and marks, as one model of the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mira.schema.step import WorldPoint
from mira.sim.reach.look.bodies import standing
from mira.sim.reach.look.hands import hand_looks
from mira.sim.reach.look.marks import MARKS, mark_look
from mira.sim.reach.look.modelling import Group, Model
from mira.sim.reach.look.room import EYE, add_room
from mira.sim.reach.look.viewing import viewpoint
from mira.sim.reach.rules import MIRROR_X_M
from mira.sim.reach.scenes import Body, ReachScene

_NEAR_M, _FAR_M = 0.1, 30.0
_SAMPLES = 4
"""Samples a pixel. More than half of a picture's time goes into them, whether 2, 4 or 8; without
them the outlines of small things in the mirror are ragged."""


class Stage:
    """A compiled model with its renderer; to be closed.

    One is made for a body, not for a scene: hands and marks that a scene has not are hidden.
    """

    def __init__(self, mujoco: Any, body: Body, size_px: int) -> None:
        """Compile a body, its room, hands and marks.

        Args:
            mujoco: The engine.
            body: Who stands there.
            size_px: Width and height of the pictures.
        """
        self._mujoco = mujoco
        self._model = _compiled(mujoco, body, size_px)
        self._group = self._model.geom_group.copy()
        self._owner = np.array(
            [self._model.body(number).name for number in self._model.geom_bodyid]
        )
        self._data = mujoco.MjData(self._model)
        mujoco.mj_forward(self._model, self._data)
        self._renderer = mujoco.Renderer(self._model, size_px, size_px)
        # Creased clothes show their inside rather than nothing.
        self._renderer.scene.flags[mujoco.mjtRndFlag.mjRND_CULL_FACE] = False

    def close(self) -> None:
        """Give the engine's buffers back."""
        self._renderer.close()

    def set_scene(self, scene: ReachScene, hand_m: WorldPoint) -> None:
        """Show the hand and the mark of a scene, the hand at its place."""
        movable = (self._group == Group.MARK) | (self._group == Group.HAND)
        shown = ~movable | np.isin(self._owner, (scene.hand, scene.mark))
        self._model.geom_group[:] = np.where(shown, self._group, Group.HIDDEN)
        self._data.mocap_pos[self._model.body(scene.hand).mocapid[0]] = hand_m
        self._mujoco.mj_kinematics(self._model, self._data)

    def picture(self) -> NDArray[np.uint8]:
        """What the camera sees: red, green and blue, shape (size_px, size_px, 3)."""
        self._update(mirrored=False)
        return np.array(self._renderer.render(), np.uint8)

    def groups(self) -> NDArray[np.int64]:
        """The group of what each pixel shows first, the glass too, -1 for none; shape (h, w)."""
        return self._groups(mirrored=False)

    def groups_in_mirror(self) -> NDArray[np.int64]:
        """The group of what each pixel would show if all of the picture were glass, -1 for none.

        It is what the camera's mirror image sees straight, left and right exchanged, and so does
        not rest on how the engine draws reflections.
        """
        return self._groups(mirrored=True)[:, ::-1]

    def _groups(self, *, mirrored: bool) -> NDArray[np.int64]:
        self._update(mirrored=mirrored)
        self._renderer.enable_segmentation_rendering()
        geom = self._renderer.render()[..., 0]
        self._renderer.disable_segmentation_rendering()
        return np.asarray(np.append(self._group, -1)[geom], np.int64)

    def _update(self, *, mirrored: bool) -> None:
        """Take the camera, or its mirror image, to what is shown now."""
        option = self._mujoco.MjvOption()
        option.geomgroup[:] = 1
        hidden = (Group.MIRROR, Group.BEHIND, Group.HIDDEN) if mirrored else (Group.HIDDEN,)
        option.geomgroup[list(hidden)] = 0
        pose = viewpoint()
        (right, down, forward), eye = pose.axes, pose.eye_m
        if mirrored:
            flip = np.array((-1.0, 1.0, 1.0))
            eye = eye * flip + np.array((2 * MIRROR_X_M, 0.0, 0.0))
            # The third turn makes the pose proper, and exchanges left and right.
            right, down, forward = -right * flip, down * flip, forward * flip
        self._data.cam_xpos[0] = eye
        self._data.cam_xmat[0] = np.stack((right, -down, -forward), axis=1).ravel()
        self._renderer.update_scene(self._data, EYE, option)


def _compiled(mujoco: Any, body: Body, size_px: int) -> Any:
    model = Model(mujoco)
    add_room(model)
    world = model.spec.worldbody
    look, front = standing(body)
    model.add(world, look, Group.BODY)
    for name in MARKS:
        model.add(world.add_body(name=name), mark_look(name, body.mark_m, front), Group.MARK)
    for name, look in hand_looks(body).items():
        hand = world.add_body(name=name, mocap=True, pos=body.hand_m)
        model.add(hand, look, Group.HAND)
    visual = model.spec.visual
    visual.global_.offwidth = visual.global_.offheight = size_px
    visual.quality.offsamples, visual.quality.shadowsize = _SAMPLES, 0
    visual.map.znear, visual.map.zfar = _NEAR_M, _FAR_M
    # The engine takes both as shares of the model's extent.
    model.spec.stat.extent = 1.0
    return model.spec.compile()
