"""A scene of the mirror test as a model of the engine."""

from __future__ import annotations

from typing import Any

from mira.sim.reach.look.bodies import standing
from mira.sim.reach.look.hands import hand_look
from mira.sim.reach.look.marks import mark_look
from mira.sim.reach.look.modelling import Group, Model
from mira.sim.reach.look.room import add_room
from mira.sim.reach.scenes import ReachScene

HAND = "hand"
"""Name of what moves."""
_NEAR_M, _FAR_M = 0.1, 30.0
_SAMPLES = 4


def build_stage(mujoco: Any, scene: ReachScene, size_px: int) -> Any:
    """The compiled model of a scene, with the hand where it starts.

    Args:
        mujoco: The engine.
        scene: Who stands there, with which hand and mark.
        size_px: Width and height of its pictures.
    """
    model = Model(mujoco)
    look, front = standing(scene.body)
    add_room(model)
    world = model.spec.worldbody
    model.add(world, look, Group.BODY)
    model.add(world, mark_look(scene.mark, scene.body.mark_m, front), Group.MARK)
    hand = world.add_body(name=HAND, mocap=True, pos=scene.body.hand_m)
    model.add(hand, hand_look(scene), Group.HAND)
    visual = model.spec.visual
    visual.global_.offwidth = visual.global_.offheight = size_px
    visual.quality.offsamples, visual.quality.shadowsize = _SAMPLES, 0
    visual.map.znear, visual.map.zfar = _NEAR_M, _FAR_M
    # The engine gives both as shares of the model's extent.
    model.spec.stat.extent = 1.0
    return model.spec.compile()
