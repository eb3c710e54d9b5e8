"""What the page says of a picture, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from mira.schema.proposal import Proposal
from mira.schema.qa import Answer, AxesAnswer, Drop
from mira.taxonomy.catalogue import taxonomy
from qa_gen.facts import ImageFacts
from qa_gen.space_page.records import SpaceProposal, Standing

_QUESTIONS: Mapping[str, str] = {
    "mr_001": "Where {0} really is, from {1}",
    "mr_003": "Where {0} really is, from where {1} really is",
    "ct_001": "How many are {direction} of {0}",
    "ac_001": "Can {0} be reached",
    "ac_002": "What brings the camera nearer to {0}",
    "ac_003": "Which action shows more of {0}",
    "ac_004": "Does a move {direction} run into something",
}
_FLAGS: Mapping[str, str] = {
    "behind_camera": "it lies behind the camera",
    "link_denied": "geometry says that its link is wrong",
    "unseen_space": "it depends on space that is not seen",
}
_SIDES: Mapping[str, str] = {
    "front": "in front",
    "behind": "behind",
    "above": "above",
    "below": "below",
    "left": "left",
    "right": "right",
}


class Names:
    """What things of one picture are called."""

    def __init__(self, facts: ImageFacts) -> None:
        """Collect names from descriptions and categories."""
        self._instances = {
            one.instance_id: facts.description(one.instance_id) or "thing"
            for one in facts.annotation.instances
        }
        self._surfaces = {
            one.surface_id: (one.surface_type or "surface").replace("_", " ")
            for one in facts.annotation.surfaces
        }

    def instance(self, instance_id: int) -> str:
        """Of an instance, without its id."""
        return self._instances[instance_id]

    def surface(self, surface_id: int) -> str:
        """Of a surface, without its id."""
        return self._surfaces[surface_id]

    def numbered(self, instance_id: int) -> str:
        """Of an instance, with its id."""
        return f"{self._instances[instance_id]} {instance_id}"


def space_proposals(proposed: Iterable[Proposal | Drop], names: Names) -> tuple[SpaceProposal, ...]:
    """Proposals and refusals in words, in their order."""
    return tuple(_told(one, names) for one in proposed if isinstance(one, Proposal))


def count_reasons(proposed: Iterable[Proposal | Drop]) -> dict[str, int]:
    """Questions that cannot be put, a reason."""
    drops = Counter(one.reason for one in proposed if isinstance(one, Drop))
    return dict(sorted(drops.items()))


def _told(proposal: Proposal, names: Names) -> SpaceProposal:
    standing: Standing = "close" if proposal.close_call else "sure"
    if proposal.refusal is not None:
        standing = "refused"
    margin = None
    if proposal.margin is not None and proposal.margin_unit is not None:
        margin = _margin(proposal.margin, proposal.margin_unit)
    return SpaceProposal(
        item_id=proposal.item_id,
        template_id=proposal.template_id,
        question=_question(proposal, names),
        answer="no answer" if proposal.answer is None else _answer(proposal.answer),
        reason=proposal.reason,
        standing=standing,
        margin=margin,
        flags=tuple(_FLAGS.get(flag, flag.replace("_", " ")) for flag in proposal.flags),
        slots=tuple(proposal.slots.values()),
        direction=proposal.direction,
        instance_ids=proposal.derivation.instance_ids,
        surface_ids=proposal.derivation.surface_ids,
    )


def _question(proposal: Proposal, names: Names) -> str:
    fillers = [names.numbered(which) for which in proposal.slots.values()]
    direction = proposal.direction or ""
    known = _QUESTIONS.get(proposal.template_id)
    if known is None:
        subtask = taxonomy().subtask(taxonomy().template(proposal.template_id).subtask).name
        return ": ".join((subtask, ", ".join((*fillers, *filter(None, (direction,))))))
    # Not str.format: a description may hold braces.
    text = known.replace("{direction}", _SIDES.get(direction, direction))
    for place, filler in enumerate(fillers):
        text = text.replace(f"{{{place}}}", filler, 1)
    return text


def _answer(answer: Answer) -> str:
    if isinstance(answer, AxesAnswer):
        words = (answer.horizontal, answer.vertical, answer.depth)
        return ", ".join(word.replace("_", " ") for word in words)
    return str(answer.value).replace("_", " ")


def _margin(margin: float, unit: str) -> str:
    texts = {"m": f"{margin:.2f} m", "deg": f"{margin:.0f}°", "ratio": f"{margin:.2f} times"}
    return texts.get(unit, f"{margin:g} {unit}")
