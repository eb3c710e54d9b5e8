"""What statistics read of an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mira.schema.qa import AxesAnswer, ChoiceAnswer, ChoiceTextAnswer, CountAnswer, Option, QAItem

AXES = ("horizontal", "vertical", "depth")
"""Axes of a relation, in the order of its words."""


class KnownPicture(NamedTuple):
    """What is known of a picture beside its items."""

    objects: Mapping[int, int]
    """For each instance, the smallest id of its object's instances; empty where nobody knows."""
    countable: int | None = None
    """Objects and reflective surfaces; None where nobody knows."""

    def object_of(self, instance_id: int) -> int:
        """The object of an instance; the instance itself where nobody knows."""
        return self.objects.get(instance_id, instance_id)


KnownPictures = Callable[[QAItem], KnownPicture]
"""Gives what is known of the picture of an item."""


def nothing_known(item: QAItem) -> KnownPicture:
    """A picture whose objects follow from the item's own links alone."""
    return KnownPicture(dict(item.derivation.links))


def is_lettered(item: QAItem) -> bool:
    """Whether options go by letters, so that their order is free."""
    return isinstance(item.answer, ChoiceAnswer | ChoiceTextAnswer)


def has_candidates(item: QAItem) -> bool:
    """Whether options are instances of the picture."""
    return any(mark.role == "candidate" for mark in item.marks)


def right_option(item: QAItem) -> Option | None:
    """The option that the answer names; None without one, or without options."""
    if isinstance(item.answer, AxesAnswer | CountAnswer):
        return None
    label = item.answer.value
    by_label = (option for option in item.options if option.label == label)
    return next(by_label, None)


def gold_of(item: QAItem) -> str:
    """What is right, as one text: axis words with commas, a number, an option's value."""
    answer = item.answer
    if isinstance(answer, AxesAnswer):
        return ",".join(axis_words(answer))
    option = right_option(item)
    return str(answer.value) if option is None else option.value


def gold_word(item: QAItem) -> str:
    """What is right in words that items share; of candidates, how many there are."""
    return f"one of {len(item.options)}" if has_candidates(item) else gold_of(item)


def axis_words(answer: AxesAnswer) -> tuple[str, str, str]:
    """The words in the order of `AXES`."""
    return answer.horizontal, answer.vertical, answer.depth


def slots_of(item: QAItem) -> tuple[int, ...]:
    """Instances that the question itself names, in order."""
    return tuple(mark.instance_id for mark in item.marks if mark.role == "slot")
