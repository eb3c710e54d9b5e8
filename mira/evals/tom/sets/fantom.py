"""FANToM (Kim et al., 2023): one JSON list, a conversation and its set of questions a row.

The questions of a set that ask for the same knowledge count together, the set's "All": beliefs as
choices, who can answer and who knows, as lists and yes or no. Beliefs in one's own words, which
its authors judge by sentence embeddings, are not asked; the fact, which they judge by the overlap
of words, is asked as a choice where the set gives a wrong answer too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mira.errors import TomSetError
from mira.evals.tom.drafts import Draft, drawn_order, slug
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import (
    SourceFile,
    field,
    require_list,
    require_object,
    text_field,
)

_ORDERS = {"first-order": 1, "second-order": 2}
_CONDITIONS = {"inaccessible": "false_belief", "accessible": "true_belief"}
"""Whether somebody missed what is asked about."""
_LISTS = {"answerabilityQA_list": "answerability", "infoAccessibilityQA_list": "info_accessibility"}
_BINARIES = {
    "answerabilityQAs_binary": "answerability",
    "infoAccessibilityQAs_binary": "info_accessibility",
}
NOBODY = "nobody"
"""The right answer to a list of those who know, where it is empty."""


def recognises(file: SourceFile) -> bool:
    """Whether a file is FANToM's."""
    return file.suffix == ".json" and b'"beliefQAs"' in file.data[: 1 << 20]


def read(files: Sequence[SourceFile], choices: ImportChoices) -> Iterator[Draft]:
    """Questions of all files."""
    for file in files:
        if file.suffix == ".json":
            for number, row in enumerate(require_list(file.json(), file.path)):
                where = f"{file.path}: {number}"
                yield from _Set(require_object(row, where), where, choices).drafts()


class _Set:
    """The questions about one part of a conversation."""

    def __init__(self, row: Mapping[str, Any], where: str, choices: ImportChoices) -> None:
        self._row = row
        self._where = where
        self._full = choices.context == "full"
        self._story = text_field(row, f"{choices.context}_context", where)
        name = slug(text_field(row, "set_id", where)).replace("_", "-")
        self._id = f"fantom-{name}{'-full' if self._full else ''}"
        self._story_id = f"fantom-{name.partition('-')[0]}"
        fact = require_object(field(row, "factQA", where), f"{where}: factQA")
        self._fact = fact
        self._target = text_field(fact, "question", f"{where}: factQA")
        self._answer = text_field(fact, "correct_answer", f"{where}: factQA")

    def drafts(self) -> Iterator[Draft]:
        """All of them, in the order of the set."""
        if self._fact.get("wrong_answer"):
            yield self._choice("fact", self._fact, "factQA", category="fact", condition="fact")
        for number, qa in enumerate(self._all("beliefQAs"), start=1):
            where = f"beliefQAs.{number - 1}"
            access = text_field(qa, "question_type", self._at(where)).split(":")[-1]
            yield self._choice(
                f"belief-{number}",
                qa,
                where,
                category="belief",
                condition=self._condition(access, where),
                order=_ORDERS.get(str(qa.get("tom_type", "")).partition(":")[0]),
            )
        for name, category in _LISTS.items():
            qa = require_object(field(self._row, name, self._where), self._at(name))
            yield self._list(qa, name, category)
        for name, category in _BINARIES.items():
            yield from self._binaries(name, category)

    def _choice(
        self,
        part: str,
        qa: Mapping[str, Any],
        name: str,
        *,
        category: str,
        condition: str,
        order: int | None = 0,
    ) -> Draft:
        where = self._at(name)
        right = text_field(qa, "correct_answer", where)
        item_id = f"{self._id}-{part}"
        wrong = text_field(qa, "wrong_answer", where)
        return Draft(
            item_id=item_id,
            where=where,
            story=self._story,
            question=text_field(qa, "question", where),
            options=drawn_order((right, wrong), item_id),
            right=right,
            kind="control" if category == "fact" else "belief",
            order=order,
            condition=condition,
            category=category,
            story_id=self._story_id,
            joint_group=None if category == "fact" else self._group(condition),
        )

    def _list(self, qa: Mapping[str, Any], name: str, category: str) -> Draft:
        where = self._at(name)
        knowing = require_list(field(qa, "correct_answer", where), f"{where}: correct_answer")
        missing = require_list(field(qa, "wrong_answer", where), f"{where}: wrong_answer")
        access = "inaccessible" if self._full and missing else None
        condition = self._condition(access or self._access(qa, where), name)
        return Draft(
            item_id=f"{self._id}-{category}-list",
            where=where,
            story=self._story,
            question=self._asked(qa, category, where),
            options=(),
            right=", ".join(sorted(str(one).strip() for one in knowing)) or NOBODY,
            kind="belief",
            order=1,
            condition=condition,
            category=f"{category} list",
            story_id=self._story_id,
            joint_group=self._group(condition),
        )

    def _binaries(self, name: str, category: str) -> Iterator[Draft]:
        """Yes or no of each character; of those who are there later only, with all of it."""
        asked = self._all(name)
        answers = [text_field(qa, "correct_answer", self._at(name)) for qa in asked]
        missed = any(answer != "yes" for answer in answers)
        for number, (qa, answer) in enumerate(zip(asked, answers, strict=True), start=1):
            where = self._at(f"{name}.{number - 1}")
            if answer == "no:long" and not self._full:
                continue
            access = "inaccessible" if self._full and missed else self._access(qa, where)
            condition = self._condition(access, name)
            yield Draft(
                item_id=f"{self._id}-{category}-{number}",
                where=where,
                story=self._story,
                question=self._asked(qa, category, where),
                options=("yes", "no"),
                right=answer.partition(":")[0],
                kind="belief",
                order=1,
                condition=condition,
                category=f"{category} yes or no",
                story_id=self._story_id,
                joint_group=self._group(condition),
                is_yes_no=True,
            )

    def _asked(self, qa: Mapping[str, Any], category: str, where: str) -> str:
        """The question behind what it calls `this question` or `this information`."""
        question = text_field(qa, "question", where)
        if category == "answerability":
            return f"Target: {self._target}\n{question}"
        return f"Information: {self._target} {self._answer}\n{question}"

    def _all(self, name: str) -> list[Mapping[str, Any]]:
        found = require_list(field(self._row, name, self._where), self._at(name))
        return [require_object(qa, self._at(name)) for qa in found]

    def _access(self, qa: Mapping[str, Any], where: str) -> str:
        return text_field(qa, "missed_info_accessibility", where)

    def _condition(self, access: str, name: str) -> str:
        if access not in _CONDITIONS:
            raise TomSetError(
                f"{self._at(name)}: missed_info_accessibility",
                f"expected {' or '.join(_CONDITIONS)}, found {access!r}",
            )
        return _CONDITIONS[access]

    def _group(self, condition: str) -> str:
        return f"{self._id}-all-{condition}"

    def _at(self, name: str) -> str:
        return f"{self._where}.{name}"
