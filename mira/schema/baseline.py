"""Records of people who answer questions as a model would."""

from __future__ import annotations

from pydantic import Field

from mira.schema.qa import Modality, Protocol
from mira.schema.record import RootRecord, UtcDatetime


class BaselineReply(RootRecord):
    """What a person who took no part in making a question said to it, knowing what a model knows.

    A line of these is a prediction as `mira eval score` reads it.
    """

    question_id: str
    """The question, as a release names it."""
    answer: str
    """The answer, as a model would reply: a word, a label, a number, or three words with commas."""
    words: str | None = None
    """What the person added in words, where the question asks for them."""
    question_sha8: str
    """`question_sha8` of the question in a release; one with another refuses the reply."""
    asked_sha8: str
    """Digest of what was asked, pointed at and offered, see `mira.questions`."""
    item_id: str
    """The item that was asked."""
    item_sha8: str
    """Digest of the item as it was made, see `mira.reviews`."""
    protocol: Protocol
    """How the question pointed at objects."""
    modality: Modality
    """The pictures that were shown."""
    by: str
    """Who answered, as a code name."""
    at: UtcDatetime
    """When, UTC."""
    seconds: float | None = Field(default=None, ge=0)
    """How long the person looked, as their browser measured it; absent where nobody knows."""
