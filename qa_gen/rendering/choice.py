"""Which items are rendered to look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mira.errors import MiraError
from mira.schema.qa import Protocol, QAItem, Wording
from qa_gen.choosing import digest


class ChosenItems(NamedTuple):
    """Items to render."""

    items: tuple[QAItem, ...]
    """In the order they came, so that those of one picture stand together."""
    without_wording: int
    """Items that cannot be asked in the protocol."""
    available: int
    """Items that can."""


class _Ranked(NamedTuple):
    """An item with its turn and the hash that picks it."""

    key: bytes
    turn: int
    item: QAItem


def choose_items(
    items: Iterable[QAItem],
    *,
    protocol: Protocol,
    item_ids: Sequence[str] = (),
    limit: int | None = None,
) -> ChosenItems:
    """Items that are named, or some of every template from all over the data.

    Args:
        items: All there are.
        protocol: Items that cannot be asked in it are left out.
        item_ids: The items wanted; all by default.
        limit: At most so many, picked by a hash of their ids, in turn from each template.

    Raises:
        MiraError: A named item does not exist or cannot be asked in the protocol, or none is left.
    """
    wanted = set(item_ids)
    by_template: dict[str, list[_Ranked]] = {}
    found: set[str] = set()
    wordless = available = 0
    for turn, item in enumerate(items):
        if wanted and item.item_id not in wanted:
            continue
        found.add(item.item_id)
        if wording_in(item, protocol) is None:
            wordless += 1
            continue
        available += 1
        ranked = by_template.setdefault(item.template_id, [])
        ranked.append(_Ranked(digest("render", item.item_id), turn, item))
        if limit is not None and len(ranked) > 2 * limit:
            _keep_first(ranked, limit)
    if missing := [item_id for item_id in item_ids if item_id not in found]:
        raise MiraError(missing[0], "is no item of this workspace", "see qa/items.jsonl")
    if not available:
        raise MiraError(f"protocol {protocol}", "expected an item to render, found none")
    for ranked in by_template.values():
        _keep_first(ranked, limit)
    turns = zip_longest(*(by_template[template_id] for template_id in sorted(by_template)))
    picked = [one for row in turns for one in row if one is not None][:limit]
    picked.sort(key=lambda one: one.turn)
    return ChosenItems(tuple(one.item for one in picked), wordless, available)


def wording_in(item: QAItem, protocol: Protocol) -> Wording | None:
    """The wording of an item in a protocol; what points at nothing is worded alike in each."""
    if not item.marks:
        return item.wordings[0] if item.wordings else None
    return next((one for one in item.wordings if one.protocol == protocol), None)


def _keep_first(ranked: list[_Ranked], limit: int | None) -> None:
    ranked.sort(key=lambda one: (one.key, one.turn))
    del ranked[len(ranked) if limit is None else limit :]
