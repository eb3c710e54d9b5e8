"""An office's furniture: chairs, desk, whiteboard, flip chart, water cooler, filing cabinet."""

from __future__ import annotations

import math

from numpy.random import Generator

from mira.sim.rooms.things import office_prints as prints
from mira.sim.rooms.things.colours import STEEL, glossy, matt, pick_colour
from mira.sim.rooms.things.meshes import ring, smooth, turned
from mira.sim.rooms.things.parts import (
    Finish,
    Item,
    Part,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import UPRIGHT, about
from mira.sim.rooms.things.soft import pillow

_DARK = Finish((0.16, 0.165, 0.175), specular=0.25, shininess=0.5)
_PALE = Finish((0.86, 0.86, 0.84), specular=0.25, shininess=0.5)


def office_chair(rng: Generator) -> Item:
    """A swivel chair on castors; its seat and back are upholstered, the back's rear is a shell."""
    colour = pick_colour(rng, "blue", "red", "green", "grey", "orange")
    cloth = matt(colour)
    lean = about((1, 0, 0), -8)
    parts = [
        cylinder(_DARK, 0.034, 0.07, (0, 0, 0.105)),
        cylinder(STEEL, 0.02, 0.3, (0, 0, 0.26)),
        box(_DARK, (0.22, 0.26, 0.03), (0, 0, 0.415)),
        solid(cloth, pillow((0.49, 0.47, 0.09), squareness=4.5), (0, -0.01, 0.465), name="seat"),
        solid(cloth, pillow((0.44, 0.075, 0.52), squareness=3), (0, 0.235, 0.82), lean,
              name="backrest"),
        solid(_DARK, pillow((0.4, 0.04, 0.47), squareness=3), (0, 0.268, 0.82), lean,
              name="back shell"),
        box(_DARK, (0.07, 0.02, 0.34), (0, 0.25, 0.56), lean),
        box(_DARK, (0.07, 0.2, 0.02), (0, 0.15, 0.41)),
        rod(STEEL, (0.05, 0.0, 0.405), (0.26, 0.0, 0.4), 0.006),
    ]  # fmt: skip
    for index in range(5):
        angle = 2 * math.pi * index / 5 + 0.3
        x, y = math.cos(angle), math.sin(angle)
        parts.append(rod(_DARK, (0.03 * x, 0.03 * y, 0.095), (0.28 * x, 0.28 * y, 0.07), 0.017))
        parts.append(sphere(_DARK, 0.027, (0.29 * x, 0.29 * y, 0.027)))
    for side in (-1.0, 1.0):
        parts.append(rod(_DARK, (side * 0.2, 0.04, 0.43), (side * 0.285, 0.05, 0.46), 0.012))
        parts.append(rod(_DARK, (side * 0.285, 0.05, 0.46), (side * 0.285, 0.05, 0.66), 0.014))
        arm = pillow((0.07, 0.25, 0.035), squareness=5)
        parts.append(solid(_DARK, arm, (side * 0.285, 0.0, 0.675)))
    return Item("chair", f"{colour} office chair", tuple(parts), 0.34)


def meeting_chair(cloth: Finish) -> Item:
    """A plain upholstered chair on four steel legs."""
    parts = [
        solid(cloth, pillow((0.46, 0.45, 0.07), squareness=5), (0, 0, 0.455)),
        solid(cloth, pillow((0.44, 0.06, 0.36), squareness=4), (0, 0.215, 0.73)),
    ]
    for side in (-1.0, 1.0):
        parts.append(rod(STEEL, (side * 0.2, -0.19, 0.012), (side * 0.19, -0.17, 0.43), 0.012))
        parts.append(rod(STEEL, (side * 0.2, 0.21, 0.012), (side * 0.19, 0.215, 0.8), 0.012))
    return Item("chair", "meeting chair", tuple(parts), 0.3, annotated=False)


def meeting_table(width_m: float, depth_m: float, top: Finish) -> Item:
    """A long table on two pairs of legs."""
    parts = [box(top, (width_m, depth_m, 0.035), (0, 0, 0.7225))]
    for side in (-1.0, 1.0):
        x = side * (width_m / 2 - 0.22)
        parts.append(box(_DARK, (0.07, depth_m * 0.5, 0.68), (x, 0, 0.36)))
        parts.append(box(_DARK, (0.08, depth_m * 0.8, 0.025), (x, 0, 0.0125)))
    return Item("table", "meeting table", tuple(parts), width_m / 2, annotated=False)


def desk(width_m: float, depth_m: float, height_m: float, top: Finish, frame: Finish) -> Item:
    """A desk on two steel frames with a drawer pedestal on the right, its back on y = 0."""
    y = -depth_m / 2
    under = height_m - 0.03
    parts = [
        box(top, (width_m, depth_m, 0.03), (0, y, height_m - 0.015)),
        box(frame, (width_m - 0.2, 0.02, 0.28), (0, -0.06, under - 0.16)),
    ]
    for side in (-1.0, 1.0):
        x = side * (width_m / 2 - 0.06)
        parts.append(box(frame, (0.05, depth_m - 0.06, 0.03), (x, y, 0.015)))
        for near in (-depth_m + 0.08, -0.08):
            parts.append(
                box(frame, (0.05, 0.05, under - 0.03), (x, near, 0.03 + (under - 0.03) / 2))
            )
    x, deep = width_m / 2 - 0.32, depth_m - 0.12
    parts.append(box(_PALE, (0.4, deep, 0.54), (x, y + 0.01, 0.31)))
    for level in range(3):
        z = 0.13 + 0.178 * level
        parts.append(box(_PALE, (0.385, 0.16, 0.018), (x, y + 0.01 - deep / 2 - 0.006, z), UPRIGHT))
        parts.append(box(_DARK, (0.12, 0.012, 0.012), (x, y - deep / 2 - 0.012, z + 0.055)))
    for side in (-1.0, 1.0):
        parts.append(cylinder(_DARK, 0.02, 0.04, (x + side * 0.15, y, 0.02)))
    return Item("desk", "desk", tuple(parts), width_m / 2, annotated=False)


def whiteboard(rng: Generator) -> Item:
    """A whiteboard with a drawing, a tray and markers; hangs with its back on y = 0."""
    width, height = 1.3, 0.82
    drawing = Finish(texture=prints.board_drawing(rng), specular=0.3, shininess=0.8)
    rim = Finish((0.72, 0.73, 0.74), specular=0.5)
    parts = [
        box(drawing, (width, height, 0.014), (0, -0.012, 0), UPRIGHT),
        box(rim, (width + 0.04, 0.02, 0.022), (0, -0.012, height / 2 + 0.01)),
        box(rim, (width + 0.04, 0.02, 0.022), (0, -0.012, -height / 2 - 0.01)),
        box(rim, (0.5, 0.07, 0.012), (0.1, -0.04, -height / 2 - 0.015)),
        box(matt("blue"), (0.12, 0.045, 0.03), (0.26, -0.045, -height / 2 + 0.007)),
    ]
    for side in (-1.0, 1.0):
        parts.append(box(rim, (0.022, 0.02, height), (side * (width / 2 + 0.009), -0.012, 0)))
    for index, tone in enumerate(("red", "green", "black")):
        start = (-0.1 + 0.09 * index, -0.05, -height / 2 + 0.0005)
        parts.append(rod(glossy(tone), start, (start[0] + 0.06, -0.045, start[2]), 0.0095))
    return Item("whiteboard", "whiteboard", tuple(parts), width / 2 + 0.03)


def flip_chart(rng: Generator) -> Item:
    """A flip chart on a tripod: a written page in front, a bare grey board behind."""
    page = Finish(texture=prints.flip_chart_page(rng), specular=0.03)
    lean = about((1, 0, 0), -8)
    upright = about((1, 0, 0), 82)
    board = Finish((0.45, 0.47, 0.5), specular=0.2)
    parts = (
        box(board, (0.7, 1.0, 0.02), (0, 0, 1.32), upright, name="board"),
        box(page, (0.64, 0.9, 0.006), (0, -0.0135, 1.31), upright, name="written page"),
        box(_DARK, (0.68, 0.035, 0.05), (0, 0.055, 1.79), lean),
        box(_DARK, (0.6, 0.06, 0.014), (0, -0.105, 0.83)),
        rod(glossy("red"), (-0.12, -0.11, 0.846), (0.0, -0.11, 0.846), 0.009),
        rod(glossy("blue"), (0.06, -0.11, 0.846), (0.18, -0.11, 0.846), 0.009),
        rod(_DARK, (-0.3, -0.16, 0.012), (-0.2, 0.02, 1.4), 0.013),
        rod(_DARK, (0.3, -0.16, 0.012), (0.2, 0.02, 1.4), 0.013),
        rod(_DARK, (0, 0.5, 0.012), (0, 0.06, 1.45), 0.013, name="rear leg"),
    )
    return Item("flip chart", "flip chart", parts, 0.5)


def water_cooler(rng: Generator) -> Item:
    """A water dispenser with a blue bottle on top, two taps and a tube of cups."""
    tone = (0.46, 0.68, 0.88) if rng.random() < 0.6 else (0.55, 0.8, 0.78)
    water = Finish(tone, specular=0.6, shininess=0.85)
    profile = smooth([(0.03, 0.96), (0.035, 1.0), (0.125, 1.06), (0.132, 1.2), (0.132, 1.3)])
    bottle = turned([(0, 0.96), *profile, (0.118, 1.35), (0.06, 1.37), (0, 1.37)])
    parts = [
        solid(_PALE, pillow((0.31, 0.31, 0.96), squareness=7, edge=14), (0, 0, 0.48)),
        solid(water, bottle, name="bottle"),
        box(_DARK, (0.22, 0.012, 0.22), (0, -0.153, 0.79), name="tap panel"),
        box(_DARK, (0.2, 0.09, 0.016), (0, -0.18, 0.66), name="drip tray"),
        box(Finish((0.7, 0.71, 0.72)), (0.26, 0.006, 0.4), (0, -0.155, 0.34)),
        cylinder(_PALE, 0.04, 0.26, (0.185, -0.03, 0.75), name="cup holder"),
        cylinder(matt("white"), 0.034, 0.05, (0.185, -0.03, 0.615)),
    ]
    for x, tone_name in ((-0.05, "blue"), (0.05, "red")):
        parts.append(box(glossy(tone_name), (0.035, 0.05, 0.04), (x, -0.18, 0.81), name="tap"))
        parts.append(cylinder(STEEL, 0.009, 0.03, (x, -0.195, 0.778)))
    for height in (1.12, 1.24):
        parts.append(solid(water, ring(0.131, 0.006, around=40), (0, 0, height)))
    return Item("water cooler", "water cooler", tuple(parts), 0.24)


def filing_cabinet(rng: Generator, *, drawers: int = 2) -> Item:
    """A steel cabinet of drawers with labels, its back on y = 0; things may stand on it."""
    colour = pick_colour(rng, "grey", "beige", "blue", "red")
    paint = Finish(matt(colour).rgb, specular=0.25, shininess=0.4)
    high = filing_cabinet_height_m(drawers=drawers)
    parts = [box(paint, (0.46, 0.48, high - 0.03), (0, -0.25, 0.03 + (high - 0.03) / 2))]
    parts.append(box(_DARK, (0.42, 0.42, 0.03), (0, -0.25, 0.015)))
    for level in range(drawers):
        z = 0.05 + 0.325 * level + 0.155
        parts += [
            box(paint, (0.435, 0.3, 0.02), (0, -0.498, z), UPRIGHT, name="drawer"),
            box(STEEL, (0.13, 0.014, 0.018), (0, -0.513, z + 0.03), name="drawer handle"),
            box(matt("white"), (0.09, 0.004, 0.045), (0, -0.509, z + 0.09), name="drawer label"),
        ]
    return Item("filing cabinet", f"{colour} filing cabinet", tuple(parts), 0.53)


def filing_cabinet_height_m(*, drawers: int) -> float:
    """Height of a filing cabinet's top."""
    return 0.05 + 0.325 * drawers + 0.01


def wall_calendar(rng: Generator) -> Item:
    """A spiral-bound calendar that hangs on a wall."""
    page = Finish(texture=prints.calendar_month(rng), specular=0.05)
    parts = [
        box(page, (0.3, 0.45, 0.006), (0, -0.005, 0), UPRIGHT),
        rod(STEEL, (-0.145, -0.009, 0.228), (0.145, -0.009, 0.228), 0.005),
        sphere(STEEL, 0.006, (0, -0.007, 0.262)),
        rod(STEEL, (-0.05, -0.006, 0.23), (0, -0.006, 0.262), 0.0015),
        rod(STEEL, (0.05, -0.006, 0.23), (0, -0.006, 0.262), 0.0015),
    ]
    return Item("calendar", "wall calendar", tuple(parts), 0.17)


def coffee_machine(rng: Generator) -> Item:
    """A filter coffee machine: jug in front, water tank behind."""
    colour = pick_colour(rng, "black", "red", "white")
    plastic = glossy(colour)
    jug = smooth([(0.05, 0.032), (0.072, 0.06), (0.07, 0.11), (0.048, 0.16)])
    parts = (
        solid(plastic, pillow((0.2, 0.28, 0.03), squareness=6, edge=5), (0, 0, 0.015)),
        cylinder(_DARK, 0.07, 0.006, (0, -0.04, 0.029)),
        box(plastic, (0.19, 0.09, 0.31), (0, 0.09, 0.18)),
        box(Finish((0.5, 0.68, 0.8), specular=0.5), (0.13, 0.006, 0.2), (0, 0.137, 0.18),
            name="water tank"),
        solid(plastic, pillow((0.2, 0.27, 0.12), squareness=6, edge=6), (0, 0, 0.29)),
        solid(Finish((0.14, 0.08, 0.05), specular=0.6, shininess=0.85),
              turned([(0, 0.032), *jug, (0, 0.16)]), (0, -0.04, 0), name="jug"),
        ellipsoid(_DARK, (0.05, 0.05, 0.012), (0, -0.04, 0.166)),
        rod(_DARK, (0, -0.11, 0.135), (0, -0.155, 0.12), 0.008),
        rod(_DARK, (0, -0.155, 0.12), (0, -0.15, 0.06), 0.009, name="jug handle"),
        box(STEEL, (0.12, 0.004, 0.04), (0, -0.135, 0.3)),
        sphere(Finish((0.95, 0.3, 0.2), glow=0.8), 0.006, (0.03, -0.137, 0.3)),
    )  # fmt: skip
    return Item("coffee machine", f"{colour} coffee machine", parts, 0.18)


def wall_board(width_m: float, finish: Finish, *, depth_m: float = 0.3) -> Item:
    """A deep wall shelf, its top on z = 0 and its back on y = 0."""
    parts: list[Part] = [box(finish, (width_m, depth_m, 0.028), (0, -depth_m / 2, -0.014))]
    for side in (-1.0, 1.0):
        x = side * (width_m / 2 - 0.1)
        parts.append(box(STEEL, (0.02, depth_m - 0.04, 0.02), (x, -depth_m / 2, -0.038)))
        parts.append(box(STEEL, (0.02, 0.02, 0.14), (x, -0.01, -0.1)))
    return Item("shelf", "shelf", tuple(parts), width_m / 2, annotated=False)
