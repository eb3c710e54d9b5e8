"""Numbers that decide how a data set is imported."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import Record


class ImportPolicy(Record):
    """Limits of what is read, and how keyframes are chosen."""

    picture_limit_px: int = Field(default=150_000_000, gt=0)
    """A picture of more pixels is not decoded."""
    picture_limit_bytes: int = Field(default=1 << 30, gt=0)
    """A larger picture file is not read."""
    text_limit_bytes: int = Field(default=32_000_000, gt=0)
    """A larger camera file, list of frames or table of scenes is not read."""
    file_limit: int = Field(default=2_000_000, gt=0)
    """A folder of more files is not looked through."""
    surface_limit: int = Field(default=32, gt=0, le=255)
    """A mask of more values is a blurred one of black and white, or a mistake."""
    soft_mask_share: float = Field(default=0.02, ge=0)
    """A mask is a blurred one too if it has no more grey pixels than this share of its white."""
    soft_mask_level: int = Field(default=128, gt=0, le=255)
    """From this grey level on a pixel of a blurred mask counts as surface."""
    depth_step_limit_m: float = Field(default=0.1, gt=0)
    """A step of depth of this size or more is not believed."""
    assumed_depth_unit_m: float = Field(default=0.001, gt=0)
    """A step of metric depth of which nobody says how large it is."""
    assumed_frame_period_s: float = Field(default=1 / 30, gt=0)
    """Time between frames of a list of fewer than two."""
    video_keyframes: int = Field(default=2, gt=0)
    """Frames taken of a video unless the user says how many."""
    keyframe_distance_bits: int = Field(default=1, gt=0)
    """A further keyframe whose fingerprint differs by less from one that is chosen adds nothing."""
    sharpest_within_frames: int = Field(default=3, ge=0)
    """A chosen frame is replaced by the sharpest that is no farther from it."""
    region_share_min: float = Field(default=0.005, ge=0, le=1)
    """Frames that show less of a mirror are chosen only where no frame shows more."""
