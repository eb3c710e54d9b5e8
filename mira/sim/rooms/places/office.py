"""An office: a desk along the front wall under a mirror or before a glass wall."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.random import Generator

from mira.sim.rooms.places import lighting as light
from mira.sim.rooms.places.office_front import Front, glass_front, mirror_front
from mira.sim.rooms.places.placing import Arrangement, against, item_extent, side_by_side
from mira.sim.rooms.places.shell import Shell, Wall
from mira.sim.rooms.plan import Lamp, Lighting, RoomPlan, Walkable
from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.things import (
    bags,
    desktop,
    furniture,
    greenery,
    hallway,
    keepsakes,
    office,
    stationery,
    tableware,
    textures,
)
from mira.sim.rooms.things.colours import STEEL, matt
from mira.sim.rooms.things.parts import Finish, Item, Part, Rgb, box
from mira.sim.rooms.viewpoint import Viewpoint, look_at

Maker = Callable[[Generator], Item]
_DESK_DEPTH_M = 0.8
_DESK_HEIGHT_M = 0.74
_VIEWPOINTS = 8
_TALL: tuple[Maker, ...] = (
    desktop.desk_lamp, stationery.binders, stationery.paper_tray, desktop.desk_fan,
    desktop.headphones, desktop.printer, greenery.house_plant, keepsakes.globe, desktop.laptop,
    tableware.vase,
)  # fmt: skip
_LOW: tuple[Maker, ...] = (
    desktop.telephone, stationery.pen_mug, stationery.stapler, tableware.cup, keepsakes.book_stack,
    greenery.cactus, keepsakes.alarm_clock, keepsakes.gift_box, tableware.fruit_bowl,
    hallway.letters,
)  # fmt: skip
_CABINET_TOP: tuple[Maker, ...] = (
    desktop.printer, office.coffee_machine, greenery.house_plant, keepsakes.globe,
    stationery.binders, desktop.desk_fan, keepsakes.gift_box,
)  # fmt: skip
_BESIDE: tuple[Maker, ...] = (bags.backpack, bags.briefcase, stationery.paper_bin)


def plan_office(rng: Generator) -> RoomPlan:
    """An office for one or two, with what belongs there."""
    lighting: Lighting = "night" if rng.random() < 0.3 else "day"
    glazed = rng.random() < 0.5
    shell, wall = _shell(rng, glazed=glazed)
    half, depth = shell.width_m / 2, shell.depth_m
    walkable = Walkable((-half, -depth), (half, 0.0))
    arrangement = Arrangement(walkable)
    front = glass_front(rng, shell, wall, arrangement) if glazed else mirror_front(rng, shell)
    _furnish_desk(rng, shell, arrangement)
    _furnish_walls(rng, shell, arrangement, night=lighting == "night")
    _furnish_floor(rng, shell, arrangement)
    return RoomPlan(
        place="office",
        environment="indoor",
        lighting=lighting,
        structure=(*shell.parts(), *front.structure, *_ceiling_panels(shell)),
        walkable=walkable,
        surfaces=front.surfaces,
        items=tuple(arrangement.placed),
        lamps=_lamps(shell, lighting),
        ambient=(0.03, 0.03, 0.03),
        viewpoints=tuple(_viewpoints(rng, front, shell, arrangement)),
    )


def _shell(rng: Generator, *, glazed: bool) -> tuple[Shell, Finish]:
    """The room without its front wall when that is glazed, and the finish of its walls."""
    tones: tuple[Rgb, ...] = (
        (0.88, 0.88, 0.86), (0.80, 0.84, 0.86), (0.86, 0.83, 0.76), (0.78, 0.84, 0.80),
    )  # fmt: skip
    tone = tones[int(rng.integers(len(tones)))]
    wall = Finish(texture=textures.plaster(rng, tone), tile_m=1.6, specular=0.03)
    accents: tuple[Rgb, ...] = ((0.30, 0.44, 0.56), (0.62, 0.42, 0.32), (0.40, 0.52, 0.44))
    accent = accents[int(rng.integers(len(accents)))]
    strong = Finish(texture=textures.plaster(rng, accent), tile_m=1.6, specular=0.03)
    walls: dict[Wall, Finish] = {"right": wall, "back": strong, "left": wall}
    if not glazed:
        walls["front"] = wall
    if rng.random() < 0.5:
        carpet = textures.fabric(
            rng, ((0.36, 0.38, 0.42), (0.42, 0.40, 0.36))[int(rng.integers(2))]
        )
        floor = Finish(texture=carpet, tile_m=0.6, specular=0.0)
    else:
        boards = textures.wood(rng, (0.62, 0.48, 0.35), planks=8)
        floor = Finish(texture=boards, tile_m=1.5, specular=0.2, shininess=0.5)
    shell = Shell(
        width_m=float(rng.uniform(3.7, 4.5)),
        depth_m=float(rng.uniform(3.9, 4.5)),
        height_m=2.6,
        walls=walls,
        floor=floor,
        ceiling=matt("white"),
        skirting=Finish((0.55, 0.56, 0.58), specular=0.2),
    )
    return shell, wall


def _furnish_desk(rng: Generator, shell: Shell, arrangement: Arrangement) -> None:
    """The desk, tall things along its back, low ones along its front."""
    width = min(shell.width_m - 1.1, float(rng.uniform(2.2, 2.8)))
    tops = ((0.70, 0.55, 0.38), (0.46, 0.32, 0.21), (0.86, 0.84, 0.80))
    grain = textures.wood(rng, tops[int(rng.integers(len(tops)))])
    top = Finish(texture=grain, tile_m=1.2, specular=0.2, shininess=0.5)
    frame = (STEEL, matt("black"), matt("white"))[int(rng.integers(3))]
    desk = office.desk(width, _DESK_DEPTH_M, _DESK_HEIGHT_M, top, frame)
    arrangement.put(desk, (0.0, -0.01, 0.0))
    tall = [desktop.monitor, *_some(rng, _TALL, 4)]
    back = [tall[k](rng) for k in rng.permutation(len(tall))]
    end = width / 2 - 0.04
    for item, x, turn in side_by_side(rng, back, -end, end, gap_m=0.05):
        _, (_, deep, _) = item_extent(item)
        _on_desk(arrangement, item, x, -deep - 0.1, turn)
    keys = desktop.keyboard(rng), desktop.mouse(rng)
    seat = next((p.at_m[0] for p in arrangement.placed if p.item.category == "monitor"), 0.0)
    hand = 1.0 if seat < end - 0.4 else -1.0
    _on_desk(arrangement, keys[0], seat, -_DESK_DEPTH_M + 0.17, float(rng.uniform(-4, 4)))
    _on_desk(arrangement, keys[1], seat + hand * 0.31, -_DESK_DEPTH_M + 0.16, 0.0)
    low = [make(rng) for make in _some(rng, _LOW, 5)]
    for item, x, turn in side_by_side(rng, low, -end, end, gap_m=0.1, yaw_deg=18.0):
        (_, near, _), _ = item_extent(item)
        _on_desk(arrangement, item, x, -_DESK_DEPTH_M + 0.05 - near, turn)


def _on_desk(arrangement: Arrangement, item: Item, x_m: float, y_m: float, turn_deg: float) -> None:
    arrangement.try_put(item, (x_m, y_m, _DESK_HEIGHT_M), turn_deg)


def _furnish_walls(rng: Generator, shell: Shell, arrangement: Arrangement, *, night: bool) -> None:
    """The back wall with cabinets and a whiteboard, windows on the left, shelf on the right."""
    half, depth = shell.width_m / 2, shell.depth_m
    cabinets = [office.filing_cabinet(rng) for _ in range(2)]
    row = [furniture.door(), *cabinets, office.water_cooler(rng)]
    order = [row[k] for k in rng.permutation(len(row))]
    for item, along, _ in side_by_side(
        rng, order, -half + 0.1, half - 0.1, gap_m=0.04, yaw_deg=0.0
    ):
        spot, turn = against(shell, "back", item, along_m=along)
        if not arrangement.try_put(item, spot, turn) or item.category != "filing cabinet":
            continue
        x, y, _ = spot
        high = office.filing_cabinet_height_m(drawers=2)
        thing = _some(rng, _CABINET_TOP, 1)[0](rng)
        arrangement.try_put(thing, (x, y + 0.27, high), 180 + float(rng.uniform(-8, 8)))
    _hang(rng, shell, arrangement, "back", office.whiteboard(rng), half - 0.8, 1.62)
    _hang(rng, shell, arrangement, "back", keepsakes.wall_clock(rng), half - 0.3, 2.0)
    for y in (-0.36, -0.68):
        pane = furniture.window(night=night)
        arrangement.try_put(pane, (-half + 0.006, y * depth, 1.5), 90)
    _hang(rng, shell, arrangement, "right", office.wall_calendar(rng), depth / 2 - 0.5, 1.5)
    board = office.wall_board(0.9, Finish((0.86, 0.84, 0.80)))
    spot, turn = against(shell, "right", board, along_m=depth * 0.12, z_m=1.35)
    if arrangement.try_put(board, spot, turn):
        for maker, offset in ((stationery.binders, -0.2), (greenery.cactus, 0.22)):
            arrangement.try_put(maker(rng), (spot[0] - 0.16, spot[1] + offset, 1.35), turn)


def _hang(
    rng: Generator,
    shell: Shell,
    arrangement: Arrangement,
    wall: Wall,
    item: Item,
    reach_m: float,
    z_m: float,
) -> None:
    """Hangs an item on a wall within some distance of its middle, where there is room."""
    for _ in range(12):
        along = float(rng.uniform(-reach_m, reach_m))
        spot, turn = against(shell, wall, item, along_m=along, z_m=z_m)
        if arrangement.try_put(item, spot, turn):
            return


def _furnish_floor(rng: Generator, shell: Shell, arrangement: Arrangement) -> None:
    """Chair, bags and bin near the desk; flip chart and plant in the room's corners."""
    half, depth = shell.width_m / 2, shell.depth_m
    side = -1.0 if rng.random() < 0.5 else 1.0
    for _ in range(6):
        spot = (
            side * float(rng.uniform(0.35, 0.8)),
            -_DESK_DEPTH_M - float(rng.uniform(0.2, 0.4)),
            0.0,
        )
        if arrangement.try_put(office.office_chair(rng), spot, 180 + float(rng.uniform(-50, 50))):
            break
    makers = _some(rng, _BESIDE, 3)
    places = [(-half + 0.27, -0.3), (half - 0.27, -0.3), (side * -(half - 0.35), -1.0)]
    for make, (x, y) in zip(makers, places, strict=True):
        arrangement.try_put(make(rng), (x, y, 0.0), float(rng.uniform(-25, 25)))
    chart, plant = office.flip_chart(rng), greenery.floor_plant(rng)
    chart_side = -1.0 if rng.random() < 0.5 else 1.0
    for item, x in ((chart, chart_side * (half - 0.65)), (plant, -chart_side * (half - 0.45))):
        for inward in (2.1, 1.7, 1.3, 2.5):
            turn = 180 + math.copysign(35, x)
            if arrangement.try_put(item, (x, -depth + inward - 0.4, 0.0), turn):
                break


