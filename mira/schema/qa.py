"""Records of questions: what is asked of which instances, the answer, and why it is the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from mira.schema.record import Record, RootRecord, Seed, UpgradeStep, UtcDatetime, unchanged

Protocol = Literal["bbox_text", "bbox_text_desc", "visual_bbox", "visual_mask", "visual_bbox_desc"]
"""How a question points at an instance."""
Modality = Literal["rgb", "rgb_m", "rgb_d", "rgb_dm"]
"""Which pictures go with a question."""
Box = tuple[int, int, int, int]
"""x1, y1, x2, y2: whole pixels of the picture shown; x2 and y2 are just outside."""


class Mark(Record):
    """One instance that a question points at, under the name the question uses."""

    label: str
    """What is drawn or said: `X`, `Y` for slots, the option's letter for a candidate."""
    instance_id: int
    """The instance."""
    role: Literal["slot", "candidate"]
    """Whether the question or one of its options names it."""
    box_xyxy_px: Box
    """Box around the visible parts."""


class Option(Record):
    """One answer to choose from."""

    label: str
    """What a reply names: a letter, or `yes`, `no`, `not sure`."""
    value: str
    """What it means: an instance id, or the taxonomy's word."""


class YesNoAnswer(Record):
    """Yes or no."""

    format: Literal["yes_no"] = "yes_no"
    value: Literal["yes", "no"]
    """The right word."""


class ChoiceAnswer(Record):
    """The label of the one right option."""

    format: Literal["single_choice"] = "single_choice"
    value: str
    """Label of the option."""


class AxesAnswer(Record):
    """One word an axis, camera frame."""

    format: Literal["spatial_3d_axes"] = "spatial_3d_axes"
    horizontal: Literal["left", "aligned", "right"]
    vertical: Literal["above", "aligned", "below"]
    depth: Literal["front", "same_depth", "behind"]


class CountAnswer(Record):
    """A number of objects."""

    format: Literal["count"] = "count"
    value: int = Field(ge=0)


class ChoiceTextAnswer(Record):
    """The label of the right option and the words it asks for."""

    format: Literal["single_choice_plus_text"] = "single_choice_plus_text"
    value: str
    """Label of the option."""
    text: str | None = None
    """What the mirror adds, in words."""


Answer = Annotated[
    YesNoAnswer | ChoiceAnswer | AxesAnswer | CountAnswer | ChoiceTextAnswer,
    Field(discriminator="format"),
]
"""An answer, typed by its format."""


class Wording(Record):
    """The question in one referring protocol."""

    protocol: Protocol
    """The protocol; `visual_mask` shows a mask picture, `visual_*` a drawn box."""
    question: str
    """The sentence asked, without options."""
    option_texts: tuple[str, ...] = ()
    """Texts of the options in their order, without labels."""


class Derivation(Record):
    """Why the answer is the answer, so that it can be computed again."""

    rule: str
    """Name of the rule that was applied."""
    annotator: str
    """Whose annotation it rests on."""
    annotation_sha256: str
    """Digest of that annotation's content."""
    instance_ids: tuple[int, ...] = ()
    """Instances of the object asked about, real ones first."""
    surface_ids: tuple[int, ...] = ()
    """Surfaces that took part."""
    links: tuple[tuple[int, int], ...] = ()
    """Reflected and real instance of each link used."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Thresholds and measures, where the rule has any."""


class ItemEdit(Record):
    """What is corrected in an item; what is absent stays as it is."""

    wordings: tuple[Wording, ...] | None = None
    """The sentences, one a protocol."""
    options: tuple[Option, ...] | None = None
    """Answers to choose from, in the order shown."""
    answer: Answer | None = None
    """The right answer."""

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if self.wordings is None and self.options is None and self.answer is None:
            raise ValueError("wordings: expected it, options or an answer, found none of them")
        return self


class QAItem(RootRecord):
    """One question about one picture, in every protocol it can be asked in."""

    item_id: str
    """Hash of template, picture and slots: unrelated edits leave it as it is."""
    template_id: str
    """Row of the taxonomy."""
    image_id: str
    """The picture."""
    scene_id: str
    """Its scene."""
    direction: str | None = None
    """Value of the slot DIR, where the template has one."""
    marks: tuple[Mark, ...]
    """Slots first, then candidates in the order of the options."""
    options: tuple[Option, ...] = ()
    """Answers to choose from, in the order shown."""
    answer: Answer
    """The right one."""
    joint_group: str | None = None
    """Shared by questions that count only when all are right."""
    wordings: tuple[Wording, ...]
    """One a protocol."""
    derivation: Derivation
    """Why the answer holds."""
    margin: float | None = None
    """Distance to the nearest threshold, in the rule's unit; absent for rules without one."""
    source: Literal["auto", "annotator", "simulated"] = "auto"
    """Who gave the answer."""
    review: Literal["unreviewed", "accepted", "rejected"] = "unreviewed"
    """Where the review of people stands."""
    original: ItemEdit | None = None
    """What it said before reviewers corrected it; absent where they did not."""


