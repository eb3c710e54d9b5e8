"""Questions on real positions, reach, actions and added information, with the answers there are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from mira.schema.annotation import Instance
from mira.schema.proposal import ImageProposals
from mira.schema.qa import Drop
from qa_gen.answering import Answers, settle
from qa_gen.asking import Ask, spatial_asks
from qa_gen.choosing import digest, ranked
from qa_gen.drafts import Draft
from qa_gen.facts import ImageFacts
from qa_gen.objects import PhysicalObject

_ONE_EACH = frozenset({"ct_001", "ac_001", "ac_002", "ac_003"})
"""Templates that ask about an object through one of its appearances, picked by a hash: the others
would ask the same once more."""


def spatial_drafts(
    facts: ImageFacts, proposals: ImageProposals | None, answers: Answers
) -> Iterator[Draft | Drop]:
    """Every question beside perception that has an answer, or why it is not asked.

    Args:
        facts: The picture.
        proposals: What geometry suggests; None where it was not asked.
        answers: What people say.
    """
    if proposals is None and not answers:
        return
    known = {one.item_id: one for one in proposals.proposals} if proposals is not None else {}
    found: list[Draft] = []
    for ask in spatial_asks(facts):
        if isinstance(ask, Drop):
            yield ask
            continue
        people = answers.get(ask.item_id, {})
        if not people and not _is_picked(ask, facts):
            continue
        settled = settle(ask, facts, known.get(ask.item_id), people)
        if isinstance(settled, str):
            yield _drop(ask, settled)
            continue
        found.append(
            Draft(
                item_id=ask.item_id,
                template_id=ask.template_id,
                slots=ask.slots,
                answer=settled.answer,
                rule=settled.derivation.rule,
                subject=ask.subject,
                direction=ask.direction,
                source=settled.source,
                margin=settled.margin,
                derivation=settled.derivation,
            )
        )
    yield from _few_each(found, facts)


def _is_picked(ask: Ask, facts: ImageFacts) -> bool:
    """Whether a question is asked through the appearance that stands for its object."""
    if ask.template_id not in _ONE_EACH:
        return True
    ((_, instance_id),), (obj,) = ask.slots, ask.subject
    able = [one.instance_id for one in _able(ask, obj) if one.instance_id not in facts.unfit]
    key = min(one.instance_id for one in obj.instances)
    subject = (facts.view.image_id, key, ask.template_id)
    return ranked(able, facts.policy.seed, *subject)[0] == instance_id


def _able(ask: Ask, obj: PhysicalObject) -> tuple[Instance, ...]:
    """Appearances that may fill the slot."""
    return obj.reflections if ask.template_id == "ac_003" else obj.instances


def _few_each(drafts: list[Draft], facts: ImageFacts) -> Iterator[Draft | Drop]:
    """At most so many questions a template, those of people first, the rest by a hash."""
    most = facts.policy.most_a_template
    ordered = sorted(
        drafts,
        key=lambda d: (
            d.template_id,
            d.source != "annotator",
            digest(facts.policy.seed, d.item_id),
        ),
    )
    for template_id, group in groupby(ordered, key=lambda draft: draft.template_id):
        for place, draft in enumerate(group):
            if most is None or place < most:
                yield draft
            else:
                ids = tuple(instance_id for _, instance_id in draft.slots)
                yield Drop(
                    template_id=template_id,
                    image_id=facts.view.image_id,
                    instance_ids=ids,
                    reason="enough-of-its-kind",
                )


def _drop(ask: Ask, reason: str) -> Drop:
    return Drop(
        template_id=ask.template_id,
        image_id=ask.image_id,
        instance_ids=tuple(instance_id for _, instance_id in ask.slots),
        reason=reason,
    )