def _ceiling_panels(shell: Shell) -> Iterator[Part]:
    lit = Finish((1.0, 1.0, 0.98), glow=1.0, specular=0.0)
    rim = Finish((0.75, 0.76, 0.77))
    for y in _LAMP_ROWS_M:
        yield box(rim, (1.26, 0.66, 0.02), (0.0, y, shell.height_m - 0.01))
        yield box(lit, (1.2, 0.6, 0.012), (0.0, y, shell.height_m - 0.022))


_LAMP_ROWS_M = (-0.5, -2.9)


def _lamps(shell: Shell, lighting: Lighting) -> tuple[Lamp, ...]:
    """Two ceiling panels, and the windows by day."""
    day = lighting == "day"
    strengths = (4.5, 6.5) if day else (6.0, 8.5)
    panels = tuple(
        Lamp(
            (0.0, y, shell.height_m - 0.035),
            (0.0, 0.3, 0.0),
            (0.6, 0.0, 0.0),
            light.scaled(light.NEUTRAL, strength),
        )
        for y, strength in zip(_LAMP_ROWS_M, strengths, strict=True)
    )
    if not day:
        return panels
    window = Lamp(
        (-shell.width_m / 2 + 0.14, -shell.depth_m * 0.52, 1.5),
        (0.0, 1.1, 0.0),
        (0.0, 0.0, 0.5),
        light.scaled(light.DAYLIGHT, 4.0),
    )
    return (*panels, window)


