"""One entry of a published `questions.json`, and what an item keeps of its entries."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, JsonValue, StrictBool, StrictStr

from mira.schema.qa import Answer, Option, Wording
from mira.schema.record import Record


class PublishedQuestion(Record):
    """One entry: an item asked in one referring style.

    Files of others have keys of their own and lack some of these; what is read is written again,
    key by key, and a key that was absent stays absent.
    """

    model_config = ConfigDict(extra="allow")

    question_id: StrictStr
    """The entry; published tools join the three questions of visibility by it."""
    original_question_id: StrictStr | None = None
    """The item: the same in every referring style."""
    image_name: StrictStr
    """File of the picture in each folder of `images/`; readers try other endings too."""
    category: StrictStr | None = None
    """`perception`, `reasoning` or `action`."""
    subcategory: StrictStr | None = None
    """The sub-task, in the published words."""
    template_id: StrictStr
    """The template, `mr_002` included."""
    question_type: StrictStr
    """The answer format."""
    referring_style: StrictStr | None = None
    """How it points at objects."""
    requires_mirror_reasoning: StrictBool | None = None
    """Whether a reflection has to be understood."""
    requires_depth: StrictBool | None = None
    """Whether a distance along the view decides."""
    question: StrictStr
    """The sentence; where options point at objects, with the options below it."""
    choices: JsonValue = None
    """A list of the answers to choose from; empty or absent for counts."""
    answer: JsonValue
    """The right one: text that is one of the choices, or a number in words of digits."""
    target_objects: tuple[JsonValue, ...] | None = None
    """Ids of the instances asked about."""
    related_objects: tuple[JsonValue, ...] | None = None
    """Ids of the other instances that the question or its options name."""
    slot_values: dict[StrictStr, JsonValue] | None = None
    """Slots of the template with their values."""
    rgb_bbox_path: StrictStr | None = None
    """RGB with drawn boxes."""
    depth_bbox_path: StrictStr | None = None
    """Depth in colours with drawn boxes."""
    rgbm_bbox_path: StrictStr | None = None
    """RGB with mirrors overlaid and drawn boxes."""
    depthm_bbox_path: StrictStr | None = None
    """Depth with mirrors overlaid and drawn boxes."""
    mask_path: StrictStr | None = None
    """White regions of the objects on black."""

    def plain(self) -> dict[str, Any]:
        """The entry as it stands in the file: own keys first, then those of others."""
        return self.model_dump(mode="json", exclude_unset=True)


class PublishedSlot(Record):
    """A slot of a published question."""

    name: str
    """Name of the slot, such as `X`."""
    object_id: str
    """The object, as the file names it."""
    instance_id: int | None = None
    """The number in that name; absent where there is none."""


class PublishedItem(Record):
    """An item as far as published entries carry it: no boxes, and no derivation."""

    item_id: str
    """`original_question_id` of its entries."""
    template_id: str
    """The template; may be one that is reserved."""
    image_id: str
    """Name of the picture without its ending."""
    direction: str | None = None
    """Value of the slot DIR, as the taxonomy has it."""
    slots: tuple[PublishedSlot, ...] = ()
    """Objects asked about, in the order of the file."""
    options: tuple[Option, ...] = ()
    """Answers to choose from; an option that is an object has its id as the value."""
    answer: Answer
    """The right one, in the taxonomy's words."""
    joint_group: str | None = None
    """Shared by the questions of visibility that count together."""
    wordings: tuple[Wording, ...]
    """One a referring protocol."""
