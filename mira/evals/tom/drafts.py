"""Questions as a reader finds them, before anybody trusts their answer."""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from mira.replies.bare_answers import plain_text
from mira.schema.episode import TomItem, TomKind
from mira.schema.qa import Option
from mira.schema.record import Record

Reason = Literal[
    "empty-text",
    "no-answer",
    "too-few-options",
    "too-many-options",
    "answer-not-offered",
    "right-equals-wrong",
    "name-not-in-story",
    "contradictory",
    "same-id",
    "repeated",
]
"""Why an item is left out."""
REASONS: dict[Reason, str] = {
    "empty-text": "story or question is empty",
    "no-answer": "no right answer is given",
    "too-few-options": "fewer than two options",
    "too-many-options": "more options than there are letters",
    "answer-not-offered": "the right answer is none of the options",
    "right-equals-wrong": "a wrong option says the same as the right one",
    "name-not-in-story": "the right answer names somebody that the story does not",
    "contradictory": "the same is asked twice, with another right answer",
    "same-id": "another item has the same id",
    "repeated": "the same is asked twice; it is taken once",
}


_Asked = tuple[str, ...]
"""Story, question and options, whatever their order."""


class LeftOut(Record):
    """An item of a set that was not taken."""

    item_id: str
    """The id it would have had."""
    where: str
    """File and place in it."""
    reason: Reason
    """Why."""
    detail: str
    """What was found."""


@dataclass(frozen=True)
class Draft:
    """A question as a set gives it.

    Attributes:
        item_id: Stable id.
        where: File and place in it.
        story: The text.
        question: The sentence.
        options: Texts in the order shown; empty for an answer in one's own words.
        right: Text of the right answer; empty where the set gives none.
        kind: What is asked.
        order: Order of the belief.
        condition, category, story_id, joint_group: As in `TomItem`.
        is_yes_no: Whether the options, `yes` and `no`, are their own labels.
        names: Words of the right answer that the story has to hold.
    """

    item_id: str
    where: str
    story: str
    question: str
    options: tuple[str, ...]
    right: str
    kind: TomKind
    order: int | None = None
    condition: str | None = None
    category: str | None = None
    story_id: str | None = None
    joint_group: str | None = None
    is_yes_no: bool = False
    names: tuple[str, ...] = ()

    def left_out(self, reason: Reason, detail: str) -> LeftOut:
        """This item, left out."""
        return LeftOut(item_id=self.item_id, where=self.where, reason=reason, detail=detail)


def sort_drafts(
    drafts: Iterable[Draft], *, source: str, licence: str
) -> Iterator[TomItem | LeftOut]:
    """Items of a set, and those that are left out, in the order of the set.

    Args:
        drafts: Its questions.
        source: What items call the set.
        licence: Its licence.
    """
    drafts = tuple(drafts)
    found = tuple(_checked(drafts))
    broken = {
        draft.joint_group
        for draft, one in zip(drafts, found, strict=True)
        if one is not None and one.reason != "repeated"
    }
    for draft, one in zip(drafts, found, strict=True):
        if one is not None:
            yield one
            continue
        # Of a group that has lost a question, all right would be less than its set asks for.
        group = None if draft.joint_group in broken else draft.joint_group
        yield _item(draft, group, source=source, licence=licence)


def _checked(drafts: Sequence[Draft]) -> Iterator[LeftOut | None]:
    """For each draft what is wrong with it, if anything is."""
    faults = [_fault(draft) for draft in drafts]
    answers: dict[_Asked, set[str]] = {}
    for draft, fault in zip(drafts, faults, strict=True):
        if fault is None:
            answers.setdefault(_asked(draft), set()).add(plain_text(draft.right))
    by_id: dict[str, Draft] = {}
    by_content: dict[_Asked, Draft] = {}
    for draft, fault in zip(drafts, faults, strict=True):
        if fault is not None:
            yield fault
            continue
        asked = _asked(draft)
        others = answers[asked] - {plain_text(draft.right)}
        if others:
            told = " and ".join(sorted(others)[:2])
            yield draft.left_out("contradictory", f"{draft.right!r}, elsewhere {told!r}")
        elif (first := by_content.setdefault(asked, draft)) is not draft:
            yield draft.left_out("repeated", f"as {first.item_id} in {first.where}")
        elif (first := by_id.setdefault(draft.item_id, draft)) is not draft:
            yield draft.left_out("same-id", f"as in {first.where}, which says something else")
        else:
            yield None


def drawn_order(texts: Sequence[str], item_id: str) -> tuple[str, ...]:
    """Options of a set that gives none an order: in one that tells nothing of which is right."""

    def place(text: str) -> bytes:
        return hashlib.sha256(f"{item_id}\n{text}".encode()).digest()

    return tuple(sorted(texts, key=place))


def slug(text: str) -> str:
    """A text as a part of an id."""
    return re.sub(r"[^0-9A-Za-z]+", "_", text).strip("_") or "x"


def digest8(*texts: str) -> str:
    """Eight digits that tell texts apart."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:8]


def _fault(draft: Draft) -> LeftOut | None:
    """What is wrong with one item taken for itself."""
    if not draft.story.strip() or not draft.question.strip():
        return draft.left_out("empty-text", "story" if draft.question.strip() else "question")
    right = plain_text(draft.right)
    if not right:
        return draft.left_out("no-answer", "answer")
    if missing := [name for name in draft.names if name not in draft.story]:
        return draft.left_out("name-not-in-story", ", ".join(missing))
    if not draft.options:
        return None
    if len(draft.options) < 2:
        return draft.left_out("too-few-options", f"{len(draft.options)}")
    if len(draft.options) > len(string.ascii_uppercase):
        return draft.left_out("too-many-options", f"{len(draft.options)}")
    same = [text for text in draft.options if plain_text(text) == right]
    if not same:
        return draft.left_out("answer-not-offered", repr(draft.right))
    return draft.left_out("right-equals-wrong", repr(draft.right)) if len(same) > 1 else None


def _asked(draft: Draft) -> _Asked:
    return (draft.story, draft.question, *sorted(map(plain_text, draft.options)))


def _item(draft: Draft, joint_group: str | None, *, source: str, licence: str) -> TomItem:
    labels = draft.options if draft.is_yes_no else tuple(string.ascii_uppercase)
    options = tuple(
        Option(label=label, value=text) for label, text in zip(labels, draft.options, strict=False)
    )
    right = plain_text(draft.right)
    answer = next((one.label for one in options if plain_text(one.value) == right), draft.right)
    return TomItem(
        item_id=draft.item_id,
        story=draft.story,
        question=draft.question,
        options=options,
        answer=answer,
        order=draft.order,
        kind=draft.kind,
        joint_group=joint_group,
        condition=draft.condition,
        category=draft.category,
        story_id=draft.story_id,
        source=source,
        licence=licence,
    )
