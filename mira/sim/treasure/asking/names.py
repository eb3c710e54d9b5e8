"""What players and boxes are called in prompts, belief states and replies."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mira.schema.step import MosaicMove
from mira.sim.treasure.floor import STEPS
from mira.sim.treasure.rules import Player

PLAYER_NAMES: Mapping[Player, str] = {"subject": "Marie", "participant": "Participant"}
"""Names of the players, as published."""
BOX_NAMES = ("Dark brown box", "Light brown box")
"""Names of the boxes, by their number."""
_WORDS = re.compile(r"[a-z]+")
_BY_WORDS: Mapping[frozenset[str], MosaicMove] = {
    frozenset(step.split("_")): step for step in STEPS
}
"""Steps by the words of their direction, in any order."""


def words_of(text: str) -> frozenset[str]:
    """The words of a name, whatever case, order and signs between them."""
    return frozenset(_WORDS.findall(text.casefold()))


def box_of(text: str) -> int | None:
    """The number of the box that a name means; None for none."""
    words = words_of(text)
    if not words <= {"the", "dark", "light", "brown", "box"} or ("dark" in words) == (
        "light" in words
    ):
        return None
    return 0 if "dark" in words else 1


def move_of(action: str, direction: str | None, partner_name: str) -> MosaicMove | None:
    """The move that an action and a direction mean; None where they mean none.

    Args:
        action: `move`, `rotate` or `stay idle`.
        direction: Where to; ignored for staying.
        partner_name: Name of the other player.
    """
    verb, where = words_of(action), words_of(direction or "")
    if verb in ({"stay", "idle"}, {"stay"}, {"idle"}):
        return "stay_idle"
    if verb == {"move"}:
        return _BY_WORDS.get(where)
    if verb == {"rotate"}:
        box = box_of(direction or "")
        if box is not None:
            return "rotate_box_0" if box == 0 else "rotate_box_1"
        return "rotate_other" if where == words_of(partner_name) else None
    return None
