"""A guesser that never sees the picture: it knows how often each answer is right elsewhere."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mira.schema.qa import AxesAnswer, CountAnswer, QAItem
from mira.taxonomy.catalogue import taxonomy
from qa_gen.quality.reading import KnownPicture, gold_of, has_candidates
from qa_gen.quality.records import Guessing

_DIGITS = 6


class _Kind(NamedTuple):
    """Questions among which answers are learnt."""

    template_id: str
    direction: str | None
    options: int


class _Asked(NamedTuple):
    """Items that a guesser cannot tell apart."""

    scene_id: str
    offered: tuple[str, ...]
    gold: str


class _Group(NamedTuple):
    """Questions that count together."""

    scene_id: str
    subtask: str
    golds: dict[str, str]
    chances: list[float]


class Guesser:
    """Guesses each item from the items of all other scenes.

    It knows template, direction and the options offered, and takes the one that is right most
    often where it is offered, or one of those that are about as good. Answers of an item's own
    scene are left out, so that it can learn habits of the set and no fact.
    """

    def __init__(self) -> None:
        self._asked: defaultdict[_Kind, Counter[_Asked]] = defaultdict(Counter)
        self._chances: defaultdict[str, list[float]] = defaultdict(list)
        self._groups: dict[str, _Group] = {}
        self._scenes: set[str] = set()

    def add(self, item: QAItem, known: KnownPicture) -> None:
        """Take in an item."""
        offered = offered_of(item)
        kind = _Kind(item.template_id, item.direction, len(offered))
        gold = _place_or_value(item)
        self._asked[kind][_Asked(item.scene_id, offered, gold)] += 1
        chance = chance_of(item, known)
        self._chances[item.template_id].append(math.nan if chance is None else chance)
        self._scenes.add(item.scene_id)
        if item.joint_group is not None:
            subtask = taxonomy().template(item.template_id).subtask
            new = _Group(item.scene_id, subtask, {}, [])
            group = self._groups.setdefault(item.joint_group, new)
            group.golds[item.template_id] = gold
            group.chances.append(self._chances[item.template_id][-1])

    def templates(self) -> dict[str, Guessing]:
        """What guessing is worth, template by template."""
        right: defaultdict[str, float] = defaultdict(float)
        for kind, asked in self._asked.items():
            right[kind.template_id] += _hits(asked)
        return {
            template_id: self._guessing(right[template_id], chances)
            for template_id, chances in self._chances.items()
        }

    def joint(self) -> dict[str, Guessing]:
        """What guessing all questions of a group at once is worth, by sub-task."""
        asked: defaultdict[_Kind, Counter[_Asked]] = defaultdict(Counter)
        chances: defaultdict[str, list[float]] = defaultdict(list)
        for group in self._groups.values():
            templates = sorted(group.golds)
            kind = _Kind(group.subtask, ",".join(templates), 0)
            answers = ",".join(group.golds[template_id] for template_id in templates)
            asked[kind][_Asked(group.scene_id, (), answers)] += 1
            chances[group.subtask].append(math.prod(group.chances))
        right: defaultdict[str, float] = defaultdict(float)
        for kind, counts in asked.items():
            right[kind.template_id] += _hits(counts)
        return {subtask: self._guessing(right[subtask], of) for subtask, of in chances.items()}

    def _guessing(self, right: float, chances: list[float]) -> Guessing:
        chance = sum(chances) / len(chances)
        return Guessing(
            units=len(chances),
            accuracy=round(right / len(chances), _DIGITS) if len(self._scenes) > 1 else None,
            chance=None if math.isnan(chance) else round(chance, _DIGITS),
        )


def pooled(of_templates: Iterable[Guessing]) -> Guessing:
    """Guessing over several templates, each item counted once."""
    parts = tuple(of_templates)
    units = sum(part.units for part in parts)

    def mean(values: list[float | None]) -> float | None:
        if any(value is None for value in values):
            return None
        pairs = zip(values, parts, strict=True)
        return round(sum((value or 0) * part.units for value, part in pairs) / units, _DIGITS)

    return Guessing(
        units=units,
        accuracy=mean([part.accuracy for part in parts]),
        chance=mean([part.chance for part in parts]),
    )


def offered_of(item: QAItem) -> tuple[str, ...]:
    """What is offered, in an order that tells nothing; of candidates, the letters."""
    if has_candidates(item):
        return tuple(option.label for option in item.options)
    return tuple(sorted(option.value for option in item.options))


def chance_of(item: QAItem, known: KnownPicture) -> float | None:
    """Probability that a uniform guess is right; None where the number of answers is not known."""
    if isinstance(item.answer, AxesAnswer):
        axes = taxonomy().option_sets["axes"]
        assert isinstance(axes, dict)
        return 1 / math.prod(len(words) for words in axes.values())
    if isinstance(item.answer, CountAnswer):
        # The reference does not count itself: of N others, 0 to N may be there.
        most = item.derivation.parameters.get("count_max")
        answers = most + 1 if isinstance(most, int) else known.countable
        return 1 / answers if answers else None
    return 1 / len(item.options) if item.options else None


def _place_or_value(item: QAItem) -> str:
    return str(getattr(item.answer, "value", "")) if has_candidates(item) else gold_of(item)


def _hits(asked: Mapping[_Asked, int]) -> float:
    """How many items of a kind are guessed right; a guess between equals counts in part."""
    everywhere, by_scene = _Habits(), defaultdict[str, _Habits](_Habits)
    for one, count in asked.items():
        everywhere.add(one, count)
        by_scene[one.scene_id].add(one, count)
    guesses: dict[tuple[str, tuple[str, ...]], frozenset[str]] = {}
    hits = 0.0
    for one, count in asked.items():
        key = one.scene_id, one.offered
        if key not in guesses:
            guesses[key] = everywhere.guess(one.offered, without=by_scene[one.scene_id])
        if one.gold in guesses[key]:
            hits += count / len(guesses[key])
    return hits


class _Habits:
    """How often each answer is right, and how often it is offered."""

    def __init__(self) -> None:
        self._items = 0
        self._right: Counter[str] = Counter()
        self._offered: Counter[str] = Counter()

    def add(self, asked: _Asked, count: int) -> None:
        self._items += count
        self._right[asked.gold] += count
        for value in asked.offered:
            self._offered[value] += count

    def guess(self, offered: tuple[str, ...], *, without: _Habits) -> frozenset[str]:
        """The answers that are right most often, those within one standard error of the best.

        Where all are alike, leaving a scene out makes its own answers seem rarer; a plain maximum
        would then fall below chance.
        """
        rates = {
            value: _rate(
                self._right[value] - without._right[value],
                self._offered[value] - without._offered[value]
                if offered
                else self._items - without._items,
            )
            for value in offered or self._right
        }
        best, error = max(rates.values(), default=(0.0, 0.0))
        return frozenset(value for value, (rate, _) in rates.items() if rate >= best - error)


def _rate(right: int, offered: int) -> tuple[float, float]:
    """A share and its standard error."""
    if not offered:
        return 0.0, 0.0
    share = right / offered
    return share, math.sqrt(share * (1 - share) / offered)
