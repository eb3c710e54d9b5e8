"""Every number that decides how a room is pictured, annotated and sensed."""

from __future__ import annotations

import math
from typing import Self

from pydantic import Field, model_validator

from mira.schema.capture import CameraIntrinsics
from mira.schema.record import Record


class CameraPolicy(Record):
    """The simulated colour camera; depth is aligned to it."""

    width_px: int = Field(default=640, gt=0)
    """Picture width."""
    height_px: int = Field(default=480, gt=0)
    """Picture height."""
    focal_px: float = Field(default=560.0, gt=0)
    """Focal length, the same along x and y; the axis goes through the picture's middle."""
    supersample: int = Field(default=3, gt=0)
    """Samples a pixel side; odd, so that one sample is the pixel's centre."""

    @model_validator(mode="after")
    def _odd(self) -> Self:
        if self.supersample % 2 == 0:
            raise ValueError("supersample must be odd")
        return self

    @property
    def vertical_fov_deg(self) -> float:
        """Angle of view from the top edge to the bottom edge."""
        return math.degrees(2 * math.atan(self.height_px / 2 / self.focal_px))

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


class ReflectionPolicy(Record):
    """How mirrors are composed."""

    max_order: int = Field(default=2, ge=1)
    """Longest chain of mirrors that is followed; deeper ones show plain glass."""
    min_area_px: int = Field(default=40, ge=1)
    """A mirror that shows fewer pixels than this is left plain."""
    tint: tuple[float, float, float] = (0.925, 0.95, 0.94)
    """Share of red, green and blue that glass gives back."""


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
    min_surface_area_px: int = Field(default=400, ge=1)
    """Mirrors that show fewer pixels are no surface of the image."""


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
    disparity_step_px: float = Field(default=1 / 32, gt=0)
    """Smallest difference of disparity that is reported."""
    disparity_noise_px: float = Field(default=0.035, ge=0)
    """Standard deviation of the disparity error."""
    noise_grain_px: float = Field(default=2.5, gt=0)
    """Standard deviation of the blur that makes neighbouring errors alike."""
    min_range_m: float = Field(default=0.28, ge=0)
    """Nearer points give no reading."""
    max_range_m: float = Field(default=10.0, gt=0)
    """Farther points give no reading."""
    dropout_share: float = Field(default=0.006, ge=0, lt=1)
    """Share of pixels lost in random blobs on ordinary surfaces."""
    mirror_dropout_share: float = Field(default=0.05, ge=0, lt=1)
    """Share lost on mirrors, where both imagers must agree on a virtual image."""
    dropout_grain_px: float = Field(default=3.5, gt=0)
    """Standard deviation of the blur that gives lost blobs their size."""


class ShadingPolicy(Record):
    """What is added to the rasteriser's plain light."""

    shadow_map_px: int = Field(default=4096, gt=0)
    """Resolution of shadows; half of it saves about a third of the time and roughens their rims."""
    occlusion_strength: float = Field(default=0.85, ge=0)
    """Darkening of creases and contacts; 0 switches it off."""
    occlusion_radius_m: float = Field(default=0.16, gt=0)
    """Reach of that darkening."""
    target_luma: float = Field(default=0.54, gt=0, lt=1)
    """Mean brightness that the automatic exposure aims at."""
    max_gain: float = Field(default=1.5, gt=0)
    """Largest brightening of the automatic exposure."""


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
    shading: ShadingPolicy = ShadingPolicy()
    """Look of the colour picture."""
    views_per_scene: int = Field(default=2, ge=1)
    """Viewpoints rendered in each room."""
    layout_tries: int = Field(default=6, ge=1)
    """Layouts tried before a room without a linked pair is refused."""
