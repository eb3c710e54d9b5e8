"""What a user asks of an import."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError

from mira.errors import CaptureError
from mira.schema.capture import Consent, SurfaceType
from mira.schema.record import Record, describe_fault


class ImportSettings(Record):
    """The flags of `mira capture import`."""

    layout: str
    """Name of the layout, a key of `LAYOUTS`."""
    source_name: str | None = None
    """Name of the data set, for its scenes; that of the layout if None."""
    licence: str | None = None
    """Licence of the pictures; that of the layout if None."""
    consent: Consent = "unknown"
    """Whether the scenes may be published."""
    surface_type: SurfaceType = "planar_mirror"
    """Kind of all surfaces that masks show."""
    depth_unit_m: float | None = Field(default=None, gt=0)
    """Metres a step of depth; what the files or the layout say if None."""
    intrinsics: Path | None = None
    """A camera file for all pictures."""
    scene_table: Path | None = None
    """A CSV file of names of pictures and ids of scenes."""
    color_glob: str | None = None
    """Which files are pictures; told by their names if no glob is given."""
    depth_glob: str | None = None
    """Which files are depth."""
    mask_glob: str | None = None
    """Which files are masks of reflective surfaces."""
    keyframes: int | None = Field(default=None, ge=0)
    """Views of a scene of more frames, 0 for all; None for the policy's number for videos."""

    @classmethod
    def of(cls, **flags: Any) -> Self:
        """The settings that flags give.

        Raises:
            CaptureError: A value is impossible, or no text.
        """
        for name, value in flags.items():
            if isinstance(value, str) and not value.isprintable():
                raise CaptureError("settings", f"{name}: expected text, found {value!r}")
        try:
            return cls(**flags)
        except ValidationError as error:
            raise CaptureError("settings", describe_fault(error)) from None
