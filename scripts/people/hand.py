"""A hand that floats: fingers up, palm to the body, a short piece of the arm."""

from __future__ import annotations

import numpy as np
from baking import Piece, Tailor, piece_of, triangles_of
from light import vertex_normals
from makehuman import Floats
from posing import Turn, posed_by, skinned
from shaping import Build, shaped

_BUILD = Build(0.75, muscle=0.55)
_LENGTH_M = 0.2
"""From the wrist to the tip of the middle finger: a large hand, to be seen from afar."""
_ARM_M = 0.11
"""How much of the arm below the wrist is kept."""
_SPREAD_DEG = {"index_01_l": -7.0, "middle_01_l": 0.0, "ring_01_l": 6.0, "pinky_01_l": 13.0}
_STRAIGHTEN_DEG = 11.0
_BONES = ("hand", "lowerarm", "index", "middle", "ring", "pinky", "thumb")


def left_hand(tailor: Tailor) -> Piece:
    """The hand of a left arm around the middle of its palm: palm to -x, thumb to +y, fingers up."""
    rest = shaped(tailor.base.vertices, _BUILD, tailor.mpfb / "targets")
    joints = {bone.name: rest[bone.head].mean(axis=0) for bone in tailor.bones}
    tips = {bone.name: rest[bone.tail].mean(axis=0) for bone in tailor.bones}
    up = _unit(joints["middle_01_l"] - joints["hand_l"])
    away = np.cross(joints["index_01_l"] - joints["pinky_01_l"], up)
    out = _unit(away)
    across = np.cross(up, out)
    turns: dict[str, list[Turn]] = {}
    for bone, spread in _SPREAD_DEG.items():
        finger = bone.removesuffix("_01_l")
        turns[bone] = [(tuple(out), -spread), (tuple(across), -_STRAIGHTEN_DEG)]
        for part in ("02", "03"):
            turns[f"{finger}_{part}_l"] = [(tuple(across), -_STRAIGHTEN_DEG)]
    posed = skinned(rest, tailor.weights, posed_by(rest, tailor.bones, turns))
    middle = (joints["hand_l"] + joints["middle_01_l"]) / 2
    local = (posed - middle) @ np.stack((out, across, up), axis=1)
    scale = _LENGTH_M / np.linalg.norm(tips["middle_03_l"] - joints["hand_l"])
    local = local * scale
    wrist = ((joints["hand_l"] - middle) @ up) * scale
    arm = sum(
        tailor.weights[:, column]
        for column, bone in enumerate(tailor.bones)
        if bone.name.endswith("_l") and bone.name.startswith(_BONES)
    )
    body = tailor.base.groups["body"]
    kept = (arm[body] > 0.9).all(axis=1) & (local[body][..., 2] > wrist - _ARM_M).all(axis=1)
    used = local[np.unique(body[kept]), 0]
    local[:, 0] -= (used.min() + used.max()) / 2
    normals = vertex_normals(local, triangles_of(body))
    # The frame is the world's already; `piece_of` takes MakeHuman's.
    turned = [10 * local[:, [1, 2, 0]], normals[:, [1, 2, 0]]]
    return piece_of(
        "hand", ((0, 0, 0),), 0.1, turned[0], body[kept], np.zeros(len(local)), turned[1]
    )


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))
