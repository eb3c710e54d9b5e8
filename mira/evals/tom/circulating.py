"""Options in turn: a question asked once with each option in each place.

A model that likes the first option has a quarter of the questions right without reading them. Asked
with the options turned by one place each time, it has right what it has right in all of them
(circular evaluation: Liu et al., 2023, MMBench).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mira.evals.tom.asking import are_letters
from mira.schema.episode import TomItem
from mira.schema.qa import Option


def circulate(items: Iterable[TomItem]) -> Iterator[TomItem]:
    """Each item with its options in every rotation; items without options as they are.

    The item itself is its first rotation and keeps its id; all of them name it in `rotation_of`.
    Letters keep their places and what they mean moves on; `yes` and `no` move with their meaning.
    """
    for item in items:
        if not item.options:
            yield item
        for turn in range(len(item.options)):
            yield _turned(item, turn)


def _turned(item: TomItem, turn: int) -> TomItem:
    turned = item.options[turn:] + item.options[:turn]
    labels = [one.label for one in (item.options if are_letters(item) else turned)]
    right = next(k for k, one in enumerate(turned) if one.label == item.answer)
    return item.model_copy(
        update={
            "item_id": f"{item.item_id}-r{turn}" if turn else item.item_id,
            "options": tuple(
                Option(label=label, value=one.value)
                for label, one in zip(labels, turned, strict=True)
            ),
            "answer": labels[right],
            "rotation_of": item.item_id,
        }
    )
