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
        WorkspaceError: No picture is annotated, one has several annotators and none of them was
            named, or the named one drew on none. The questions stay as they were.
    """
    book = WordingBook.read(templates)
    chosen = protocol_infos(protocols)
    with workspace.lock():
        views = list(workspace.views())[:limit]
        tally = Tally(policy)
        pictures = _Pictures(workspace, views, annotator, tally, progress)

        def summary() -> QASummary:
            # Called before the old questions are replaced.
            pictures.require_any()
            return tally.summary()

        workspace.put_questions(
            tally.counting(
                record
                for view, annotation in pictures
                for record in image_questions(view, annotation, policy, book, chosen)
            ),
            summary=summary,
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
        self.pictures_left_out: Counter[str] = Counter()
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
            pictures_left_out=dict(sorted(self.pictures_left_out.items())),
            gold_positions={
                template_id: dict(sorted(counts.items()))
                for template_id, counts in sorted(self.gold.items())
            },
        )


class _Pictures:
    """Views with the annotation that counts, in turn; counts those that have none."""

    def __init__(
        self,
        workspace: Workspace,
        views: list[View],
        annotator: str | None,
        tally: Tally,
        progress: Progress | None,
    ) -> None:
        self._workspace = workspace
        self._views = views
        self._annotator = annotator
        self._tally = tally
        self._progress = progress
        self._annotated = 0
        self._annotator_seen = False

    def __iter__(self) -> Iterator[tuple[View, ImageAnnotation]]:
        for done, view in enumerate(self._views, start=1):
            annotation = self._choose(view.image_id)
            if annotation is None:
                self._tally.pictures_left_out["not-annotated"] += 1
            elif annotation.status == "failed":
                self._tally.pictures_left_out["annotation-given-up"] += 1
            else:
                self._annotated += 1
                yield view, annotation
            if self._progress:
                self._progress(done, len(self._views))

    def require_any(self) -> None:
        """Raise if no picture came through.

        Raises:
            WorkspaceError: No picture is annotated, or the named annotator drew on none.
        """
        if self._annotator and not self._annotator_seen:
            raise WorkspaceError(
                self._workspace.root, f"holds no annotation by {self._annotator!r}"
            )
        if not self._annotated:
            raise WorkspaceError(
                self._workspace.root, "holds no annotated picture", "run: mira annotate import"
            )

    def _choose(self, image_id: str) -> ImageAnnotation | None:
        """The annotation that counts: the named annotator's, else the only one."""
        names = self._workspace.annotators(image_id)
        if self._annotator in names:
            self._annotator_seen = True
            return self._workspace.annotation(image_id, str(self._annotator))
        if len(names) > 1:
            raise WorkspaceError(
                image_id, f"is annotated by {', '.join(names)}", "choose one with --annotator"
            )
        return self._workspace.annotation(image_id, names[0]) if names else None
