"""Records of the audit's ledger: every event of every batch, from which all states follow."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from mira.schema.audit import Agreement, AuditPolicy, AuditRow, BatchState, BatchStep
from mira.schema.record import Record, RootRecord, Seed, UtcDatetime

AuditEventKind = Literal["planned", "packaged", "handed", "submitted", "scored", "decided"]
"""`planned`: a batch begins; `packaged`: a folder was written for who acts next; `handed`: somebody
else acts next; `submitted`: drawings came in; `scored`: a sample was compared; `decided`: the batch
moved by a report, or after joint work."""

_DETAILS = {
    "planned": ("plan", "step"),
    "packaged": ("package_sha256",),
    "handed": ("people",),
    "submitted": ("drawings",),
    "scored": ("score",),
    "decided": ("step",),
}
"""What each kind of event must have."""
_OPTIONAL = {"planned": ("hidden",), "submitted": ("step", "hidden"), "decided": ("hidden",)}
"""What else it may have."""


class Roster(Record):
    """Who draws a batch when, as code names."""

    annotator: str
    """Draws the whole batch first."""
    auditor: str
    """Draws a sample of it, blind."""
    third: str
    """Draws the whole batch if the first sample fails."""
    reauditor: str
    """Draws a sample of the third annotator's work."""

    @model_validator(mode="after")
    def _independent(self) -> Self:
        barred = {
            "auditor": (self.annotator,),
            "third": (self.annotator, self.auditor),
            "reauditor": (self.annotator, self.third),
        }
        for role, others in barred.items():
            if (found := getattr(self, role)) in others:
                wanted = " and ".join(others)
                raise ValueError(f"{role}: expected somebody other than {wanted}, found {found}")
        return self


class BatchPlan(Record):
    """What a batch begins with."""

    image_ids: tuple[str, ...] = Field(min_length=1)
    """The images, in the order they were drawn in."""
    policy: AuditPolicy
    """Bounds that the batch is held to."""
    roster: Roster
    """Who draws it."""
    seed: Seed
    """Seed that all samples of the batch derive from."""
    gold_annotator: str | None = None
    """Whose annotations are known to be right; absent without hidden images."""


class Drawing(Record):
    """One person's drawing of one image, as the workspace holds it."""

    image_id: str
    """The image."""
    annotator: str
    """Name that it is stored under: the person's, with an ending where they draw it again."""
    revision: int = Field(ge=1)
    """Its revision."""
    digest: str
    """SHA-256 of what it says, whatever its revision."""
    file_sha256: str
    """SHA-256 of the file it was read from."""


class GoldScore(Record):
    """How one person's drawings agree with the known answers hidden among their images."""

    person: str
    """Who drew."""
    state: BatchState
    """The state of the batch in which they drew."""
    n_images: int = Field(gt=0)
    """Hidden images that were compared."""
    mean_iou: float | None = Field(ge=0, le=1)
    """Absent when neither drew anything."""


class RoundScore(Record):
    """What a comparison came to; the report has the rest."""

    round: Literal[1, 2]
    """1 for the first audit, 2 for the one after reassignment."""
    mean_iou: float | None = Field(ge=0, le=1)
    """What the verdict rests on."""
    verdict: Literal["passed", "failed"]
    """Whether it reaches the policy's bound."""
    report_sha256: str
    """Digest of the report's file."""
    gold: tuple[GoldScore, ...] = ()
    """Apart from the sample: the known answers hidden so far in this round."""


class GoldReport(RootRecord):
    """What comparing one person's drawings of hidden images with the known answers found."""

    batch_id: str
    """Batch whose package hid them."""
    score: GoldScore
    """Who drew, when, and the mean."""
    gold_annotator: str
    """Whose annotations are known to be right."""
    image_ids: tuple[str, ...] = Field(min_length=1)
    """Images compared."""
    rows: tuple[AuditRow, ...]
    """Per image, role and label; `annotator` is the known answer, `auditor` the person."""
    agreements: tuple[Agreement, ...] = ()
    """Choices beside shapes."""


class AuditEvent(RootRecord):
    """One line of `audit/ledger.jsonl`."""

    at: UtcDatetime
    """When, UTC."""
    event: AuditEventKind
    """What happened."""
    batch_id: str
    """To which batch."""
    state: BatchState
    """The state it was in; for a plan and a decision, the one it came to."""
    by: str | None = None
    """Who drew, or for whom a package was written; absent where no person is named."""
    step: BatchStep | None = None
    """The state that the batch came to by this event."""
    hidden: tuple[str, ...] = ()
    """Images with a known answer that are mixed into the packages of that state."""
    plan: BatchPlan | None = None
    """What a batch begins with."""
    people: tuple[str, ...] = ()
    """Who has to act from now on."""
    package_sha256: str | None = None
    """Digest of a package's manifest, which has those of its pictures."""
    drawings: tuple[Drawing, ...] = ()
    """What came in."""
    score: RoundScore | None = None
    """What a comparison came to."""

    @model_validator(mode="after")
    def _detailed(self) -> Self:
        needed = _DETAILS[self.event]
        allowed = {*needed, *_OPTIONAL.get(self.event, ())}
        for name in ("step", "hidden", "plan", "people", "package_sha256", "drawings", "score"):
            given = getattr(self, name) not in (None, ())
            if given and name not in allowed:
                raise ValueError(f"{name}: expected none for {self.event!r}, found one")
            if not given and name in needed:
                raise ValueError(f"{name}: expected one for {self.event!r}, found none")
        return self
