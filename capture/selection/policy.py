"""Every bound by which a view is kept, looked at or dropped."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from mira.schema.record import Record


class Floor(Record):
    """A number that a view should reach."""

    look_below: float = Field(ge=0)
    """A person decides on views with less."""
    drop_below: float = Field(ge=0)
    """Views with less are dropped."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.drop_below > self.look_below:
            raise ValueError(
                f"drop_below: expected at most look_below, found {self.drop_below:g} and "
                f"{self.look_below:g}"
            )
        return self


class Ceiling(Record):
    """A number that a view should not pass."""

    look_above: float = Field(ge=0)
    """A person decides on views with more."""
    drop_above: float = Field(ge=0)
    """Views with more are dropped."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.drop_above < self.look_above:
            raise ValueError(
                f"drop_above: expected at least look_above, found {self.drop_above:g} and "
                f"{self.look_above:g}"
            )
        return self


class SurfacePolicy(Record):
    """Whether the reflective surface can be told from the rest and read."""

    share_floor: Floor = Floor(look_below=0.02, drop_below=0.005)
    """Share of the picture that is reflective, at least."""
    share_ceiling: Ceiling = Ceiling(look_above=0.65, drop_above=0.85)
    """The same, at most: where all is reflection nobody can tell the mirror."""
    rim_ceiling: Ceiling = Ceiling(look_above=0.7, drop_above=0.9)
    """Share of the picture's rim that is reflective: what is left shows where a surface ends."""
    sides_ceiling: Ceiling = Ceiling(look_above=3, drop_above=4)
    """Sides of the picture that the surface runs out of."""
    width_floor: Floor = Floor(look_below=0.08, drop_below=0.04)
    """Diameter of the largest circle in a surface, as a share of the picture's shorter side."""
    rim_width: float = Field(default=0.02, gt=0, le=0.5)
    """Width of the rim, as a share of the picture's shorter side."""
    side_touched: float = Field(default=0.1, gt=0, le=1)
    """A side is touched where so much of its rim is reflective."""


class ObjectPolicy(Record):
    """Whether there is enough to ask about."""

    direct_floor: Floor = Floor(look_below=3, drop_below=2)
    """Annotated instances that are seen directly; a relation takes two."""
    reflected_floor: Floor = Floor(look_below=3, drop_below=2)
    """Annotated instances that are seen in a surface."""
    likely_direct_cells: int = Field(default=35, ge=1)
    """Cells of the grid with corners, outside surfaces, from which enough objects are likely."""
    likely_reflected_cells: int = Field(default=35, ge=1)
    """The same inside surfaces."""
    grid_side: int = Field(default=640, ge=64, le=4096)
    """Pixels of the longer side to which a picture is reduced before corners are sought."""
    cell_px: int = Field(default=16, ge=4)
    """Side of a cell in that picture."""
    least_corner: float = Field(default=0.003, gt=0)
    """Smallest eigenvalue of the gradients' 3 x 3 structure tensor that makes a corner."""


class ReflectionPolicy(Record):
    """Whether views show different reflections, by bits that differ between fingerprints."""

    distance_floor: Floor = Floor(look_below=12, drop_below=9)
    """From a better view of the same scene."""
    across_scenes: int = Field(default=6, ge=0, le=64)
    """Views of two scenes that differ by at most so much may be of one scene."""
    least_shared_colours: float = Field(default=0.6, ge=0, le=1)
    """A view whose surfaces share less of their colours with each other view of its scene may be
    of another scene."""
    least_share: float = Field(default=0.2, ge=0, le=1)
    """Surfaces smaller than this share of the view's largest are not compared."""
    least_contrast: float = Field(default=3.0, ge=0)
    """Standard deviation in grey levels below which a surface shows nothing to compare."""


class QualityPolicy(Record):
    """Whether the pictures are sharp, well exposed and measured."""

    sharpness_floor: Floor = Floor(look_below=40, drop_below=8)
    """Variance of the grey picture's Laplacian."""
    scene_sharpness_floor: Floor = Floor(look_below=0.4, drop_below=0)
    """The same, as a share of that of the sharpest view of the scene."""
    dark_ceiling: Ceiling = Ceiling(look_above=0.5, drop_above=0.9)
    """Share of pixels that are all but black; pictures taken at night are meant to pass."""
    bright_ceiling: Ceiling = Ceiling(look_above=0.25, drop_above=0.6)
    """Share of pixels that are all but white."""
    depth_floor: Floor = Floor(look_below=0.3, drop_below=0.1)
    """Share of pixels with a depth reading."""
    surface_depth_floor: Floor = Floor(look_below=0, drop_below=0)
    """The same inside surfaces; no reading there is what a camera sees, and no fault."""


class SelectionPolicy(Record):
    """All bounds of a selection; stored with its result."""

    surface: SurfacePolicy = SurfacePolicy()
    """First criterion."""
    objects: ObjectPolicy = ObjectPolicy()
    """Second criterion."""
    reflections: ReflectionPolicy = ReflectionPolicy()
    """Third criterion."""
    quality: QualityPolicy = QualityPolicy()
    """Sharpness, exposure, depth."""
