"""What is asked more than once, of one picture or of one scene."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from mira.schema.qa import QAItem
from mira.taxonomy.catalogue import taxonomy
from qa_gen.choosing import digest
from qa_gen.quality.reading import KnownPicture, gold_of, has_candidates, slots_of
from qa_gen.quality.records import Repeats
from qa_gen.quality.reporting import FindingList

_BY_APPEARANCE = frozenset({"mc"})
"""Sub-tasks that ask about appearances, so that another appearance is another fact."""
_BARE_PROTOCOL = "visual_bbox_desc"
"""The protocol that tells objects apart by description, without places in the picture."""


class _First(NamedTuple):
    """The first item that asked something."""

    item_id: str
    gold: str


class RepeatCheck:
    """Remembers what was asked by hashes of eight bytes."""

    def __init__(self, findings: FindingList) -> None:
        self._findings = findings
        self._questions: dict[bytes, _First] = {}
        self._facts: set[bytes] = set()
        self._scene_words: dict[bytes, bytes] = {}
        self._repeated = 0
        self._repeated_facts: Counter[str] = Counter()
        self._repeated_in_scene: Counter[str] = Counter()
        self._worded: Counter[str] = Counter()

    def add(self, item: QAItem, known: KnownPicture) -> None:
        """Take in an item."""
        if self._is_repeated(item):
            return
        self._add_fact(item, known)
        self._add_scene_words(item)

    def repeats(self) -> Repeats:
        """What was found."""
        return Repeats(
            questions=self._repeated,
            facts=dict(sorted(self._repeated_facts.items())),
            in_scene=dict(sorted(self._repeated_in_scene.items())),
            worded=dict(sorted(self._worded.items())),
        )

    def _is_repeated(self, item: QAItem) -> bool:
        key, own = _question_key(item), _First(item.item_id, gold_of(item))
        first = self._questions.setdefault(key, own)
        if first is own:
            return False
        self._repeated += 1
        message = f"expected a question of its own, found that of {first.item_id}"
        self._findings.add("question-repeated", item.item_id, message)
        if first.gold != own.gold:
            message = f"expected {first.gold!r}, as {first.item_id} says, found {own.gold!r}"
            self._findings.add("answer-contradiction", item.item_id, message)
        return True

    def _add_fact(self, item: QAItem, known: KnownPicture) -> None:
        if taxonomy().template(item.template_id).subtask in _BY_APPEARANCE:
            return
        objects = [known.object_of(instance_id) for instance_id in slots_of(item)]
        # Two objects in the other order have the opposite words and no other fact.
        key = digest(item.template_id, item.image_id, item.direction, *sorted(objects))
        if key in self._facts:
            self._repeated_facts[item.template_id] += 1
        self._facts.add(key)

    def _add_scene_words(self, item: QAItem) -> None:
        words = _bare_words(item)
        if words is None:
            return
        self._worded[item.template_id] += 1
        gold = "" if has_candidates(item) else gold_of(item)
        key = digest(item.scene_id, item.template_id, words, gold)
        picture = digest(item.image_id)
        if self._scene_words.setdefault(key, picture) != picture:
            self._repeated_in_scene[item.template_id] += 1


def _question_key(item: QAItem) -> bytes:
    """A hash of all that is shown and said, the answer and the order of options apart."""
    slots = [(mark.label, mark.box_xyxy_px) for mark in item.marks if mark.role == "slot"]
    candidates = sorted(mark.box_xyxy_px for mark in item.marks if mark.role == "candidate")
    values = [] if candidates else sorted(option.value for option in item.options)
    wording = item.wordings[0] if item.wordings else None
    said = (wording.protocol, wording.question) if wording else ()
    return digest(
        item.template_id, item.image_id, item.direction, *said, *slots, *candidates, *values
    )


def _bare_words(item: QAItem) -> str | None:
    """The question without places in the picture; None where no protocol has it so."""
    if not item.marks and item.wordings:
        return item.wordings[0].question
    bare = (one.question for one in item.wordings if one.protocol == _BARE_PROTOCOL)
    return next(bare, None)
