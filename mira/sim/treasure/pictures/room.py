"""The treasure room: a tiled floor by the cells of the game, four walls, two chests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from mira.sim.treasure.floor import HALF_WIDTH, Square
from mira.sim.treasure.pictures.canvas import Canvas, FloatArray, Rgb
from mira.sim.treasure.pictures.solids import Pose, Solid, block, shaded

CELL_M = 0.5
"""Width of a cell."""
CEILING: Rgb = (240, 238, 232)
"""What is seen above the walls."""
_EDGE_M = (HALF_WIDTH + 0.5) * CELL_M
_WALL_M = 2.4
_TILES: tuple[Rgb, Rgb] = ((206, 196, 180), (218, 209, 194))
_WALLS: tuple[Rgb, ...] = ((226, 222, 210), (214, 220, 222), (222, 216, 208), (216, 222, 214))
_SKIRTING: Rgb = (166, 148, 128)
BOX_COLOURS: tuple[Rgb, Rgb] = ((84, 50, 30), (206, 160, 108))
"""Dark brown and light brown."""
_PICTURES: tuple[tuple[Rgb, Rgb, float], ...] = (
    ((236, 214, 170), (198, 120, 96), 0.2),
    ((186, 214, 232), (128, 158, 112), 0.24),
    ((232, 206, 206), (146, 122, 152), 0.3),
    ((206, 226, 218), (86, 132, 150), 0.16),
)
"""Ground and foreground of the pictures on the walls, and how high the latter reaches, metres."""
_BASE_M, _RIM_M = 0.52, 0.78
"""Heights of a chest's bottom and of its lid: below all faces, in view from the cell beside it."""
_IRON: tuple[Rgb, Rgb] = ((52, 34, 24), (150, 108, 66))
_BRASS: Rgb = (222, 186, 88)


def draw_room(canvas: Canvas) -> None:
    """Draw floor and walls."""
    for place, (one, other) in enumerate(_corners()):
        wall = np.array([(*one, 0), (*other, 0), (*other, _WALL_M), (*one, _WALL_M)], float)
        canvas.polygon(wall, _WALLS[place])
        wall[2:, 2] = 0.1
        canvas.polygon(wall, _SKIRTING)
        _hang_picture(canvas, np.array([*one, 0.0]), np.array([*other, 0.0]), place)
    cells = range(-HALF_WIDTH, HALF_WIDTH + 1)
    for x in cells:
        for y in cells:
            low_x, low_y = (x - 0.5) * CELL_M, (y - 0.5) * CELL_M
            corners = [(low_x, low_y), (low_x + CELL_M, low_y)]
            corners += [(low_x + CELL_M, low_y + CELL_M), (low_x, low_y + CELL_M)]
            canvas.polygon(np.array([(*at, 0.0) for at in corners]), _TILES[(x + y) % 2])


def _hang_picture(canvas: Canvas, one: FloatArray, other: FloatArray, place: int) -> None:
    """A framed picture in the middle of a wall, another on each, to tell them apart by."""
    middle, along = (one + other) / 2, (other - one) / np.linalg.norm(other - one)
    inwards = -middle / np.linalg.norm(middle)
    for depth, (half, low, high), colour in (
        (0.01, (0.56, 1.70, 2.28), (132, 104, 76)),
        (0.012, (0.50, 1.76, 2.22), _PICTURES[place][0]),
        (0.014, (0.50, 1.76, 1.76 + _PICTURES[place][2]), _PICTURES[place][1]),
    ):
        at = middle + depth * inwards
        sides = np.array([-half, half, half, -half])[:, None] * along
        heights = np.array([low, low, high, high])[:, None] * np.array([0, 0, 1.0])
        canvas.polygon(at + sides + heights, colour)


def draw_shadow(canvas: Canvas, at: Square, radius_m: float) -> None:
    """Darken the floor under what stands in a cell."""
    angles = np.linspace(0, 2 * math.pi, 32, endpoint=False)
    for share in (1.0, 0.8, 0.6):
        x = at[0] * CELL_M + share * radius_m * np.cos(angles)
        y = at[1] * CELL_M + share * radius_m * np.sin(angles)
        canvas.polygon(np.stack([x, y, np.zeros_like(x)], axis=1), (70, 60, 52), opacity=0.16)


def chest(at: Square, box: int) -> Sequence[Solid]:
    """A box: a chest on a plinth, its lock towards the middle of the room."""
    pose = Pose((at[0] * CELL_M, at[1] * CELL_M), 180.0 if at[0] > 0 else 0.0)
    colour, iron = BOX_COLOURS[box], _IRON[box]
    base = block(pose, (-0.18, -0.2, _BASE_M), (0.18, 0.2, _RIM_M - 0.02), colour)
    straps = [
        shaded(pose, np.array([_upright(x, y - 0.022, y + 0.022)]), iron, (0, 0, _BASE_M + 0.12))
        for y in (-0.13, 0.13)
        for x in (0.181, -0.181)
    ]
    return (
        block(pose, (-0.22, -0.24, 0.0), (0.22, 0.24, _BASE_M), (226, 222, 214)),
        base,
        *straps,
        block(pose, (-0.19, -0.21, _RIM_M - 0.03), (0.19, 0.21, _RIM_M), iron),
        _lid(pose, colour, (-0.2, 0.2)),
        *(_lid(pose, iron, (y - 0.022, y + 0.022), lift_m=0.003) for y in (-0.13, 0.13)),
        block(pose, (0.19, -0.04, _RIM_M - 0.08), (0.21, 0.04, _RIM_M + 0.03), _BRASS),
    )


def _upright(x: float, low: float, high: float) -> list[tuple[float, float, float]]:
    """A strap on the front (x > 0) or the back of a chest, turned outwards."""
    top = _RIM_M - 0.02
    corners = [(x, low, _BASE_M), (x, high, _BASE_M), (x, high, top), (x, low, top)]
    return corners if x > 0 else corners[::-1]


def _lid(pose: Pose, colour: Rgb, along: tuple[float, float], lift_m: float = 0.0) -> Solid:
    """Half a barrel on top of the chest, or a strap around it."""
    low, high = along
    angles = np.linspace(0, math.pi, 19).tolist()
    arch = [((0.18 + lift_m) * math.cos(a), _RIM_M + (0.14 + lift_m) * math.sin(a)) for a in angles]
    faces = []
    for (x0, z0), (x1, z1) in pairwise(arch):
        faces.append([(x0, low, z0), (x0, high, z0), (x1, high, z1), (x1, low, z1)])
        if lift_m:
            continue
        faces.append([(x0, high, z0), (0, high, _RIM_M), (0, high, _RIM_M), (x1, high, z1)])
        faces.append([(x1, low, z1), (0, low, _RIM_M), (0, low, _RIM_M), (x0, low, z0)])
    return shaded(pose, np.array(faces, float), colour, (0.0, 0.0, _RIM_M + 0.05))


def _corners() -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Ends of the four walls."""
    e = _EDGE_M
    around = [(-e, -e), (-e, e), (e, e), (e, -e)]
    return list(zip(around, [*around[1:], around[0]], strict=True))
