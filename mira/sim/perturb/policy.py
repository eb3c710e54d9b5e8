"""How a simulated annotator errs."""

from __future__ import annotations

from pydantic import Field

from mira.schema.record import Record


class AnnotatorNoise(Record):
    """Rates and sizes of errors; by default there are none.

    Shares are probabilities, drawn for each instance (or link, surface, hole) by itself.
    """

    vertex_px: float = Field(default=0.0, ge=0, le=1000)
    """Standard deviation of a vertex's shift, along x and along y."""
    wobble_px: float = Field(default=25.0, gt=0)
    """Length along an outline over which shifts are alike: a hand wobbles, it does not zigzag."""
    miss_share: float = Field(default=0.0, ge=0, le=1)
    """Instances that are not drawn; see `small_bias`."""
    small_bias: float = Field(default=0.5, ge=0, le=2)
    """How much likelier small instances are missed: as their area to the power of minus this."""
    extra_share: float = Field(default=0.0, ge=0, le=1)
    """Instances of which a copy is drawn where there is nothing of the kind."""
    wrong_link_share: float = Field(default=0.0, ge=0, le=1)
    """Linked reflections that are linked to another direct object."""
    dropped_link_share: float = Field(default=0.0, ge=0, le=1)
    """Linked reflections that lose their link, their counterpart being left unset."""
    wrong_visibility_share: float = Field(default=0.0, ge=0, le=1)
    """Instances drawn as reflections though seen directly, or the other way round."""
    wrong_surface_type_share: float = Field(default=0.0, ge=0, le=1)
    """Surfaces whose type is another."""
    forgotten_hole_share: float = Field(default=0.0, ge=0, le=1)
    """Holes that are not drawn."""

    @property
    def errs(self) -> bool:
        """Whether it makes any error at all."""
        chances = self.model_dump(exclude={"wobble_px", "small_bias"})
        return any(value > 0 for value in chances.values())
