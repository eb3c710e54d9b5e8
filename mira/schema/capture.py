"""Records of captured or imported pictures: scenes and their views."""

from __future__ import annotations

from itertools import product
from typing import Literal, Self

from pydantic import Field, model_validator

from mira.schema.record import FileRef, Provenance, Record, RootRecord

SurfaceType = Literal[
    "planar_mirror", "glass", "convex_mirror", "vehicle_side_mirror", "water", "screen"
]
"""The six kinds of reflective surface."""
DepthKind = Literal["metric", "normalised"]
"""`metric` depth is in known steps of a metre; `normalised` depth is ordinal only."""
DepthScope = Literal["image", "sequence"]
"""What shares one normalisation."""
TimestampDomain = Literal["hardware_clock", "system_time", "global_time"]
"""Clock of a frame's timestamp, as the SDK names it."""
Consent = Literal["not_needed", "granted", "unknown"]
"""Whether people or private places in the pictures allow publication."""


class CameraIntrinsics(Record):
    """A pinhole camera; the pixel origin is the *centre* of the top-left pixel."""

    width_px: int = Field(gt=0)
    """Picture width the values belong to."""
    height_px: int = Field(gt=0)
    """Picture height the values belong to."""
    fx_px: float = Field(gt=0)
    """Focal length along x."""
    fy_px: float = Field(gt=0)
    """Focal length along y."""
    cx_px: float
    """Principal point, x."""
    cy_px: float
    """Principal point, y."""
    distortion_model: str = "none"
    """Name of the lens model, `none` for rectified pictures."""
    distortion_coeffs: tuple[float, ...] = ()
    """Coefficients in the order of the model."""


Vector = tuple[float, float, float]
"""x, y, z."""

_ROTATION_TOLERANCE = 1e-4
"""Cameras store rotations as 32-bit floats; products of rows are this exact at least."""
_DT_TOLERANCE_MS = 1e-3
"""Times since 1970 in milliseconds are not held more exactly by a 64-bit float."""


class RigidTransform(Record):
    """Takes points from one frame to another: `p_target = rotation · p_source + translation_m`."""

    target: str
    """Frame that points are taken to, such as `color`."""
    source: str
    """Frame that points are taken from, such as `depth`."""
    rotation: tuple[Vector, Vector, Vector]
    """Rows of a proper rotation; the SDK gives columns first."""
    translation_m: Vector
    """Origin of the source frame, seen in the target frame."""

    @model_validator(mode="after")
    def _proper(self) -> Self:
        rows = self.rotation
        for i, j in product(range(3), repeat=2):
            dot = sum(a * b for a, b in zip(rows[i], rows[j], strict=True))
            if not abs(dot - (i == j)) <= _ROTATION_TOLERANCE:
                raise ValueError(
                    "rotation: expected orthogonal rows of length 1, "
                    f"found {dot:g} for row {i} times row {j}"
                )
        (a, b, c), (d, e, f), (g, h, k) = rows
        if a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g) < 0:
            raise ValueError("rotation: expected determinant 1, found -1: it mirrors")
        return self


class Calibration(RootRecord):
    """`calib.json`: the cameras of a view and how they stand to each other."""

    color: CameraIntrinsics
    """The colour camera."""
    depth: CameraIntrinsics | None = None
    """The depth camera on its raw grid; absent where only aligned depth is known."""
    depth_to_color: RigidTransform | None = None
    """From depth to colour; absent with `depth`."""


class FrameTiming(Record):
    """When the two frames of a view were taken."""

    color_frame: int = Field(ge=0)
    """Number of the colour frame; each start of a camera may begin anew."""
    depth_frame: int = Field(ge=0)
    """Number of the depth frame."""
    color_ms: float
    """Timestamp of the colour frame."""
    depth_ms: float
    """Timestamp of the depth frame."""
    color_domain: TimestampDomain
    """Clock of the colour timestamp."""
    depth_domain: TimestampDomain
    """Clock of the depth timestamp."""
    dt_ms: float | None = Field(ge=0)
    """Time between the frames, whichever came first; absent when their clocks differ."""

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if (self.dt_ms is not None) != (self.color_domain == self.depth_domain):
            raise ValueError(
                f"dt_ms: expected a number exactly if the clocks are one, found {self.dt_ms}"
            )
        apart = abs(self.color_ms - self.depth_ms)
        if self.dt_ms is not None and abs(apart - self.dt_ms) > _DT_TOLERANCE_MS:
            raise ValueError(f"dt_ms: expected {apart:g} by the timestamps, found {self.dt_ms:g}")
        return self


