"""Records of the audit: a batch on its way to acceptance, and what a comparison found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from mira.schema.evaluation import Interval
from mira.schema.record import Record, RootRecord, Seed, UpgradeStep, UtcDatetime, unchanged

BatchState = Literal[
    "annotating", "auditing", "reannotating", "reauditing", "adjudicating", "accepted"
]
"""`annotating`: the first annotator draws all; `auditing`: a second draws a sample, blind;
`reannotating`: a third draws all from scratch; `reauditing`: somebody draws a new sample, blind;
`adjudicating`: people decide together; `accepted`: finished."""

NEXT_STATES: Mapping[BatchState, tuple[BatchState, ...]] = {
    "annotating": ("auditing",),
    "auditing": ("accepted", "reannotating"),
    "reannotating": ("reauditing",),
    "reauditing": ("accepted", "adjudicating"),
    "adjudicating": ("accepted",),
    "accepted": (),
}
"""States that may follow each state; a batch starts with the first and is reassigned once."""

_ROUNDING = 1e-9
"""Sums of IoUs in another order differ by less."""


class AuditPolicy(RootRecord):
    """Bounds of the audit, by default those of the MIRA paper (3.2)."""

    CURRENT_VERSION: ClassVar[int] = 2
    UPGRADES: ClassVar[Mapping[int, UpgradeStep]] = {1: unchanged}

    batch_size: int = Field(default=100, gt=0)
    """Images a batch; the last one may have fewer."""
    sample_fraction: float = Field(default=0.2, gt=0, le=1)
    """Share of a batch that is drawn again, rounded up to whole images."""
    min_mean_iou: float = Field(default=0.85, ge=0, le=1)
    """A batch of exactly this mean IoU passes."""
    iou_method: Literal["polygon", "pixel"] = "polygon"
    """Areas of polygons, or counts of pixels."""
    boundary_fraction: float = Field(default=0.02, gt=0, le=1)
    """Width of the band that boundary IoU compares, as a share of the picture's diagonal."""
    honeypots: int = Field(default=0, ge=0)
    """Images with a known answer that are hidden in each package; never part of a sample."""
    copied_ring_points: int = Field(default=5, ge=3)
    """A ring of so many points that equals one drawn earlier was copied, not drawn."""
    max_copied_fraction: float = Field(default=0.5, ge=0, le=1)
    """Of a file whose equal rings have fewer points, more than this share is no coincidence."""
    links: Literal["attributes", "shared-gid"] = "attributes"
    """How the annotators write links; see `mira annotate import`."""
    categories: tuple[str, ...] = ()
    """Kinds of object with labels of their own; without any, objects are `object`."""

    def passes(self, mean_iou: float | None) -> bool:
        """Whether a mean IoU reaches the bound; so does a sample on which neither drew."""
        return mean_iou is None or mean_iou >= self.min_mean_iou - _ROUNDING

    def sample_size(self, n_images: int) -> int:
        """Images to draw again from a batch of so many, by the fraction as it is written."""
        return math.ceil(Fraction(str(self.sample_fraction)) * n_images)


class BatchStep(Record):
    """One state that a batch came to."""

    state: BatchState
    """The state."""
    at: UtcDatetime
    """When it came to it, UTC."""
    people: tuple[str, ...] = ()
    """Who has to act now, as code names; nobody once it is accepted."""
    seed: Seed | None = None
    """Seed that drew the sample; absent in states without one."""
    sample: tuple[str, ...] = ()
    """Images to draw again; empty in states without a sample."""

    @model_validator(mode="after")
    def _fits_state(self) -> Self:
        samples = self.state in ("auditing", "reauditing")
        if samples != (self.seed is not None):
            wanted = "a number" if samples else "none"
            raise ValueError(f"seed: expected {wanted} while {self.state}, found {self.seed}")
        if samples != bool(self.sample):
            wanted = "images" if samples else "none"
            found = f"found {len(self.sample)}"
            raise ValueError(f"sample: expected {wanted} while {self.state}, {found}")
        n = len(self.people)
        wanted = {"adjudicating": "somebody", "accepted": "nobody"}.get(self.state, "one person")
        if not {"somebody": n > 0, "nobody": n == 0, "one person": n == 1}[wanted]:
            found = ", ".join(self.people) or "nobody"
            raise ValueError(f"people: expected {wanted} while {self.state}, found {found}")
        return self


