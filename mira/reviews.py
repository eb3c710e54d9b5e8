"""When an item is settled by review: pure rules over the events of its history.

Two people who know nothing of each other's verdicts look at an item. If they say the same, it is
settled; else a third settles it, and only then. What somebody said of an earlier form of the item
does not count, nor what its authors say.
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
    shown, own = item_sha8(item), authors(item)
    newest: dict[tuple[str, str], ReviewEvent] = {}
    for event in events:
        is_about = event.item_id == item.item_id and event.item_sha8 in (None, shown)
        # Somebody may have answered it after they judged it.
        if is_about and event.reviewer not in own:
            newest[event.role, event.reviewer] = event
    reviews = [event for event in newest.values() if event.role == "reviewer"]
    if len(reviews) < REVIEWERS:
        return Standing("waiting", tuple(reviews), None)
    if len({_said(event) for event in reviews}) == 1:
        return Standing("settled", tuple(reviews), reviews[0])
    # A dispute is settled by somebody who takes no part in it.
    parties = {event.reviewer for event in reviews}
    rulings = [
        event
        for event in newest.values()
        if event.role == "adjudicator" and event.reviewer not in parties
    ]
    if not rulings:
        return Standing("disputed", tuple(reviews), None)
    return Standing("settled", (*reviews, *rulings), max(rulings, key=lambda event: event.at))


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
    found = made
    if decided.verdict == "accepted" and decided.edit is not None:
        found = corrected(made, decided.edit)
    return found.model_copy(update={"review": decided.verdict})


def corrected(item: QAItem, edit: ItemEdit) -> QAItem:
    """An item, as made, with what is corrected in it; it keeps what it said before."""
    changes = _changes(edit)
    original = ItemEdit(**{name: getattr(item, name) for name in changes})
    return item.model_copy(update={**changes, "original": original})


def edit_fault(item: QAItem, event: ReviewEvent) -> str | None:
    """Why a correction cannot be: it leaves no item with one right answer among its options.

    Args:
        item: As made.
        event: The verdict that it comes with.

    Returns:
        What is wrong; None for a correction that can be, or for none.
    """
    if event.edit is None:
        return None
    if event.verdict == "rejected":
        return "expected none of an item that is rejected, found one"
    found = corrected(item, event.edit)
    labels = [option.label for option in found.options]
    value = getattr(found.answer, "value", None)
    if found.answer.format != item.answer.format:
        return f"expected an answer of {item.answer.format}, found {found.answer.format}"
    if len(set(labels)) < len(labels):
        return f"expected each label once, found {', '.join(labels)}"
    if bool(labels) != bool(item.options):
        return f"expected {len(item.options)} options as before, found {len(labels)}"
    if labels and value is not None and value not in labels:
        return f"expected an answer of {', '.join(labels)}, found {value!r}"
    for wording in found.wordings:
        if wording.option_texts and len(wording.option_texts) != len(labels):
            return f"expected {len(labels)} texts of options in {wording.protocol}"
    return None


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
