"""Drafts become items: marks, options, words in every protocol, and the derivation."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

from mira.schema.qa import (
    Answer,
    ChoiceAnswer,
    Derivation,
    Drop,
    Mark,
    Option,
    QAItem,
    Wording,
    YesNoAnswer,
)
from mira.taxonomy.catalogue import ProtocolInfo, taxonomy
from qa_gen.facts import ImageFacts
from qa_gen.perception import Draft
from qa_gen.wording import WordingBook


def finish_item(
    draft: Draft, facts: ImageFacts, book: WordingBook, protocols: tuple[ProtocolInfo, ...]
) -> Iterator[QAItem | Drop]:
    """The item of a draft, and a drop for each protocol it cannot be asked in."""
    marks = _marks(draft, facts)
    options, answer = _options(draft)
    wordings: list[Wording] = []
    for protocol in protocols:
        descriptions, reason = _descriptions(draft, facts, book, protocol)
        if reason:
            yield Drop(
                template_id=draft.template_id,
                image_id=facts.view.image_id,
                instance_ids=tuple(instance_id for _, instance_id in draft.slots),
                reason=reason,
                protocol=protocol.id,
            )
            continue
        wordings.append(
            book.wording(
                draft.template_id,
                protocol,
                marks,
                descriptions=descriptions,
                size_px=(facts.view.width_px, facts.view.height_px),
                option_values=() if draft.candidates else [option.value for option in options],
            )
        )
    yield QAItem(
        item_id=draft.item_id,
        template_id=draft.template_id,
        image_id=facts.view.image_id,
        scene_id=facts.view.scene_id,
        marks=marks,
        options=options,
        answer=answer,
        joint_group=draft.joint_group,
        wordings=tuple(wordings),
        derivation=_derivation(draft, facts),
    )


def _marks(draft: Draft, facts: ImageFacts) -> tuple[Mark, ...]:
    slots = [
        Mark(label=name, instance_id=i, role="slot", box_xyxy_px=facts.boxes[i])
        for name, i in draft.slots
    ]
    candidates = [
        Mark(label=letter, instance_id=i, role="candidate", box_xyxy_px=facts.boxes[i])
        for letter, i in zip(ascii_uppercase, draft.candidates, strict=False)
    ]
    return (*slots, *candidates)


def _options(draft: Draft) -> tuple[tuple[Option, ...], Answer]:
    if isinstance(draft.answer, int):
        options = tuple(
            Option(label=letter, value=str(i))
            for letter, i in zip(ascii_uppercase, draft.candidates, strict=False)
        )
        return options, ChoiceAnswer(value=ascii_uppercase[draft.candidates.index(draft.answer)])
    words = taxonomy().option_sets["yes_no"]
    return tuple(Option(label=word, value=word) for word in words), YesNoAnswer(value=draft.answer)


def _descriptions(
    draft: Draft, facts: ImageFacts, book: WordingBook, protocol: ProtocolInfo
) -> tuple[dict[int, str], str | None]:
    """The words for the slots, or the reason why this protocol cannot have them."""
    if not protocol.description:
        return {}, None
    described = book.described_slots(draft.template_id)
    words: dict[int, str] = {}
    for slot, instance_id in draft.slots:
        if slot not in described:
            continue
        instance = facts.instance(instance_id)
        text = " ".join((instance.description or instance.category or "").split())
        if not text:
            return {}, "no-description"
        if book.reveals(text):
            return {}, "description-reveals-visibility"
        words[instance_id] = text
    return words, None


def _derivation(draft: Draft, facts: ImageFacts) -> Derivation:
    instances = [instance for obj in draft.subject for instance in obj.instances]
    return Derivation(
        rule=draft.rule,
        annotator=facts.annotation.annotator,
        annotation_sha256=facts.annotation_sha256,
        instance_ids=tuple(instance.instance_id for instance in instances),
        surface_ids=tuple(sorted({s for instance in instances for s in instance.seen_in})),
        links=tuple(
            (reflection.instance_id, obj.real.instance_id)
            for obj in draft.subject
            if obj.real
            for reflection in obj.reflections
        ),
    )
