"""Whether what items say of the objects of one picture can all be true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from mira.schema.qa import AxesAnswer, QAItem
from qa_gen.quality.reading import AXES, KnownPicture, axis_words, slots_of
from qa_gen.quality.records import Relations
from qa_gen.quality.reporting import FindingList

_OPPOSITES = {
    "left": "right",
    "right": "left",
    "above": "below",
    "below": "above",
    "front": "behind",
    "behind": "front",
}
"""What swapping both objects makes of a word; the others stay."""
_FIRST = ("left", "above", "front")
"""For each axis, the word of the one that comes first."""
Words = tuple[str, str, str]
Pair = tuple[int, int]


class _Said(NamedTuple):
    """What the first item said of two objects."""

    words: Words
    item_id: str


class RelationCheck:
    """Holds what is said of each two objects against what was said before.

    It keeps three words for each two objects of a picture.
    """

    def __init__(self, findings: FindingList) -> None:
        self._findings = findings
        self._said: defaultdict[str, dict[Pair, _Said]] = defaultdict(dict)
        self._again: set[tuple[str, Pair]] = set()
        self._contradictions = 0

    def add(self, item: QAItem, known: KnownPicture) -> None:
        """Take in an item; one that is not about two objects is left out."""
        slots = slots_of(item)
        if not isinstance(item.answer, AxesAnswer) or len(slots) != 2:
            return
        one, other = map(known.object_of, slots)
        words = axis_words(item.answer)
        if one == other:
            return
        if one > other:
            one, other, words = other, one, swapped(words)
        said = self._said[item.image_id].setdefault((one, other), _Said(words, item.item_id))
        if said.item_id == item.item_id:
            return
        self._again.add((item.image_id, (one, other)))
        if said.words != words:
            self._contradictions += 1
            self._findings.add(
                "relation-contradiction",
                item.item_id,
                f"expected object {one} to be {_shown(said.words)} of object {other}, as "
                f"{said.item_id} says, found {_shown(words)}",
            )

    def relations(self) -> Relations:
        """What was found; reports objects that go round in a circle."""
        triples = circles = 0
        for image_id, said in self._said.items():
            for trio, axis, is_circle in circles_of(
                {pair: one.words for pair, one in said.items()}
            ):
                triples += 1
                if is_circle:
                    circles += 1
                    self._report(image_id, trio, axis)
        return Relations(
            pairs=sum(map(len, self._said.values())),
            pairs_again=len(self._again),
            contradictions=self._contradictions,
            triples=triples,
            circles=circles,
        )

    def _report(self, image_id: str, trio: tuple[int, int, int], axis: int) -> None:
        items = ", ".join(self._said[image_id][pair].item_id for pair in combinations(trio, 2))
        self._findings.add(
            "relation-circle",
            image_id,
            f"expected an order of objects {trio[0]}, {trio[1]} and {trio[2]} on the "
            f"{AXES[axis]} axis, found each {_FIRST[axis]} of another: {items}",
        )


def swapped(words: Words) -> Words:
    """What the second object is to the first, from what the first is to the second."""
    horizontal, vertical, depth = (_OPPOSITES.get(word, word) for word in words)
    return horizontal, vertical, depth


def circles_of(said: dict[Pair, Words]) -> Iterator[tuple[tuple[int, int, int], int, bool]]:
    """Each three objects and axis of which all is known, and whether they go round in a circle.

    Objects in a circle are each strictly before the next; `aligned` and `same_depth` are no order.

    Args:
        said: Words of two objects, the smaller id first.
    """
    later: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in said:
        later[one].add(other)
    for one in sorted(later):
        for two, three in combinations(sorted(later[one]), 2):
            if (two, three) not in said:
                continue
            of_pairs = said[one, two], said[two, three], said[one, three]
            for axis, first in enumerate(_FIRST):
                onwards, next_on, across = (words[axis] for words in of_pairs)
                last = _OPPOSITES[first]
                # One before two before three before one, or the other way round.
                is_circle = (onwards, next_on, across) in (
                    (first, first, last),
                    (last, last, first),
                )
                yield (one, two, three), axis, is_circle


def _shown(words: Words) -> str:
    return ", ".join(words).replace("_", " ")
