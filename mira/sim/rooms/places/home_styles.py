"""Three rooms of a home: finishes, counter and the things that belong there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from numpy.random import Generator

from mira.sim.rooms.places.shell import Wall
from mira.sim.rooms.things import furniture, greenery, keepsakes, tableware, textures
from mira.sim.rooms.things.colours import BRASS, STEEL, glossy, matt
from mira.sim.rooms.things.parts import Finish, Item, Rgb

Maker = Callable[[Generator], Item]


@dataclass(frozen=True)
class Style:
    """What makes a bathroom a bathroom.

    Attributes:
        place: Kind of place.
        walls: Finish of each wall.
        floor: Floor finish.
        skirting: Skirting finish, if there is one.
        counter: What stands under the mirror; takes a width.
        counter_height_m: Height of its top.
        counter_depth_m: Depth of its top.
        mirror_frame: Finish of the mirror's frame.
        small: Makers of things for the counter, one of each at most.
        mounted: Makers of things for walls.
        standing: Makers of things for the floor.
        basin: Whether the counter has a washbasin in its middle.
        corner: Whether a second mirror hangs on the right wall.
        back: Furniture along the back wall: `bed`, `bookcase` or `none`.
        rug: Finish of a rug, if there is one.
    """

    place: str
    walls: dict[Wall, Finish]
    floor: Finish
    skirting: Finish | None
    counter: Callable[[float], Item]
    counter_height_m: float
    counter_depth_m: float
    mirror_frame: Finish
    small: tuple[Maker, ...]
    mounted: tuple[Maker, ...]
    standing: tuple[Maker, ...]
    basin: bool = False
    corner: bool = False
    back: str = "none"
    rug: Finish | None = None


def bathroom(rng: Generator) -> Style:
    """Finishes and things of a bathroom."""
    tone = _one_of(rng, ((0.80, 0.88, 0.90), (0.90, 0.88, 0.83), (0.72, 0.84, 0.80)))
    rows = int(rng.integers(3, 6))
    tiled = textures.tiles(rng, tone, (0.66, 0.67, 0.66), columns=4, rows=rows)
    walls = Finish(texture=tiled, tile_m=0.8, specular=0.3, shininess=0.7)
    grey = textures.tiles(
        rng, (0.52, 0.50, 0.48), (0.36, 0.35, 0.34), columns=2, rows=2, variation=0.05
    )
    stone = Finish(
        texture=textures.marble(rng, (0.90, 0.89, 0.87), (0.5, 0.5, 0.52)),
        tile_m=0.9,
        specular=0.4,
        shininess=0.8,
    )
    front = _one_of(rng, ((0.30, 0.42, 0.46), (0.88, 0.88, 0.86), (0.42, 0.46, 0.38)))
    doors = Finish(front, specular=0.2)
    return Style(
        place="bathroom",
        walls=_all_walls(walls),
        floor=Finish(texture=grey, tile_m=0.9, specular=0.25, shininess=0.6),
        skirting=None,
        counter=lambda width: furniture.cabinet(width, 0.54, 0.82, stone, doors),
        counter_height_m=0.82,
        counter_depth_m=0.54,
        mirror_frame=STEEL,
        small=(
            tableware.soap_dispenser, tableware.toothbrush_cup, keepsakes.rubber_duck,
            tableware.candle, greenery.cactus, tableware.cup, greenery.house_plant,
            tableware.vase,
        ),
        mounted=(furniture.towel_rail, keepsakes.poster, keepsakes.wall_clock),
        standing=(furniture.laundry_basket, furniture.stool, greenery.floor_plant, furniture.chair),
        basin=True,
        rug=furniture.stretched(textures.rug(rng, (0.86, 0.84, 0.80), (0.25, 0.45, 0.60))),
    )  # fmt: skip


def bedroom(rng: Generator) -> Style:
    """Finishes and things of a bedroom."""
    tone = _one_of(rng, ((0.72, 0.80, 0.74), (0.88, 0.78, 0.72), (0.70, 0.76, 0.85)))
    paint = Finish(texture=textures.plaster(rng, tone), tile_m=1.6, specular=0.03)
    lighter: Rgb = (tone[0] * 0.93, tone[1] * 0.93, tone[2] * 0.94)
    paper = Finish(texture=textures.wallpaper(rng, tone, lighter), tile_m=0.8, specular=0.03)
    oak = _wood(rng, (0.62, 0.43, 0.27), tile_m=1.2)
    walls = _all_walls(paint) | {"front": paper}
    return Style(
        place="bedroom",
        walls=walls,
        floor=_wood(rng, (0.66, 0.48, 0.32), tile_m=1.5, planks=8),
        skirting=glossy("white"),
        counter=lambda width: furniture.cabinet(width, 0.5, 0.8, oak, oak),
        counter_height_m=0.8,
        counter_depth_m=0.5,
        mirror_frame=_wood(rng, (0.42, 0.28, 0.17), tile_m=0.6),
        small=(
            keepsakes.table_lamp, keepsakes.book_stack, keepsakes.alarm_clock, keepsakes.teddy_bear,
            tableware.vase, tableware.cup, keepsakes.gift_box, greenery.house_plant,
            tableware.bottle,
        ),
        mounted=(keepsakes.picture, keepsakes.poster, keepsakes.wall_clock),
        standing=(
            furniture.chair, greenery.floor_plant, furniture.armchair, keepsakes.basketball,
            furniture.floor_lamp,
        ),
        back="bed",
        rug=furniture.stretched(textures.rug(rng, (0.50, 0.20, 0.20), (0.85, 0.72, 0.50))),
    )  # fmt: skip


def living_room(rng: Generator) -> Style:
    """Finishes and things of a living room."""
    tone = _one_of(rng, ((0.86, 0.80, 0.68), (0.66, 0.74, 0.78), (0.80, 0.68, 0.60)))
    paint = Finish(texture=textures.plaster(rng, tone), tile_m=1.6, specular=0.03)
    deep: Rgb = (tone[0] * 0.78, tone[1] * 0.80, tone[2] * 0.82)
    accent = Finish(texture=textures.plaster(rng, deep), tile_m=1.6, specular=0.03)
    walnut = _wood(rng, (0.46, 0.31, 0.20), tile_m=1.2)
    return Style(
        place="living_room",
        walls=_all_walls(paint) | {"front": accent},
        floor=_wood(rng, (0.58, 0.42, 0.29), tile_m=1.5, planks=8),
        skirting=glossy("white"),
        counter=lambda width: furniture.table(width, 0.46, 0.78, walnut),
        counter_height_m=0.78,
        counter_depth_m=0.46,
        mirror_frame=BRASS,
        small=(
            tableware.fruit_bowl, tableware.teapot, keepsakes.cereal_box, tableware.vase,
            keepsakes.globe, tableware.bottle, greenery.cactus, keepsakes.table_lamp,
            tableware.candle, keepsakes.book_stack,
        ),
        mounted=(keepsakes.picture, keepsakes.wall_clock, keepsakes.poster),
        standing=(
            furniture.armchair, greenery.floor_plant, keepsakes.basketball, furniture.floor_lamp,
            furniture.stool,
        ),
        corner=True,
        back="bookcase",
        rug=furniture.stretched(textures.rug(rng, (0.20, 0.28, 0.42), (0.84, 0.76, 0.60))),
    )  # fmt: skip


def blanket(rng: Generator) -> Finish:
    """Cloth for a bed."""
    tone = ("blue", "turquoise", "beige", "pink")[int(rng.integers(4))]
    return furniture.cloth(tone, textures.fabric(rng, (1.0, 1.0, 1.0)))


def ceiling() -> Finish:
    """White paint."""
    return matt("white")


def _wood(rng: Generator, rgb: Rgb, *, tile_m: float, planks: int = 1) -> Finish:
    grain = textures.wood(rng, rgb, planks=planks)
    return Finish(texture=grain, tile_m=tile_m, specular=0.2, shininess=0.5)


def _all_walls(finish: Finish) -> dict[Wall, Finish]:
    return {"front": finish, "right": finish, "back": finish, "left": finish}


def _one_of(rng: Generator, tones: tuple[Rgb, ...]) -> Rgb:
    return tones[int(rng.integers(len(tones)))]