class ViewQuality(Record):
    """Numbers by which a view is kept or taken again."""

    sharpness: float = Field(ge=0)
    """Variance of the Laplacian of the grey picture; small when blurred."""
    dark_fraction: float = Field(ge=0, le=1)
    """Share of pixels that are all but black."""
    bright_fraction: float = Field(ge=0, le=1)
    """Share of pixels that are all but white."""
    valid_depth_fraction: float | None = Field(default=None, ge=0, le=1)
    """Share of pixels with a depth reading; absent without depth."""


class ViewFrame(RootRecord):
    """`frame.json`: what a session says of a view's frames beside their pictures."""

    depth_unit_m: float | None = Field(default=None, gt=0)
    """Metres a step of depth; absent without metric depth."""
    depth_kind: DepthKind | None = None
    """What depth values mean; absent without depth."""
    depth_scope: DepthScope | None = None
    """What normalised depth was normalised over, where known; absent for metric depth."""
    timing: FrameTiming | None = None
    """When the frames were taken; absent for pictures without frame times."""
    quality: ViewQuality | None = None
    """Measures of the pictures; absent where nobody measured."""
    inputs: tuple[FileRef, ...] = ()
    """Files of another data set that the pictures were read from; none for frames of a camera."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        kind = self.depth_kind
        if (self.depth_unit_m is not None) != (kind == "metric"):
            raise ValueError(
                "depth_unit_m: expected for metric depth and no other, "
                f"found {self.depth_unit_m} for {kind!r}"
            )
        if self.depth_scope is not None and kind != "normalised":
            raise ValueError(
                f"depth_scope: expected for normalised depth alone, found it for {kind!r}"
            )
        return self


class SceneSurface(Record):
    """A reflective surface as the capture crew noted it."""

    surface_id: str
    """Name of the surface within the scene."""
    surface_type: SurfaceType
    """Its kind."""


class Scene(RootRecord):
    """One reflective context: the views that share what a surface reflects."""

    scene_id: str
    """Stable id; a scene belongs to one split for ever."""
    environment: Literal["indoor", "outdoor"] | None = None
    """Where, if it was noted."""
    lighting: Literal["day", "night"] | None = None
    """Light, if it was noted."""
    place: str | None = None
    """Kind of place, such as `bathroom`."""
    surfaces: tuple[SceneSurface, ...] = ()
    """Surfaces noted at capture; annotation decides what is exported."""
    consent: Consent = "unknown"
    """Whether the scene may be published."""
    source: str = "unknown"
    """Data set or crew the pictures come from."""
    licence: str | None = None
    """SPDX id or name of the licence of the pictures."""
    operator: str | None = None
    """Who held the camera, as a code name."""
    notes: str | None = None
    """Free text."""


class View(RootRecord):
    """One picture of a scene with its depth and camera."""

    scene_id: str
    """Scene it belongs to."""
    image_id: str
    """Stable id, unique in a workspace."""
    width_px: int = Field(gt=0)
    """Width of colour and aligned depth."""
    height_px: int = Field(gt=0)
    """Height of colour and aligned depth."""
    color: FileRef
    """The colour picture, its bytes as they came."""
    depth: FileRef | None = None
    """uint16 depth on the sensor's own grid; absent where only aligned depth came."""
    depth_aligned: FileRef | None = None
    """uint16 depth on the colour grid, 0 = no reading; absent for RGB-only pictures."""
    depth_unit_m: float | None = Field(default=None, gt=0)
    """Metres a step of depth; absent without metric depth."""
    depth_kind: DepthKind | None = None
    """What depth values mean; absent without depth."""
    depth_scope: DepthScope | None = None
    """What normalised depth was normalised over, where known; absent for metric depth."""
    intrinsics: CameraIntrinsics | None = None
    """The colour camera, where known."""
    depth_intrinsics: CameraIntrinsics | None = None
    """The depth camera on the grid of `depth`, where known."""
    depth_to_color: RigidTransform | None = None
    """From the depth camera to the colour camera, where known."""
    timing: FrameTiming | None = None
    """When the frames were taken; absent for pictures without frame times."""
    quality: ViewQuality | None = None
    """Measures of the pictures; absent where nobody measured."""
    provenance: Provenance
    """Where the files were read from."""
