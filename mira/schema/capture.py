"""Records of captured or imported pictures: scenes and their views."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mira.schema.record import FileRef, Provenance, Record, RootRecord

SurfaceType = Literal[
    "planar_mirror", "glass", "convex_mirror", "vehicle_side_mirror", "water", "screen"
]
"""The six kinds of reflective surface."""
DepthKind = Literal["metric", "normalised"]
"""`metric` depth is in known steps of a metre; `normalised` depth is ordinal only."""
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
    depth_aligned: FileRef | None = None
    """uint16 depth on the colour grid, 0 = no reading; absent for RGB-only pictures."""
    depth_unit_m: float | None = Field(default=None, gt=0)
    """Metres a step of depth; absent without metric depth."""
    depth_kind: DepthKind | None = None
    """What depth values mean; absent without depth."""
    intrinsics: CameraIntrinsics | None = None
    """The colour camera, where known."""
    provenance: Provenance
    """Where the files were read from."""
