"""What an item keeps of its entries in a published file."""

from __future__ import annotations

from mira.schema.qa import Answer, Option, Wording
from mira.schema.record import Record


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
