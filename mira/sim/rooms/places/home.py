"""Where things stand: a room plan drawn from a seed."""

from __future__ import annotations

import math
from collections.abc import Iterator

from numpy.random import Generator

from mira.sim.rooms.places import home_styles as styles
from mira.sim.rooms.places.home_styles import Maker, Style
from mira.sim.rooms.places.lighting import home_lamps
from mira.sim.rooms.places.shell import Shell
from mira.sim.rooms.plan import Lighting, RoomPlan, Walkable
from mira.sim.rooms.reflective import GLASS_GAP_M, ReflectiveSurface, facing, framed_mirror
from mira.sim.rooms.things import furniture
from mira.sim.rooms.things.keepsakes import basketball, globe, picture, teddy_bear
from mira.sim.rooms.things.parts import Finish, Item, Part, Placed
from mira.sim.rooms.things.rotation import Vector
from mira.sim.rooms.viewpoint import Viewpoint, look_at

_ROOM_HEIGHT_M = 2.5
_WALL_GAP_M = 0.006
_VIEWPOINTS = 8


def plan_bathroom(rng: Generator) -> RoomPlan:
    """A bathroom with a mirror over the washbasin."""
    return _plan(rng, styles.bathroom(rng))


def plan_bedroom(rng: Generator) -> RoomPlan:
    """A bedroom with a mirror over a chest of drawers."""
    return _plan(rng, styles.bedroom(rng))


def plan_living_room(rng: Generator) -> RoomPlan:
    """A living room with two mirrors that meet in a corner, so that one shows the other."""
    return _plan(rng, styles.living_room(rng))


def _plan(rng: Generator, style: Style) -> RoomPlan:
    lighting: Lighting = "night" if rng.random() < 0.3 else "day"
    shell = _shell(rng, style)
    counter_x, counter_width = _counter_span(rng, style, shell)
    mirrors = _mirrors(rng, style, shell, counter_x)
    layout = _Layout(rng, style, shell)
    layout.furnish_front(mirrors[0], counter_x, counter_width)
    layout.furnish_back(lighting)
    half, depth = shell.width_m / 2, shell.depth_m
    return RoomPlan(
        place=style.place,
        environment="indoor",
        lighting=lighting,
        structure=tuple(shell.parts()),
        walkable=Walkable((-half, -depth), (half, 0.0)),
        surfaces=mirrors,
        items=tuple(layout.placed),
        lamps=home_lamps(shell, lighting),
        ambient=(0.05, 0.05, 0.05),
        viewpoints=tuple(_viewpoints(rng, style, shell, mirrors[0])),
    )


