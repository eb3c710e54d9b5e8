"""What counts as one: a question with all its rotations, and groups of them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mira.evals.mira_bench.outcomes import Outcome
from mira.schema.episode import TomItem


@dataclass(frozen=True)
class Unit:
    """A question, with all its rotations where it has some.

    Attributes:
        items: The rotations; most often one.
        outcomes: What became of each.
    """

    items: tuple[TomItem, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def item(self) -> TomItem:
        """The question itself."""
        return self.items[0]

    @property
    def story(self) -> str:
        """The story that intervals resample."""
        item = self.item
        episode = item.moment.episode_id if item.moment else None
        return item.story_id or episode or item.story or item.item_id

    @property
    def is_heard(self) -> bool:
        """Whether every rotation had a reply."""
        return Outcome.UNSCORED not in self.outcomes

    @property
    def is_right(self) -> bool:
        """Whether all rotations are right."""
        return all(outcome is Outcome.RIGHT for outcome in self.outcomes)

    @property
    def chance(self) -> float:
        """Chance that uniform guesses have all of it right; NaN for words of one's own."""
        if not self.item.options:
            return math.nan
        return math.prod(1 / len(item.options) for item in self.items)


Counted = tuple[Unit, ...]
"""Units that count as one: right when all of them are."""


def units_of(items: Iterable[TomItem], outcomes: Mapping[str, Outcome]) -> tuple[Unit, ...]:
    """Items by question, in their order.

    Args:
        items: All that were asked.
        outcomes: What became of each, by item id.
    """
    turned: dict[str, list[TomItem]] = defaultdict(list)
    for item in items:
        turned[item.rotation_of or item.item_id].append(item)
    return tuple(
        Unit(tuple(of), tuple(outcomes[item.item_id] for item in of)) for of in turned.values()
    )


def alone(units: Iterable[Unit]) -> list[Counted]:
    """Each for itself."""
    return [(unit,) for unit in units]


def by_joint_group(units: Iterable[Unit]) -> list[Counted]:
    """Groups of questions that count only when all are right."""
    groups: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        if unit.item.joint_group is not None:
            groups[unit.item.joint_group].append(unit)
    return [tuple(group) for group in groups.values()]


def up_to_order(units: Iterable[Unit], order: int, orders: Sequence[int]) -> list[Counted]:
    """Questions of an order with all lower ones that are asked of the same story.

    Hi-ToM counts an answer so that is right for a wrong reason (He et al., 2023, joint accuracy).

    Args:
        units: Of one source.
        order: The highest.
        orders: All that the source has; stories that miss a lower one are left out.
    """
    lower = [one for one in orders if one <= order]
    by_text: dict[str | None, list[Unit]] = defaultdict(list)
    for unit in units:
        if unit.item.order in lower:
            by_text[unit.item.story].append(unit)
    return [
        tuple(mine) for mine in by_text.values() if {one.item.order for one in mine} == set(lower)
    ]


def with_controls(units: Iterable[Unit]) -> list[Counted]:
    """False beliefs of stories whose controls are heard and right.

    Who does not know what was where has a false belief wrong for another reason than a want of
    theory of mind, or right by luck.
    """
    by_text: dict[str | None, list[Unit]] = defaultdict(list)
    for unit in units:
        by_text[unit.item.story].append(unit)
    found: list[Counted] = []
    for of in by_text.values():
        controls = [one for one in of if one.item.kind == "control"]
        if controls and all(one.is_heard and one.is_right for one in controls):
            found += [(one,) for one in of if _is_false_belief(one)]
    return found


def _is_false_belief(unit: Unit) -> bool:
    return unit.item.kind == "belief" and unit.item.condition == "false_belief"
