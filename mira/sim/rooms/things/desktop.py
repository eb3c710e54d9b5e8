"""Machines on a desk: monitor, laptop, keyboard, lamp, printer, telephone, fan."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.things import office_prints as prints
from mira.sim.rooms.things.colours import COLOURS, STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import arc, ring, tube, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import UPRIGHT, about, compose
from mira.sim.rooms.things.soft import pillow

_DARK = Finish((0.17, 0.175, 0.19), specular=0.25, shininess=0.5)
_PALE = Finish((0.84, 0.84, 0.82), specular=0.25, shininess=0.5)
_PAPER = Finish((0.95, 0.95, 0.93), specular=0.03)


def monitor(rng: Generator) -> Item:
    """A flat computer monitor that shows a chart; its back has a bulge, a foot and a cable."""
    white = rng.random() < 0.4
    shell = _PALE if white else _DARK
    screen = Finish(texture=prints.work_screen(rng), glow=0.55, specular=0.1)
    cable = np.array(
        [(0.04, 0.05, 0.2), (0.06, 0.12, 0.12), (0.05, 0.13, 0.03), (0.16, 0.13, 0.006)]
    )
    parts = (
        box(shell, (0.24, 0.18, 0.014), (0, 0.03, 0.007)),
        box(shell, (0.06, 0.025, 0.26), (0, 0.065, 0.14)),
        box(shell, (0.56, 0.34, 0.03), (0, 0.02, 0.31), UPRIGHT),
        box(screen, (0.535, 0.3, 0.006), (0, 0.004, 0.315), UPRIGHT, name="screen"),
        solid(shell, pillow((0.34, 0.06, 0.2)), (0, 0.04, 0.29), name="back cover"),
        box(matt("grey"), (0.22, 0.004, 0.03), (0, 0.07, 0.33)),
        sphere(Finish((0.3, 0.9, 0.4), glow=0.8), 0.004, (0.25, 0.003, 0.15)),
        solid(matt("black"), tube(cable, 0.005), name="cable"),
    )
    return Item("monitor", f"{'white' if white else 'black'} monitor", parts, 0.29)


def laptop(rng: Generator) -> Item:
    """An open laptop with a lit screen and a coloured sticker on its lid."""
    metal = Finish((0.66, 0.67, 0.70), specular=0.5, shininess=0.6)
    screen = Finish(texture=prints.work_screen(rng), glow=0.55, specular=0.1)
    keys = Finish(texture=prints.keyboard_keys((0.6, 0.61, 0.63), (0.12, 0.12, 0.13)))
    sticker = glossy(pick_colour(rng, "red", "orange", "turquoise", "yellow"))
    lean = about((1, 0, 0), -16)
    lid = compose(lean, UPRIGHT)
    up, out = np.array((0.0, math.sin(0.279), math.cos(0.279))), np.array((0.0, -0.96, 0.276))
    hinge = np.array((0.0, 0.115, 0.016))

    def on_lid(height_m: float, front_m: float) -> tuple[float, float, float]:
        x, y, z = (hinge + up * height_m + out * front_m).tolist()
        return (x, y, z)

    parts = (
        box(metal, (0.34, 0.235, 0.016), (0, 0, 0.008)),
        box(keys, (0.3, 0.1, 0.002), (0, 0.035, 0.0168), name="keyboard"),
        box(matt("grey"), (0.1, 0.065, 0.001), (0, -0.07, 0.0164)),
        box(metal, (0.34, 0.23, 0.009), on_lid(0.115, 0), lid, name="lid"),
        box(screen, (0.316, 0.2, 0.002), on_lid(0.118, 0.0048), lid, name="screen"),
        cylinder(sticker, 0.036, 0.002, on_lid(0.125, -0.005), lid, name="sticker"),
        rod(_DARK, (-0.12, 0.117, 0.014), (0.12, 0.117, 0.014), 0.007),
    )
    return Item("laptop", "grey laptop", parts, 0.21)


def keyboard(rng: Generator) -> Item:
    """A computer keyboard."""
    white = rng.random() < 0.5
    body, key = ((0.84, 0.84, 0.82), (0.97, 0.97, 0.96)) if white else ((0.08,) * 3, (0.2,) * 3)
    plastic = Finish(body, specular=0.2)
    keys = Finish(texture=prints.keyboard_keys(body, key))
    parts = (
        box(plastic, (0.44, 0.145, 0.018), (0, 0, 0.009)),
        box(keys, (0.425, 0.13, 0.007), (0, 0, 0.021)),
        box(plastic, (0.44, 0.012, 0.01), (0, 0.0665, 0.023)),
    )
    return Item("keyboard", f"{'white' if white else 'black'} keyboard", parts, 0.23)


def mouse(rng: Generator) -> Item:
    """A computer mouse with a wheel."""
    colour = pick_colour(rng, "black", "red", "blue", "white")
    parts = (
        solid(
            glossy(colour), pillow((0.064, 0.112, 0.048), squareness=2.6, edge=2.2), (0, 0, 0.023)
        ),
        cylinder(matt("grey"), 0.011, 0.007, (0, -0.028, 0.042), about((0, 1, 0), 90)),
        box(matt("grey"), (0.002, 0.03, 0.003), (0, -0.004, 0.047)),
    )
    return Item("mouse", f"{colour} computer mouse", parts, 0.06)


def desk_lamp(rng: Generator) -> Item:
    """A jointed desk lamp, lit, that leans over to the left or to the right."""
    colour = pick_colour(rng, "red", "yellow", "black", "turquoise")
    side = 1.0 if rng.random() < 0.5 else -1.0
    paint = glossy(colour)
    elbow, head = (side * -0.13, 0.02, 0.3), (side * 0.1, 0, 0.48)
    shade = turned(
        [(0.075, -0.06), (0.06, 0.0), (0.03, 0.04), (0.022, 0.07), (0, 0.072), (0, 0.066),
         (0.02, 0.064), (0.026, 0.036), (0.056, -0.002), (0.071, -0.06), (0.075, -0.06)]
    )  # fmt: skip
    lean = about((0, 1, 0), side * -32)
    parts = (
        solid(paint, turned([(0, 0), (0.09, 0), (0.088, 0.016), (0.03, 0.026), (0, 0.026)])),
        rod(STEEL, (0, 0.02, 0.02), elbow, 0.007),
        rod(STEEL, (side * 0.018, 0.02, 0.02), (elbow[0] + side * 0.018, 0.02, 0.3), 0.004),
        sphere(paint, 0.016, elbow),
        rod(STEEL, elbow, head, 0.007),
        sphere(paint, 0.015, head),
        solid(paint, shade, (side * 0.13, 0, 0.455), lean, name="shade"),
        sphere(Finish((1.0, 0.95, 0.8), glow=1.0), 0.032, (side * 0.142, 0, 0.432)),
    )
    return Item("desk lamp", f"{colour} desk lamp", parts, 0.22)


def printer(rng: Generator) -> Item:
    """A desktop printer: sheets stick out of its front, paper stands up at its back."""
    white = rng.random() < 0.6
    body = _PALE if white else Finish((0.24, 0.25, 0.27), specular=0.25)
    display = Finish(texture=prints.phone_display(), glow=0.6)
    parts = (
        solid(body, pillow((0.44, 0.36, 0.22), squareness=9, edge=9), (0, 0.0, 0.11)),
        box(_DARK, (0.34, 0.02, 0.07), (0, -0.176, 0.09), name="paper slot"),
        box(_DARK, (0.3, 0.13, 0.01), (0, -0.235, 0.045), name="output tray"),
        box(_PAPER, (0.21, 0.16, 0.008), (0, -0.22, 0.056)),
        box(_DARK, (0.36, 0.2, 0.012), (0, 0.02, 0.221)),
        box(_DARK, (0.2, 0.06, 0.01), (-0.08, -0.14, 0.219), name="control panel"),
        box(display, (0.07, 0.03, 0.004), (-0.12, -0.14, 0.225)),
        sphere(Finish((0.3, 0.85, 0.4), glow=0.8), 0.007, (-0.02, -0.14, 0.223)),
        box(_PAPER, (0.21, 0.006, 0.2), (0, 0.17, 0.3), about((1, 0, 0), -14)),
        box(_DARK, (0.25, 0.008, 0.12), (0, 0.19, 0.27), about((1, 0, 0), -14), name="paper feed"),
    )
    return Item("printer", f"{'white' if white else 'grey'} printer", parts, 0.3)


def telephone(rng: Generator) -> Item:
    """A desk telephone with a handset, a keypad and a curly cord."""
    colour = pick_colour(rng, "black", "red", "white", "grey")
    plastic = glossy(colour)
    keypad = Finish(texture=prints.telephone_keys())
    wedge = about((1, 0, 0), 14)
    turns = np.linspace(0, 1, 60)
    coil = np.stack(
        (
            -0.105 - 0.025 * np.sin(np.pi * turns) + 0.008 * np.cos(2 * np.pi * 9 * turns),
            -0.09 + 0.17 * turns,
            0.014 + 0.008 * np.sin(2 * np.pi * 9 * turns),
        ),
        axis=-1,
    )
    parts = (
        box(plastic, (0.2, 0.22, 0.03), (0, 0, 0.015)),
        box(plastic, (0.2, 0.2, 0.035), (0, 0.002, 0.047), wedge),
        box(plastic, (0.19, 0.1, 0.04), (0, 0.048, 0.04)),
        box(keypad, (0.085, 0.1, 0.004), (0.042, -0.03, 0.058), wedge, name="keypad"),
        box(Finish(texture=prints.phone_display(), glow=0.4), (0.085, 0.035, 0.004),
            (0.042, 0.06, 0.081), wedge, name="display"),
        solid(plastic, pillow((0.05, 0.062, 0.045)), (-0.058, -0.072, 0.066), wedge),
        solid(plastic, pillow((0.05, 0.062, 0.045)), (-0.058, 0.078, 0.104), wedge),
        rod(plastic, (-0.058, -0.06, 0.087), (-0.058, 0.07, 0.12), 0.017, name="handset"),
        solid(matt("black"), tube(coil, 0.003, around=6), name="cord"),
    )  # fmt: skip
    return Item("telephone", f"{colour} telephone", parts, 0.15)


def headphones(rng: Generator) -> Item:
    """Headphones on a wooden stand."""
    colour = pick_colour(rng, "white", "red", "blue", "black")
    shell = glossy(colour)
    oak = Finish((0.62, 0.44, 0.27), specular=0.15)
    flat = about((0, 1, 0), 90)
    parts = [
        cylinder(oak, 0.065, 0.014, (0, 0.0, 0.007)),
        rod(oak, (0, 0, 0.01), (0, 0, 0.232), 0.011),
        rod(oak, (0, -0.03, 0.238), (0, 0.03, 0.238), 0.012),
        solid(shell, tube(np.add(arc(0.088, 0, 180, count=24), (0, 0, 0.167)), 0.01)),
    ]
    for side in (-1.0, 1.0):
        parts.append(cylinder(shell, 0.042, 0.024, (side * 0.092, 0, 0.145), flat))
        parts.append(cylinder(matt("grey"), 0.036, 0.034, (side * 0.082, 0, 0.145), flat))
        parts.append(cylinder(STEEL, 0.022, 0.004, (side * 0.105, 0, 0.145), flat))
    return Item("headphones", f"{colour} headphones", tuple(parts), 0.12)


def desk_fan(rng: Generator) -> Item:
    """A table fan: blades behind a grille in front, a motor behind."""
    colour = pick_colour(rng, "white", "turquoise", "black", "orange")
    paint = glossy(colour)
    middle = (0.0, -0.03, 0.3)
    parts = [
        solid(paint, turned([(0, 0), (0.1, 0), (0.095, 0.02), (0.03, 0.035), (0, 0.035)])),
        rod(paint, (0, 0.03, 0.03), (0, 0.03, 0.27), 0.014),
        solid(
            paint,
            pillow((0.085, 0.12, 0.085), squareness=2, edge=2.5),
            (0, 0.045, 0.3),
            name="motor",
        ),
        cylinder(STEEL, 0.03, 0.014, (0, -0.062, 0.3), UPRIGHT, name="hub"),
    ]
    for radius, y in ((0.15, -0.03), (0.11, -0.056), (0.11, -0.004), (0.065, -0.062)):
        parts.append(solid(STEEL, ring(radius, 0.0035, around=36), (0, y, 0.3), UPRIGHT))
    for index in range(9):
        angle = 2 * math.pi * index / 9
        x, z = math.cos(angle), math.sin(angle)
        rim = (0.15 * x, -0.03, 0.3 + 0.15 * z)
        parts.append(rod(STEEL, (0.03 * x, -0.065, 0.3 + 0.03 * z), rim, 0.002))
        parts.append(rod(STEEL, (0.03 * x, 0.0, 0.3 + 0.03 * z), rim, 0.002))
    for blade in range(4):
        spin = compose(about((0, 1, 0), 90.0 * blade + 20), about((1, 0, 0), 0))
        offset = 0.065
        angle = -math.radians(90.0 * blade + 20)
        spot = (offset * math.cos(angle), middle[1], 0.3 + offset * math.sin(angle))
        parts.append(ellipsoid(Finish(COLOURS[colour]), (0.065, 0.005, 0.04), spot, spin))
    return Item("fan", f"{colour} fan", tuple(parts), 0.18)
