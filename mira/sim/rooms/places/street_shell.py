"""A street corner without its things: pavement, road, the shop and the houses opposite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from mira.sim.rooms.places.facades import Front, house, wall
from mira.sim.rooms.things.colours import BRASS, COLOURS, matt, pick_colour
from mira.sim.rooms.things.lettering import sign
from mira.sim.rooms.things.masonry import asphalt, foliage, paving
from mira.sim.rooms.things.parts import Finish, Part, Rgb, box, ellipsoid, rod
from mira.sim.rooms.things.rotation import UPRIGHT

CORNER_M = 2.75
"""x of the shop's corner; its front lies on y = 0."""
PAVEMENT_M = 4.2
"""Depth of the pavement before the shop."""
ROAD_Z_M = -0.12
SHELF_M = 0.36
"""Height of the boards in the shop window."""
WINDOW_M = (-2.15, 1.25, 0.3, 2.45)
"""Left, right, lower and upper edge of the shop window's glass."""
PANEL_M = (1.48, 2.52)
"""Left and right edge of the field that a mirror may clad, between window and corner."""
_WEST, _EAST, _FAR = -14.0, 16.0, -13.0


@dataclass(frozen=True)
class Corner:
    """Looks of one street corner.

    Attributes:
        colour: Colour of the shop's joinery.
        joinery: Finish of the shop's joinery.
        upper: Finish of the shop's upper wall.
        trade: What is written over the window.
        ground: Finish of the pavement.
        road: Finish of the road.
        night: Whether it is dark.
        clad: Whether a mirror covers the field beside the window.
        houses: Parts of the houses around.
    """

    colour: str
    joinery: Finish
    upper: Finish
    trade: str
    ground: Finish
    road: Finish
    night: bool
    clad: bool
    houses: tuple[Part, ...]

    @classmethod
    def drawn(cls, rng: Generator, *, night: bool, wet: bool, clad: bool) -> Corner:
        """A corner drawn from a seed."""
        colour = pick_colour(rng, "green", "blue", "red", "black", "turquoise", "brown")
        dark: Rgb = (0.6 * COLOURS[colour][0], 0.6 * COLOURS[colour][1], 0.6 * COLOURS[colour][2])
        tone = float(rng.uniform(0.42, 0.52)) * (0.62 if wet else 1.0)
        slabs = paving(rng, (tone, tone * 0.98, tone * 0.94))
        tar = 0.11 if wet else 0.19
        shine = 0.25 if wet else 0.03
        return cls(
            colour=colour,
            joinery=Finish(dark, specular=0.35, shininess=0.6),
            upper=wall(rng),
            trade=("CORNER SHOP", "TOYS & GIFTS", "BOOKS & ARTS", "THE OLD STORE")[
                int(rng.integers(4))
            ],
            ground=Finish(texture=slabs, tile_m=1.6, specular=shine, shininess=0.5),
            road=Finish(texture=asphalt(rng, (tar, tar, 1.02 * tar)), tile_m=1.5, specular=shine),
            night=night,
            clad=clad,
            houses=tuple(_houses(rng, night=night)),
        )

    def parts(self) -> Iterator[Part]:
        """Everything that belongs to ground and buildings."""
        yield from self._ground()
        yield from self._front()
        yield from self._inside()
        yield from self.houses

    def _ground(self) -> Iterator[Part]:
        """Two pavements, the side street, kerbs and a broken white line."""
        wide, middle = _EAST - _WEST, (_EAST + _WEST) / 2
        yield box(self.road, (wide + 60, 60, 0.2), (middle, 0, ROAD_Z_M - 0.1))
        east = CORNER_M + 1.9
        kerb = Finish((0.55, 0.55, 0.53), specular=0.05)
        slab = (east - _WEST - 0.15, PAVEMENT_M + 12.0 - 0.15, 0.14)
        yield box(
            self.ground, slab, ((_WEST + east - 0.15) / 2, (12.0 - PAVEMENT_M + 0.15) / 2, -0.07)
        )
        yield box(
            kerb, (east - _WEST, 0.15, 0.16), ((_WEST + east) / 2, -PAVEMENT_M + 0.075, -0.08)
        )
        yield box(
            kerb, (0.15, 12.0 + PAVEMENT_M, 0.16), (east - 0.075, 6.0 - PAVEMENT_M / 2, -0.08)
        )
        far = (wide, 3.0, 0.14)
        yield box(self.ground, far, (middle, _FAR + 1.5, -0.07))
        yield box(kerb, (wide, 0.15, 0.16), (middle, _FAR + 3.0, -0.08))
        white = Finish((0.82, 0.82, 0.80), specular=0.05)
        for k in range(10):
            yield box(white, (1.6, 0.12, 0.004), (_WEST + 3.0 * k, -7.2, ROAD_Z_M + 0.002))

    def _front(self) -> Iterator[Part]:
        """Riser, posts, fascia with its lettering, door, and the wall over them."""
        left, right, low, high = WINDOW_M
        wood_, deep = self.joinery, 0.14
        door_left = left - 1.25
        span = CORNER_M - door_left
        middle = (CORNER_M + door_left) / 2
        yield box(wood_, (right - left + 0.3, deep, low), ((left + right) / 2, deep / 2, low / 2))
        posts = (
            (door_left - 0.08, door_left + 0.08), (left - 0.16, left), (right, PANEL_M[0] - 0.02),
            (PANEL_M[1] + 0.02, CORNER_M),
        )  # fmt: skip
        for a, b in posts:
            yield box(wood_, (b - a, deep + 0.05, 2.6), ((a + b) / 2, deep / 2 - 0.025, 1.3))
        yield box(
            wood_, (PANEL_M[1] - PANEL_M[0] + 0.04, deep, 2.6), (sum(PANEL_M) / 2, deep / 2, 1.3)
        )
        if not self.clad:
            for z, tall in ((0.55, 0.7), (1.4, 0.8), (2.2, 0.6)):
                yield box(wood_, (0.8, 0.03, tall), (sum(PANEL_M) / 2, -0.012, z))
        yield box(wood_, (span, deep, 2.6 - high), (middle, deep / 2, (2.6 + high) / 2))
        yield box(wood_, (span + 0.2, 0.30, 0.62), (middle, 0.03, 2.9))
        yield box(wood_, (span + 0.3, 0.42, 0.07), (middle, -0.02, 3.24))
        ink: Rgb = (0.93, 0.86, 0.62)
        words = Finish(texture=sign(self.trade, self.joinery.rgb, ink, (512, 72)), specular=0.2)
        yield box(words, (3.9, 0.52, 0.01), ((left + right) / 2, -0.125, 2.9), UPRIGHT)
        yield from self._door(door_left + 0.08, left - 0.16)
        yield box(self.upper, (CORNER_M - door_left, 0.3, 4.2), (middle, 0.15, 5.34))
        yield box(self.upper, (0.25, 6.8, 7.4), (CORNER_M - 0.126, 3.6, 3.7))
        yield from house_next_door(self.upper, door_left)

    def _door(self, left: float, right: float) -> Iterator[Part]:
        middle, width = (left + right) / 2, right - left
        pane = Finish((0.10, 0.12, 0.13), specular=0.7, shininess=0.8)
        yield box(self.joinery, (width, 0.05, 2.35), (middle, 0.09, 1.175))
        yield box(pane, (width - 0.3, 0.02, 1.2), (middle, 0.06, 1.5))
        yield box(self.joinery, (width, 0.1, 0.3), (middle, 0.09, 2.45))
        for z in (0.35, 0.62):
            yield box(self.joinery, (width - 0.3, 0.02, 0.2), (middle, 0.058, z))
        yield rod(BRASS, (right - 0.11, 0.0, 0.9), (right - 0.11, 0.0, 1.25), 0.016)
        for z in (0.93, 1.22):
            yield rod(BRASS, (right - 0.11, 0.06, z), (right - 0.11, 0.0, z), 0.011)
        notice = "CLOSED" if self.night else "OPEN"
        card = Finish(texture=sign(notice, (0.92, 0.90, 0.84), (0.6, 0.1, 0.1), (128, 64)))
        yield box(card, (0.3, 0.15, 0.008), (middle, 0.045, 1.7), UPRIGHT)

    def _inside(self) -> Iterator[Part]:
        """A dim room with shelves and the boards of the window."""
        left, right = WINDOW_M[0] - 1.3, CORNER_M - 0.25
        middle, width = (left + right) / 2, right - left
        paper = Finish((0.20, 0.17, 0.14), specular=0.0)
        boards = Finish((0.26, 0.19, 0.13), specular=0.1)
        yield box(boards, (width, 4.0, 0.02), (middle, 2.1, 0.01))
        yield box(paper, (width, 0.1, 2.8), (middle, 4.1, 1.4))
        yield box(paper, (0.1, 4.0, 2.8), (left - 0.05, 2.14, 1.4))
        yield box(paper, (width, 4.1, 0.1), (middle, 2.19, 2.85))
        yield box(boards, (WINDOW_M[1] - WINDOW_M[0], 0.72, SHELF_M), (
            sum(WINDOW_M[:2]) / 2, 0.14 + 0.36, SHELF_M / 2))  # fmt: skip
        tones = ("red", "blue", "beige", "green", "yellow", "white")
        for level in range(4):
            yield box(boards, (3.6, 0.34, 0.03), (-0.4, 3.86, 0.5 + 0.5 * level))
            for k in range(9):
                tone = COLOURS[tones[(3 * level + 5 * k) % 6]]
                faded = Finish((0.6 * tone[0], 0.6 * tone[1], 0.6 * tone[2]), specular=0.1)
                tall = 0.16 + 0.05 * ((level + 2 * k) % 4)
                spot = (-2.0 + 0.4 * k, 3.84, 0.515 + 0.5 * level + tall / 2)
                yield box(faded, (0.2 + 0.03 * (k % 3), 0.22, tall), spot)
        yield box(boards, (1.8, 0.6, 1.0), (0.6, 2.6, 0.5))


