"""Records of the words by which people describe what is drawn."""

from __future__ import annotations

from typing import Annotated
from unicodedata import category

from pydantic import AfterValidator, Field

from mira.schema.record import RootRecord, UtcDatetime

MAX_DESCRIPTION = 200
"""Characters of the longest description."""
_JOINERS = "\u200c\u200d"
"""Letters of some scripts, and of pictures as characters, are joined or kept apart by them."""


def one_line(text: str) -> str:
    """A description as it is kept: on one line, with single spaces.

    Raises:
        ValueError: It is too long, or holds characters that nobody sees.
    """
    found = " ".join(text.split())
    if len(found) > MAX_DESCRIPTION:
        raise ValueError(f"expected {MAX_DESCRIPTION} characters at most, found {len(found):,}")
    hidden = [one for one in found if category(one) in ("Cc", "Cf", "Cs") and one not in _JOINERS]
    if hidden:
        raise ValueError(f"expected characters that can be seen, found U+{ord(hidden[0]):04X}")
    return found


class InstanceDescription(RootRecord):
    """How somebody describes an instance; the newest of all people counts."""

    image_id: str
    """The picture."""
    instance_id: int = Field(ge=1)
    """The instance."""
    text: Annotated[str, AfterValidator(one_line)]
    """A few words for the protocols that describe the object; empty takes back what was said."""
    by: str
    """Who, as a code name."""
    at: UtcDatetime
    """When, UTC."""
