"""Bodies turned at their joints, by linear blend skinning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from makehuman import Bone, Floats
from scipy.spatial.transform import Rotation

Turn = tuple[tuple[float, float, float], float]
"""An axis in the body's frame (x left, y up, z forward) and an angle in degrees."""


def posed_by(base: Floats, bones: Sequence[Bone], turns: Mapping[str, Sequence[Turn]]) -> Floats:
    """How each bone moves, as matrices that multiply columns, shape (bones, 4, 4).

    Args:
        base: The shaped base mesh, which the bones' ends are taken from.
        bones: Parents before children.
        turns: Turns of bones about their heads, in the frame of the body at rest, the first first;
            what hangs on a bone goes along.
    """
    moved: dict[str, Floats] = {"": np.eye(4)}
    for bone in bones:
        turn = Rotation.identity()
        for axis, angle in turns.get(bone.name, ()):
            turn = Rotation.from_rotvec(np.radians(angle) * np.array(axis)) * turn
        at = base[bone.head].mean(axis=0)
        local = np.eye(4)
        local[:3, :3] = turn.as_matrix()
        local[:3, 3] = at - turn.apply(at)
        moved[bone.name] = moved[bone.parent] @ local
    return np.stack([moved[bone.name] for bone in bones])


def skinned(points: Floats, weights: Floats, moves: Floats) -> Floats:
    """Points that follow several bones each.

    Args:
        points: Shape (n, 3).
        weights: Share of each bone, shape (n, bones).
        moves: Shape (bones, 4, 4).
    """
    mixed = np.tensordot(weights, moves, axes=1)
    return np.asarray(np.einsum("nij,nj->ni", mixed[:, :3, :3], points) + mixed[:, :3, 3])
