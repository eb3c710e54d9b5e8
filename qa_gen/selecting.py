"""Which of all questions that can be asked are: to a size, with golds that do not tell themselves.

What is chosen depends on hashes alone, so a question that is there stays while others come and go,
as far as numbers allow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from sys import intern
from typing import NamedTuple

from mira.schema.qa import AxesAnswer, CountAnswer, QAItem, QAPolicy
from mira.taxonomy.catalogue import taxonomy
from qa_gen.choosing import digest

PAPER_SIZE: Mapping[str, int] = {
    "vc": 5565,
    "mc": 2530,
    "mr": 1480,
    "ct": 1095,
    "mpac": 850,
    "re": 1000,
    "as": 1445,
    "cr": 175,
}
"""Questions of each sub-task in MIRA-Bench: 14,140 in all, within the paper's ranges."""
_MANY = 4
"""Counts from here on are one class."""


class Candidate(NamedTuple):
    """Items that are asked together or not at all: one, or the joint group of an object.

    Attributes:
        key: The item's id, or the group's.
        item_ids: The items.
        template_id: Their template; of a group the first one's.
        scene_id: Their scene.
        gold: What is right.
        questions: Number of their wordings.
    """

    key: str
    item_ids: tuple[str, ...]
    template_id: str
    scene_id: str
    gold: str
    questions: int


def gold_class(item: QAItem) -> str:
    """What is right, as balance counts it: a word, three words, a small number or a letter."""
    answer = item.answer
    if isinstance(answer, AxesAnswer):
        return f"{answer.horizontal},{answer.vertical},{answer.depth}"
    if isinstance(answer, CountAnswer):
        return str(answer.value) if answer.value < _MANY else f"{_MANY} or more"
    if any(mark.role == "candidate" for mark in item.marks):
        return str(answer.value)
    return next((o.value for o in item.options if o.label == answer.value), str(answer.value))


class CandidateList:
    """Takes items as they are made and keeps what choosing needs."""

    def __init__(self) -> None:
        self._alone: list[Candidate] = []
        self._groups: dict[str, list[Candidate]] = defaultdict(list)

    def add(self, item: QAItem, *, questions: int) -> None:
        """Note an item and the number of its wordings."""
        gold = gold_class(item)
        one = Candidate(
            item.joint_group or item.item_id,
            (item.item_id,),
            item.template_id,
            item.scene_id,
            # Hundreds of thousands of candidates have a few dozen golds.
            intern(f"{item.template_id} {gold}" if item.joint_group else gold),
            questions,
        )
        if item.joint_group is None:
            self._alone.append(one)
        else:
            self._groups[item.joint_group].append(one)

    def candidates(self) -> list[Candidate]:
        """All that was noted, groups taken together: of those, the one that is true is the gold."""
        return self._alone + [_together(group) for group in self._groups.values()]


def choose_items(candidates: Iterable[Candidate], policy: QAPolicy) -> frozenset[str]:
    """Ids of the items that are asked.

    Args:
        candidates: All that can be.
        policy: Size and balance. First each template's commonest gold is cut to its share, where
            there are others; then each sub-task to its size: templates of a sub-task, and golds
            of a template, get equal parts as far as they have enough, and scenes take turns.
    """
    by_template: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_template[candidate.template_id].append(candidate)
    if policy.max_gold_share is not None:
        by_template = {
            name: _balanced(found, policy.max_gold_share, policy.seed)
            for name, found in by_template.items()
        }
    chosen: list[Candidate] = []
    by_subtask: dict[str, dict[str, list[Candidate]]] = defaultdict(dict)
    for template_id, found in by_template.items():
        by_subtask[taxonomy().template(template_id).subtask][template_id] = found
    for subtask, templates in by_subtask.items():
        target = None if policy.target_size is None else policy.target_size.get(subtask, 0)
        chosen += _sized(templates, target, policy.seed)
    return frozenset(item_id for candidate in chosen for item_id in candidate.item_ids)


def _together(group: Sequence[Candidate]) -> Candidate:
    ordered = sorted(group, key=lambda one: one.item_ids)
    gold = next((one.gold for one in ordered if one.gold.endswith(" yes")), ordered[0].gold)
    return ordered[0]._replace(
        item_ids=tuple(item_id for one in ordered for item_id in one.item_ids),
        template_id=min(one.template_id for one in ordered),
        gold=gold,
        questions=sum(one.questions for one in ordered),
    )


def _balanced(found: list[Candidate], most_share: float, seed: int) -> list[Candidate]:
    """Candidates of which no gold has more than a share, if there is another gold at all."""
    counts = Counter(candidate.gold for candidate in found)
    if len(counts) < 2:
        return found
    limit = max(counts.values())
    while limit > 1:
        kept = {gold: min(count, limit) for gold, count in counts.items()}
        if max(kept.values()) <= most_share * sum(kept.values()):
            break
        limit -= 1
    by_gold = _by_gold(found)
    return [one for some in by_gold.values() for one in _in_turn(some, seed)[:limit]]


def _sized(
    templates: Mapping[str, list[Candidate]], target: int | None, seed: int
) -> list[Candidate]:
    if target is None:
        return [candidate for found in templates.values() for candidate in found]
    sizes = {name: sum(one.questions for one in found) for name, found in templates.items()}
    chosen: list[Candidate] = []
    for name, quota in equal_parts(sizes, target).items():
        golds = _by_gold(templates[name])
        parts = equal_parts(
            {gold: sum(one.questions for one in some) for gold, some in golds.items()}, quota
        )
        for gold, part in parts.items():
            chosen += _filled(_in_turn(golds[gold], seed), part)
    return chosen


def equal_parts(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """Parts of a total that are equal, but for those that have not enough.

    Args:
        sizes: How much each has.
        total: How much is wanted of all.
    """
    parts: dict[str, int] = {}
    left = min(total, sum(sizes.values()))
    ordered = sorted(sizes, key=lambda name: (sizes[name], name))
    for place, name in enumerate(ordered):
        parts[name] = min(sizes[name], left // (len(ordered) - place))
        left -= parts[name]
    # What whole numbers leave over goes to those that have more, the last first.
    for name in reversed(ordered):
        more = min(left, sizes[name] - parts[name])
        parts[name] += more
        left -= more
    return {name: parts[name] for name in sizes}


def _filled(ordered: Sequence[Candidate], size: int) -> list[Candidate]:
    """The first ones that fit into a size, one whose half fits among them."""
    chosen, taken = [], 0
    for candidate in ordered:
        if taken + candidate.questions / 2 <= size:
            chosen.append(candidate)
            taken += candidate.questions
    return chosen


def _in_turn(found: Iterable[Candidate], seed: int) -> list[Candidate]:
    """Candidates in the order in which they are taken: one of each scene, then another of each."""
    by_scene: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in sorted(found, key=lambda one: digest(seed, "sample", one.key)):
        by_scene[candidate.scene_id].append(candidate)
    placed = [
        (place, digest(seed, "scene", scene_id, place), candidate)
        for scene_id, some in by_scene.items()
        for place, candidate in enumerate(some)
    ]
    return [candidate for _, _, candidate in sorted(placed, key=lambda one: one[:2])]


def _by_gold(found: Iterable[Candidate]) -> dict[str, list[Candidate]]:
    golds: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in found:
        golds[candidate.gold].append(candidate)
    return {gold: golds[gold] for gold in sorted(golds)}
