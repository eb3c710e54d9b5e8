"""A scene of the mirror test as a model of the engine."""

from __future__ import annotations

from typing import Any

from mira.sim.reach.look.bodies import body_look
from mira.sim.reach.look.hands import hand_parts
from mira.sim.reach.look.marks import mark_parts
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
    look = body_look(scene.body)
    add_room(model)
    world = model.spec.worldbody
    model.add(world, look.parts, Group.BODY)
    for surface in look.painted:
        model.add_painted(world, surface, Group.BODY)
    model.add(world, mark_parts(scene.mark, scene.body.mark_m, look.surface), Group.MARK)
    hand = world.add_body(name=HAND, mocap=True, pos=scene.body.hand_m)
    model.add(hand, hand_parts(scene.hand, left=scene.body.hand_m[1] > 0), Group.HAND)
    visual = model.spec.visual
    visual.global_.offwidth = visual.global_.offheight = size_px
    visual.quality.offsamples, visual.quality.shadowsize = _SAMPLES, 0
    visual.map.znear, visual.map.zfar = _NEAR_M, _FAR_M
    # The engine gives both as shares of the model's extent.
    model.spec.stat.extent = 1.0
    return model.spec.compile()
