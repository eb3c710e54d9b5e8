"""Every number that decides how a room is pictured, annotated and sensed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self, get_args

from pydantic import Field, ValidationError, model_validator

from mira.errors import SimulationError
from mira.schema.capture import CameraIntrinsics
from mira.schema.record import Record, describe_fault
from mira.schema.spatial import SpatialPolicy

Place = Literal[
    "bathroom",
    "bedroom",
    "hall",
    "office",
    "shop",
    "street_corner",
    "parking",
    "living_room",
]
"""Kinds of place."""
_MOST_BYTES = 1_000_000
PLACE_NAMES: tuple[Place, ...] = get_args(Place)


class CameraPolicy(Record):
    """The simulated colour camera; depth is aligned to it."""

    width_px: int = Field(default=848, ge=8)
    """Picture width."""
    height_px: int = Field(default=480, ge=8)
    """Picture height."""
    focal_px: float = Field(default=610.0, gt=0)
    """Focal length, the same along x and y; the axis goes through the picture's middle."""

    def intrinsics(self) -> CameraIntrinsics:
        """The camera in RealSense's convention: origin at the centre of the top-left pixel."""
        return CameraIntrinsics(
            width_px=self.width_px,
            height_px=self.height_px,
            fx_px=self.focal_px,
            fy_px=self.focal_px,
            cx_px=(self.width_px - 1) / 2,
            cy_px=(self.height_px - 1) / 2,
        )

    def reduced(self, factor: int) -> CameraPolicy:
        """The same view with fewer pixels."""
        return CameraPolicy(
            width_px=self.width_px // factor,
            height_px=self.height_px // factor,
            focal_px=self.focal_px / factor,
        )


class ReflectionPolicy(Record):
    """How reflections are followed."""

    max_order: int = Field(default=4, ge=1)
    """Longest chain of reflections that is followed; deeper ones show dark glass."""


class InstancePolicy(Record):
    """What an annotator would outline."""

    min_area_px: int = Field(default=90, ge=1)
    """Instances that show fewer pixels are left out."""
    min_thickness_px: float = Field(default=3.0, gt=0)
    """Instances whose area over half perimeter is less are slivers and left out."""
    min_part_area_px: int = Field(default=12, ge=1)
    """Separate parts of an instance smaller than this are left out."""
    min_hole_area_px: int = Field(default=12, ge=1)
    """Holes smaller than this are filled."""
    min_share: float = Field(default=0.25, ge=0, le=1)
    """Instances seen by or through glass that give a smaller share of its light are left out."""
    min_surface_area_px: int = Field(default=400, ge=1)
    """Reflective surfaces that show fewer pixels are no surface of the image."""


class OutlinePolicy(Record):
    """How a mask becomes polygons."""

    tolerance_px: float = Field(default=0.8, gt=0)
    """Largest distance that a dropped vertex may have had from the outline."""
    min_iou: float = Field(default=0.97, gt=0, lt=1)
    """Agreement of polygon and mask; the tolerance is halved until it is reached."""


