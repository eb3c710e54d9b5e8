"""Which rule answers which question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from mira.geometry.mirror_verdict import Refusal
from mira.schema.proposal import Proposal
from mira.schema.qa import Drop
from qa_gen.asking import Ask, spatial_asks
from qa_gen.proposing.approaching import propose_next_action
from qa_gen.proposing.colliding import propose_collision
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.reaching import propose_reach
from qa_gen.proposing.relations import propose_count, propose_relation
from qa_gen.proposing.surroundings import Surroundings, look_around
from qa_gen.proposing.viewing import propose_better_view
from qa_gen.proposing.writing import Outcome, proposal_of

PlaceRule = Callable[[Ask, MeasuredPicture], Outcome | Refusal]
SpaceRule = Callable[[Ask, MeasuredPicture, Surroundings | None], Outcome | Refusal]

_PLACE_RULES: Mapping[str, tuple[str, PlaceRule]] = {
    "mr_001": ("relation-of-places", propose_relation),
    "mr_003": ("relation-of-places", propose_relation),
    "ct_001": ("count-of-places", propose_count),
}
_SPACE_RULES: Mapping[str, tuple[str, SpaceRule]] = {
    "ac_001": ("reach-over-seen-floor", propose_reach),
    "ac_002": ("next-action-by-bearing", propose_next_action),
    "ac_003": ("view-after-action", propose_better_view),
    "ac_004": ("collision-with-what-is-seen", propose_collision),
}
"""Name and rule by template; mpac_001 is people's."""
RULE_OF: Mapping[str, str] = {
    template_id: name
    for rules in (_PLACE_RULES, _SPACE_RULES)
    for template_id, (name, _) in rules.items()
}
"""Name of the rule that proposes answers, by template."""


def proposals_of(picture: MeasuredPicture) -> Iterator[Proposal | Drop]:
    """All proposals of a picture, refusals among them, and what cannot be asked."""
    around = look_around(picture, np.random.default_rng(picture.policy.seed))
    for ask in spatial_asks(picture.facts):
        if isinstance(ask, Drop):
            yield ask
        elif (proposal := propose(ask, picture, around)) is not None:
            yield proposal


def propose(ask: Ask, picture: MeasuredPicture, around: Surroundings | None) -> Proposal | None:
    """The answer that geometry suggests; None where there is no rule for the template."""
    if ask.template_id in _PLACE_RULES:
        name, rule = _PLACE_RULES[ask.template_id]
        return proposal_of(ask, picture, rule(ask, picture), rule=name)
    if ask.template_id in _SPACE_RULES:
        name, space_rule = _SPACE_RULES[ask.template_id]
        return proposal_of(ask, picture, space_rule(ask, picture, around), rule=name)
    return None
