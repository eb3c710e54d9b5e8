"""Drafts become items: marks, options, words in every protocol, and the derivation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import ascii_uppercase

from mira.schema.qa import (
    Answer,
    ChoiceAnswer,
    ChoiceTextAnswer,
    Drop,
    Mark,
    Option,
    Protocol,
    QAItem,
    QAPolicy,
)
from mira.schema.record import Record
from mira.taxonomy.catalogue import ProtocolInfo, taxonomy
from qa_gen.choosing import digest
from qa_gen.drafts import Draft, derivation_of
from qa_gen.facts import ImageFacts
from qa_gen.wording import WordingBook

_LIKELY = {
    "ac_002": frozenset(
        ("move_forward", "rotate_left", "rotate_right", "turn_around", "stop", "none")
    ),
    "ac_003": frozenset(
        f"{verb}_{way}"
        for verb, ways in (
            ("move", ("left", "right", "forward", "backward")),
            ("rotate", ("left", "right")),
        )
        for way in ways
    )
    | {"turn_around", "none"},
    "mpac_001": frozenset(("not_sure",)),
}
"""Values that are offered before others: actions that are right now and then, so that what is never
right gives nothing away; and what attribute completion always offers."""


class UnwordedItem(Record):
    """An item but for its words, which take most of the time: many items are not kept."""

    item: QAItem
    """All else of it."""
    size_px: tuple[int, int]
    """Width and height of its picture."""
    described: tuple[tuple[Protocol, dict[int, str]], ...]
    """Protocols that it can be asked in, each with the words for instances by id."""

    def as_drop(self, reason: str) -> Drop:
        """What is told of it when it is not asked."""
        slots = (mark.instance_id for mark in self.item.marks if mark.role == "slot")
        return Drop(
            template_id=self.item.template_id,
            image_id=self.item.image_id,
            instance_ids=tuple(slots),
            reason=reason,
        )

    def in_words(self, book: WordingBook, policy: QAPolicy) -> QAItem:
        """The item with its questions."""
        item = self.item
        paraphrase = book.choose_paraphrase(
            item.template_id, item.item_id, limit=policy.paraphrases, seed=policy.seed
        )
        of_candidates = any(mark.role == "candidate" for mark in item.marks)
        wordings = tuple(
            book.wording(
                item.template_id,
                taxonomy().protocol(protocol),
                item.marks,
                descriptions=descriptions,
                size_px=self.size_px,
                option_values=() if of_candidates else [one.value for one in item.options],
                direction=item.direction,
                paraphrase=paraphrase,
            )
            for protocol, descriptions in self.described
        )
        return item.model_copy(update={"wordings": wordings})


def make_item(
    draft: Draft, facts: ImageFacts, book: WordingBook, protocols: tuple[ProtocolInfo, ...]
) -> Iterator[UnwordedItem | Drop]:
    """The item of a draft, and a drop for each protocol it cannot be asked in.

    A question without slots points at nothing, so it is asked in the first protocol alone.
    """
    options, answer = _options(draft, facts.policy)
    described: list[tuple[Protocol, dict[int, str]]] = []
    for protocol in protocols if draft.slots else protocols[:1]:
        descriptions, reason = _descriptions(draft, facts, book, protocol)
        if reason is None:
            described.append((protocol.id, descriptions))
            continue
        yield Drop(
            template_id=draft.template_id,
            image_id=facts.view.image_id,
            instance_ids=tuple(instance_id for _, instance_id in draft.slots),
            reason=reason,
            protocol=protocol.id,
        )
    item = QAItem(
        item_id=draft.item_id,
        template_id=draft.template_id,
        image_id=facts.view.image_id,
        scene_id=facts.view.scene_id,
        direction=draft.direction,
        marks=_marks(draft, facts),
        options=options,
        answer=answer,
        joint_group=draft.joint_group,
        wordings=(),
        derivation=draft.derivation or derivation_of(draft, facts),
        margin=draft.margin,
        source=draft.source,
    )
    size_px = (facts.view.width_px, facts.view.height_px)
    yield UnwordedItem(item=item, size_px=size_px, described=tuple(described))


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


def _options(draft: Draft, policy: QAPolicy) -> tuple[tuple[Option, ...], Answer]:
    """What there is to choose from, and the answer by the label of the right one."""
    answer = draft.answer
    if draft.candidates:
        return _lettered(map(str, draft.candidates), answer)
    name = taxonomy().template(draft.template_id).options
    values = taxonomy().option_sets.get(name or "")
    if not isinstance(values, tuple):
        return (), answer
    if isinstance(answer, ChoiceAnswer | ChoiceTextAnswer):
        return _lettered(_shown(draft, values, answer.value, policy), answer)
    return tuple(Option(label=word.replace("_", " "), value=word) for word in values), answer


def _shown(draft: Draft, values: tuple[str, ...], gold: str, policy: QAPolicy) -> list[str]:
    """The right value and some of the others, in an order that the item decides."""

    def rank(value: str, purpose: str) -> bytes:
        return digest(policy.seed, draft.item_id, purpose, value)

    likely = _LIKELY[draft.template_id]
    most = policy.added_shown if draft.template_id == "mpac_001" else policy.actions_shown
    wrong = sorted(
        (value for value in values if value != gold),
        key=lambda value: (value not in likely, rank(value, "distractors")),
    )
    return sorted((gold, *wrong[: most - 1]), key=lambda value: rank(value, "order"))


def _lettered(values: Iterable[str], answer: Answer) -> tuple[tuple[Option, ...], Answer]:
    options = tuple(
        Option(label=letter, value=value)
        for letter, value in zip(ascii_uppercase, values, strict=False)
    )
    assert isinstance(answer, ChoiceAnswer | ChoiceTextAnswer)
    label = next(option.label for option in options if option.value == answer.value)
    return options, answer.model_copy(update={"value": label})


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
        text = facts.description(instance_id)
        if not text:
            return {}, "no-description"
        if book.reveals(text):
            return {}, "description-reveals-visibility"
        words[instance_id] = text
    return words, None