class DepthSensorPolicy(Record):
    """A stereo depth camera: it measures disparity, with noise, steps and occlusions."""

    baseline_m: float = Field(default=0.05, gt=0)
    """Distance between the two imagers."""
    disparity_step_px: float = Field(default=0.05, gt=0)
    """Smallest difference of disparity that is reported, in pixels of the colour camera. A D435
    counts in 1/32 px of its own depth picture, which is coarser in angle."""
    disparity_noise_px: float = Field(default=0.10, ge=0, le=100)
    """Standard deviation of the disparity error."""
    noise_grain_px: float = Field(default=6.0, gt=0)
    """Standard deviation of the blur that makes neighbouring errors alike."""
    edge_loss_px: float = Field(default=1.5, ge=0)
    """Readings are lost so far from edges, on a ragged line."""
    flying_share: float = Field(default=0.06, ge=0, le=1)
    """Share of readings beside edges that lie somewhere between their two sides."""
    left_rim_px: float | None = Field(default=12.0, ge=0)
    """Columns at the left rim without readings, besides those that the disparity shifts out; none
    at all for a camera whose second picture reaches farther when absent."""
    min_range_m: float = Field(default=0.28, ge=0)
    """Nearer points give no reading."""
    max_range_m: float = Field(default=10.0, gt=0, le=65)
    """Farther points give no reading."""
    dropout_share: float = Field(default=0.006, ge=0, lt=1)
    """Share of pixels lost in random blobs on ordinary surfaces."""
    mirror_dropout_share: float = Field(default=0.05, ge=0, lt=1)
    """Share lost on mirrors, where both imagers must agree on a virtual image."""
    glass_dropout_share: float = Field(default=0.2, ge=0, lt=1)
    """Share lost on glass, water and screens, where two images lie over each other."""
    bent_dropout_share: float = Field(default=0.35, ge=0, lt=1)
    """Share lost on convex mirrors, whose image the two imagers see at different places."""
    dropout_grain_px: float = Field(default=3.5, gt=0)
    """Standard deviation of the blur that gives lost blobs their size."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.min_range_m >= self.max_range_m:
            raise ValueError(
                f"min_range_m: expected less than max_range_m, found {self.min_range_m:g} and "
                f"{self.max_range_m:g}"
            )
        return self


class LightPolicy(Record):
    """How finely light is sampled."""

    lamp_samples: int = Field(default=1, ge=1)
    """Rays to each lamp from every fourth pixel."""
    scatter_samples: int = Field(default=1, ge=1)
    """Rays in all directions from every fourth pixel."""
    lamp_smoothing_px: tuple[int, ...] = (1, 2)
    """Steps of the smoothing of lamp light, in half pixels."""
    scatter_smoothing_px: tuple[int, ...] = (1, 2, 4, 8)
    """Steps of the smoothing of scattered light, in half pixels."""


class FilmPolicy(Record):
    """How light becomes a picture."""

    middle_grey: float = Field(default=0.30, gt=0)
    """Exposed value of the mean of log light."""
    white_quantile: float = Field(default=0.985, gt=0, le=1)
    """Share of the picture that must not burn out."""
    white_level: float = Field(default=2.2, gt=0)
    """Exposed value that becomes white."""


class RoomPolicy(Record):
    """All settings of the mirror rooms; equal policies and seeds give equal scenes."""

    camera: CameraPolicy = CameraPolicy()
    """The camera."""
    reflection: ReflectionPolicy = ReflectionPolicy()
    """Mirrors."""
    instances: InstancePolicy = InstancePolicy()
    """Which masks are annotated."""
    outline: OutlinePolicy = OutlinePolicy()
    """Polygons."""
    depth: DepthSensorPolicy = DepthSensorPolicy()
    """Sensor depth."""
    light: LightPolicy = LightPolicy()
    """Light in the colour picture."""
    film: FilmPolicy = FilmPolicy()
    """Exposure of the colour picture."""
    spatial: SpatialPolicy = SpatialPolicy()
    """Thresholds of the true answers."""
    places: tuple[Place, ...] = PLACE_NAMES
    """Kinds of place; scenes take them in turns."""
    views_per_scene: int = Field(default=2, ge=1)
    """Viewpoints rendered in each room."""
    view_distance_m: float = Field(default=0.3, ge=0)
    """Viewpoints of one room stand so far apart where they can."""
    layout_tries: int = Field(default=6, ge=1)
    """Layouts tried before a room without a linked pair is refused."""


def read_room_policy(
    *, places: str | None = None, views: int | None = None, depth_sensor: Path | None = None
) -> RoomPolicy:
    """The settings of a run.

    Args:
        places: Names of kinds of place, separated by commas; all of them when missing.
        views: Views a room; the default when missing.
        depth_sensor: A `DepthSensorPolicy` record in JSON; the defaults when missing.

    Raises:
        SimulationError: A kind of place is unknown, or the file is no such record.
    """
    given: dict[str, object] = {}
    if places is not None:
        names = [name.strip().lower().replace(" ", "_") for name in places.split(",")]
        for name in names:
            if name not in PLACE_NAMES:
                known = ", ".join(PLACE_NAMES)
                raise SimulationError("--places", f"expected some of {known}, found {name!r}")
        given["places"] = tuple(dict.fromkeys(names))
    if views is not None:
        given["views_per_scene"] = views
    if depth_sensor is not None:
        given["depth"] = _read_depth_sensor(depth_sensor)
    return RoomPolicy.model_validate(given)


def _read_depth_sensor(path: Path) -> DepthSensorPolicy:
    try:
        with path.open("rb") as stream:
            text = stream.read(_MOST_BYTES)
    except OSError as error:
        raise SimulationError(path, f"cannot be read: {error.strerror}") from None
    try:
        return DepthSensorPolicy.model_validate_json(text)
    except ValidationError as error:
        raise SimulationError(path, describe_fault(error)) from None
