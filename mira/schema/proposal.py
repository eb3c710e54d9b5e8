"""Records of answers before they are anybody's: what geometry proposes, and what people say."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from mira.schema.qa import Answer, Derivation, Drop, Mark, Wording
from mira.schema.record import FileRef, Record, RootRecord, UtcDatetime
from mira.schema.spatial import MarginUnit

ProposalFlag = Literal["behind_camera", "link_denied", "unseen_space"]
"""What a person should know of a proposal: `behind_camera`: a position that matters lies behind the
camera; `link_denied`: geometry says that a link it rests on is wrong; `unseen_space`: it depends on
space that the picture does not show."""


class Proposal(RootRecord):
    """The answer of one question that labels and measured depth suggest, or why they suggest none.

    It is no answer until a person, or the policy of whoever generates questions, takes it for one.
    """

    item_id: str
    """Id of the item that it would answer."""
    template_id: str
    """Row of the taxonomy."""
    image_id: str
    """The picture."""
    slots: dict[str, int] = Field(default_factory=dict)
    """Slot and instance id."""
    direction: str | None = None
    """Value of the slot DIR, where the template has one."""
    answer: Answer | None = None
    """The answer; a choice gives the taxonomy's word or a candidate's instance id, not an option's
    letter. Absent if refused."""
    refusal: str | None = None
    """Kebab-case code of why there is none; absent with an answer."""
    reason: str
    """Why, in plain words."""
    margin: float | None = Field(default=None, ge=0)
    """Distance to the nearest threshold; absent where no threshold took part."""
    margin_unit: MarginUnit | None = None
    """Unit of the margin; absent with it."""
    close_call: bool = False
    """Whether a person should decide: measurements, or a threshold, could as well be a bit off."""
    flags: tuple[ProposalFlag, ...] = ()
    """What else a person should know."""
    derivation: Derivation
    """What it rests on."""

    @model_validator(mode="after")
    def _answers_or_refuses(self) -> Self:
        if (self.answer is None) == (self.refusal is None):
            found = "both" if self.answer else "neither"
            raise ValueError(f"answer: expected it or a refusal, found {found}")
        if (self.margin is None) != (self.margin_unit is None):
            raise ValueError("margin_unit: expected it with a margin and only then")
        return self


class ImageProposals(RootRecord):
    """All that is proposed for one picture, and what it was made from."""

    image_id: str
    """The picture."""
    annotator: str
    """Whose annotation it rests on."""
    made_from: str
    """Digest of annotation, depth, camera, thresholds and program: another one, other proposals."""
    policy_sha256: str | None = None
    """Digest of the thresholds alone; absent in proposals of older programs."""
    proposals: tuple[Proposal, ...]
    """Answers and refusals, by template."""
    drops: tuple[Drop, ...] = ()
    """Questions that cannot be put."""


class OpenQuestion(Record):
    """A question that people may answer, in words, with what labels or geometry make of it."""

    item_id: str
    """Id of the item that the answer would make."""
    template_id: str
    """Row of the taxonomy."""
    image_id: str
    """The picture."""
    slots: dict[str, int] = Field(default_factory=dict)
    """Slot and instance id."""
    direction: str | None = None
    """Value of the slot DIR, where the template has one."""
    choices: tuple[str, ...] = ()
    """Words of the taxonomy to choose from, or ids of the candidates in the order of their marks;
    none where a number or three axes are asked for."""
    marks: tuple[Mark, ...] = ()
    """What it points at, candidates among them."""
    wordings: tuple[Wording, ...]
    """The sentences, one a protocol."""
    proposal: Proposal | None = None
    """What labels say or geometry suggests, or why it suggests nothing; absent where geometry was
    not asked."""
    annotator: str
    """Whose annotation it is about."""
    annotation_sha256: str
    """Digest of that annotation's content."""


class PersonAnswer(RootRecord):
    """What one person answered to one question; the newest of a person counts."""

    item_id: str
    """The item that it answers."""
    template_id: str
    """Row of the taxonomy."""
    image_id: str
    """The picture."""
    slots: dict[str, int] = Field(default_factory=dict)
    """Slot and instance id."""
    direction: str | None = None
    """Value of the slot DIR, where the template has one."""
    answer: Answer
    """The answer; a choice gives the taxonomy's word or a candidate's instance id, not an option's
    letter."""
    by: str
    """Who, as a code name."""
    at: UtcDatetime
    """When it was given, or read in, UTC."""
    note: str | None = None
    """What the person added."""
    taken_back: bool = False
    """Whether the person says so no longer; then nothing of it counts."""
    source: FileRef | None = None
    """File that it was read from; absent for answers given in the app."""
