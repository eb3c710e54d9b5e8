"""Bodies turned at their joints, by linear blend skinning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from makehuman import Bone, Floats, Ints
from scipy.sparse import csr_matrix
from scipy.spatial.transform import Rotation

_STRAIN = (0.2, 0.5)
"""Change of lengths (as a logarithm) from which a crease is smoothed, and fully so."""
_ROUNDS = 12

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


def relaxed(posed: Floats, rest: Floats, quads: Ints) -> Floats:
    """Points with creases smoothed where joints have squeezed or stretched a surface, (n, 3).

    Args:
        posed: Points after posing.
        rest: The same points before.
        quads: Faces of the surface.
    """
    edges = np.concatenate([quads[:, [one, (one + 1) % 4]] for one in range(4)])
    edges = np.unique(np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1), axis=0)
    count = len(posed)
    around = csr_matrix((np.ones(2 * len(edges)), np.concatenate((edges, edges[:, ::-1])).T))
    around.resize(count, count)
    near = np.maximum(np.asarray(around.sum(axis=1)), 1)
    lengths = [np.linalg.norm(np.diff(at[edges], axis=1)[:, 0], axis=1) for at in (posed, rest)]
    strain = np.abs(np.log(np.maximum(lengths[0], 1e-9) / np.maximum(lengths[1], 1e-9)))
    worst = np.zeros(count)
    for column in (0, 1):
        np.maximum.at(worst, edges[:, column], strain)
    low, high = _STRAIN
    share = np.clip((worst - low) / (high - low), 0, 1)[:, None]
    for _ in range(2):
        share = np.maximum(share, around @ share / near)
    found = posed.copy()
    for _ in range(_ROUNDS):
        found += 0.5 * share * (around @ found / near - found)
    return np.asarray(found)
