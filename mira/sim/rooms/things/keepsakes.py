"""Small things of a home: ball, bear, duck, books, clock, packet, lamp, box, picture."""

from __future__ import annotations

from numpy.random import Generator

from mira.sim.rooms.things.colours import BRASS, COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.drawings import abstract_painting, clock_face, packet, painting
from mira.sim.rooms.things.meshes import ring, smooth, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Part,
    Texture,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import UPRIGHT, Vector, about, compose, yaw


def basketball(rng: Generator) -> Item:
    """An orange ball with black seams, full size."""
    radius = 0.12
    skin = Finish((0.85, 0.40, 0.14), specular=0.1, shininess=0.2)
    seam = matt("black")
    tilt = compose(yaw(float(rng.uniform(0, 180))), about((1, 0, 0), 30))
    centre = (0.0, 0.0, radius)
    circle = ring(radius, 0.0035)
    parts = [sphere(skin, radius, centre)]
    for turn in (tilt, compose(tilt, about((1, 0, 0), 90)), compose(tilt, about((0, 1, 0), 90))):
        parts.append(solid(seam, circle, centre, turn))
    return Item("ball", "orange basketball", tuple(parts), 0.125)


def teddy_bear(rng: Generator) -> Item:
    """A sitting plush bear."""
    colour = pick_colour(rng, "brown", "beige")
    fur, dark = matt(colour), matt("black")
    pale = Finish(tuple(min(1.0, 0.35 + 0.7 * value) for value in COLOURS[colour]), specular=0.02)  # type: ignore[arg-type]
    parts = [
        ellipsoid(fur, (0.075, 0.065, 0.085), (0, 0, 0.085)),
        ellipsoid(pale, (0.05, 0.03, 0.058), (0, -0.042, 0.085)),
        ellipsoid(fur, (0.062, 0.057, 0.057), (0, -0.008, 0.205)),
        ellipsoid(pale, (0.028, 0.026, 0.022), (0, -0.058, 0.19)),
        ellipsoid(dark, (0.011, 0.008, 0.008), (0, -0.083, 0.198)),
    ]
    for side in (-1.0, 1.0):
        parts += [
            ellipsoid(fur, (0.024, 0.013, 0.024), (side * 0.048, -0.002, 0.254)),
            sphere(dark, 0.0075, (side * 0.023, -0.058, 0.22)),
            ellipsoid(
                fur,
                (0.03, 0.03, 0.058),
                (side * 0.082, -0.035, 0.115),
                about((0, 1, 0), -side * 28),
            ),
            ellipsoid(fur, (0.034, 0.062, 0.034), (side * 0.055, -0.078, 0.034)),
            ellipsoid(pale, (0.023, 0.008, 0.023), (side * 0.055, -0.137, 0.036)),
        ]
    return Item("teddy bear", f"{colour} teddy bear", tuple(parts), 0.13)


def rubber_duck(rng: Generator) -> Item:
    """A bath duck."""
    colour = pick_colour(rng, "yellow", "yellow", "pink", "turquoise")
    skin, beak = glossy(colour), glossy("orange")
    parts = [
        ellipsoid(skin, (0.05, 0.065, 0.04), (0, 0.005, 0.04)),
        sphere(skin, 0.034, (0, -0.03, 0.096)),
        ellipsoid(beak, (0.016, 0.02, 0.007), (0, -0.066, 0.09)),
        ellipsoid(skin, (0.02, 0.026, 0.014), (0, 0.068, 0.062), about((1, 0, 0), 35)),
    ]
    for side in (-1.0, 1.0):
        parts.append(sphere(matt("black"), 0.0055, (side * 0.018, -0.056, 0.106)))
        parts.append(ellipsoid(skin, (0.012, 0.034, 0.022), (side * 0.047, 0.014, 0.046)))
    return Item("rubber duck", f"{colour} rubber duck", tuple(parts), 0.085)


