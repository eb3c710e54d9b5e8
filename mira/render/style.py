"""How rendered pictures look, all of it in one record."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from mira.schema.qa import Mark
from mira.schema.record import RootRecord

Channel = Annotated[int, Field(ge=0, le=255)]
Color = tuple[Channel, Channel, Channel]
"""Red, green, blue."""
ColorMap = Literal["jet", "turbo", "viridis", "cividis", "plasma", "parula", "gray"]
"""Maps without black, which stands for no reading."""
LabelRule = Literal["always", "several", "never"]
"""`several` writes labels only where more than one instance is marked."""

REFERENCE_SIDE_PX = 1280
"""Length of the longer picture side at which sizes in `RenderStyle` hold as they are."""


class RenderStyle(RootRecord):
    """Appearance of the pictures of a question.

    Marker style alone is known to move a model's accuracy by a fifth, so every choice is a field
    here. Sizes are pixels of a picture 1280 px long and grow or shrink with the picture.
    """

    slot_colors: tuple[Color, ...] = Field(default=((222, 24, 56),), min_length=1)
    """Colours of the boxes a question names, in the order of its slots, taken in turn."""
    candidate_colors: tuple[Color, ...] = Field(default=((150, 46, 236),), min_length=1)
    """Colours of the boxes that options name, in the order of the options, taken in turn."""
    line_px: float = Field(default=4.0, gt=0)
    """Thickness of a box's line, which lies around the box and so hides nothing of the object."""
    halo_px: float = Field(default=1.0, ge=0)
    """Thickness of the rim around lines and tags; 0 leaves it out."""
    halo_color: Color = (255, 255, 255)
    """Colour of the rim."""
    box_labels: LabelRule = "always"
    """When drawn boxes carry their label."""
    mask_labels: LabelRule = "several"
    """When regions of the mask picture carry their label."""
    label_px: float = Field(default=20.0, gt=0)
    """Height of a label's capitals."""
    label_color: Color | None = None
    """Colour of the letters; absent takes white, or black on a light tag."""
    min_scale: float = Field(default=0.75, gt=0)
    """Sizes never shrink below this share, so that small pictures stay legible."""
    mirror_color: Color = (0, 220, 90)
    """Overlay of reflective regions on the colour picture."""
    mirror_alpha: float = Field(default=0.3, ge=0, le=1)
    """Opacity of that overlay."""
    mirror_depth_color: Color = (255, 255, 255)
    """Overlay of reflective regions on the depth picture."""
    mirror_depth_alpha: float = Field(default=0.35, ge=0, le=1)
    """Opacity of that overlay."""
    mask_fill: Color = (255, 255, 255)
    """Marked regions of the mask picture."""
    mask_background: Color = (0, 0, 0)
    """The rest of the mask picture."""
    mask_gap_px: float = Field(default=2.0, ge=0)
    """Background left between regions that would touch."""
    depth_map: ColorMap = "jet"
    """Colours of depth, near to far."""
    depth_low_percentile: float = Field(default=2.0, ge=0, le=100)
    """Valid readings up to this percentile take the nearest colour."""
    depth_high_percentile: float = Field(default=98.0, ge=0, le=100)
    """Valid readings from this percentile on take the farthest colour."""
    no_reading_color: Color = (0, 0, 0)
    """Pixels without a depth reading."""

    def changes(self) -> dict[str, Any]:
        """Fields that are not as they are by default, as JSON has them."""
        return self.model_dump(mode="json", exclude_defaults=True, exclude={"schema_version"})

    def scale(self, width_px: int, height_px: int) -> float:
        """Factor from sizes in this record to pixels of a picture."""
        return max(self.min_scale, max(width_px, height_px) / REFERENCE_SIDE_PX)

    def label_shown(self, rule: LabelRule, mark_count: int) -> bool:
        """Whether labels are written when so many instances are marked."""
        return rule == "always" or (rule == "several" and mark_count > 1)

    def colors_of(self, marks: tuple[Mark, ...]) -> tuple[Color, ...]:
        """One colour a mark, by its role and its turn among those of the role."""
        palettes = {"slot": self.slot_colors, "candidate": self.candidate_colors}
        turns = {"slot": 0, "candidate": 0}
        colors = []
        for mark in marks:
            palette = palettes[mark.role]
            colors.append(palette[turns[mark.role] % len(palette)])
            turns[mark.role] += 1
        return tuple(colors)


def contrasting_color(background: Color) -> Color:
    """White, or black where the background is too light for white (ITU-R BT.601 luma)."""
    red, green, blue = background
    return (0, 0, 0) if 299 * red + 587 * green + 114 * blue > 160_000 else (255, 255, 255)
