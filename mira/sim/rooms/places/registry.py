"""All kinds of place, in the order in which a series of scenes goes through them."""

from __future__ import annotations

from collections.abc import Callable

from numpy.random import Generator

from mira.sim.rooms.places.hall import plan_hall
from mira.sim.rooms.places.home import plan_bathroom, plan_bedroom, plan_living_room
from mira.sim.rooms.places.office import plan_office
from mira.sim.rooms.places.parking import plan_parking
from mira.sim.rooms.places.shop import plan_shop
from mira.sim.rooms.places.street_corner import plan_street_corner
from mira.sim.rooms.plan import RoomPlan

Planner = Callable[[Generator], RoomPlan]

PLACES: dict[str, Planner] = {
    "bathroom": plan_bathroom,
    "bedroom": plan_bedroom,
    "living_room": plan_living_room,
    "parking": plan_parking,
    "office": plan_office,
    "hall": plan_hall,
    "street_corner": plan_street_corner,
    "shop": plan_shop,
}


def place_of_scene(index: int, places: tuple[str, ...]) -> str:
    """The kind of place of scene number `index`; the kinds take turns."""
    return places[index % len(places)]
