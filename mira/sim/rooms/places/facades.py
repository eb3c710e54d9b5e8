"""Fronts of houses: walls, windows, doors and roofs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from mira.sim.rooms.things.colours import BRASS, COLOURS, matt, pick_colour
from mira.sim.rooms.things.masonry import brick
from mira.sim.rooms.things.parts import Finish, Part, Rgb, box, rod
from mira.sim.rooms.things.textures import plaster

_GLASS = Finish((0.16, 0.20, 0.24), specular=0.8, shininess=0.9)
_LIT = Finish((1.0, 0.82, 0.50), specular=0.2, glow=0.75)
_CURTAIN = Finish((0.82, 0.80, 0.74), specular=0.0)
_STONE = Finish((0.72, 0.69, 0.63), specular=0.05)
_BRICKS: tuple[Rgb, ...] = ((0.46, 0.22, 0.16), (0.52, 0.33, 0.22), (0.40, 0.30, 0.26))
_PAINTS: tuple[Rgb, ...] = (
    (0.86, 0.80, 0.66), (0.80, 0.62, 0.50), (0.62, 0.71, 0.76), (0.88, 0.86, 0.82),
    (0.66, 0.72, 0.58),
)  # fmt: skip


@dataclass(frozen=True)
class Front:
    """Where a house front stands.

    Attributes:
        middle_m: x and y of its middle on the ground.
        outward: 1 if it looks towards +y, -1 towards -y.
        width_m: Its width.
        height_m: Its height up to the eaves.
        ground_m: Height of the ground before it.
    """

    middle_m: tuple[float, float]
    outward: float
    width_m: float
    height_m: float
    ground_m: float = 0.0

    def part(
        self, finish: Finish, size_m: tuple[float, float, float], x: float, out: float, z: float
    ) -> Part:
        """A box; `x` from the middle, `out` from the front to the box's middle, `z` over ground."""
        at = (self.middle_m[0] + x, self.middle_m[1] + self.outward * out, self.ground_m + z)
        return box(finish, size_m, at)


def house(rng: Generator, front: Front, finish: Finish, *, night: bool) -> Iterator[Part]:
    """A house with a door and two or three rows of windows."""
    yield front.part(finish, (front.width_m, 3.0, front.height_m), 0, -1.5, front.height_m / 2)
    base = Finish((0.34, 0.33, 0.32), specular=0.05)
    yield front.part(base, (front.width_m, 0.06, 0.5), 0, 0.03, 0.25)
    yield front.part(_STONE, (front.width_m + 0.1, 0.4, 0.22), 0, 0.1, front.height_m)
    slate = Finish(((0.28, 0.20, 0.18), (0.20, 0.22, 0.25))[int(rng.integers(2))], specular=0.05)
    for step in range(4):
        deep = 2.6 - 0.55 * step
        yield front.part(
            slate, (front.width_m, deep, 0.36), 0, -0.2 - deep / 2 - 0.5 * step,
            front.height_m + 0.28 + 0.36 * step,
        )  # fmt: skip
    columns = max(2, round(front.width_m / 2.2))
    step_m = front.width_m / columns
    door = int(rng.integers(columns))
    frame = matt(pick_colour(rng, "white", "white", "brown", "grey"))
    for row in range(int((front.height_m - 0.4) // 2.7)):
        for column in range(columns):
            x = -front.width_m / 2 + step_m * (column + 0.5)
            if row == 0 and column == door:
                yield from _door(rng, front, x)
            else:
                lit = night and rng.random() < 0.45
                yield from _window(rng, front, x, 1.75 + 2.7 * row, frame, lit=lit)


def wall(rng: Generator) -> Finish:
    """Brick or painted plaster."""
    if rng.random() < 0.5:
        tone = _BRICKS[int(rng.integers(len(_BRICKS)))]
        return Finish(texture=brick(rng, tone), tile_m=0.9, specular=0.03)
    tone = _PAINTS[int(rng.integers(len(_PAINTS)))]
    return Finish(texture=plaster(rng, tone), tile_m=2.0, specular=0.02)


def _window(
    rng: Generator, front: Front, x: float, z: float, frame: Finish, *, lit: bool
) -> Iterator[Part]:
    wide, tall = 1.0, 1.45
    yield front.part(_LIT if lit else _GLASS, (wide, 0.04, tall), x, 0.02, z)
    if rng.random() < 0.6:
        share = float(rng.uniform(0.15, 0.3))
        for side in (-1.0, 1.0):
            shift = side * (wide / 2 - wide * share / 2)
            yield front.part(_CURTAIN, (wide * share, 0.01, tall), x + shift, 0.046, z)
    for offset in (-wide / 2, 0.0, wide / 2):
        yield front.part(frame, (0.07, 0.08, tall), x + offset, 0.04, z)
    for offset in (-tall / 2, 0.2 * tall, tall / 2):
        yield front.part(frame, (wide, 0.08, 0.07), x, 0.04, z + offset)
    yield front.part(_STONE, (wide + 0.3, 0.2, 0.08), x, 0.1, z - tall / 2 - 0.07)


def _door(rng: Generator, front: Front, x: float) -> Iterator[Part]:
    colour = pick_colour(rng, "red", "green", "blue", "brown", "black")
    leaf = Finish(COLOURS[colour], specular=0.4, shininess=0.6)
    yield front.part(leaf, (0.95, 0.05, 2.05), x, 0.025, 1.12)
    for side in (-1.0, 1.0):
        yield front.part(_STONE, (0.14, 0.12, 2.2), x + side * 0.55, 0.06, 1.1)
        for low, high in ((0.3, 0.95), (1.15, 2.0)):
            panel = (0.3, 0.02, high - low)
            yield front.part(leaf, panel, x + side * 0.22, 0.06, (low + high) / 2)
    yield front.part(_STONE, (1.24, 0.14, 0.16), x, 0.07, 2.25)
    yield front.part(_STONE, (1.2, 0.5, 0.12), x, 0.25, 0.06)
    knob = (front.middle_m[0] + x + 0.36, front.middle_m[1] + front.outward * 0.1,
            front.ground_m + 1.1)  # fmt: skip
    yield rod(BRASS, knob, (knob[0], knob[1], knob[2] + 0.08), 0.015)
