"""Which rule answers which question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mira.geometry.mirror_verdict import Refusal
from mira.schema.proposal import Proposal
from mira.schema.qa import Drop
from qa_gen.asking import Ask, spatial_asks
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.relations import propose_count, propose_relation
from qa_gen.proposing.writing import Outcome, proposal_of


Rule = Callable[[Ask, MeasuredPicture], Outcome | Refusal]

RULES: Mapping[str, tuple[str, Rule]] = {
    "mr_001": ("relation-of-places", propose_relation),
    "mr_003": ("relation-of-places", propose_relation),
    "ct_001": ("count-of-places", propose_count),
}
"""Name and rule by template; the others are people's."""


def propose(ask: Ask, picture: MeasuredPicture) -> Proposal | None:
    """The answer that geometry suggests; None where there is no rule for the template."""
    if ask.template_id not in RULES:
        return None
    name, rule = RULES[ask.template_id]
    return proposal_of(ask, picture, rule(ask, picture), rule=name)


def proposals_of(picture: MeasuredPicture) -> Iterator[Proposal | Drop]:
    """All proposals of a picture, refusals among them, and what cannot be asked."""
    for ask in spatial_asks(picture.facts):
        if isinstance(ask, Drop):
            yield ask
        elif (proposal := propose(ask, picture)) is not None:
            yield proposal
