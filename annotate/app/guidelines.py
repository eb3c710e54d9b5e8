"""How people decide the answer of each template, with a worked example."""

from __future__ import annotations

from functools import cache
from importlib import resources

import yaml
from pydantic import Field

from mira.schema.record import Record


class WorkedExample(Record):
    """A small scene in words, and what is answered there."""

    scene: str = Field(min_length=1)
    """What the picture shows."""
    answer: str = Field(min_length=1)
    """What is right."""
    why: str = Field(min_length=1)
    """Why it is."""


class Guideline(Record):
    """How the questions of one template are decided."""

    template_id: str
    """Row of the taxonomy."""
    asks: str = Field(min_length=1)
    """What is asked, in a line."""
    rule: tuple[str, ...] = Field(min_length=2, max_length=4)
    """How to decide, the most telling first."""
    answers: dict[str, str] = Field(default_factory=dict)
    """When each answer holds, by word of the taxonomy; empty where a number or one of the things in
    the picture is chosen."""
    directions: dict[str, str] = Field(default_factory=dict)
    """What each direction means, where the template has one."""
    example: WorkedExample
    """A worked example."""
    unsure: str = Field(min_length=1)
    """What to do where it cannot be told."""


@cache
def guidelines() -> tuple[Guideline, ...]:
    """The guidelines of all templates, in the order of the taxonomy; read once."""
    text = resources.files("annotate.app").joinpath("guidelines.yaml").read_text("utf-8")
    written = yaml.safe_load(text)["guidelines"]
    return tuple(
        Guideline.model_validate({"template_id": name, **fields})
        for name, fields in written.items()
    )
