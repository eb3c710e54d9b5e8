"""Things on posts along a street: lamp, parking meter, traffic sign."""

from __future__ import annotations

from numpy.random import Generator

from mira.sim.rooms.things.colours import COLOURS, STEEL, pick_colour
from mira.sim.rooms.things.lettering import arrow_sign, sign
from mira.sim.rooms.things.meshes import turned
from mira.sim.rooms.things.parts import Finish, Item, Part, box, cylinder, rod, solid, sphere
from mira.sim.rooms.things.rotation import UPRIGHT, about

_RUBBER = Finish((0.06, 0.06, 0.065), specular=0.1, shininess=0.2)
_ZINC = Finish((0.55, 0.56, 0.57), specular=0.35, shininess=0.5)
_WHITE = Finish((0.93, 0.93, 0.92), specular=0.3, shininess=0.5)


def street_lamp(rng: Generator, *, lit: bool) -> Item:
    """A lantern on a fluted post, 3.4 m high."""
    colour = pick_colour(rng, "black", "green")
    iron = Finish((0.07, 0.07, 0.08) if colour == "black" else (0.08, 0.2, 0.14), specular=0.4)
    glass = Finish((0.95, 0.90, 0.76) if lit else (0.80, 0.82, 0.80), specular=0.5,
                   glow=1.0 if lit else 0.05)  # fmt: skip
    post = [(0.13, 0.0), (0.13, 0.12), (0.09, 0.18), (0.085, 0.75), (0.10, 0.78), (0.10, 0.82),
            (0.06, 0.90), (0.045, 2.7), (0.07, 2.74), (0.07, 2.78), (0.03, 2.84)]  # fmt: skip
    lantern = turned([(0, 2.86), (0.10, 2.86), (0.17, 3.22), (0, 3.22)], around=8)
    roof = turned([(0.20, 3.21), (0.20, 3.24), (0.08, 3.38), (0.03, 3.40), (0, 3.40)], around=8)
    parts = (
        solid(iron, turned([(0, 0), *post, (0, 2.86)])),
        solid(glass, lantern),
        solid(iron, roof),
        sphere(iron, 0.035, (0, 0, 3.43)),
        rod(iron, (-0.24, 0, 2.62), (0.24, 0, 2.62), 0.016),
    )
    return Item("street lamp", f"{colour} street lamp", parts, 0.25)


def parking_meter(rng: Generator) -> Item:
    """A meter with a dial window and a coin slot at its front."""
    colour = pick_colour(rng, "grey", "blue", "green")
    paint = Finish(COLOURS[colour], specular=0.4, shininess=0.6)
    label = Finish(texture=sign("PAY\nHERE", (0.95, 0.82, 0.2), (0.1, 0.1, 0.1), (128, 96)))
    parts = (
        cylinder(_ZINC, 0.09, 0.02, (0, 0, 0.01)),
        cylinder(_ZINC, 0.033, 1.0, (0, 0, 0.51)),
        box(paint, (0.20, 0.13, 0.26), (0, 0, 1.13)),
        cylinder(paint, 0.10, 0.13, (0, 0, 1.26), UPRIGHT),
        cylinder(Finish((0.10, 0.12, 0.14), specular=0.8), 0.075, 0.012, (0, -0.067, 1.26), UPRIGHT,
                 name="dial window"),
        box(Finish((0.92, 0.92, 0.88), glow=0.1), (0.09, 0.006, 0.04), (0, -0.074, 1.275)),
        box(label, (0.13, 0.09, 0.008), (0, -0.068, 1.12), UPRIGHT, name="pay here label"),
        box(_RUBBER, (0.012, 0.012, 0.035), (0.07, -0.066, 1.19)),
        cylinder(STEEL, 0.02, 0.02, (0, 0.07, 1.12), UPRIGHT, name="lock"),
    )  # fmt: skip
    return Item("parking meter", f"{colour} parking meter", parts, 0.14)


def traffic_sign(rng: Generator) -> Item:
    """A round or square sign on a pole; grey from behind."""
    kind = ("one way", "no entry", "parking", "keep right")[int(rng.integers(4))]
    parts: list[Part] = [
        cylinder(_ZINC, 0.03, 2.5, (0, 0, 1.25)),
        cylinder(_ZINC, 0.07, 0.02, (0, 0, 0.01)),
    ]
    high = 2.1
    if kind == "no entry":
        red = Finish((0.78, 0.08, 0.09), specular=0.3)
        parts += _disc(red, high)
        parts.append(box(_WHITE, (0.42, 0.012, 0.10), (0, -0.052, high)))
    elif kind == "keep right":
        blue = Finish((0.08, 0.25, 0.62), specular=0.3)
        parts += _disc(blue, high)
        turn = about((0.0, 1.0, 0.0), 45.0)
        parts.append(box(_WHITE, (0.34, 0.012, 0.055), (0, -0.052, high), turn))
        for arm, spot in ((0.0, (0.065, -0.052, -0.125)), (90.0, (0.125, -0.052, -0.065))):
            at = (spot[0], spot[1], high + spot[2])
            parts.append(box(_WHITE, (0.16, 0.012, 0.05), at, about((0.0, 1.0, 0.0), arm)))
    else:
        texture = arrow_sign() if kind == "one way" else sign("P", (0.08, 0.25, 0.62), (1, 1, 1),
                                                              (256, 256))  # fmt: skip
        size = (0.72, 0.26) if kind == "one way" else (0.52, 0.52)
        front = Finish(texture=texture, specular=0.3)
        parts.append(box(front, (*size, 0.006), (0, -0.045, high), UPRIGHT, name=f"{kind} sign"))
        parts.append(
            box(_ZINC, (size[0] + 0.01, size[1] + 0.01, 0.012), (0, -0.036, high), UPRIGHT)
        )
    return Item("traffic sign", f"{kind} sign", tuple(parts), 0.37)


def _disc(finish: Finish, high: float) -> list[Part]:
    return [
        cylinder(_ZINC, 0.30, 0.012, (0, -0.036, high), UPRIGHT),
        cylinder(finish, 0.295, 0.008, (0, -0.044, high), UPRIGHT, name="sign face"),
    ]
