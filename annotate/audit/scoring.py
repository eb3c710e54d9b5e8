"""The blind sample of a batch compared with the drawing that it checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from annotate.audit.clock import Clock, utc_now
from mira.errors import MiraError, WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.schema.audit import Agreement, AuditPolicy, AuditReport, AuditRow
from mira.schema.audit_ledger import AuditEvent, GoldReport, GoldScore, RoundScore
from mira.store.audit import AuditBook
from mira.store.audit_progress import BatchProgress, StepProgress

Pairs = Sequence[tuple[ImageAnnotation, ImageAnnotation]]
"""Two annotations of each image: the one that is judged by, or audited, comes first."""


class Compared(Protocol):
    """What a comparison says."""

    @property
    def rows(self) -> tuple[AuditRow, ...]:
        """Counts and means per picture, role and label."""
        ...

    @property
    def mean_iou(self) -> float | None:
        """Over all shapes of either; None without any."""
        ...

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """Choices beside shapes."""
        ...


class Compare(Protocol):
    """Compares two annotations of each of some images."""

    def __call__(self, pairs: Pairs, /, *, policy: AuditPolicy) -> Compared:
        """See `annotate.agreement.comparing.compare_images`."""
        ...


class Scored(NamedTuple):
    """A round that was compared."""

    report: AuditReport
    """The sample; the verdict rests on it alone."""
    gold: tuple[GoldReport, ...]
    """Hidden images of both people of the round, each on their own."""


def score_batch(
    book: AuditBook,
    batch_id: str,
    *,
    compare: Compare | None = None,
    now: Clock = utc_now,
) -> Scored:
    """Compare the sample of a batch, as it was submitted, and write the report.

    Repeating it gives the same report; of a batch that moved on, that of its last round.

    Args:
        book: The audit.
        batch_id: The batch.
        compare: How annotations are compared; `compare_images` if None.
        now: Gives the time.

    Raises:
        MiraError: The sample is not drawn yet, or a drawing is gone.
    """
    if compare is None:
        from annotate.agreement.comparing import compare_images

        compare = compare_images
    with book.lock():
        progress = book.batch(batch_id)
        round_ = _last_round(progress)
        found = progress.audited(round_)
        assert found is not None
        whole, sample = found
        if missing := progress.missing_of(sample):
            wanted = f"all {len(progress.images_of(sample))} images of {sample.person}"
            raise MiraError(batch_id, f"expected {wanted}, found {len(missing)} missing")
        stored = book.read_report(batch_id, round_=round_)
        if stored is not None and sample is not progress.now:
            return Scored(stored, tuple(book.gold_reports(batch_id, round_=round_)))
        report = _compare_sample(book, progress, whole, sample, round_, compare)
        gold = tuple(
            _compare_hidden(book, progress, part, compare)
            for part in (whole, sample)
            if part.hidden
        )
        for gold_report in gold:
            book.write_report(gold_report, round_=round_)
        digest = book.write_report(report, round_=round_)
        score = RoundScore(
            round=round_,
            mean_iou=report.mean_iou,
            verdict=report.verdict,
            report_sha256=digest,
            gold=tuple(gold_report.score for gold_report in gold),
        )
        if sample is progress.now and sample.score != score:
            book.append(
                AuditEvent(
                    at=now(),
                    event="scored",
                    batch_id=batch_id,
                    state=progress.state,
                    score=score,
                )
            )
    return Scored(report, gold)


def _last_round(progress: BatchProgress) -> Literal[1, 2]:
    if progress.audited(2) is not None:
        return 2
    if progress.audited(1) is None:
        problem = f"expected a sample to compare, found it {progress.state}"
        raise MiraError(progress.batch.batch_id, problem)
    return 1


def _compare_sample(
    book: AuditBook,
    progress: BatchProgress,
    whole: StepProgress,
    sample: StepProgress,
    round_: Literal[1, 2],
    compare: Compare,
) -> AuditReport:
    policy = progress.batch.policy
    pairs = [
        (book.read_drawing(whole.drawings[name]), book.read_drawing(sample.drawings[name]))
        for name in sample.step.sample
    ]
    compared = compare(pairs, policy=policy)
    return AuditReport(
        batch_id=progress.batch.batch_id,
        round=round_,
        annotator=whole.person,
        auditor=sample.person,
        policy=policy,
        sample=sample.step.sample,
        rows=compared.rows,
        mean_iou=compared.mean_iou,
        agreements=compared.agreements,
        verdict="passed" if policy.passes(compared.mean_iou) else "failed",
    )


def _compare_hidden(
    book: AuditBook, progress: BatchProgress, part: StepProgress, compare: Compare
) -> GoldReport:
    gold_annotator = progress.plan.gold_annotator
    assert gold_annotator is not None
    pairs = []
    for name in part.hidden:
        known = book.workspace.annotation(name, gold_annotator)
        if known is None:
            raise WorkspaceError(name, f"expected an annotation by {gold_annotator}, found none")
        pairs.append((known, book.read_drawing(part.drawings[name])))
    compared = compare(pairs, policy=progress.batch.policy)
    score = GoldScore(
        person=part.person,
        state=part.step.state,
        n_images=len(pairs),
        mean_iou=compared.mean_iou,
    )
    return GoldReport(
        batch_id=progress.batch.batch_id,
        score=score,
        gold_annotator=gold_annotator,
        image_ids=part.hidden,
        rows=compared.rows,
        agreements=compared.agreements,
    )