class Batch(RootRecord):
    """Images that are annotated and decided on together, with all that became of them."""

    CURRENT_VERSION: ClassVar[int] = 2
    UPGRADES: ClassVar[Mapping[int, UpgradeStep]] = {1: unchanged}

    batch_id: str
    """Stable id."""
    image_ids: tuple[str, ...] = Field(min_length=1)
    """The images, each once."""
    policy: AuditPolicy = AuditPolicy()
    """Bounds that the batch is held to."""
    steps: tuple[BatchStep, ...] = Field(min_length=1)
    """Its states up to now, in order."""

    @property
    def state(self) -> BatchState:
        """The state it is in."""
        return self.steps[-1].state

    @property
    def annotator(self) -> str:
        """Who drew the batch as it counts now: the third annotator once it was reassigned."""
        drawn = [step for step in self.steps if step.state in ("annotating", "reannotating")]
        return drawn[-1].people[0]

    @model_validator(mode="after")
    def _lawful(self) -> Self:
        if len(set(self.image_ids)) < len(self.image_ids):
            raise ValueError("image_ids: expected each image once, found one again")
        if len(self.image_ids) > self.policy.batch_size:
            found = f"found {len(self.image_ids)}"
            raise ValueError(f"image_ids: expected at most {self.policy.batch_size}, {found}")
        allowed: tuple[BatchState, ...] = ("annotating",)
        for i, step in enumerate(self.steps):
            if step.state not in allowed:
                wanted = " or ".join(allowed) or "nothing more"
                raise ValueError(f"steps.{i}.state: expected {wanted}, found {step.state}")
            allowed = NEXT_STATES[step.state]
            self._require_blind(i)
            self._require_sample(i)
        return self

    def _require_blind(self, i: int) -> None:
        """A sample's annotator drew no whole batch, and the third annotator saw none of it."""
        step = self.steps[i]
        barred: set[str] = set()
        for earlier in self.steps[:i]:
            if step.state == "reannotating" or (step.sample and not earlier.sample):
                barred.update(earlier.people)
        if barred.intersection(step.people):
            raise ValueError(
                f"steps.{i}.people: expected somebody other than {', '.join(sorted(barred))}, "
                f"found {step.people[0]}"
            )

    def _require_sample(self, i: int) -> None:
        sample = self.steps[i].sample
        size = self.policy.sample_size(len(self.image_ids))
        inside = set(sample).intersection(self.image_ids)
        if sample and not len(sample) == len(inside) == size:
            raise ValueError(
                f"steps.{i}.sample: expected {size} images of the batch, each once, "
                f"found {len(inside)} in {len(sample)}"
            )


class AuditRow(Record):
    """How two annotations of one image agree on the shapes of one role and label."""

    image_id: str
    """The image."""
    role: Literal["surface", "instance"]
    """Kind of shape."""
    label: str
    """Type of the surfaces, visibility of the instances; `unset` where nobody chose."""
    n_matched: int = Field(ge=0)
    """Pairs of a shape of either annotation."""
    n_only_annotator: int = Field(default=0, ge=0)
    """Shapes of the audited annotation without a partner."""
    n_only_auditor: int = Field(default=0, ge=0)
    """Shapes of the blind annotation without a partner."""
    mean_iou: float = Field(ge=0, le=1)
    """Over pairs and shapes without a partner, which count 0."""
    mean_boundary_iou: float | None = Field(default=None, ge=0, le=1)
    """The same of the shapes' boundaries; absent where it was not computed."""

    @property
    def n_shapes(self) -> int:
        """Pairs and shapes without a partner: what the means are over."""
        return self.n_matched + self.n_only_annotator + self.n_only_auditor

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if not self.n_shapes:
            raise ValueError("n_matched: expected a shape in either annotation, found none")
        for name in ("mean_iou", "mean_boundary_iou"):
            value, most = getattr(self, name), self.n_matched / self.n_shapes
            if value is not None and value > most + _ROUNDING:
                raise ValueError(
                    f"{name}: expected at most {most:g} with {self.n_matched} of "
                    f"{self.n_shapes} matched, found {value:g}"
                )
        return self


class Agreement(Record):
    """How often two annotators chose the same."""

    name: Literal["correspondence", "visibility", "surface_type", "spatial_label"]
    """What they chose."""
    n: int = Field(ge=0)
    """Choices that both made."""
    n_agreed: int = Field(ge=0)
    """Those that are the same."""
    interval: Interval | None = None
    """Interval of the share that agrees."""
    kappa: float | None = Field(default=None, ge=-1, le=1)
    """Cohen's kappa; absent where chance alone would agree on all, or there is no choice."""
    kappa_interval: Interval | None = None
    """Interval of kappa."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.n_agreed > self.n:
            raise ValueError(f"n_agreed: expected at most n = {self.n}, found {self.n_agreed}")
        return self


class AuditReport(RootRecord):
    """What comparing one sample of a batch found."""

    CURRENT_VERSION: ClassVar[int] = 2
    UPGRADES: ClassVar[Mapping[int, UpgradeStep]] = {1: unchanged}

    batch_id: str
    """The batch."""
    round: Literal[1, 2]
    """1 for the first audit, 2 for the one after reassignment."""
    annotator: str
    """Who drew the batch."""
    auditor: str
    """Who drew the sample, blind."""
    policy: AuditPolicy
    """Bounds and the kind of IoU that were used."""
    sample: tuple[str, ...] = Field(min_length=1)
    """Images compared; one that neither drew on has no row."""
    rows: tuple[AuditRow, ...]
    """Per image, role and label."""
    mean_iou: float | None = Field(ge=0, le=1)
    """What the verdict rests on; absent when neither drew anything."""
    agreements: tuple[Agreement, ...] = ()
    """Choices beside shapes."""
    verdict: Literal["passed", "failed"]
    """Whether the mean IoU reaches the policy's bound."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.auditor == self.annotator:
            raise ValueError(
                f"auditor: expected somebody other than the annotator, found {self.auditor}"
            )
        strangers = {row.image_id for row in self.rows} - set(self.sample)
        if strangers:
            raise ValueError(f"rows: expected images of the sample, found {min(strangers)}")
        keys = {(row.image_id, row.role, row.label) for row in self.rows}
        if len(keys) < len(self.rows):
            raise ValueError("rows: expected one per image, role and label, found one again")
        self._require_verdict()
        return self

    def _require_verdict(self) -> None:
        if self.mean_iou is None:
            if self.rows:
                raise ValueError("mean_iou: expected a number with shapes to compare, found none")
            return
        above = self.mean_iou - self.policy.min_mean_iou
        wanted = "passed" if above >= 0 else "failed"
        if self.verdict != wanted and abs(above) > _ROUNDING:
            raise ValueError(
                f"verdict: expected {wanted} with a mean IoU of {self.mean_iou:g}, "
                f"found {self.verdict}"
            )
