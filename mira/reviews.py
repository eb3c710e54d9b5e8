"""When an item is settled by review: pure rules over the events of its history.

Two people who know nothing of each other's verdicts look at an item. If they say the same, it is
settled; else a third settles it. What somebody said of an earlier form of the item does not count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import orjson

from mira.schema.qa import ItemEdit, QAItem, ReviewEvent

REVIEWERS = 2
"""People who have to say the same."""
State = Literal["waiting", "disputed", "settled"]
"""`waiting`: for verdicts; `disputed`: for an adjudicator."""


class Standing(NamedTuple):
    """Where the review of an item stands.

    Attributes:
        state: What it waits for, if for anything.
        verdicts: The newest verdict of each person that counts, reviewers first.
        decided: The verdict that settled it.
    """

    state: State
    verdicts: tuple[ReviewEvent, ...]
    decided: ReviewEvent | None


def item_sha8(item: QAItem) -> str:
    """Eight hexadecimal digits over what an item asks, offers and holds for right.

    What people saw: not why the answer holds, nor what review says of it.
    """
    shown = item.model_dump(
        mode="json",
        include={"template_id", "image_id", "marks", "direction", "options", "answer", "wordings"},
    )
    return hashlib.sha256(orjson.dumps(shown, option=orjson.OPT_SORT_KEYS)).hexdigest()[:8]


def as_made(item: QAItem) -> QAItem:
    """An item as it was before review, without what reviewers corrected."""
    plain = {"review": "unreviewed", "original": None}
    return item.model_copy(update={**plain, **_changes(item.original)})


def standing(item: QAItem, events: Iterable[ReviewEvent]) -> Standing:
    """Where the review of an item stands.

    Args:
        item: As made; see `as_made`.
        events: Its history, in the order of time.
    """
    shown = item_sha8(item)
    newest: dict[tuple[str, str], ReviewEvent] = {}
    for event in events:
        if event.item_id == item.item_id and event.item_sha8 in (None, shown):
            newest[event.role, event.reviewer] = event
    reviews = [event for event in newest.values() if event.role == "reviewer"]
    rulings = [event for event in newest.values() if event.role == "adjudicator"]
    verdicts = (*reviews, *rulings)
    if rulings:
        return Standing("settled", verdicts, max(rulings, key=lambda event: event.at))
    if len(reviews) < REVIEWERS:
        return Standing("waiting", verdicts, None)
    if len({_said(event) for event in reviews}) > 1:
        return Standing("disputed", verdicts, None)
    return Standing("settled", verdicts, reviews[0])


def reviewed(item: QAItem, events: Iterable[ReviewEvent]) -> QAItem:
    """An item as review leaves it: its state, and what was corrected.

    Args:
        item: The item, as made or as an earlier review left it.
        events: Its history, in the order of time.
    """
    made = as_made(item)
    decided = standing(made, events).decided
    if decided is None:
        return made
    changes = _changes(decided.edit) if decided.verdict == "accepted" else {}
    original = None
    if changes:
        original = ItemEdit(**{name: getattr(made, name) for name in changes})
    return made.model_copy(update={**changes, "review": decided.verdict, "original": original})


def authors(item: QAItem) -> frozenset[str]:
    """Whose work an item is: who drew what it rests on, and who answered. They do not review it."""
    answered = item.derivation.parameters.get("by", ())
    names = [answered] if isinstance(answered, str) else list(answered)
    return frozenset((item.derivation.annotator, *names))


def _changes(edit: ItemEdit | None) -> dict[str, object]:
    names: Sequence[str] = () if edit is None else tuple(ItemEdit.model_fields)
    found = {name: getattr(edit, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _said(event: ReviewEvent) -> str:
    """What two people have to have in common to agree."""
    edit = event.edit if event.verdict == "accepted" else None
    return f"{event.verdict} {edit.model_dump_json() if edit else ''}"
