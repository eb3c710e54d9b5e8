"""What a reflection tells of a thing that is seen directly too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from typing import Literal, NamedTuple

import numpy as np

from mira.schema.qa import ChoiceTextAnswer
from mira.schema.spatial import AddedInformationPolicy, TrueAnswer
from mira.sim.rooms.answers.facts import ViewFacts
from mira.sim.rooms.answers.looks import Looks, LookSet
from mira.sim.rooms.answers.unseen_surface import unseen_shares
from mira.sim.rooms.tracing.scene_mesh import SIDES
from mira.sim.rooms.truth.sightings import Sighting

_MOST_NAMES = 3
_UNSEEN = 4
"""Parts and looks count as unseen below their threshold over this."""
Label = Literal[
    "nothing_added", "same_side_only", "other_side_nothing_distinct", "other_side_distinct"
]


class _Verdict(NamedTuple):
    label: Label
    text: str | None
    reason: str


def added_information_answers(facts: ViewFacts) -> Iterator[TrueAnswer]:
    """What the reflections of each directly seen thing add to it."""
    policy = facts.policy.added
    unseen = unseen_shares(facts)
    looks = Looks(facts.mesh)
    doubts = [_scaled(policy, policy.doubt_factor), _scaled(policy, 1 / policy.doubt_factor)]
    for real in facts.direct:
        reflections = tuple(facts.reflections(real.item))
        if not reflections:
            continue
        added = max(unseen[reflection.group_id] for reflection in reflections)
        pair = _Pair(facts, real, reflections, added, looks)
        verdict = pair.judge(policy)
        others = {pair.judge(other).label for other in doubts}
        yield TrueAnswer(
            template_id="mpac_001",
            slots={"Y": real.group_id},
            answer=ChoiceTextAnswer(value=verdict.label, text=verdict.text),
            margin=_side_margin_px(real, reflections, policy),
            margin_unit="px",
            close_call=others != {verdict.label},
            reason=verdict.reason,
        )


class _Pair:
    """A thing seen directly, and its reflections."""

    def __init__(
        self,
        facts: ViewFacts,
        real: Sighting,
        reflections: tuple[Sighting, ...],
        added: float,
        looks: Looks,
    ) -> None:
        self._facts, self._real, self._reflections = facts, real, reflections
        self._added = added
        self._looks_before = cache(partial(_looks, facts, looks, (real,)))
        self._looks_after = cache(partial(_looks, facts, looks, reflections))
        self._names_before = _pixels_by_name(facts, (real,))
        self._names_after = _pixels_by_name(facts, reflections)

    def judge(self, policy: AddedInformationPolicy) -> _Verdict:
        """What the reflections add, by some thresholds."""
        known = _sides((self._real,), policy)
        new = _sides(self._reflections, policy) - known
        if not new:
            if self._added < policy.added_share:
                return _Verdict("nothing_added", None, "all that is reflected is seen directly too")
            share = f"{self._added:.0%} of its reflection is not seen directly"
            return _Verdict("same_side_only", None, f"no other side is reflected; {share}")
        sides = _joined([SIDES[side] for side in sorted(new)])
        text = self._new_names(policy) or self._new_look(new, known, policy)
        if text is None:
            return _Verdict("other_side_nothing_distinct", None, f"only reflected: its {sides}")
        return _Verdict("other_side_distinct", text, f"only reflected: its {sides}; {text}")

    def _new_names(self, policy: AddedInformationPolicy) -> str | None:
        """Named parts that only reflections show, the largest first; None for none."""
        unseen = policy.part_px / _UNSEEN
        fresh = [
            (-count, name)
            for name, count in self._names_after.items()
            if count >= policy.part_px and self._names_before.get(name, 0) < unseen
        ]
        names = [f"the {name}" for _, name in sorted(fresh)[:_MOST_NAMES]]
        return _joined(names) if names else None

    def _new_look(
        self, new: frozenset[int], known: frozenset[int], policy: AddedInformationPolicy
    ) -> str | None:
        """A colour or print that the new sides have and the known ones have not."""
        before = self._looks_before(known, known)
        after = self._looks_after(_sides(self._reflections, policy), new)
        far = policy.look_distance
        fresh = after.share_like(after.pictures, distance=far) >= policy.look_share
        fresh &= before.share_like(after.pictures, distance=far) < policy.look_share / _UNSEEN
        if not len(before) or not fresh.any():
            return None
        shown = {side: sum(r.side_px[side] for r in self._reflections) for side in sorted(new)}
        side = SIDES[max(shown, key=lambda side: shown[side])]
        look = int(np.argmax(np.where(fresh, after.shares, -1.0)))
        if after.is_print(look):
            return f"a print on its {side}"
        return f"its {side} is {after.colour_name(look)}"


def _pixels_by_name(facts: ViewFacts, sightings: tuple[Sighting, ...]) -> dict[str, int]:
    """Pixels of named parts, in the sighting that shows most of each."""
    most: dict[str, int] = {}
    for sighting in sightings:
        found: dict[str, int] = {}
        for part, count in sighting.part_px.items():
            name = facts.mesh.part_names[part]
            if name:
                found[name] = found.get(name, 0) + count
        most.update({name: max(count, most.get(name, 0)) for name, count in found.items()})
    return most


def _looks(
    facts: ViewFacts,
    looks: Looks,
    sightings: tuple[Sighting, ...],
    seen: frozenset[int],
    wanted: frozenset[int],
) -> LookSet:
    """Looks of some of the sides that appearances of one item show."""
    own = facts.triangles[sightings[0].item]
    side = facts.mesh.side[own]
    is_seen, is_wanted = (
        np.array([number in sides for number in range(len(SIDES))]) for sides in (seen, wanted)
    )
    shown = is_seen[side]
    pixels = Counter[int]()
    for sighting in sightings:
        pixels.update(sighting.part_px)
    return looks.of(own[shown], is_wanted[side[shown]], pixels)


def _sides(sightings: tuple[Sighting, ...], policy: AddedInformationPolicy) -> frozenset[int]:
    """The sides of which some appearance shows enough; the most visible one is always enough."""
    return frozenset(
        side
        for sighting in sightings
        for side, count in enumerate(sighting.side_px)
        if count >= min(_needed_px(sighting, policy), max(sighting.side_px))
    )


def _needed_px(sighting: Sighting, policy: AddedInformationPolicy) -> float:
    return max(policy.side_px, policy.side_share * sum(sighting.side_px))


def _side_margin_px(
    real: Sighting, reflections: tuple[Sighting, ...], policy: AddedInformationPolicy
) -> float:
    """Pixels by which the side that is nearest to its threshold misses or passes it."""
    gaps = [
        abs(count - _needed_px(sighting, policy))
        for sighting in (real, *reflections)
        for count in sighting.side_px
        if count
    ]
    return round(min(gaps), 1)


def _scaled(policy: AddedInformationPolicy, factor: float) -> AddedInformationPolicy:
    """All thresholds grown or shrunk."""
    return policy.model_copy(
        update={
            "side_share": policy.side_share * factor,
            "side_px": policy.side_px * factor,
            "added_share": policy.added_share * factor,
            "part_px": policy.part_px * factor,
            "look_share": policy.look_share * factor,
            "look_distance": policy.look_distance * factor,
        }
    )


def _joined(words: list[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