Verdict = Literal["accepted", "rejected"]
"""What somebody thinks of an item: whether it may go out."""
ReviewDoubt = Literal["wording", "answer", "options", "several_right"]
"""What can be wrong with an item: its sentence, its answer, options that nobody would choose, or
more than one that is right."""


class ReviewEvent(RootRecord):
    """One reviewer's judgement of an item; the history of an item is all of them."""

    item_id: str
    """The item."""
    reviewer: str
    """Who, as a code name."""
    at: UtcDatetime
    """When, UTC."""
    verdict: Verdict
    """What the reviewer thinks of the item, with the edit if there is one."""
    edit: ItemEdit | None = None
    """What has to change for the verdict to hold."""
    reason: str | None = None
    """Why, in words; absent where the reviewer gave none."""
    doubts: tuple[ReviewDoubt, ...] = ()
    """What is wrong with it."""
    role: Literal["reviewer", "adjudicator"] = "reviewer"
    """An adjudicator settles what reviewers disagree about."""
    item_sha8: str | None = None
    """Digest of what was reviewed, see `mira.reviews`; absent where it is not known, and then it
    counts for whatever the item says."""


class Drop(Record):
    """An item that was not made, and why."""

    template_id: str
    """Template it would have had."""
    image_id: str
    """Picture it would have been about."""
    instance_ids: tuple[int, ...]
    """Instances it would have asked about."""
    reason: str
    """Kebab-case code of the reason."""
    protocol: Protocol | None = None
    """The one protocol that was left out; absent when the whole item was."""


class QAPolicy(RootRecord):
    """Bounds of question generation."""

    CURRENT_VERSION: ClassVar[int] = 2
    UPGRADES: ClassVar[Mapping[int, UpgradeStep]] = {1: unchanged}

    min_box_side_px: int = Field(default=4, ge=1)
    """Smallest side of a box that a person still sees."""
    max_box_iou: float = Field(default=0.9, gt=0, le=1)
    """Boxes of two instances that overlap more cannot be told apart by a box."""
    max_distractors: int = Field(default=3, ge=1, le=25)
    """Wrong candidates beside the right one in correspondence questions."""
    actions_shown: int = Field(default=6, ge=2, le=10)
    """Actions to choose from, the right one among them: six make the paper's chance of 1/6."""
    added_shown: int = Field(default=4, ge=3, le=5)
    """Options of attribute completion, `not_sure` always among them: four make 25 %."""
    close_calls: Literal["leave", "take"] = "leave"
    """Whether a proposal that is a close call counts where no person has answered."""
    most_a_template: int | None = Field(default=12, ge=1)
    """Questions of a spatial or decision template about one picture; None for all there are."""
    max_gold_share: float | None = Field(default=None, gt=0, le=1)
    """Most share of a template's items that may have the same gold; None leaves all."""
    target_size: dict[str, int] | None = None
    """Questions of each sub-task; sub-tasks that are not named get none. None leaves all."""
    paraphrases: int = Field(default=1, ge=1)
    """How many of a template's texts are used; 1 for the standard one alone."""
    seed: Seed = 0
    """Changes which distractors, referents and option orders are picked."""


class QASummary(RootRecord):
    """What one run of the generator made."""

    CURRENT_VERSION: ClassVar[int] = 2
    UPGRADES: ClassVar[Mapping[int, UpgradeStep]] = {1: unchanged}

    policy: QAPolicy
    """Bounds it ran with."""
    items: int
    """Items written."""
    questions: int
    """Items times protocols."""
    by_template: dict[str, int]
    """Items a template."""
    drops: dict[str, int]
    """Dropped items and wordings a reason."""
    pictures_left_out: dict[str, int] = Field(default_factory=dict)
    """Pictures without questions a reason."""
    not_proposed: int = 0
    """Pictures without proposals and people's answers: asked about perception alone."""
    by_source: dict[str, int] = Field(default_factory=dict)
    """Items by who gave the answer."""
    gold_words: dict[str, dict[str, int]] = Field(default_factory=dict)
    """For each template, how often each word is right, whatever its place among the options."""
    gold_positions: dict[str, dict[str, int]]
    """For each template, how often each label is right."""