class _Layout:
    """Collects placed items; no two are described alike."""

    def __init__(self, rng: Generator, style: Style, shell: Shell) -> None:
        self.rng, self.style, self.shell = rng, style, shell
        self.placed: list[Placed] = []
        self._described: set[str] = set()
        self._small = self._shuffled(style.small)
        self._mounted = self._shuffled(style.mounted)
        self._standing = self._shuffled(style.standing)

    def furnish_front(
        self, mirror: ReflectiveSurface, counter_x: float, counter_width: float
    ) -> None:
        """Counter, the things on it, and what hangs beside the mirror."""
        style, rng = self.style, self.rng
        self.put(style.counter(counter_width), (counter_x, 0, 0))
        taken = (0.0, 0.0)
        if style.basin:
            self.put(furniture.washbasin(), (counter_x, -0.3, style.counter_height_m))
            taken = (counter_x - 0.25, counter_x + 0.25)
        for item, x in self._row(counter_x, counter_width, taken):
            depth = style.counter_depth_m
            near = depth - item.radius_m - 0.03
            y = -min(max(float(rng.uniform(0.16, depth - 0.1)), item.radius_m + 0.02), near)
            self.put(item, (x, y, style.counter_height_m), float(rng.uniform(-14, 14)))
        if style.corner:
            self.put(basketball(rng), (counter_x + counter_width / 2 - 0.4, -0.2, 0))
        self._beside(mirror)

    def furnish_back(self, lighting: Lighting) -> None:
        """What only the mirror shows: the back wall, the side walls, the middle of the room."""
        depth, half = self.shell.depth_m, self.shell.width_m / 2
        rng, style = self.rng, self.style
        back = -depth + _WALL_GAP_M
        window_wall = -half + _WALL_GAP_M
        self.put(furniture.window(night=lighting == "night"), (window_wall, -depth * 0.52, 1.5), 90)
        if style.rug is not None:
            rug = Part("box", style.rug, (0.8, 0.55, 0.006), (0, 0, 0.006))
            self.put(Item("rug", "rug", (rug,), 0.9, annotated=False), (0, -depth * 0.5, 0))
        if style.back == "bed":
            bed_x = -half + 0.95
            self.put(furniture.bed(styles.blanket(rng)), (bed_x, back, 0), 180)
            self.put(teddy_bear(rng), (bed_x + 0.15, back + 0.75, 0.51), 180)
            self.put(picture(rng), (bed_x, back, 1.5), 180)
        elif style.back == "bookcase":
            self.put(furniture.bookcase(rng), (-half + 0.6, back, 0), 180)
        else:
            self.put(furniture.door(), (-half + 0.75, back, 0), 180)
        self._side_table(back, half)
        self._hang_at((half - _WALL_GAP_M, -depth * 0.62, 1.5), -90)
        self._hang_at((min(half - 0.55, 0.75), back, 1.62), 180)
        for x, y, turn in ((half - 0.5, -depth + 1.25, 235), (0.12, -depth + 0.45, 180)):
            self._stand_at(x, y, turn)
        if style.back != "bed":
            self._stand_at(-half + 0.5, -depth + 1.1, 130)

    def put(self, item: Item, at_m: Vector, yaw_deg: float = 0.0) -> None:
        """Add one item, unless a person would call another one the same."""
        if item.annotated and item.description in self._described:
            return
        self._described.add(item.description)
        self.placed.append(Placed(item, at_m, yaw_deg))

    def _row(
        self, centre_x: float, width: float, taken: tuple[float, float]
    ) -> Iterator[tuple[Item, float]]:
        """Small things side by side over the counter, none inside the taken span."""
        x = centre_x - width / 2 + 0.05
        end = centre_x + width / 2 - 0.04
        while self._small:
            item = self._small.pop()(self.rng)
            x += item.radius_m
            if taken[0] - item.radius_m < x < taken[1] + item.radius_m:
                x = taken[1] + item.radius_m
            if x + item.radius_m > end:
                return
            yield item, x
            x += item.radius_m + float(self.rng.uniform(0.02, 0.08))

    def _beside(self, mirror: ReflectiveSurface) -> None:
        """A shelf with one thing on it on the side of the mirror that has room, else a picture."""
        half = self.shell.width_m / 2
        reach = mirror.width_m / 2
        left_room = half + mirror.centre_m[0] - reach
        x = -half + left_room / 2
        board = Finish((0.86, 0.84, 0.80))
        if left_room > 0.6 and self._small and self.rng.random() < 0.6:
            self.put(furniture.shelf(0.44, board), (x, -_WALL_GAP_M, 1.3))
            item = self._small.pop()(self.rng)
            self.put(item, (x, -0.1 - _WALL_GAP_M, 1.3), float(self.rng.uniform(-10, 10)))
        elif left_room > 0.6:
            self._hang_at((x, -_WALL_GAP_M, 1.45), 0)
        if half - mirror.centre_m[0] - reach > 0.6:
            self._hang_at((half - 0.38, -_WALL_GAP_M, 1.45), 0)

    def _side_table(self, back: float, half: float) -> None:
        """A low cabinet at the back wall with two things that only the mirror can show."""
        oak = Finish((0.58, 0.42, 0.28), specular=0.15)
        x = half - 0.6
        self.put(
            furniture.cabinet(0.8, 0.4, 0.62, oak, Finish((0.82, 0.80, 0.76))), (x, back, 0), 180
        )
        makers = [self._small.pop() if self._small else globe for _ in range(2)]
        for maker, offset in zip(makers, (-0.2, 0.2), strict=True):
            self.put(maker(self.rng), (x + offset, back + 0.2, 0.62), 180)

    def _hang_at(self, at_m: Vector, yaw_deg: float) -> None:
        if self._mounted:
            self.put(self._mounted.pop()(self.rng), at_m, yaw_deg)

    def _stand_at(self, x: float, y: float, yaw_deg: float) -> None:
        if self._standing:
            item = self._standing.pop()(self.rng)
            turn = yaw_deg + float(self.rng.uniform(-20, 20))
            self.put(item, (x, y, 0), turn)

    def _shuffled(self, makers: tuple[Maker, ...]) -> list[Maker]:
        return [makers[position] for position in self.rng.permutation(len(makers))]


