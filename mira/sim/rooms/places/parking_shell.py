"""The bare car park: concrete, paint, pipes and tubes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from mira.sim.rooms.things.colours import COLOURS, STEEL, matt, pick_colour
from mira.sim.rooms.things.lettering import hazard_stripes, sign
from mira.sim.rooms.things.masonry import concrete, floor_paint
from mira.sim.rooms.things.parts import Finish, Item, Part, Rgb, box, rod
from mira.sim.rooms.things.rotation import UPRIGHT, compose, yaw

DEPTH_M = 12.6
HEIGHT_M = 2.6
PILLAR_M = 0.42
_WHITE = Finish((0.88, 0.88, 0.86), specular=0.1)
_TUBE = Finish((1.0, 0.99, 0.96), specular=0.0, glow=1.0)


@dataclass(frozen=True)
class Hall:
    """One level of a car park; the exit is in the middle of its front wall.

    Attributes:
        width_m: Inner width.
        bay_m: x of the two bays' inner edges, left and right of the exit.
        level: Letter and number of the level, such as `P2`.
        band: Colour of the level.
        raw: Finish of bare concrete.
        paint: Finish of the floor.
        night: Whether it is dark outside.
    """

    width_m: float
    bay_m: float
    level: str
    band: str
    raw: Finish
    paint: Finish
    night: bool

    @classmethod
    def drawn(cls, rng: Generator, *, night: bool) -> Hall:
        """A level drawn from a seed."""
        tone = float(rng.uniform(0.55, 0.68))
        warm: Rgb = (tone, tone * 0.985, tone * 0.95)
        floor = ((0.36, 0.37, 0.38), (0.30, 0.36, 0.34), (0.42, 0.40, 0.38))[int(rng.integers(3))]
        return cls(
            width_m=float(rng.uniform(10.4, 11.4)),
            bay_m=float(rng.uniform(2.0, 2.2)),
            level=f"P{int(rng.integers(1, 5))}",
            band=pick_colour(rng, "blue", "green", "orange", "red", "turquoise"),
            raw=Finish(texture=concrete(rng, warm), tile_m=2.4, specular=0.03),
            paint=Finish(texture=floor_paint(rng, floor), tile_m=3.0, specular=0.2, shininess=0.6),
            night=night,
        )

    def parts(self) -> Iterator[Part]:
        """Everything that belongs to the building."""
        half, thick = self.width_m / 2, 0.2
        middle = -DEPTH_M / 2
        yield box(self.paint, (self.width_m, DEPTH_M, thick), (0, middle, -thick / 2))
        lid = (self.width_m, DEPTH_M, thick)
        yield box(self.raw, lid, (0, middle, HEIGHT_M + thick / 2))
        yield box(
            self.raw, (self.width_m + 2 * thick, thick, HEIGHT_M), (0, thick / 2, HEIGHT_M / 2)
        )
        for side in (-1.0, 1.0):
            spot = (side * (half + thick / 2), middle, HEIGHT_M / 2)
            yield box(self.raw, (thick, DEPTH_M, HEIGHT_M), spot)
            band = (0.006, DEPTH_M, 0.32)
            yield box(matt(self.band), band, (side * (half - 0.003), middle, 1.15))
        yield from self._back()
        yield from self._front()
        yield from self._bays()
        yield from self._ceiling()

    def _back(self) -> Iterator[Part]:
        """A parapet with the open air above it, and a dark building outside."""
        y = -DEPTH_M - 0.1
        yield box(self.raw, (self.width_m, 0.2, 1.1), (0, y, 0.55))
        yield box(self.raw, (self.width_m, 0.2, 0.35), (0, y, HEIGHT_M - 0.175))
        for x in (-0.5, -0.17, 0.17, 0.5):
            yield box(self.raw, (0.4, 0.2, 1.2), (x * self.width_m, y, 1.7))
        facade = Finish((0.10, 0.09, 0.09) if self.night else (0.62, 0.55, 0.48), specular=0.0)
        lit = Finish((0.95, 0.75, 0.45), glow=0.3) if self.night else Finish((0.25, 0.28, 0.32))
        yield box(facade, (40.0, 0.4, 12.0), (0, y - 14, 0.0))
        for k in range(12):
            yield box(lit, (1.0, 0.1, 1.5), (-13.0 + 2.4 * k, y - 13.78, 2.2 + 2.6 * (k % 2)))

    def _front(self) -> Iterator[Part]:
        """A painted band beside the exit, the level's name over it."""
        colour = COLOURS[self.band]
        for side in (-1.0, 1.0):
            x, width = side * (self.bay_m + 1.1), 2.0
            yield box(matt(self.band), (width, 0.006, 0.32), (x, -0.003, 1.15))
        name = Finish(
            texture=sign(self.level, colour, (0.96, 0.96, 0.94), (192, 128)), specular=0.1
        )
        yield box(name, (0.57, 0.38, 0.006), (0, -0.004, 2.36), UPRIGHT)

    def _bays(self) -> Iterator[Part]:
        """White lines of the bays; a hatched field before the exit."""
        for side in (-1.0, 1.0):
            for k in range(2):
                x = side * (self.bay_m + 2.5 * k)
                yield box(_WHITE, (0.1, 4.8, 0.002), (x, -2.4, 0.001))
            for x in (side * 1.3, side * 3.8):
                yield box(_WHITE, (0.1, 4.8, 0.002), (x, -DEPTH_M + 2.4, 0.001))
            yield box(_WHITE, (0.1, 1.2, 0.002), (side * 0.9, -6.3, 0.001))
        paint = Finish((0.86, 0.70, 0.16), specular=0.1)
        for k in range(5):
            turn = yaw(35.0)
            yield box(paint, (0.12, 1.7, 0.0015), (-1.4 + 0.7 * k, -3.3, 0.00075), turn)

    def _ceiling(self) -> Iterator[Part]:
        """Beams, pipes and lamps."""
        for y in (-5.3, -9.2):
            yield box(self.raw, (self.width_m, 0.4, 0.28), (0, y, HEIGHT_M - 0.14))
        half = self.width_m / 2
        red = Finish((0.62, 0.12, 0.10), specular=0.3)
        yield rod(
            red, (-half + 0.1, -4.4, HEIGHT_M - 0.12), (half - 0.1, -4.4, HEIGHT_M - 0.12), 0.04
        )
        for x in (half - 0.35, half - 0.22):
            yield rod(STEEL, (x, -0.1, HEIGHT_M - 0.1), (x, -DEPTH_M + 0.1, HEIGHT_M - 0.1), 0.035)
        for x, y, length, upright in TUBES:
            size = (0.14, length, 0.05) if upright else (length, 0.14, 0.05)
            tube = (0.07, length - 0.1, 0.02) if upright else (length - 0.1, 0.07, 0.02)
            yield box(_WHITE, size, (x, y, HEIGHT_M - 0.305 + 0.28))
            yield box(_TUBE, tube, (x, y, HEIGHT_M - 0.06))


