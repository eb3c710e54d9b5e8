"""What belongs in an entrance hall: console, coats, doors, and what only mirrors show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from numpy.random import Generator

from mira.sim.rooms.places.placing import Arrangement, against, item_extent, side_by_side
from mira.sim.rooms.places.shell import Shell, Wall
from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.things import (
    bags,
    clothes,
    furniture,
    greenery,
    hall_fixtures,
    hallway,
    keepsakes,
    tableware,
    textures,
)
from mira.sim.rooms.things.colours import matt
from mira.sim.rooms.things.parts import Finish, Item, Part, Placed

Maker = Callable[[Generator], Item]
_CONSOLE_DEPTH_M = 0.4
_CONSOLE_HEIGHT_M = 0.8
_CONSOLE_BOARD_M = 0.171
_RAIL_M = 1.66
_STANDING_M = 1.2
"""Width and depth of the floor that is kept free for someone who looks into the mirror."""
_ON_CONSOLE: tuple[Maker, ...] = (
    keepsakes.table_lamp, hallway.key_bowl, hallway.letters, tableware.vase, greenery.house_plant,
    bags.handbag, clothes.cap, hallway.cycle_helmet, tableware.candle, keepsakes.book_stack,
    keepsakes.alarm_clock,
)  # fmt: skip
_SHOES: tuple[Maker, ...] = (clothes.trainers, clothes.leather_shoes, clothes.rubber_boots)
_COATS: tuple[Maker, ...] = (clothes.coat, clothes.raincoat, clothes.jacket)
_BY_MIRROR: tuple[Maker, ...] = (
    clothes.umbrella_stand, hallway.dog_statue, bags.suitcase, bags.backpack,
)  # fmt: skip
_TALL: tuple[Maker, ...] = (furniture.chair, greenery.floor_plant, bags.suitcase)
_OPPOSITE: tuple[Maker, ...] = (
    clothes.umbrella_stand, bags.suitcase, hallway.dog_statue, greenery.floor_plant,
    hallway.coat_stand, hallway.parcel, bags.backpack, clothes.rubber_boots, furniture.chair,
    keepsakes.basketball, furniture.floor_lamp,
)  # fmt: skip
_PICTURES: tuple[Maker, ...] = (keepsakes.picture, keepsakes.poster, keepsakes.wall_clock)


@dataclass(frozen=True)
class Scheme:
    """Where the big things are.

    Attributes:
        side: 1 when the coats are on the right of the mirror, -1 when on the left.
        mirror_x_m: Middle of the mirror on the front wall.
        tall: Whether that mirror reaches to the floor; else it hangs over a console.
        surfaces: The mirrors.
        rail: Whether coats hang on a rail; else there is a coat stand.
    """

    side: float
    mirror_x_m: float
    tall: bool
    surfaces: tuple[ReflectiveSurface, ...]
    rail: bool


def furnish_hall(
    rng: Generator, shell: Shell, scheme: Scheme, arrangement: Arrangement, *, night: bool
) -> None:
    """Everything that stands and hangs in the hall."""
    _keep_free(shell, scheme, arrangement)
    _console(rng, scheme, arrangement)
    if scheme.tall:
        _by_tall_mirror(rng, scheme, arrangement)
    _beside_mirror(rng, scheme, arrangement)
    _coats(rng, shell, scheme, arrangement)
    _ends(rng, shell, scheme, arrangement, night=night)
    _opposite(rng, shell, scheme, arrangement)


def _keep_free(shell: Shell, scheme: Scheme, arrangement: Arrangement) -> None:
    """Floor before the mirrors and the house door."""
    back, side = -shell.depth_m, scheme.side
    x = scheme.mirror_x_m - side * 0.45
    middle = (x, back + 0.08 + _STANDING_M / 2)
    arrangement.reserve(_space(middle, (_STANDING_M, _STANDING_M), 1.9))
    door_x = side * (shell.width_m / 2 - 0.5)
    arrangement.reserve(_space((door_x, back / 2), (0.9, 1.1), 1.9))
    arrangement.reserve(_space((-door_x, back / 2), (0.9, 1.1), 1.9))
    for surface in scheme.surfaces[1:]:
        top = surface.centre_m[2] + surface.height_m / 2 + 0.06
        spot = (surface.centre_m[0], back + 0.03)
        arrangement.reserve(_space(spot, (surface.width_m + 0.12, 0.06), top))


def _by_tall_mirror(rng: Generator, scheme: Scheme, arrangement: Arrangement) -> None:
    """Things on the floor before a tall mirror, at its edges, with shoes in the middle."""
    half = scheme.surfaces[0].width_m / 2
    makers = _some(rng, _BY_MIRROR, 2)
    for make, side in zip(makers, (-1.0, 1.0), strict=True):
        spot = (scheme.mirror_x_m + side * (half - 0.02), -float(rng.uniform(0.38, 0.5)), 0.0)
        arrangement.try_put(make(rng), spot, float(rng.uniform(-30, 30)))
    for make, aside, out in zip(_some(rng, _SHOES, 2), (-0.13, 0.18), (0.3, 0.42), strict=True):
        spot = (scheme.mirror_x_m + aside, -out, 0.0)
        arrangement.try_put(make(rng), spot, float(rng.uniform(-25, 25)))


def _console(rng: Generator, scheme: Scheme, arrangement: Arrangement) -> None:
    """The console with things on it and shoes on its lower board."""
    width, x = float(rng.uniform(1.25, 1.45)), scheme.mirror_x_m
    if scheme.tall:
        width = 0.85
        x -= scheme.side * (scheme.surfaces[0].width_m / 2 + 0.14 + width / 2)
    grain = textures.wood(rng, ((0.62, 0.44, 0.28), (0.40, 0.27, 0.18))[int(rng.integers(2))])
    top = Finish(texture=grain, tile_m=1.2, specular=0.2, shininess=0.5)
    legs = matt("black") if rng.random() < 0.4 else top
    console = hall_fixtures.console(width, _CONSOLE_DEPTH_M, _CONSOLE_HEIGHT_M, top, legs)
    arrangement.put(console, (x, -0.015, 0.0))
    reach = width / 2 - 0.03
    things = [make(rng) for make in _some(rng, _ON_CONSOLE, 7)]
    _on_board(rng, arrangement, things, (x - reach, x + reach), _CONSOLE_HEIGHT_M)
    shoes = [make(rng) for make in _some(rng, (*_SHOES, hallway.parcel), 3)]
    _on_board(rng, arrangement, shoes, (x - reach + 0.06, x + reach - 0.06), _CONSOLE_BOARD_M)
    if scheme.tall:
        for make, offset in zip(_some(rng, _PICTURES, 2), (-0.2, 0.22), strict=True):
            arrangement.try_put(make(rng), (x + offset, -0.006, 1.62))


def _beside_mirror(rng: Generator, scheme: Scheme, arrangement: Arrangement) -> None:
    """One tall thing before the coats, which the mirror shows too; a picture on the other side."""
    reach = scheme.surfaces[0].width_m / 2
    tall = _some(rng, _TALL, 1)[0](rng) if scheme.rail else hallway.coat_stand(rng)
    for _ in range(8):
        x = scheme.mirror_x_m + scheme.side * (reach + float(rng.uniform(0.2, 0.55)))
        if arrangement.try_put(
            tall, (x, -float(rng.uniform(0.75, 1.05)), 0.0), float(rng.uniform(-30, 30))
        ):
            break
    if scheme.tall:
        return
    x = scheme.mirror_x_m - scheme.side * (reach + 0.5)
    arrangement.try_put(_some(rng, _PICTURES, 1)[0](rng), (x, -0.006, 1.5))
    low = _some(rng, (*_BY_MIRROR, hallway.parcel), 1)[0](rng)
    arrangement.try_put(low, (x - scheme.side * 0.1, -0.32, 0.0), float(rng.uniform(-20, 20)))


def _on_board(
    rng: Generator,
    arrangement: Arrangement,
    things: list[Item],
    span_m: tuple[float, float],
    z_m: float,
) -> None:
    """Things side by side on a board of the console, none over its edges."""
    for item, x, turn in side_by_side(rng, things, *span_m, gap_m=0.03):
        (_, near, _), (_, deep, _) = item_extent(item)
        back = -0.04 - deep
        front = -_CONSOLE_DEPTH_M - near + 0.01
        if front < back + 0.02:
            arrangement.try_put(item, (x, float(rng.uniform(front, back)), z_m), turn)


def _coats(rng: Generator, shell: Shell, scheme: Scheme, arrangement: Arrangement) -> None:
    """A rail with coats beside the mirror, or a picture; a bench or shoes below."""
    edge = scheme.mirror_x_m + scheme.side * (scheme.surfaces[0].width_m / 2 + 0.1)
    if not scheme.tall:
        edge = scheme.mirror_x_m + scheme.side * 0.78
    width = min(1.32, abs(scheme.side * shell.width_m / 2 - edge) - 0.3)
    x = edge + scheme.side * (width / 2 + 0.05)
    if scheme.rail:
        _rail(rng, arrangement, x, width)
    else:
        arrangement.try_put(keepsakes.picture(rng), (x, -0.006, 1.5))
    _below_coats(rng, arrangement, x, width)


def _rail(rng: Generator, arrangement: Arrangement, x_m: float, width_m: float) -> None:
    """Two coats and a scarf on a rail, hats on a board above."""
    board = Finish(((0.55, 0.39, 0.25), (0.88, 0.86, 0.82))[int(rng.integers(2))], specular=0.15)
    hooks = 3
    arrangement.put(hall_fixtures.coat_rail(width_m, hooks, board), (x_m, -0.002, _RAIL_M))
    coats = [make(rng) for make in _some(rng, _COATS, 2)]
    hung = [coats[0], clothes.scarf(rng), coats[1]]
    for item, place in zip(hung, hall_fixtures.hook_places_m(width_m, hooks), strict=True):
        _, (_, back, _) = item_extent(item)
        arrangement.put(item, (x_m + place, min(-back, 0.0) - 0.024, _RAIL_M - 0.01))
    if rng.random() < 0.6:
        shelf = hall_fixtures.wall_hook_shelf(width_m, board)
        arrangement.try_put(shelf, (x_m, -0.002, _RAIL_M + 0.24))
        hats = [make(rng) for make in _some(rng, (clothes.cap, clothes.straw_hat), 2)]
        for item, spot, turn in side_by_side(rng, hats, x_m - width_m / 2, x_m + width_m / 2):
            arrangement.try_put(item, (spot, -0.2, _RAIL_M + 0.24), turn)


def _below_coats(rng: Generator, arrangement: Arrangement, x_m: float, width_m: float) -> None:
    shoes = [make(rng) for make in _some(rng, _SHOES, 3)]
    if width_m > 1.05 and rng.random() < 0.75:
        arrangement.try_put(hallway.bench(rng), (x_m, -0.26, 0.0))
        for item, spot, turn in side_by_side(rng, shoes, x_m - 0.4, x_m + 0.4, yaw_deg=4.0):
            arrangement.try_put(item, (spot, -0.265, 0.1375), turn)
        bag = _some(rng, (bags.handbag, bags.backpack, bags.briefcase), 1)[0](rng)
        arrangement.try_put(bag, (x_m + float(rng.uniform(-0.2, 0.2)), -0.25, 0.487))
        return
    low, high = x_m - width_m / 2, x_m + width_m / 2
    for item, spot, turn in side_by_side(rng, shoes, low, high, yaw_deg=8.0):
        arrangement.try_put(item, (spot, -0.2, 0.0), turn)


def _ends(
    rng: Generator, shell: Shell, scheme: Scheme, arrangement: Arrangement, *, night: bool
) -> None:
    """The house door with its mat at the end past the coats, a room's door at the other end."""
    ends: tuple[Wall, Wall] = ("right", "left") if scheme.side > 0 else ("left", "right")
    for wall, door in zip(
        ends, (hall_fixtures.front_door(rng, night=night), furniture.door()), strict=True
    ):
        spot, turn = against(shell, wall, door, along_m=0.0)
        arrangement.put(door, spot, turn)
    x = scheme.side * (shell.width_m / 2 - 0.36)
    arrangement.put(hall_fixtures.door_mat(rng), (x, -shell.depth_m / 2, 0.0), -90 * scheme.side)
    pendant_x = scheme.mirror_x_m + scheme.side * 0.55
    pendant = hallway.pendant_lamp(rng)
    arrangement.put(pendant, (pendant_x, -shell.depth_m * 0.5, shell.height_m))


