"""Visibility and correspondence: what is outlined, and what belongs to one object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mira.schema.qa import ChoiceAnswer, YesNoAnswer
from mira.schema.spatial import TrueAnswer
from mira.sim.rooms.answers.facts import ViewFacts
from mira.sim.rooms.truth.sightings import Sighting

_ASKS = (
    ("vc_001", "X", "only reflected"),
    ("vc_002", "Y", "only directly"),
    ("vc_003", "X", "both ways"),
)


def visibility_answers(facts: ViewFacts) -> Iterator[TrueAnswer]:
    """The three questions of each appearance; they are of its object, not of the appearance."""
    for sighting in facts.view.content.sightings:
        seen, doubt = _how_seen(facts, sighting.item)
        reason = f"the {facts.name(sighting.item)} is outlined {seen}"
        for template_id, slot, asked in _ASKS:
            yield TrueAnswer(
                template_id=template_id,
                slots={slot: sighting.group_id},
                answer=YesNoAnswer(value=_word(seen == asked)),
                close_call=bool(doubt),
                reason=reason + doubt,
            )


def correspondence_answers(facts: ViewFacts) -> Iterator[TrueAnswer]:
    """Which appearances show one object; several reflections of one are all right."""
    everything_direct = tuple(s.group_id for s in facts.direct)
    everything_reflected = tuple(s.group_id for s in facts.reflected)
    for reflection in facts.reflected:
        real = [s for s in facts.direct if s.item == reflection.item]
        yield from _choice(facts, "mc_001", "X", reflection, real, everything_direct)
    for real_one in facts.direct:
        own = list(facts.reflections(real_one.item))
        yield from _choice(facts, "mc_002", "Y", real_one, own, everything_reflected)
    for reflection in facts.reflected:
        for real_one in facts.direct:
            yield _pair(facts, reflection, real_one)


def _how_seen(facts: ViewFacts, item: int) -> tuple[str, str]:
    """How an object is outlined, and a doubt if a little of it shows the other way too."""
    outlined = {bool(sighting.chain) for sighting in facts.objects[item]}
    if len(outlined) == 2:
        return "both ways", ""
    reflected = outlined.pop()
    shown = {bool(chain) for thing, chain in facts.view.content.shown if thing == item}
    seen = "only reflected" if reflected else "only directly"
    if shown <= {reflected}:
        return seen, ""
    other = "directly" if reflected else "reflected"
    return seen, f"; too little of it to be outlined shows {other} too"


def _choice(
    facts: ViewFacts,
    template_id: Literal["mc_001", "mc_002"],
    slot: str,
    asked: Sighting,
    right: list[Sighting],
    candidates: tuple[int, ...],
) -> Iterator[TrueAnswer]:
    if not right:
        return
    first, *others = right
    yield TrueAnswer(
        template_id=template_id,
        slots={slot: asked.group_id},
        answer=ChoiceAnswer(value=str(first.group_id)),
        also_true=tuple(str(other.group_id) for other in others),
        candidates=candidates,
        close_call=_is_unlinked(asked, *right),
        reason=f"both show the {facts.name(asked.item)}",
    )


def _pair(facts: ViewFacts, reflection: Sighting, real: Sighting) -> TrueAnswer:
    same = reflection.item == real.item
    names = facts.name(reflection.item), facts.name(real.item)
    return TrueAnswer(
        template_id="mc_003",
        slots={"X": reflection.group_id, "Y": real.group_id},
        answer=YesNoAnswer(value=_word(same)),
        close_call=same and _is_unlinked(reflection),
        reason=f"both show the {names[0]}" if same else f"the {names[0]} is not the {names[1]}",
    )


def _is_unlinked(*sightings: Sighting) -> bool:
    """Whether a reflection has no link, since what it is a reflection of is not outlined."""
    return any(s.chain and s.reflection_of is None for s in sightings)


def _word(truth: bool) -> Literal["yes", "no"]:
    return "yes" if truth else "no"
