"""What was done to annotation files: the truth that an audit's findings are compared with."""

from __future__ import annotations

from typing import Literal

from mira.schema.record import Record, RootRecord, Seed
from mira.sim.perturb.policy import AnnotatorNoise

Role = Literal["surface", "direct", "reflected"]
Change = Literal[
    "moved",
    "missed",
    "invented",
    "wrong_link",
    "dropped_link",
    "target_missed",
    "wrong_visibility",
    "wrong_surface_type",
    "hole_forgotten",
]
"""`target_missed`: a reflection whose link went because what it named was missed."""


class InstancePerturbation(Record):
    """One surface or instance: as it was, and as it is in the perturbed file."""

    source_id: int | None
    """Its `group_id` in the source; for an invented one, that of what it is a copy of."""
    output_id: int | None
    """Its `group_id` in the perturbed file; absent where it was missed, or never had one."""
    source_shapes: tuple[int, ...]
    """Positions of its parts and holes in the source's `shapes`; none for an invented one."""
    changes: tuple[Change, ...] = ()
    """Errors made; none where it is as it was."""
    role: Role
    """What it is in truth; for an invented one, what it is drawn as."""
    label: str | None = None
    """Its label in the perturbed file; absent where it was missed."""
    shift_rms_px: float | None = None
    """Root of the mean squared distance its vertices were moved; absent where it was missed."""
    iou: float | None = None
    """Agreement of its regions before and after; absent for missed, invented and odd shapes."""
    link_before: int | None = None
    """Id it was said to be a reflection of."""
    link_after: int | None = None
    """Id it is said to be a reflection of now."""
    surface_type_before: str | None = None
    """Type of a surface whose type was changed."""
    surface_type_after: str | None = None
    """The type it has now."""
    holes_forgotten: int = 0
    """Number of its holes that are gone."""


class FilePerturbation(RootRecord):
    """One line of `perturbation.jsonl`: all that was done to one file."""

    path: str
    """The file, below the source and below the output alike."""
    seed: Seed
    """Seed of the run."""
    annotator: str
    """Code name of the simulated annotator; another name makes other errors."""
    noise: AnnotatorNoise
    """Rates of the run."""
    instances: tuple[InstancePerturbation, ...]
    """Every surface and instance, the invented ones last."""
