"""How a set is spread: over templates, sources, protocols, scenes, pictures and words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from mira.schema.qa import AxesAnswer, QAItem
from qa_gen.quality.reading import AXES, KnownPicture, axis_words, gold_of, gold_word
from qa_gen.quality.records import Shape, Spread, Tally

_WORDS_A_BIN = 10


class Counts:
    """Counts items as they pass; keeps names of pictures and scenes, and no item."""

    def __init__(self) -> None:
        self.items: Counter[str] = Counter()
        self.questions: Counter[str] = Counter()
        self.protocols: Counter[str] = Counter()
        self.sources: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.gold: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.triples: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.axes: dict[str, dict[str, Counter[str]]] = {}
        self.directions: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(
            lambda: defaultdict(Counter)
        )
        self.scene_of: dict[str, str] = {}
        self._pictures: defaultdict[str, set[str]] = defaultdict(set)
        self._items_by_picture: Counter[str] = Counter()
        self._objects: defaultdict[str, set[int]] = defaultdict(set)
        self._options: Counter[int] = Counter()
        self._words: defaultdict[str, Counter[int]] = defaultdict(Counter)

    def add(self, item: QAItem, known: KnownPicture) -> None:
        """Take in an item."""
        template_id, image_id = item.template_id, item.image_id
        self.items[template_id] += 1
        self.questions[template_id] += len(item.wordings)
        self.sources[template_id][item.source] += 1
        self.scene_of[image_id] = item.scene_id
        self._pictures[template_id].add(image_id)
        self._items_by_picture[image_id] += 1
        self._objects[image_id].update(known.object_of(mark.instance_id) for mark in item.marks)
        self._options[len(item.options)] += 1
        for wording in item.wordings:
            self.protocols[wording.protocol] += 1
            words = len(wording.question.split())
            self._words[wording.protocol][words - words % _WORDS_A_BIN] += 1
        self._count_answer(item)

    def _count_answer(self, item: QAItem) -> None:
        if isinstance(item.answer, AxesAnswer):
            self.triples[item.template_id][gold_of(item)] += 1
            axes = self.axes.setdefault(item.template_id, {axis: Counter() for axis in AXES})
            for axis, word in zip(AXES, axis_words(item.answer), strict=True):
                axes[axis][word] += 1
            return
        self.gold[item.template_id][gold_word(item)] += 1
        if item.direction is not None:
            self.directions[item.template_id][item.direction][gold_word(item)] += 1

    def pictures(self, template_id: str) -> int:
        """Pictures that a template asks about."""
        return len(self._pictures[template_id])

    def shape(self) -> Shape:
        """How it is all spread."""
        pictures = Counter(self.scene_of.values())
        by_scene: Counter[str] = Counter()
        for image_id, count in self._items_by_picture.items():
            by_scene[self.scene_of[image_id]] += count
        return Shape(
            items_a_picture=_spread(self._items_by_picture.values()),
            pictures_a_scene=_spread(pictures.values()),
            items_a_scene=_spread(by_scene.values()),
            objects_a_picture=_spread(map(len, self._objects.values())),
            options_an_item=dict(sorted(self._options.items())),
            words_a_question={
                protocol: dict(sorted(self._words[protocol].items()))
                for protocol in sorted(self._words)
            },
        )


def in_order(counts: Counter[str], order: Iterable[str] = ()) -> Tally:
    """Counts in a given order, words that are not in it last; numbers by their size."""
    places = {word: place for place, word in enumerate(order)}

    def key(word: str) -> tuple[int, int, str]:
        number = int(word) if word.isdecimal() else 0
        return places.get(word, len(places)), number, word

    return {word: counts[word] for word in sorted(counts, key=key)}


def _spread(numbers: Iterable[int]) -> Spread:
    return dict(sorted(Counter(numbers).items()))