def _shell(rng: Generator, style: Style) -> Shell:
    return Shell(
        width_m=float(rng.uniform(3.2, 3.7)),
        depth_m=float(rng.uniform(3.9, 4.4)),
        height_m=_ROOM_HEIGHT_M,
        walls=style.walls,
        floor=style.floor,
        ceiling=styles.ceiling(),
        skirting=style.skirting,
    )


def _counter_span(rng: Generator, style: Style, shell: Shell) -> tuple[float, float]:
    """Middle and width of the counter; in a corner room it touches the right wall."""
    width = float(rng.uniform(1.7, 2.05))
    if style.corner:
        return shell.width_m / 2 - width / 2 - 0.02, width
    return float(rng.uniform(-0.15, 0.15)), width


def _mirrors(
    rng: Generator, style: Style, shell: Shell, counter_x: float
) -> tuple[ReflectiveSurface, ...]:
    bottom = style.counter_height_m + 0.05
    width, height = float(rng.uniform(1.15, 1.5)), float(rng.uniform(0.8, 0.95))
    disc = not style.corner and rng.random() < 0.25
    if disc:
        width = height = 1.0
    x = shell.width_m / 2 - 0.12 - width / 2 if style.corner else counter_x
    centre = (x, -GLASS_GAP_M, bottom + height / 2)
    front = framed_mirror(
        "mirror_1", centre, facing(0), width, height, frame=style.mirror_frame, round=disc
    )
    if not style.corner:
        return (front,)
    side_width = float(rng.uniform(0.7, 0.85))
    side = (shell.width_m / 2 - GLASS_GAP_M, -0.12 - side_width / 2, centre[2])
    right = framed_mirror(
        "mirror_2", side, facing(-90), side_width, height, frame=style.mirror_frame
    )
    return front, right


def _viewpoints(
    rng: Generator, style: Style, shell: Shell, mirror: ReflectiveSurface
) -> Iterator[Viewpoint]:
    """Cameras in an arc before the mirror; in a corner room all look into the corner."""
    half = shell.width_m / 2
    for number in range(_VIEWPOINTS):
        height = float(rng.uniform(1.42, 1.62))
        if style.corner:
            bearing = math.radians(float(rng.uniform(22, 34)) + 22 * (number % 2))
            target = (half - 0.42, -0.2, 1.12)
        else:
            side = -1 if number % 2 == 0 else 1
            bearing = side * -math.radians(float(rng.uniform(14, 27)))
            target = (mirror.centre_m[0] + side * 0.06, 0.0, 1.1)
        reach = float(rng.uniform(1.6, 2.0))
        eye = (target[0] - reach * math.sin(bearing), target[1] - reach * math.cos(bearing), height)
        yield look_at(eye, target)
