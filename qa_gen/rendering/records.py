"""What a folder of rendered questions says of itself."""

from __future__ import annotations

from pydantic import Field

from mira.render.pictures import PictureMetadata, PictureRole
from mira.render.style import RenderStyle
from mira.schema.qa import Modality, Protocol
from mira.schema.record import Record, RootRecord


class RenderedFile(Record):
    """One picture of a question."""

    path: str
    """From the folder of `meta.json` on."""
    role: PictureRole
    """What it shows."""
    metadata: PictureMetadata
    """Its size, what is drawn on it, and what the colours of depth mean."""


class RenderedQuestion(Record):
    """One question as a model is given it."""

    question_id: str
    """The question, as a release names it."""
    item_id: str
    """The item."""
    template_id: str
    """Its template."""
    image_id: str
    """Its picture."""
    style: str
    """Name of the style; empty where there is one only."""
    prompt: str
    """The text that goes with the pictures."""
    pictures: tuple[RenderedFile, ...]
    """The pictures in the order they are shown."""


class RenderRecord(RootRecord):
    """`meta.json`: what was rendered, and how."""

    protocol: Protocol
    """How questions point at objects."""
    modality: Modality
    """Which pictures go along."""
    styles: dict[str, RenderStyle]
    """Looks by name; the name of a style that is alone is empty."""
    questions: tuple[RenderedQuestion, ...]
    """Every question in every style, by item."""


class RenderPagePolicy(Record):
    """What the page of rendered questions holds."""

    thumbnail_px: int = Field(default=440, ge=16)
    """Longer side of a picture on the page."""
    jpeg_quality: int = Field(default=84, ge=1, le=100)
    """Quality of pictures on the page."""
    max_thumbnails: int = Field(default=600, ge=1)
    """Pictures on the page; further questions are in the folder alone."""
