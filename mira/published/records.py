"""One entry of a published `questions.json`."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, JsonValue, StrictBool, StrictStr

from mira.schema.record import Record

QUESTIONS_NAME = "questions.json"
"""The file."""


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
