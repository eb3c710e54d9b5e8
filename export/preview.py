"""About a hundred questions with their pictures as a model sees them, for viewers.

All else of a release is stored once, so that a viewer shows questions without pictures, or pictures
without questions. These rows stand for themselves.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from export.building.records import PreviewPick
from export.rendered import ASKED_COLUMNS, RenderedScene
from mira.release.reader import Row
from mira.schema.qa import Modality
from mira.store.item_heads import ItemHead

ROWS = 100
_PICTURES = 25


class Candidate(NamedTuple):
    """A question that the preview may show.

    Attributes:
        question_id: The question.
        template_id: Its template.
        pick: What is noted if it is chosen.
    """

    question_id: str
    template_id: str
    pick: PreviewPick

    @classmethod
    def of(cls, item: ItemHead) -> Iterator[Candidate]:
        """The questions of an item."""
        for protocol in item.protocols:
            pick = PreviewPick(
                image_id=item.image_id, first_byte=item.first_byte, protocol=protocol
            )
            yield cls(f"{item.item_id}-{protocol}", item.template_id, pick)


def preview_pictures(image_ids: Iterable[str]) -> tuple[str, ...]:
    """The few pictures that the preview shows: any, but always the same."""
    return tuple(sorted(image_ids, key=_rank)[:_PICTURES])


def pick_preview(candidates: Mapping[str, Sequence[Candidate]]) -> tuple[PreviewPick, ...]:
    """Questions of all templates and protocols alike.

    Args:
        candidates: Questions by picture; a question of each picture is chosen in turn: the one
            whose template and protocol were taken least.
    """
    used: Counter[str] = Counter()
    picked: list[PreviewPick] = []
    left = {image_id: list(candidates[image_id]) for image_id in sorted(candidates, key=_rank)}
    while len(picked) < ROWS and any(left.values()):
        for some in left.values():
            if not some or len(picked) == ROWS:
                continue
            best = min(some, key=lambda one: (_taken(one, used), _rank(one.question_id)))
            some.remove(best)
            used.update((best.template_id, best.pick.protocol))
            picked.append(best.pick)
    return tuple(picked)


def preview_rows(questions: Iterable[Row], scene: Row) -> Iterator[Row]:
    """Rows of `qa_preview`.

    Args:
        questions: Rows of `qa` about one picture.
        scene: The picture's row of `scenes`.
    """
    shown: RenderedScene | None = None
    modality: Modality = "rgb_m" if scene["depth"] is None else "rgb_dm"
    for row in questions:
        shown = shown or RenderedScene(scene, modality=modality, jpeg_only=True)
        yield {**{name: row[name] for name in ASKED_COLUMNS}, "modality": modality, **shown.of(row)}


def _taken(one: Candidate, used: Counter[str]) -> int:
    return used[one.template_id] + used[one.pick.protocol]


def _rank(name: str) -> bytes:
    return hashlib.blake2b(name.encode(), digest_size=8).digest()
