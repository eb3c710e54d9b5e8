"""Questions made once more, and what is no longer as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from mira.errors import WorkspaceError
from mira.reviews import as_made
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import View
from mira.schema.finding import Finding
from mira.schema.proposal import ImageProposals
from mira.schema.qa import Drop, QAItem, QAPolicy
from mira.store.descriptions import DescriptionShelf
from mira.store.proposals import ProposalShelf
from mira.store.workspace import Workspace
from qa_gen.answering import Answers, answers_by_image
from qa_gen.facts import image_facts
from qa_gen.generate import image_questions
from qa_gen.proposing.policy import stored_policy
from qa_gen.proposing.run import image_proposals
from qa_gen.wording import WordingBook, protocol_infos

Progress = Callable[[int, int], None]
_FIELDS = ("options", "marks", "joint_group", "source")


class Verified(NamedTuple):
    """What a check of all questions found.

    Attributes:
        items: Items that were made once more.
        unchanged: Those of them that came out the same.
        findings: What did not, item by item.
    """

    items: int
    unchanged: int
    findings: tuple[Finding, ...]


def verify_questions(
    workspace: Workspace,
    *,
    templates: Path | None = None,
    from_depth: bool = True,
    progress: Progress | None = None,
) -> Verified:
    """Make every question of a workspace once more, from labels, depth and people's answers.

    Args:
        workspace: Its questions are read and left alone.
        templates: A folder of wording files in place of ours.
        from_depth: Propose anew from depth; else the proposals that are stored count.
        progress: Called with items done and in all.

    Raises:
        WorkspaceError: It holds no questions.
    """
    summary = workspace.qa_summary()
    if summary is None:
        raise WorkspaceError(workspace.root, "holds no questions", "run: mira qa generate")
    # Sizes and balance are of the whole set; a question that was left out is no change.
    policy = summary.policy.model_copy(update={"max_gold_share": None, "target_size": None})
    maker = _Maker(workspace, policy, templates, from_depth)
    items = unchanged = 0
    findings: list[Finding] = []
    for image_id, group in groupby(workspace.items(), key=lambda item: item.image_id):
        # What reviewers corrected is theirs; what they corrected is made anew.
        stored = [as_made(item) for item in group]
        found = maker.check(image_id, stored)
        items += len(stored)
        unchanged += len(stored) - len({finding.where for finding in found} - {image_id})
        findings += found
        if progress is not None:
            progress(items, summary.items)
    return Verified(items, unchanged, tuple(findings))


class _Maker:
    """Makes the questions of one picture after the other."""

    def __init__(
        self, workspace: Workspace, policy: QAPolicy, templates: Path | None, from_depth: bool
    ) -> None:
        self._workspace, self._policy, self._from_depth = workspace, policy, from_depth
        self._proposal_policy = stored_policy(workspace)
        self._book = WordingBook.read(templates)
        self._views = {view.image_id: view for view in workspace.views()}
        self._shelf = ProposalShelf(workspace)
        self._described = DescriptionShelf(workspace).by_image()
        self._answers = answers_by_image(self._shelf.newest_answers())
        self._path = str(workspace.root / "qa" / "items.jsonl")

    def check(self, image_id: str, stored: list[QAItem]) -> list[Finding]:
        """What differs between items that are stored and the same made anew."""
        view = self._views.get(image_id)
        annotator = stored[0].derivation.annotator
        annotation = self._workspace.annotation(image_id, annotator) if view else None
        if view is None or annotation is None:
            what = f"the picture {image_id!r}" if view is None else f"{annotator}'s annotation"
            message = f"expected {what}, found it gone"
            return [self._finding("item-without-source", item, message) for item in stored]
        proposals, stale = self._proposals(view, annotation)
        made = {item.item_id: item for item in self._made(view, annotation, proposals)}
        return [
            *([self._stale(image_id)] if stale else []),
            *(found for item in stored for found in self._compared(item, made.get(item.item_id))),
        ]

    def _made(
        self, view: View, annotation: ImageAnnotation, proposals: ImageProposals | None
    ) -> Iterator[QAItem]:
        facts = image_facts(
            view, annotation, self._policy, described=self._described.get(view.image_id)
        )
        answers: Answers = self._answers.get(view.image_id, {})
        unlimited = facts.without_limit()
        for record in image_questions(unlimited, proposals, answers, self._book, protocol_infos()):
            if not isinstance(record, Drop):
                yield record

    def _proposals(
        self, view: View, annotation: ImageAnnotation
    ) -> tuple[ImageProposals | None, bool]:
        """Proposals for a picture, and whether they are those of older thresholds, taken as is."""
        known = self._shelf.proposals(view.image_id)
        if known is None or not self._from_depth:
            return known, False
        if known.policy_sha256 not in (None, self._proposal_policy.sha256()):
            return known, True
        made = image_proposals(
            self._workspace, view, annotation, policy=self._proposal_policy, bounds=self._policy
        )
        return made, False

    def _stale(self, image_id: str) -> Finding:
        return Finding(
            code="proposals-stale",
            severity="warning",
            path=self._path,
            where=image_id,
            message="proposed by other thresholds than the newest: run mira qa propose",
        )

    def _compared(self, item: QAItem, again: QAItem | None) -> Iterator[Finding]:
        if again is None:
            yield self._finding("item-gone", item, "expected it to be made again, found no reason")
            return
        if again.answer != item.answer or again.direction != item.direction:
            message = f"the answer was {_words(item)}, and now is {_words(again)}"
            yield self._finding("answer-changed", item, message)
        changed = [name for name in _FIELDS if getattr(item, name) != getattr(again, name)]
        if changed:
            yield self._finding("item-changed", item, f"{', '.join(changed)}: not as made anew")
        mine = {wording.protocol: wording for wording in item.wordings}
        for wording in again.wordings:
            if mine.get(wording.protocol) != wording:
                message = f"{wording.protocol}: the words are not as made anew"
                yield self._finding("wording-changed", item, message, is_error=False)
                break
        if again.derivation.annotation_sha256 != item.derivation.annotation_sha256:
            message = "the annotation has changed since, and the answer has not"
            if again.answer == item.answer:
                yield self._finding("annotation-changed", item, message, is_error=False)

    def _finding(self, code: str, item: QAItem, message: str, *, is_error: bool = True) -> Finding:
        severity = "error" if is_error else "warning"
        return Finding(
            code=code, severity=severity, path=self._path, where=item.item_id, message=message
        )


def _words(item: QAItem) -> str:
    """An answer for a message."""
    content = item.answer.model_dump(exclude={"format", "text"})
    return ", ".join(str(value) for value in content.values())
