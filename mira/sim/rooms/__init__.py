"""Mirror rooms: procedural RGB-D scenes with exact truth, written as real sessions are."""

from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.writer import write_room, write_rooms

__all__ = ["RoomPolicy", "write_room", "write_rooms"]