TUBES = ((0.0, -2.2, 3.2, True), (0.0, -7.2, 5.0, False), (0.0, -10.6, 5.0, False))
"""x, y and length of the lamps, and whether they run along y."""


def pillar(hall: Hall, number: int) -> Item:
    """A concrete pillar with a striped band and its number on two sides."""
    stripes = Finish(
        texture=hazard_stripes((0.07, 0.07, 0.07), (0.93, 0.76, 0.12)), tile_m=0.5, specular=0.15
    )
    label = Finish(
        texture=sign(f"{hall.level[1:]}{'ABCD'[number]}", COLOURS[hall.band], (0.96, 0.96, 0.94),
                     (128, 128)), specular=0.1
    )  # fmt: skip
    wide = PILLAR_M + 0.008
    parts = [
        box(hall.raw, (PILLAR_M, PILLAR_M, HEIGHT_M - 0.28), (0, 0, (HEIGHT_M - 0.28) / 2)),
        box(stripes, (wide, wide, 0.9), (0, 0, 0.55)),
    ]
    for turn_deg in (0.0, 180.0):
        turn = yaw(turn_deg)
        y = -(PILLAR_M / 2 + 0.003) * (1 if turn_deg == 0.0 else -1)
        parts.append(box(label, (0.34, 0.34, 0.004), (0, y, 1.75), compose(turn, UPRIGHT)))
    return Item("pillar", "pillar", tuple(parts), 0.3, annotated=False)


def fire_door() -> Item:
    """A grey steel door with a push bar and a small window, the back on y = 0."""
    leaf = Finish((0.46, 0.50, 0.53), specular=0.3, shininess=0.4)
    frame = Finish((0.30, 0.32, 0.34), specular=0.3)
    parts = [
        box(leaf, (0.9, 0.04, 2.0), (0, -0.02, 1.0)),
        box(Finish((0.10, 0.12, 0.13), specular=0.7), (0.18, 0.012, 0.5), (0.2, -0.041, 1.5)),
        rod(STEEL, (-0.36, -0.09, 1.0), (0.36, -0.09, 1.0), 0.018),
        box(frame, (1.02, 0.06, 0.06), (0, -0.03, 2.03)),
    ]
    for side in (-1.0, 1.0):
        parts.append(box(frame, (0.06, 0.06, 2.0), (side * 0.48, -0.03, 1.0)))
        parts.append(rod(STEEL, (side * 0.33, -0.04, 1.0), (side * 0.33, -0.09, 1.0), 0.014))
    return Item("door", "fire door", tuple(parts), 0.52, annotated=False)


def exit_sign() -> Item:
    """A lit sign over a door: a running figure and an arrow; its back on y = 0."""
    picture = Finish(texture=sign("EXIT >", (0.03, 0.42, 0.22), (0.95, 1.0, 0.95), (256, 112)),
                     glow=0.55)  # fmt: skip
    parts = (
        box(matt("white"), (0.46, 0.07, 0.22), (0, -0.035, 0)),
        box(picture, (0.43, 0.19, 0.006), (0, -0.073, 0), UPRIGHT, name="exit lettering"),
    )
    return Item("exit sign", "green exit sign", parts, 0.24)