def book_stack(rng: Generator) -> Item:
    """Three or four books on top of each other."""
    parts: list[Part] = []
    height = 0.0
    tones = rng.permutation(["red", "blue", "green", "beige", "purple", "orange"])
    for tone in tones[: int(rng.integers(3, 5))]:
        thick = float(rng.uniform(0.022, 0.038))
        turn = yaw(float(rng.uniform(-16, 16)))
        width, depth = float(rng.uniform(0.19, 0.23)), float(rng.uniform(0.14, 0.16))
        cover = matt(str(tone))
        parts.append(box(cover, (width, depth, 0.004), (0, 0, height + 0.002), turn))
        parts.append(
            box(
                matt("white"),
                (width - 0.008, depth - 0.006, thick - 0.008),
                (0, 0.0, height + thick / 2),
                turn,
            )
        )
        parts.append(box(cover, (width, depth, 0.004), (0, 0, height + thick - 0.002), turn))
        height += thick
    return Item("books", "stack of books", tuple(parts), 0.13)


def alarm_clock(rng: Generator) -> Item:
    """A round clock on two feet with two bells."""
    colour = pick_colour(rng, "red", "turquoise", "black", "yellow")
    shell = glossy(colour)
    parts = [
        cylinder(shell, 0.062, 0.045, (0, 0, 0.078), UPRIGHT),
        cylinder(
            Finish((1, 1, 1), texture=clock_face(rng), specular=0.1),
            0.054,
            0.003,
            (0, -0.0228, 0.078),
            UPRIGHT,
        ),
        rod(STEEL, (-0.02, 0, 0.155), (0.02, 0, 0.155), 0.003),
    ]
    for side in (-1.0, 1.0):
        parts.append(rod(shell, (side * 0.042, 0, 0.035), (side * 0.052, 0, 0.005), 0.006))
        parts.append(
            ellipsoid(
                STEEL, (0.024, 0.024, 0.018), (side * 0.036, 0, 0.143), about((0, 1, 0), side * 32)
            )
        )
    return Item("alarm clock", f"{colour} alarm clock", tuple(parts), 0.075)


def cereal_box(rng: Generator) -> Item:
    """A printed cardboard packet."""
    colour = pick_colour(rng, "red", "blue", "green", "orange", "purple")
    word = ("OATS", "CORN", "RICE", "BRAN")[int(rng.integers(4))]
    print_ = Finish(texture=packet(COLOURS[colour], word), specular=0.1)
    return Item(
        "box", f"{colour} cereal box", (box(print_, (0.19, 0.06, 0.28), (0, 0, 0.14)),), 0.105
    )


def table_lamp(rng: Generator) -> Item:
    """A lamp with a conical shade that is lit."""
    colour = pick_colour(rng, "turquoise", "white", "red", "black")
    base = smooth([(0.06, 0.006), (0.05, 0.025), (0.065, 0.09), (0.05, 0.16), (0.014, 0.2)])
    shade = turned([(0.13, 0.24), (0.08, 0.42), (0.077, 0.42), (0.127, 0.24), (0.13, 0.24)])
    parts = (
        solid(glossy(colour), turned([(0, 0), *base, (0, 0.2)])),
        rod(BRASS, (0, 0, 0.19), (0, 0, 0.36), 0.007),
        solid(Finish((1.0, 0.93, 0.78), specular=0.0, glow=0.45), shade),
        sphere(Finish((1.0, 0.95, 0.8), glow=1.0), 0.034, (0, 0, 0.34)),
    )
    return Item("lamp", f"{colour} table lamp", parts, 0.14)


def picture(rng: Generator) -> Item:
    """A framed landscape that hangs on a wall."""
    colour = pick_colour(rng, "black", "brown", "white")
    return Item("picture", "landscape picture", _framed(painting(rng), colour, 0.44, 0.32), 0.26)