def _opposite(rng: Generator, shell: Shell, scheme: Scheme, arrangement: Arrangement) -> None:
    """Along the back wall what only the mirrors show, most of it where they do."""
    board = furniture.shelf(0.55, Finish((0.86, 0.84, 0.80)))
    if _try_along_back(rng, shell, scheme, arrangement, board, z_m=1.15):
        spot = arrangement.placed[-1].at_m
        for make, aside in zip(_some(rng, _ON_CONSOLE, 2), (-0.13, 0.13), strict=True):
            arrangement.try_put(make(rng), (spot[0] + aside, spot[1] + 0.11, 1.15), 180)
    for make in _some(rng, _PICTURES, 3):
        _try_along_back(rng, shell, scheme, arrangement, make(rng), z_m=1.6)
    if rng.random() < 0.5:
        scooter = hallway.kick_scooter(rng)
        x = scheme.side * float(rng.uniform(0.6, 1.2))
        arrangement.try_put(scooter, (x, -shell.depth_m + 0.28, 0.0), 90.0)
    for make in _some(rng, _OPPOSITE, 6):
        _try_along_back(rng, shell, scheme, arrangement, make(rng))


def _try_along_back(
    rng: Generator,
    shell: Shell,
    scheme: Scheme,
    arrangement: Arrangement,
    item: Item,
    *,
    z_m: float = 0.0,
) -> bool:
    """Puts an item at the back wall, first where the mirror on the front wall shows it."""
    half = shell.width_m / 2
    for trial in range(14):
        shown = (scheme.side * scheme.mirror_x_m + 0.2, half - 1.0) if trial < 9 else (-half, half)
        x = scheme.side * float(rng.uniform(*shown))
        spot, turn = against(shell, "back", item, along_m=-x, z_m=z_m)
        if z_m == 0.0:
            spot = (spot[0], spot[1] + 0.04 + float(rng.uniform(0.0, 0.1)), 0.0)
            turn += float(rng.uniform(-12, 12))
        if arrangement.try_put(item, spot, turn):
            return True
    return False


def _space(centre_m: tuple[float, float], size_m: tuple[float, float], high_m: float) -> Placed:
    """A stand-in that keeps a block of air free."""
    half = (size_m[0] / 2, size_m[1] / 2, high_m / 2 - 0.02)
    body = Part("box", matt("white"), half, (0, 0, high_m / 2))
    return Placed(Item("space", "space", (body,), size_m[0], annotated=False), (*centre_m, 0.0))


def _some(rng: Generator, makers: tuple[Maker, ...], count: int) -> list[Maker]:
    """Some of the makers in a random order."""
    return [makers[k] for k in rng.permutation(len(makers))[:count]]
