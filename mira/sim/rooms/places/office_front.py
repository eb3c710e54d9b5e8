"""The front of an office: a mirror, a dark screen, or a glass wall before a meeting room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from mira.sim.rooms.places.placing import Arrangement
from mira.sim.rooms.places.shell import Shell
from mira.sim.rooms.reflective import GLASS_GAP_M, ReflectiveSurface, facing, framed_mirror
from mira.sim.rooms.things import office, textures
from mira.sim.rooms.things.colours import STEEL, matt
from mira.sim.rooms.things.keepsakes import poster
from mira.sim.rooms.things.parts import Finish, Part, Rgb, box
from mira.sim.rooms.things.rotation import about

_WALL_M = 0.1
_SILL_M = 0.78
_PANE: Rgb = (0.10, 0.11, 0.11)
_MEETING_DEPTH_M = 3.1


@dataclass(frozen=True)
class Front:
    """What the front wall is.

    Attributes:
        surfaces: Its reflective surfaces, the main one first.
        structure: Wall pieces and what lies behind.
    """

    surfaces: tuple[ReflectiveSurface, ...]
    structure: tuple[Part, ...]


def mirror_front(rng: Generator, shell: Shell) -> Front:
    """A mirror over the desk, with or without a frame; sometimes a dark screen beside it."""
    with_screen = shell.width_m > 4.0 and rng.random() < 0.6
    height = float(rng.uniform(0.95, 1.15))
    width = float(rng.uniform(1.25, 1.45) if with_screen else rng.uniform(1.5, 1.95))
    side = -1.0 if rng.random() < 0.5 else 1.0
    x = side * -0.62 if with_screen else float(rng.uniform(-0.2, 0.2))
    frames = (None, STEEL, matt("black"), Finish((0.55, 0.38, 0.24), specular=0.2))
    frame = frames[int(rng.integers(len(frames)))]
    middle = (x, -GLASS_GAP_M, 0.86 + height / 2)
    mirror = framed_mirror("mirror_1", middle, facing(0), width, height, frame=frame)
    if not with_screen:
        return Front((mirror,), ())
    return Front((mirror, dark_screen("screen_1", (side * 0.72, 1.42))), ())


def dark_screen(name: str, spot_m: tuple[float, float]) -> ReflectiveSurface:
    """A large television that is off, on the front wall at some x and z."""
    width, height = 0.98, 0.56
    black = Finish((0.012, 0.012, 0.014), specular=0.0)
    bezel = Finish((0.05, 0.05, 0.055), specular=0.3)
    thin = 0.014
    parts = [
        box(black, (width, height, 0.03), (0, 0, -0.02)),
        box(bezel, (width + 2 * thin, thin, 0.042), (0, (height + thin) / 2, -0.016)),
        box(bezel, (width + 2 * thin, thin, 0.042), (0, -(height + thin) / 2, -0.016)),
        box(bezel, (0.3, 0.2, 0.03), (0, 0, -0.045)),
    ]
    for side in (-1.0, 1.0):
        spot = (side * (width + thin) / 2, 0, -0.016)
        parts.append(box(bezel, (thin, height, 0.042), spot))
    return ReflectiveSurface(
        name,
        "screen",
        (spot_m[0], -0.062, spot_m[1]),
        facing(0),
        width,
        height,
        silver=(0.075, 0.075, 0.08),
        see_through=0.9,
        parts=tuple(parts),
    )


def glass_front(rng: Generator, shell: Shell, wall: Finish, arrangement: Arrangement) -> Front:
    """A pane over the desk, and behind it a dim meeting room with a table and chairs."""
    width = float(rng.uniform(1.9, min(2.4, shell.width_m - 1.5)))
    height = float(rng.uniform(1.15, 1.35))
    x = float(rng.uniform(-0.2, 0.2))
    pane = ReflectiveSurface(
        "glass_1",
        "glass",
        (x, 0.03, _SILL_M + height / 2),
        facing(0),
        width,
        height,
        silver=_PANE,
        see_through=0.82,
        parts=tuple(_pane_frame(width, height)),
    )
    structure = (
        *_wall_around(shell, wall, x, width, height),
        *_meeting_shell(rng, shell),
    )
    _furnish_meeting_room(rng, arrangement)
    return Front((pane,), structure)


def _pane_frame(width_m: float, height_m: float) -> Iterator[Part]:
    """A slim dark frame on both sides of a pane, just inside its edge."""
    dark = Finish((0.13, 0.135, 0.14), specular=0.3)
    bar, deep = 0.03, 0.06
    for side in (-1.0, 1.0):
        yield box(dark, (width_m, bar, deep), (0, side * (height_m - bar) / 2, 0))
        yield box(dark, (bar, height_m - 2 * bar, deep), (side * (width_m - bar) / 2, 0, 0))


def _wall_around(
    shell: Shell, wall: Finish, x_m: float, width_m: float, height_m: float
) -> Iterator[Part]:
    """The front wall with an opening."""
    half, y, top = shell.width_m / 2, _WALL_M / 2, _SILL_M + height_m
    turn = facing(0)
    left, right = x_m - width_m / 2, x_m + width_m / 2
    for low, high in ((-half, left), (right, half)):
        size = (high - low, shell.height_m, _WALL_M)
        yield box(wall, size, ((low + high) / 2, y, shell.height_m / 2), turn)
    yield box(wall, (width_m, _SILL_M, _WALL_M), (x_m, y, _SILL_M / 2), turn)
    rest = shell.height_m - top
    yield box(wall, (width_m, rest, _WALL_M), (x_m, y, top + rest / 2), turn)


def _meeting_shell(rng: Generator, shell: Shell) -> Iterator[Part]:
    """Floor, ceiling and far walls of the room behind the glass, in dark tones."""
    half, deep, high = shell.width_m / 2, _MEETING_DEPTH_M, shell.height_m
    tones: tuple[Rgb, ...] = ((0.46, 0.50, 0.56), (0.54, 0.48, 0.44), (0.44, 0.52, 0.49))
    tone = tones[int(rng.integers(len(tones)))]
    paint = Finish(texture=textures.plaster(rng, tone), tile_m=1.6, specular=0.02)
    carpet = Finish(texture=textures.fabric(rng, (0.34, 0.35, 0.38)), tile_m=0.6, specular=0.0)
    middle = _WALL_M + deep / 2
    yield box(carpet, (2 * half, deep + _WALL_M, 0.1), (0, middle - _WALL_M / 2, -0.05))
    lid = about((1.0, 0.0, 0.0), 180.0)
    grey = Finish((0.45, 0.45, 0.46), specular=0.0)
    yield box(grey, (2 * half, deep + _WALL_M, 0.1), (0, middle - _WALL_M / 2, high + 0.05), lid)
    yield box(paint, (2 * half, high, 0.1), (0, _WALL_M + deep + 0.05, high / 2), facing(0))
    for side in (-1.0, 1.0):
        spot = (side * (half + 0.05), middle - _WALL_M / 2, high / 2)
        yield box(paint, (deep + _WALL_M, high, 0.1), spot, facing(side * -90))


def _furnish_meeting_room(rng: Generator, arrangement: Arrangement) -> None:
    """A table with chairs around it and a picture: seen through the glass, not outlined."""
    top = Finish((0.62, 0.46, 0.30), specular=0.25, shininess=0.5)
    tones = ("blue", "red", "grey", "turquoise")
    cloth = matt(tones[int(rng.integers(len(tones)))])
    y = _WALL_M + 1.55
    arrangement.put(office.meeting_table(2.0, 0.95, top), (0.0, y, 0.0))
    for side in (-1.0, 1.0):
        for x in (-0.6, 0.05, 0.68):
            turn = 180.0 if side < 0 else 0.0
            spot = (x + float(rng.uniform(-0.06, 0.06)), y + side * 0.67, 0.0)
            arrangement.put(office.meeting_chair(cloth), spot, turn + float(rng.uniform(-14, 14)))
    picture = poster(rng)
    fixture = type(picture)(
        picture.category, picture.description, picture.parts, picture.radius_m, annotated=False
    )
    x = float(rng.uniform(-0.7, 0.7))
    arrangement.put(fixture, (x, _WALL_M + _MEETING_DEPTH_M - 0.006, 1.5))
