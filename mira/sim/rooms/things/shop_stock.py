"""Rows of wares that fill shelves without being anybody's focus, and a shop's own front."""

from __future__ import annotations

from collections.abc import Callable

from numpy.random import Generator

from mira.sim.rooms.things.colours import COLOURS, STEEL, glossy, matt
from mira.sim.rooms.things.drawings import packet
from mira.sim.rooms.things.meshes import turned
from mira.sim.rooms.things.parts import Finish, Item, Part, box, cylinder, rod, solid
from mira.sim.rooms.things.rotation import UPRIGHT
from mira.sim.rooms.things.sections import lofted
from mira.sim.rooms.things.textures import sky

Stock = Callable[[Generator, float, float], Item]
"""Makes a row of wares from a seed, a width and the height that is free."""
_BRIGHT = ("red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink", "white")


def shoe_boxes(rng: Generator, width_m: float, height_m: float) -> Item:
    """Stacks of shoe boxes with labels at their ends."""
    parts: list[Part] = []
    for x in _columns(width_m, 0.22):
        for level in range(int(rng.integers(1, max(2, int((height_m - 0.03) / 0.125)) + 1))):
            tone = matt(_pick(rng, ("white", "beige", "grey", "blue", "red", "black")))
            z = 0.125 * level
            parts.append(box(tone, (0.19, 0.3, 0.09), (x, 0, z + 0.045)))
            parts.append(box(tone, (0.197, 0.305, 0.035), (x, 0, z + 0.1075)))
            parts.append(box(matt("white"), (0.07, 0.004, 0.045), (x - 0.04, -0.152, z + 0.045)))
    return _row("shoe boxes", parts, width_m)


def folded_piles(rng: Generator, width_m: float, height_m: float) -> Item:
    """Piles of folded garments."""
    parts: list[Part] = []
    for x in _columns(width_m, 0.31):
        count = int(rng.integers(3, max(4, int((height_m - 0.06) / 0.042)) + 1))
        tones = [_pick(rng, _BRIGHT) for _ in range(2)]
        for level in range(count):
            z = 0.042 * level
            fold = lofted(
                [(z, 0.12, 0.14), (z + 0.012, 0.13, 0.15), (z + 0.03, 0.13, 0.15),
                 (z + 0.042, 0.12, 0.14)], power=6, around=20,
            )  # fmt: skip
            parts.append(solid(matt(tones[level % 2]), fold, (x, 0, 0)))
    return _row("folded clothes", parts, width_m)


def packets(rng: Generator, width_m: float, height_m: float) -> Item:
    """Upright printed packets side by side, in groups of one kind."""
    parts: list[Part] = []
    high = min(0.27, height_m - 0.05)
    print_ = _packet(rng)
    for number, x in enumerate(_columns(width_m, 0.145)):
        if number % 3 == 0:
            print_ = _packet(rng)
        parts.append(box(print_, (0.13, 0.06, high), (x, -0.06, high / 2)))
    return _row("packets", parts, width_m)


def jars(rng: Generator, width_m: float, _: float) -> Item:
    """Lidded jars in two rows."""
    parts: list[Part] = []
    body = turned([(0, 0), (0.04, 0), (0.045, 0.01), (0.045, 0.1), (0.036, 0.12), (0, 0.12)],
                  around=20)  # fmt: skip
    tone = "red"
    for number, x in enumerate(_columns(width_m, 0.105)):
        if number % 3 == 0:
            tone = _pick(rng, ("red", "orange", "yellow", "purple", "green"))
        for y in (-0.08, 0.04):
            parts.append(solid(glossy(tone), body, (x, y, 0)))
            parts.append(cylinder(matt("white"), 0.04, 0.022, (x, y, 0.131)))
            parts.append(box(matt("white"), (0.05, 0.01, 0.045), (x, y - 0.042, 0.055)))
    return _row("jars", parts, width_m)


