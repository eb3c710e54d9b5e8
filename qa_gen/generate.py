"""All questions of a workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mira.errors import WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import View
from mira.schema.qa import Drop, Protocol, QAItem, QAPolicy, QASummary
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import ProtocolInfo
from qa_gen.facts import image_facts
from qa_gen.items import finish_item
from qa_gen.perception import perception_drafts
from qa_gen.wording import WordingBook, protocol_infos

Progress = Callable[[int, int], None]


def generate_questions(
    workspace: Workspace,
    *,
    policy: QAPolicy,
    annotator: str | None = None,
    protocols: Sequence[Protocol] | None = None,
    templates: Path | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> QASummary:
    """Replace the questions of a workspace by those its annotations hold now.

    Args:
        workspace: Read for views and annotations, written under its lock.
        policy: Bounds and seed.
        annotator: Whose annotation counts where a picture has several.
        protocols: Referring protocols to ask in; all five by default.
        templates: A folder of wording files in place of ours.
        limit: Use the first pictures only.
        progress: Called with pictures done and in all.

    Returns:
        What was made.

    Raises:
        WorkspaceError: No picture is annotated, or one has several annotators and none was named.
    """
    book = WordingBook.read(templates)
    chosen = protocol_infos(protocols)
    with workspace.lock():
        views = list(workspace.views())[:limit]
        pairs = _annotated(workspace, views, annotator, progress)
        tally = Tally(policy)
        workspace.put_questions(
            tally.counting(
                record
                for view, annotation in pairs
                for record in image_questions(view, annotation, policy, book, chosen)
            ),
            summary=tally.summary,
        )
    if not tally.by_template and not tally.drops:
        raise WorkspaceError(
            workspace.root, "holds no annotated picture", "run: mira annotate import"
        )
    return tally.summary()


def image_questions(
    view: View,
    annotation: ImageAnnotation,
    policy: QAPolicy,
    book: WordingBook,
    protocols: tuple[ProtocolInfo, ...],
) -> Iterator[QAItem | Drop]:
    """The questions of one picture, by template and id."""
    facts = image_facts(view, annotation, policy)
    drafts = list(perception_drafts(facts))
    drafts.sort(key=lambda d: (d.template_id, "" if isinstance(d, Drop) else d.item_id))
    for draft in drafts:
        if isinstance(draft, Drop):
            yield draft
        else:
            yield from finish_item(draft, facts, book, protocols)


class Tally:
    """Counts records as they pass."""

    def __init__(self, policy: QAPolicy) -> None:
        self.policy = policy
        self.questions = 0
        self.by_template: Counter[str] = Counter()
        self.drops: Counter[str] = Counter()
        self.gold: dict[str, Counter[str]] = {}

    def counting(self, records: Iterator[QAItem | Drop]) -> Iterator[QAItem | Drop]:
        """The records, counted on their way."""
        for record in records:
            if isinstance(record, Drop):
                self.drops[record.reason] += 1
            else:
                self.questions += len(record.wordings)
                self.by_template[record.template_id] += 1
                if record.answer.format in ("yes_no", "single_choice", "single_choice_plus_text"):
                    counts = self.gold.setdefault(record.template_id, Counter())
                    counts[str(record.answer.value)] += 1
            yield record

    def summary(self) -> QASummary:
        """What passed so far."""
        return QASummary(
            policy=self.policy,
            items=self.by_template.total(),
            questions=self.questions,
            by_template=dict(sorted(self.by_template.items())),
            drops=dict(sorted(self.drops.items())),
            gold_positions={
                template_id: dict(sorted(counts.items()))
                for template_id, counts in sorted(self.gold.items())
            },
        )


def _annotated(
    workspace: Workspace, views: list[View], annotator: str | None, progress: Progress | None
) -> Iterator[tuple[View, ImageAnnotation]]:
    for done, view in enumerate(views, start=1):
        annotation = choose_annotation(workspace, view.image_id, annotator)
        if annotation is not None:
            yield view, annotation
        if progress:
            progress(done, len(views))


def choose_annotation(
    workspace: Workspace, image_id: str, annotator: str | None
) -> ImageAnnotation | None:
    """The annotation that counts for a picture, None where it has none.

    Raises:
        WorkspaceError: Several annotators drew on it and none was named.
    """
    if annotator is not None:
        return workspace.annotation(image_id, annotator)
    names = workspace.annotators(image_id)
    if len(names) > 1:
        raise WorkspaceError(
            image_id, f"is annotated by {', '.join(names)}", "choose one with --annotator"
        )
    return workspace.annotation(image_id, names[0]) if names else None
