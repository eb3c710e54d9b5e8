"""The people of the mirror test, baked from MakeHuman's meshes (see `scripts/bake_people`)."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.sim.reach.look.marks import Front
from mira.sim.reach.look.modelling import Painted
from mira.sim.rooms.things.parts import Mesh

_GRID_M = 1e-4
_SHADES = 16
_DARKEST = 0.32
"""What is left of a colour where no light of the sky gets to."""


class Person(NamedTuple):
    """A person where the scene has it.

    Attributes:
        surfaces: Skin, eyes, hair and clothes.
        front: The body around the mark.
    """

    surfaces: tuple[Painted, ...]
    front: Front


def person_named(name: str) -> Person:
    """A person of the package by the name of the body."""
    with (
        files(__package__).joinpath("people.npz").open("rb") as file,
        np.load(file) as known,
    ):
        a, b, c, d, e = (float(value) for value in known[f"{name}/front"])
        surfaces = []
        while f"{name}/{len(surfaces)}/faces" in known:
            prefix = f"{name}/{len(surfaces)}/"
            fields = ("vertices", "normals", "faces", "shade", "tint", "look")
            surfaces.append(_unpacked(*(known[prefix + field] for field in fields)))
    return Person(tuple(surfaces), Front((a, b), (c, d, e)))


def _unpacked(
    vertices: NDArray[np.int16],
    normals: NDArray[np.int8],
    faces: NDArray[np.uint16],
    shade: NDArray[np.uint8],
    tint: NDArray[np.uint8],
    look: NDArray[np.uint8],
) -> Painted:
    """A surface from what is packed; its picture has shades across and tints down."""
    palette, gloss = look[:-1].reshape(-1, 3), float(look[-1]) / 255
    light = np.linspace(_DARKEST, 1, _SHADES)[None, :, None]
    picture = np.round(palette[:, None] * light).astype(np.uint8)
    # From the middle of the first pixel to that of the last.
    across = (shade / 255 * (_SHADES - 1) + 0.5) / _SHADES
    down = (tint / 255 * (len(palette) - 1) + 0.5) / len(palette)
    return Painted(
        mesh=Mesh(vertices * _GRID_M, faces.astype(np.int64)),
        normals=normals / 127,
        places=np.stack((across, down), axis=-1),
        picture=picture,
        gloss=gloss,
    )
