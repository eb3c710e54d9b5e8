"""Surfaces that the package carries, baked from MakeHuman's meshes by `scripts/bake_people`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.sim.reach.look.modelling import Painted
from mira.sim.rooms.things.parts import Mesh

Rgb = tuple[int, int, int]
_GRID_M = 1e-4
_SHADES = 16
_DARKEST = 0.32
"""What is left of a colour where no light of the sky gets to."""


class Baked(NamedTuple):
    """A surface without colours.

    Attributes:
        mesh: The surface.
        normals: Unit normals of its corners, shape (n, 3).
        shade: How much of an even sky's light gets to them, from 0 to 1, shape (n,).
    """

    mesh: Mesh
    normals: NDArray[np.float64]
    shade: NDArray[np.float64]


@cache
def baked_arrays() -> dict[str, NDArray[Any]]:
    """All that is baked, by name."""
    path = files(__package__).joinpath("people.npz")
    with path.open("rb") as file, np.load(file) as known:
        return dict(known)


def baked(name: str) -> Baked:
    """A surface by its name."""
    known = baked_arrays()
    mesh = Mesh(known[f"{name}/vertices"] * _GRID_M, known[f"{name}/faces"].astype(np.int64))
    return Baked(mesh, known[f"{name}/normals"] / 127, known[f"{name}/shade"] / 255)


def painted(
    surface: Baked, palette: NDArray[np.uint8], tint: NDArray[np.float64], *, gloss: float
) -> Painted:
    """A surface with colours.

    Args:
        surface: The surface.
        palette: Colours, shape (k, 3).
        tint: Place of each corner between the first colour, 0, and the last, 1; shape (n,).
        gloss: Strength of highlights in [0, 1].
    """
    light = np.linspace(_DARKEST, 1, _SHADES)[None, :, None]
    # From the middle of the first pixel to that of the last.
    across = (surface.shade * (_SHADES - 1) + 0.5) / _SHADES
    down = (tint * (len(palette) - 1) + 0.5) / len(palette)
    return Painted(
        mesh=surface.mesh,
        normals=surface.normals,
        places=np.stack((across, down), axis=-1),
        picture=np.round(palette[:, None] * light).astype(np.uint8),
        gloss=gloss,
    )
