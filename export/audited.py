"""What the audit of a workspace says of its annotation, for the card."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from mira.schema.audit import AuditReport
from mira.store.audit import AuditBook
from mira.store.workspace import Workspace


class AuditFigures(NamedTuple):
    """Figures of all batches, without people's names.

    Attributes:
        batches: Number of batches.
        accepted: Those of them that are finished.
        again: Those of them that a third person drew anew after the first audit failed.
        images: Images in them.
        sampled: Images that were drawn again, blind, in the audits that counted last.
        min_mean_iou: Bound on the mean IoU of a sample.
        iou_method: Areas of polygons, or counts of pixels.
        mean_iou: Mean over those samples, weighed by their images; None without shapes.
        agreements: Kind of choice, choices that both made, share that is the same; by kind.
    """

    batches: int
    accepted: int
    again: int
    images: int
    sampled: int
    min_mean_iou: float
    iou_method: str
    mean_iou: float | None
    agreements: tuple[tuple[str, int, float], ...]


def audit_figures(workspace: Workspace) -> AuditFigures | None:
    """Figures of a workspace's audit; None where no sample was compared yet."""
    book = AuditBook(workspace)
    batches = book.batches()
    reports: list[AuditReport] = []
    for batch_id, progress in batches.items():
        rounds = (book.read_report(batch_id, round_=k) for k in (progress.round, 1))
        newest = next((report for report in rounds if report is not None), None)
        if newest is not None:
            reports.append(newest)
    if not reports:
        return None
    weighed = [(one.mean_iou, len(one.sample)) for one in reports if one.mean_iou is not None]
    total = sum(images for _, images in weighed)
    made, same = Counter[str](), Counter[str]()
    for report in reports:
        for agreement in report.agreements:
            made[agreement.name] += agreement.n
            same[agreement.name] += agreement.n_agreed
    return AuditFigures(
        batches=len(batches),
        accepted=sum(one.state == "accepted" for one in batches.values()),
        again=sum(one.round == 2 for one in batches.values()),
        images=sum(len(one.batch.image_ids) for one in batches.values()),
        sampled=sum(len(one.sample) for one in reports),
        min_mean_iou=reports[-1].policy.min_mean_iou,
        iou_method=reports[-1].policy.iou_method,
        mean_iou=sum(iou * images for iou, images in weighed) / total if total else None,
        agreements=tuple(
            (name.replace("_", " "), count, same[name] / count)
            for name, count in sorted(made.items())
            if count
        ),
    )