def poster(rng: Generator) -> Item:
    """A framed upright abstract print that hangs on a wall."""
    return Item(
        "picture", "abstract picture", _framed(abstract_painting(rng), "black", 0.36, 0.5), 0.28
    )


def wall_clock(rng: Generator) -> Item:
    """A round clock that hangs on a wall."""
    colour = pick_colour(rng, "black", "blue", "red")
    parts = (
        cylinder(glossy(colour), 0.14, 0.03, (0, -0.015, 0), UPRIGHT),
        cylinder(Finish((1, 1, 1), texture=clock_face(rng)), 0.122, 0.004, (0, -0.031, 0), UPRIGHT),
    )
    return Item("clock", f"{colour} wall clock", parts, 0.15)


def gift_box(rng: Generator) -> Item:
    """A cube-like present with a ribbon and a bow."""
    colour = pick_colour(rng, "pink", "purple", "green", "blue")
    ribbon = glossy("yellow")
    parts = [
        box(matt(colour), (0.16, 0.13, 0.11), (0, 0, 0.055)),
        box(ribbon, (0.022, 0.1325, 0.1125), (0, 0, 0.0557)),
        box(ribbon, (0.1625, 0.022, 0.1125), (0, 0, 0.0557)),
    ]
    for side in (-1.0, 1.0):
        parts.append(
            ellipsoid(
                ribbon, (0.03, 0.013, 0.018), (side * 0.028, 0, 0.125), about((0, 1, 0), -side * 25)
            )
        )
    return Item("gift box", f"{colour} gift box", tuple(parts), 0.11)


def globe(rng: Generator) -> Item:
    """A desk globe on a stand."""
    sea = Finish((0.16, 0.42, 0.70), specular=0.4, shininess=0.6)
    land = matt("green")
    centre = (0.0, 0.0, 0.19)
    parts = [
        sphere(sea, 0.1, centre),
        solid(BRASS, ring(0.112, 0.005), centre, compose(yaw(15), about((1, 0, 0), 90))),
        cylinder(BRASS, 0.009, 0.08, (0, 0, 0.045)),
        solid(BRASS, turned([(0, 0), (0.07, 0), (0.065, 0.012), (0.012, 0.022), (0, 0.022)])),
    ]
    for index in range(9):
        turn = compose(
            yaw(40 * index + float(rng.uniform(-14, 14))),
            about((0, 1, 0), float(rng.uniform(-45, 45))),
        )
        parts.append(
            ellipsoid(
                land,
                (0.007, float(rng.uniform(0.022, 0.04)), float(rng.uniform(0.02, 0.045))),
                _on_ball(turn, 0.097, centre),
                turn,
            )
        )
    return Item("globe", "blue globe", tuple(parts), 0.12)


def _on_ball(turn: tuple[float, float, float, float], radius_m: float, centre: Vector) -> Vector:
    w, x, y, z = turn
    out = (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
    return (
        centre[0] + radius_m * out[0],
        centre[1] + radius_m * out[1],
        centre[2] + radius_m * out[2],
    )


def _framed(texture: Texture, colour: str, width_m: float, height_m: float) -> tuple[Part, ...]:
    bar, depth = 0.03, 0.025
    canvas = Finish((1, 1, 1), texture=texture, specular=0.05)
    rail = (width_m + 2 * bar, bar, depth)
    post = (bar, height_m, depth)
    frame = glossy(colour)
    return (
        box(canvas, (width_m, height_m, 0.01), (0, -0.008, 0), UPRIGHT),
        box(frame, rail, (0, -depth / 2, height_m / 2 + bar / 2), UPRIGHT),
        box(frame, rail, (0, -depth / 2, -height_m / 2 - bar / 2), UPRIGHT),
        box(frame, post, (width_m / 2 + bar / 2, -depth / 2, 0), UPRIGHT),
        box(frame, post, (-width_m / 2 - bar / 2, -depth / 2, 0), UPRIGHT),
    )
