"""An entrance hall: a mirror over a console or a tall one, and often another one opposite."""

from __future__ import annotations

from collections.abc import Iterator

from numpy.random import Generator

from mira.sim.rooms.places import lighting as light
from mira.sim.rooms.places.hall_things import Scheme, furnish_hall
from mira.sim.rooms.places.placing import Arrangement
from mira.sim.rooms.places.shell import Shell, Wall
from mira.sim.rooms.plan import Lamp, Lighting, RoomPlan, Walkable
from mira.sim.rooms.reflective import GLASS_GAP_M, facing, framed_mirror
from mira.sim.rooms.things import textures
from mira.sim.rooms.things.colours import BRASS, STEEL, matt
from mira.sim.rooms.things.parts import Finish, Rgb
from mira.sim.rooms.viewpoint import Viewpoint, look_at

_VIEWPOINTS = 8


def plan_hall(rng: Generator) -> RoomPlan:
    """An entrance hall with coats, shoes and a door at its end."""
    lighting: Lighting = "night" if rng.random() < 0.3 else "day"
    shell = _shell(rng)
    scheme = _scheme(rng, shell)
    half, depth = shell.width_m / 2, shell.depth_m
    walkable = Walkable((-half, -depth), (half, 0.0))
    arrangement = Arrangement(walkable)
    furnish_hall(rng, shell, scheme, arrangement, night=lighting == "night")
    return RoomPlan(
        place="hall",
        environment="indoor",
        lighting=lighting,
        structure=tuple(shell.parts()),
        walkable=walkable,
        surfaces=scheme.surfaces,
        items=tuple(arrangement.placed),
        lamps=_lamps(shell, scheme, lighting),
        ambient=(0.04, 0.04, 0.04),
        viewpoints=tuple(_viewpoints(rng, shell, scheme, arrangement)),
    )


def _shell(rng: Generator) -> Shell:
    tones: tuple[Rgb, ...] = (
        (0.86, 0.80, 0.68), (0.70, 0.78, 0.74), (0.82, 0.72, 0.66), (0.72, 0.78, 0.86),
        (0.88, 0.86, 0.82),
    )  # fmt: skip
    tone = tones[int(rng.integers(len(tones)))]
    paint = Finish(texture=textures.plaster(rng, tone), tile_m=1.6, specular=0.03)
    deeper: Rgb = (tone[0] * 0.9, tone[1] * 0.9, tone[2] * 0.91)
    paper = Finish(texture=textures.wallpaper(rng, tone, deeper), tile_m=0.8, specular=0.03)
    front = paper if rng.random() < 0.4 else paint
    walls: dict[Wall, Finish] = {"front": front, "right": paint, "back": paint, "left": paint}
    if rng.random() < 0.5:
        boards = textures.wood(rng, (0.58, 0.42, 0.28), planks=8)
        floor = Finish(texture=boards, tile_m=1.5, specular=0.2, shininess=0.5)
    else:
        slabs = textures.tiles(
            rng, (0.66, 0.62, 0.56), (0.40, 0.38, 0.36), columns=2, rows=2, variation=0.06
        )
        floor = Finish(texture=slabs, tile_m=0.8, specular=0.25, shininess=0.6)
    return Shell(
        width_m=float(rng.uniform(4.6, 5.6)),
        depth_m=float(rng.uniform(2.6, 3.1)),
        height_m=2.55,
        walls=walls,
        floor=floor,
        ceiling=matt("white"),
        skirting=matt("white"),
    )


def _scheme(rng: Generator, shell: Shell) -> Scheme:
    """The mirrors: one on the front wall, and in most halls one that faces it."""
    side = 1.0 if rng.random() < 0.5 else -1.0
    x = -side * float(rng.uniform(0.35, 0.6))
    frames = (BRASS, STEEL, matt("black"), Finish((0.46, 0.31, 0.19), specular=0.2), matt("white"))
    frame = frames[int(rng.integers(len(frames)))]
    kind = rng.random()
    tall, disc = kind < 0.35, kind > 0.7
    width, height, low = float(rng.uniform(1.05, 1.3)), float(rng.uniform(0.9, 1.05)), 0.86
    if tall:
        width, height, low = float(rng.uniform(0.85, 1.05)), float(rng.uniform(1.75, 1.9)), 0.1
    elif disc:
        width = height = float(rng.uniform(1.0, 1.12))
    spot = (x, -GLASS_GAP_M, low + height / 2)
    first = framed_mirror("mirror_1", spot, facing(0), width, height, frame=frame, round=disc)
    rail = rng.random() < 0.7
    if rng.random() < 0.3:
        return Scheme(side, x, tall, (first,), rail)
    wide = float(rng.uniform(0.9, 1.4))
    high = float(rng.uniform(1.1, 1.6))
    opposite = (
        x + side * float(rng.uniform(-0.05, 0.35)),
        -shell.depth_m + GLASS_GAP_M,
        1.95 - high / 2,
    )
    other = frames[int(rng.integers(len(frames)))]
    second = framed_mirror("mirror_2", opposite, facing(180), wide, high, frame=other)
    return Scheme(side, x, tall, (first, second), rail)


def _lamps(shell: Shell, scheme: Scheme, lighting: Lighting) -> tuple[Lamp, ...]:
    """A lamp over the mirrors, one over the coats, and the house door's panes by day."""
    day = lighting == "day"
    x = scheme.mirror_x_m + scheme.side * 0.15
    strength = light.scaled(light.WARM, 6.0 if day else 8.0)
    over_mirror = light.ceiling_lamp(shell, x, -shell.depth_m * 0.42, size_m=0.6, rgb=strength)
    far = scheme.side * (shell.width_m / 2 - 1.1)
    over_coats = light.ceiling_lamp(shell, far, -shell.depth_m * 0.5, size_m=0.5, rgb=strength)
    if not day:
        return over_mirror, over_coats
    middle = (scheme.side * (shell.width_m / 2 - 0.12), -shell.depth_m / 2, 1.5)
    pane = Lamp(
        middle, (0.0, -scheme.side * 0.35, 0.0), (0.0, 0.0, 0.4), light.scaled(light.DAYLIGHT, 6.0)
    )
    return over_mirror, over_coats, pane


def _viewpoints(
    rng: Generator, shell: Shell, scheme: Scheme, arrangement: Arrangement
) -> Iterator[Viewpoint]:
    """Cameras near the back wall: straight on, and along the hall towards the house door."""
    mirror = scheme.surfaces[0]
    found = 0
    for number in range(600):
        aside, past = ((0.15, 0.55), 0.35) if number % 3 else ((0.7, 1.1), 0.75)
        x = scheme.mirror_x_m - scheme.side * float(rng.uniform(*aside))
        y = -shell.depth_m + float(rng.uniform(0.38, 0.85))
        if not arrangement.room_to_stand(x, y):
            continue
        height = float(rng.uniform(1.35, 1.6))
        low = 0.95 if scheme.tall else 1.15
        target_x = scheme.mirror_x_m + scheme.side * past * float(rng.uniform(0.5, 1.0))
        target = (target_x, 0.0, low + float(rng.uniform(-0.05, 0.1)))
        yield look_at((x, y, height), target)
        found += 1
        if found == _VIEWPOINTS:
            return
    yield look_at((mirror.centre_m[0], -shell.depth_m + 0.5, 1.5), mirror.centre_m)
