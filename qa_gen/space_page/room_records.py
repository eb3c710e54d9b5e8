"""The camera, the readings and the floor of the 3D page. Lengths are metres of the camera frame."""

from __future__ import annotations

from mira.schema.capture import Vector
from mira.schema.record import Record


class SpaceCamera(Record):
    """The camera, at the origin."""

    width_px: int
    """Width of the picture."""
    height_px: int
    """Height of the picture."""
    fx_px: float
    """Focal length along x."""
    fy_px: float
    """Focal length along y."""
    corners_m: tuple[Vector, Vector, Vector, Vector]
    """Rays to the picture's corners at z = 1, from the top left clockwise."""


class LightWay(Record):
    """How what is seen in mirrors is put back."""

    surface_ids: tuple[int, ...]
    """Surfaces on the light's way, from the camera on."""
    is_known: bool
    """Whether all of them have a plane that is trusted, and depth that is the reflection's."""


class SpaceCloud(Record):
    """Readings where depth has them; arrays are base64 of little-endian numbers."""

    count: int
    """Readings."""
    low_m: Vector
    """Where whole number 0 lies, x, y, z."""
    step_m: Vector
    """Metres a whole number."""
    positions: str
    """Whole numbers x, y, z of each reading, uint16."""
    colours: str
    """Red, green, blue of each, uint8."""
    owners: str
    """Instance of each as 1 + its place among `instances`, 0 for none, uint16."""
    ways: str
    """Light's way of each as 1 + its place among `light_ways`, 0 for seen directly, uint16."""
    light_ways: tuple[LightWay, ...]
    """The ways that occur."""
    step_px: int
    """Every so many pixels of every so many rows a reading was taken."""
    outlined_step_px: int
    """The same within outlines of instances."""


class SpaceGround(Record):
    """The floor."""

    normal: Vector
    """Up."""
    offset_m: float
    """Height of the camera."""
    is_seen: bool
    """Whether it was found; else the camera is taken to be level and at a usual height."""
    ahead: Vector
    """Unit vector ahead over it."""
    right: Vector
    """Unit vector to the right over it."""