def bottles(rng: Generator, width_m: float, height_m: float) -> Item:
    """Bottles in a row, in groups of one kind."""
    parts: list[Part] = []
    scale = min(1.0, (height_m - 0.04) / 0.3)
    body = turned(
        [(0, 0), (0.034, 0), (0.036, 0.01), (0.036, 0.17 * scale), (0.014, 0.215 * scale),
         (0.014, 0.29 * scale), (0, 0.29 * scale)], around=20,
    )  # fmt: skip
    tone = "green"
    for number, x in enumerate(_columns(width_m, 0.088)):
        if number % 4 == 0:
            tone = _pick(rng, ("green", "brown", "red", "blue", "yellow"))
        for y in (-0.08, 0.03):
            parts.append(solid(glossy(tone), body, (x, y, 0)))
            parts.append(cylinder(matt("white"), 0.037, 0.07, (x, y, 0.09)))
    return _row("bottles", parts, width_m)


def cartons(rng: Generator, width_m: float, height_m: float) -> Item:
    """Plain boxes of several sizes with ribbons, as gift shops keep them."""
    parts: list[Part] = []
    for x in _columns(width_m, 0.26):
        z = 0.0
        for size in (0.22, 0.17, 0.12):
            high = size * 0.62
            if z + high > height_m - 0.05:
                break
            tone, ribbon = _pick(rng, _BRIGHT), _pick(rng, ("yellow", "white", "red"))
            parts.append(box(matt(tone), (size, size, high), (x, 0, z + high / 2)))
            band = (0.025, size + 0.003, high + 0.002)
            parts.append(box(glossy(ribbon), band, (x, 0, z + high / 2 + 0.0005)))
            z += high
    return _row("boxes", parts, width_m)


def street_front(width_m: float, *, night: bool) -> Item:
    """A shop window and a glazed door to the street, the back on y = 0."""
    frame = Finish((0.16, 0.2, 0.22), specular=0.3)
    glass = Finish(texture=sky(night=night), glow=0.35 if night else 0.45, specular=0.1)
    wide = width_m - 1.15
    x = -width_m / 2 + wide / 2
    door = width_m / 2 - 0.47
    parts = [
        box(glass, (wide - 0.1, 1.6, 0.01), (x, -0.01, 1.35), UPRIGHT),
        box(glass, (0.74, 1.9, 0.01), (door, -0.01, 1.08), UPRIGHT),
        box(frame, (wide, 0.1, 0.5), (x, -0.05, 0.25)),
        box(frame, (wide + 0.04, 0.22, 0.04), (x, -0.11, 0.52)),
        rod(STEEL, (door - 0.3, -0.09, 0.85), (door - 0.3, -0.09, 1.3), 0.013),
    ]
    for at, half, low, high in ((x, wide / 2, 0.54, 2.2), (door, 0.42, 0.0, 2.1)):
        for side in (-1.0, 1.0):
            post = (0.07, 0.06, high - low)
            parts.append(box(frame, post, (at + side * (half - 0.035), -0.03, (low + high) / 2)))
        parts.append(box(frame, (2 * half - 0.14, 0.06, 0.08), (at, -0.03, high - 0.04)))
    parts.append(box(frame, (0.7, 0.06, 0.1), (door, -0.03, 0.06)))
    parts.append(box(frame, (0.05, 0.05, 1.58), (x, -0.025, 1.33)))
    return Item("shop front", "shop front", tuple(parts), width_m / 2, annotated=False)


def _columns(width_m: float, pitch_m: float) -> list[float]:
    count = max(1, int(width_m / pitch_m))
    return [(number - (count - 1) / 2) * pitch_m for number in range(count)]


def _pick(rng: Generator, names: tuple[str, ...]) -> str:
    return names[int(rng.integers(len(names)))]


def _packet(rng: Generator) -> Finish:
    word = ("TEA", "RICE", "SOAP", "OATS", "SALT", "FLOUR")[int(rng.integers(6))]
    colour = _pick(rng, _BRIGHT[:-1])
    return Finish(texture=packet(COLOURS[colour], word), specular=0.1)


def _row(name: str, parts: list[Part], width_m: float) -> Item:
    return Item(name, name, tuple(parts), width_m / 2, annotated=False)
