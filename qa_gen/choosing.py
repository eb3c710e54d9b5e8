"""Choices that look random, depend on their own subject alone, and never change.

Every choice ranks its candidates by a hash of the seed, the subject and the candidate. Adding an
unrelated candidate therefore changes nothing but, at most, its own place (rendezvous hashing).
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b


def digest(*parts: object, size: int = 8) -> bytes:
    """A hash of parts, each set apart from the next."""
    text = "\x1f".join(map(str, parts))
    return blake2b(text.encode(), digest_size=size).digest()


def item_id(template_id: str, image_id: str, slots: Iterable[int], direction: str | None) -> str:
    """The id of an item: its template and a hash of what defines it."""
    key = digest(template_id, image_id, *slots, direction or "", size=8)
    return f"{template_id}-{key.hex()}"


def ranked(candidates: Iterable[int], seed: int, *subject: object) -> list[int]:
    """Candidates in an order that the seed and the subject decide.

    Args:
        candidates: Instance ids.
        seed: Changes the order of everything.
        subject: What the choice is about, such as an item id and a purpose.
    """
    return sorted(candidates, key=lambda candidate: digest(seed, *subject, candidate))