def house_next_door(finish: Finish, right: float) -> Iterator[Part]:
    """The wall to the left of the shop with one window and a drainpipe."""
    left = _WEST
    yield box(finish, (right - 0.08 - left, 0.3, 7.44), ((left + right - 0.08) / 2, 0.15, 3.72))
    yield rod(matt("black"), (right - 0.35, -0.06, 0.1), (right - 0.35, -0.06, 7.2), 0.045)
    glass = Finish((0.13, 0.16, 0.19), specular=0.8, shininess=0.9)
    white = matt("white")
    for x in (right - 2.0, right - 5.0):
        yield box(glass, (1.1, 0.04, 1.5), (x, -0.005, 1.7))
        for offset in (-0.55, 0.0, 0.55):
            yield box(white, (0.07, 0.09, 1.57), (x + offset, -0.01, 1.7))
        for offset in (-0.75, 0.25, 0.75):
            yield box(white, (1.1, 0.09, 0.07), (x, -0.01, 1.7 + offset))
        yield box(Finish((0.72, 0.69, 0.63)), (1.4, 0.22, 0.09), (x, -0.08, 0.88))


def _houses(rng: Generator, *, night: bool) -> Iterator[Part]:
    """A row opposite and a house across the side street."""
    walls = [wall(rng) for _ in range(4)]
    x, number = _WEST, 0
    while x < _EAST - 3.5:
        width = min(float(rng.uniform(4.6, 7.4)), _EAST - x)
        height = float(rng.choice((5.8, 6.2, 8.6)))
        front = Front((x + width / 2, _FAR), 1.0, width, height)
        yield from house(rng, front, walls[number % len(walls)], night=night)
        x, number = x + width, number + 1
    side = Front((CORNER_M + 9.4 + 3.0, 0.0), -1.0, 6.0, 6.2)
    yield from house(rng, side, walls[0], night=night)
    yield box(walls[0], (0.4, 11.0, 6.2), (CORNER_M + 9.2, 5.5, 3.1))
    green: Rgb = (0.06, 0.09, 0.06) if night else (0.16, 0.28, 0.12)
    leaves = Finish(texture=foliage(rng, green), tile_m=3.0, specular=0.0)
    for end in (_WEST - 8.0, _EAST + 9.0):
        for k in range(7):
            size = float(rng.uniform(2.4, 3.4))
            yield ellipsoid(leaves, (2.2, 2.4, size), (end, -15.0 + 4.0 * k, 0.7 * size))
    for k in range(4):
        yield ellipsoid(leaves, (2.6, 2.2, 3.0), (CORNER_M + 0.5 + 3.4 * k, 19.0, 2.0))
