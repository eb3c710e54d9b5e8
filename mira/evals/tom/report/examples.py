"""Wrong answers, with the story they are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.tom.asking import item_sha8
from mira.evals.tom.replies import judge
from mira.evals.tom.titles import title_of_name
from mira.replies.reading import ReadReply
from mira.schema.episode import TomItem
from mira.schema.evaluation import Prediction

_LONGEST_STORY, _LONGEST_REPLY = 900, 500


class Example(NamedTuple):
    """A question that somebody has wrong."""

    item_id: str
    title: str
    story: str
    question: str
    options: tuple[str, ...]
    right: str
    said: str | None
    """The answer as it was read; None where none could be."""
    kind: str
    """Class of the reply."""
    raw: str | None
    """The reply as it came; None where only an answer is known."""
    source: str
    licence: str


def examples_of(
    items: Sequence[TomItem],
    said: Mapping[str, ReadReply],
    predictions: Sequence[Prediction],
    *,
    most: int,
) -> tuple[Example, ...]:
    """Some wrong answers of each source and kind, by the digests of the questions.

    Args:
        items: All questions.
        said: What was heard, by item id.
        predictions: The replies.
        most: How many of each source and kind.
    """
    raw = {one.question_id: one.raw_text for one in predictions}
    shown: Counter[tuple[str, str]] = Counter()
    found = []
    for item in sorted(items, key=lambda one: (one.source, one.kind, item_sha8(one), one.item_id)):
        heard = said[item.item_id]
        key = (item.source, item.kind)
        if shown[key] < most and judge(item, heard) in (Outcome.WRONG, Outcome.UNPARSABLE):
            shown[key] += 1
            found.append(_example(item, heard, raw.get(item.item_id)))
    return tuple(found)


def _example(item: TomItem, heard: ReadReply, raw: str | None) -> Example:
    texts = {
        one.label: one.label if one.label == one.value else f"{one.label}. {one.value}"
        for one in item.options
    }
    said = heard.answer
    return Example(
        item_id=item.item_id,
        title=title_of_name("kind", item.kind),
        story=_cut(item.story or "", _LONGEST_STORY),
        question=item.question,
        options=tuple(texts.values()),
        right=texts.get(item.answer, item.answer),
        said=None if said is None else texts.get(said, said),
        kind=heard.kind,
        raw=None if raw is None else _cut(raw, _LONGEST_REPLY),
        source=item.source,
        licence=item.licence or "not stated",
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()} …"