def _viewpoints(
    rng: Generator, front: Front, shell: Shell, arrangement: Arrangement
) -> Iterator[Viewpoint]:
    """Cameras of a person who stands in the room and looks at the desk."""
    main = front.surfaces[0]
    found = 0
    for number in range(400):
        side = -1.0 if number % 2 == 0 else 1.0
        bearing = side * math.radians(float(rng.uniform(6, 30)))
        reach = float(rng.uniform(2.0, 2.9))
        target = _target(rng, front.surfaces, main)
        x, y = target[0] + reach * math.sin(bearing), -reach * math.cos(bearing)
        if not arrangement.room_to_stand(x, y):
            continue
        yield look_at((x, y, float(rng.uniform(1.3, 1.62))), target)
        found += 1
        if found == _VIEWPOINTS:
            return
    yield look_at((main.centre_m[0] + 0.3, -shell.depth_m / 2, 1.5), main.centre_m)


def _target(
    rng: Generator, surfaces: Sequence[ReflectiveSurface], main: ReflectiveSurface
) -> tuple[float, float, float]:
    """A point a little below the middle of the surfaces."""
    x = float(np.mean([surface.centre_m[0] for surface in surfaces]))
    x = 0.6 * x + 0.4 * main.centre_m[0] + float(rng.uniform(-0.15, 0.15))
    return (x, 0.0, float(rng.uniform(1.08, 1.2)))


def _some(rng: Generator, makers: tuple[Maker, ...], count: int) -> list[Maker]:
    """Some of the makers in a random order."""
    return [makers[k] for k in rng.permutation(len(makers))[:count]]
