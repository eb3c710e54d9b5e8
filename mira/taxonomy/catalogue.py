"""Lookup in `taxonomy.yaml`."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal, TypeVar

import yaml

from mira.schema.qa import Modality, Protocol
from mira.schema.record import Record

AnswerFormat = Literal[
    "yes_no", "single_choice", "spatial_3d_axes", "count", "single_choice_plus_text"
]
SlotVisibility = Literal["direct", "reflected", "any"]


class Level(Record):
    """A cognitive level."""

    id: str
    name: str


class Subtask(Record):
    """A sub-task of a level, one row of the score table."""

    id: str
    level: str
    name: str
    joint: bool = False
    """Whether an answer counts only with the others of its joint group."""


class TaskTemplate(Record):
    """One kind of question."""

    id: str
    subtask: str
    slots: dict[str, SlotVisibility]
    """Slot name and the visibility of the instances that may fill it."""
    format: AnswerFormat
    options: str | None = None
    """Name of an option set, or of the candidates that are the options."""
    directions: str | None = None
    """Name of the list that the slot DIR takes its value from."""


class ProtocolInfo(Record):
    """A way of pointing at an instance."""

    id: Protocol
    name: str
    drawn_box: bool
    """Boxes are drawn on the pictures."""
    mask_picture: bool
    """A picture of the masks goes with the question."""
    coordinates: bool
    """The box is given in words."""
    description: bool
    """The object is described in words."""


class ModalityInfo(Record):
    """A set of pictures that goes with a question."""

    id: Modality
    name: str
    depth: bool
    """A depth picture is shown."""
    mirror: bool
    """Reflective regions are overlaid."""


class Taxonomy(Record):
    """The whole catalogue."""

    levels: tuple[Level, ...]
    subtasks: tuple[Subtask, ...]
    option_sets: dict[str, tuple[str, ...] | dict[str, tuple[str, ...]]]
    directions: dict[str, tuple[str, ...]]
    templates: tuple[TaskTemplate, ...]
    reserved_templates: tuple[str, ...]
    protocols: tuple[ProtocolInfo, ...]
    modalities: tuple[ModalityInfo, ...]
    surface_types: tuple[str, ...]

    def template(self, template_id: str) -> TaskTemplate:
        """The template of an id; `KeyError` for an unknown one."""
        return _by_id(self.templates, template_id)

    def subtask(self, subtask_id: str) -> Subtask:
        """The sub-task of an id; `KeyError` for an unknown one."""
        return _by_id(self.subtasks, subtask_id)

    def protocol(self, protocol_id: str) -> ProtocolInfo:
        """The protocol of an id; `KeyError` for an unknown one."""
        return _by_id(self.protocols, protocol_id)

    def modality(self, modality_id: str) -> ModalityInfo:
        """The modality of an id; `KeyError` for an unknown one."""
        return _by_id(self.modalities, modality_id)

    def points_at_nothing(self, template_id: str) -> bool:
        """Whether its questions name no object, so that they are the same in all protocols.

        Releases keep such a question once, under the first protocol; it is asked in each.
        """
        return any(one.id == template_id and not one.slots for one in self.templates)

    def level_of(self, template_id: str) -> str:
        """Id of the level a template belongs to."""
        return self.subtask(self.template(template_id).subtask).level


T = TypeVar("T", TaskTemplate, Subtask, ProtocolInfo, ModalityInfo)


def _by_id(entries: tuple[T, ...], wanted: str) -> T:
    for entry in entries:
        if entry.id == wanted:
            return entry
    raise KeyError(wanted)


@cache
def taxonomy() -> Taxonomy:
    """The catalogue; read once."""
    text = resources.files("mira.taxonomy").joinpath("taxonomy.yaml").read_text("utf-8")
    return Taxonomy.model_validate(yaml.safe_load(text))
