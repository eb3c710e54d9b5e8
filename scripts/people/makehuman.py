"""MakeHuman's files: base mesh, shapes, bones, garments; decimetres, x left, y up, z forward."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Mesh(NamedTuple):
    """A mesh of quads.

    Attributes:
        vertices: Shape (n, 3).
        groups: Faces of each named group, shape (m, 4); a triangle repeats its last corner.
        places: Where each vertex is on a texture, from its lower left, shape (n, 2); one of its
            places where it has several.
        faces: All faces in their order, shape (m, 4).
        panels: Piece of the texture that each face is on, as a tailor would cut it, shape (m,).
    """

    vertices: Floats
    groups: Mapping[str, Ints]
    places: Floats
    faces: Ints
    panels: Ints


class Bone(NamedTuple):
    """A bone: its name, that of the one it hangs on, its ends as means of vertices."""

    name: str
    parent: str
    head: Ints
    tail: Ints


@dataclass(frozen=True)
class Garment:
    """Clothes, shoes or hair bound to the base mesh.

    Attributes:
        faces: Quads, shape (m, 4).
        panels: Panel that each face belongs to, shape (m,).
        corners: Vertices of the base mesh that each vertex hangs on, shape (n, 3).
        weights: Their shares, shape (n, 3).
        offsets: What is added, before scaling, shape (n, 3).
        scales: For x, y, z: two vertices of the base mesh and their distance at scale 1.
        hides: Vertices of the base mesh that it covers.
    """

    faces: Ints
    panels: Ints
    corners: Ints
    weights: Floats
    offsets: Floats
    scales: tuple[tuple[int, int, float], ...]
    hides: Ints

    def fitted(self, base: Floats) -> Floats:
        """Its vertices on a base mesh of any shape, shape (n, 3)."""
        scale = [
            abs(base[one, axis] - base[other, axis]) / length
            for axis, (one, other, length) in enumerate(self.scales)
        ]
        held = (base[self.corners] * self.weights[..., None]).sum(axis=1)
        return np.asarray(held + self.offsets * scale)


def read_obj(path: Path) -> Mesh:
    """A mesh of quads."""
    vertices: list[list[float]] = []
    places: list[list[float]] = []
    corners: list[list[int]] = []
    texture: list[list[int]] = []
    groups: dict[str, list[int]] = {}
    name = ""
    for line in path.read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "v":
            vertices.append([float(value) for value in rest.split()[:3]])
        elif word == "vt":
            places.append([float(value) for value in rest.split()[:2]])
        elif word == "g":
            name = rest.strip()
        elif word == "f":
            pairs = [pair.split("/") for pair in rest.split()]
            pairs = (pairs + pairs[-1:])[:4]
            groups.setdefault(name, []).append(len(corners))
            corners.append([int(pair[0]) - 1 for pair in pairs])
            texture.append([int(pair[1]) - 1 if pair[1:] else 0 for pair in pairs])
    faces, placed = np.array(corners), np.zeros((len(vertices), 2))
    if places:
        placed[faces] = np.array(places)[texture]
    grouped = {name: faces[rows] for name, rows in groups.items()}
    return Mesh(np.array(vertices), grouped, placed, faces, _islands(np.array(texture)))


def _islands(faces: Ints) -> Ints:
    """Which connected piece each face belongs to, the lowest corner's first, shape (m,)."""
    edges = np.concatenate([faces[:, [one, (one + 1) % 4]] for one in range(4)])
    count = int(faces.max()) + 1
    graph = coo_matrix((np.ones(len(edges)), tuple(edges.T)), shape=(count, count))
    return np.asarray(connected_components(graph)[1][faces[:, 0]], np.int64)


def read_target(path: Path, count: int) -> Floats:
    """What a shape adds to a base mesh of `count` vertices, shape (count, 3)."""
    added = np.zeros((count, 3))
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        if line.strip() and not line.startswith("#"):
            index, x, y, z = line.split()
            added[int(index)] = float(x), float(y), float(z)
    return added


def read_bones(path: Path, groups: Mapping[str, Sequence[Sequence[int]]]) -> list[Bone]:
    """Bones of a rig, parents before children.

    Args:
        path: A rig of MPFB.
        groups: First and last vertices of the pieces of each named group of the base mesh.
    """
    rig = json.loads(path.read_text("utf-8"))
    bones: list[Bone] = []
    waiting = dict(rig)
    while waiting:
        done = {bone.name for bone in bones} | {""}
        ready = [name for name, bone in waiting.items() if bone["parent"] in done]
        for name in ready:
            bone = waiting.pop(name)
            head, tail = (_end(bone[end], groups) for end in ("head", "tail"))
            bones.append(Bone(name, bone["parent"], head, tail))
    return bones


def _end(end: Mapping[str, object], groups: Mapping[str, Sequence[Sequence[int]]]) -> Ints:
    if end["strategy"] == "CUBE":
        pieces = groups[str(end["cube_name"])]
        return np.concatenate([np.arange(first, last + 1) for first, last in pieces])
    if end["strategy"] == "VERTEX":
        return np.array([end["vertex_index"]])
    return np.array(end["vertex_indices"])


def read_weights(path: Path, bones: Sequence[Bone], count: int) -> Floats:
    """Share of each bone in each vertex of the base mesh, shape (count, bones); rows sum to 1."""
    known = json.loads(path.read_text("utf-8"))["weights"]
    weights = np.zeros((count, len(bones)))
    for column, bone in enumerate(bones):
        for vertex, share in known.get(bone.name, ()):
            weights[int(vertex), column] = share
    total = weights.sum(axis=1, keepdims=True)
    weights[total[:, 0] == 0, 0] = 1.0
    return np.asarray(weights / np.where(total > 0, total, 1.0))


def read_garment(path: Path) -> Garment:
    """A garment from its `.mhclo` file and the mesh that names."""
    scales: dict[str, tuple[int, int, float]] = {}
    rows: list[list[float]] = []
    hidden: list[int] = []
    mesh, section = "", ""
    for line in path.read_text("utf-8", "replace").splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "obj_file":
            mesh = words[1]
        elif words[0].endswith("_scale"):
            scales[words[0][0]] = (int(words[1]), int(words[2]), float(words[3]))
        elif words[0] in ("verts", "delete_verts", "weights"):
            section = words[0]
        elif section == "verts" and _is_number(words[0]):
            rows.append(_binding([float(word) for word in words]))
        elif section == "delete_verts" and _is_number(words[0]):
            hidden += _spans(words)
    bound = np.array(rows)
    cut = read_obj(path.parent / mesh)
    return Garment(
        cut.faces,
        cut.panels,
        bound[:, :3].astype(np.int64),
        bound[:, 3:6],
        bound[:, 6:],
        tuple(scales[axis] for axis in "xyz"),
        np.array(hidden, np.int64),
    )


def _is_number(word: str) -> bool:
    return word.lstrip("-").isdigit()


def _binding(row: list[float]) -> list[float]:
    """Three vertices, their shares and an offset; a lone vertex is held by itself."""
    return row if len(row) == 9 else [row[0]] * 3 + [1.0, 0.0, 0.0] + [0.0] * 3


def _spans(words: Sequence[str]) -> list[int]:
    """Numbers of a list such as `1 - 4 7`."""
    found: list[int] = []
    for before, word in zip(["", *words], words, strict=False):
        if word == "-":
            continue
        first = found[-1] + 1 if before == "-" else int(word)
        found += range(first, int(word) + 1)
    return found
