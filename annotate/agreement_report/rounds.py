"""Two people's drawings of some images, compared: what a report is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Literal, NamedTuple

from annotate.agreement.comparing import compare_images
from annotate.agreement.comparison import Comparison
from annotate.agreement.overlaps import Drawings, Method
from annotate.agreement.policy import AgreementPolicy
from mira.schema.annotation import ImageAnnotation
from mira.schema.audit_ledger import RoundScore
from mira.store.audit import AuditBook
from mira.store.audit_progress import BatchProgress, StepProgress
from mira.store.drawn_shapes import drawn_shapes_of

Progress = Callable[[int, int], None]
"""Takes how many are done and how many there are."""


class ComparedRound(NamedTuple):
    """What two people drew on some images, compared."""

    title: str
    """What it is called, such as `b001, round 1`."""
    annotator: str
    """Whose drawings come first: in an audit, those that are judged."""
    auditor: str
    """Whose come second: in an audit, the blind ones."""
    comparison: Comparison
    """Image by image."""
    method: Method
    """How areas were measured."""
    drawings_of: Callable[[str], Drawings]
    """Gives what both drew on an image by its id; may read it anew each time."""
    batch_id: str | None = None
    """The batch; None outside an audit."""
    round: int | None = None
    """1 or 2; None outside an audit."""
    at: datetime | None = None
    """When it was scored, UTC; None outside an audit."""
    bound: float | None = None
    """Mean IoU to reach; None where there is none."""
    verdict: Literal["passed", "failed"] | None = None
    """Whether it was reached; None without a bound."""


def rounds_of_audit(
    book: AuditBook,
    batch_ids: Sequence[str] = (),
    *,
    agreement: AgreementPolicy | None = None,
    progress: Progress | None = None,
) -> tuple[ComparedRound, ...]:
    """Compare anew all rounds of an audit that were scored, of what was submitted then.

    Args:
        book: The audit.
        batch_ids: Some batches; all where none is named.
        agreement: When shapes are partners; the defaults if None.
        progress: Called with images compared and images in all.

    Returns:
        By batch, as they were planned, and round.

    Raises:
        MiraError: There is no batch of a name, or a drawing is gone or no longer what it was.
    """
    batches = book.batches()
    chosen = [batches.get(name) or book.batch(name) for name in batch_ids or batches]
    parts = [part for batch in chosen for part in _scored(batch)]
    times = {
        (event.batch_id, event.score.round): event.at
        for event in book.events()
        if event.score is not None
    }
    count = _Count(sum(len(part.sample.step.sample) for part in parts), progress)
    return tuple(
        _compared(book, part, times[part.batch_id, part.score.round], agreement, count)
        for part in parts
    )


_Annotations = tuple[ImageAnnotation, ImageAnnotation]


class _Scored(NamedTuple):
    """A round that was scored, with both its drawings."""

    progress: BatchProgress
    whole: StepProgress
    sample: StepProgress
    score: RoundScore

    @property
    def batch_id(self) -> str:
        return self.progress.batch.batch_id


class _Count:
    """Counts images and tells of each."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._done, self._total, self._progress = 0, total, progress

    def over(self, pairs: Iterable[_Annotations]) -> Iterator[_Annotations]:
        for pair in pairs:
            yield pair
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)


def _scored(progress: BatchProgress) -> Iterator[_Scored]:
    rounds: tuple[Literal[1, 2], ...] = (1, 2)
    for round_ in rounds:
        found = progress.audited(round_)
        if found is not None and found[1].score is not None:
            yield _Scored(progress, *found, found[1].score)


def _compared(
    book: AuditBook,
    part: _Scored,
    at: datetime,
    agreement: AgreementPolicy | None,
    count: _Count,
) -> ComparedRound:
    policy = part.progress.batch.policy
    read = partial(_read_both, book, part.whole, part.sample)
    pairs = count.over(map(read, part.sample.step.sample))
    return ComparedRound(
        title=f"{part.batch_id}, round {part.score.round}",
        annotator=part.whole.person,
        auditor=part.sample.person,
        comparison=compare_images(pairs, policy=policy, agreement=agreement),
        method=policy.iou_method,
        drawings_of=lambda image_id: _shapes(read(image_id)),
        batch_id=part.batch_id,
        round=part.score.round,
        at=at,
        bound=policy.min_mean_iou,
        verdict=part.score.verdict,
    )


def _read_both(
    book: AuditBook, whole: StepProgress, sample: StepProgress, image_id: str
) -> _Annotations:
    return (
        book.read_drawing(whole.drawings[image_id]),
        book.read_drawing(sample.drawings[image_id]),
    )


def _shapes(annotations: _Annotations) -> Drawings:
    return drawn_shapes_of(annotations[0]), drawn_shapes_of(annotations[1])
