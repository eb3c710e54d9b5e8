"""Where all batches stand, in one row each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mira.schema.audit import BatchState
from mira.schema.audit_ledger import GoldScore, RoundScore
from mira.schema.record import Record, UtcDatetime
from mira.store.audit_progress import BatchProgress


class BatchStatus(Record):
    """One batch as a coordinator sees it."""

    batch_id: str
    """The batch."""
    n_images: int
    """Images in it."""
    state: BatchState
    """The state it is in."""
    people: tuple[str, ...]
    """Whose turn it is; nobody's once it is accepted."""
    since: UtcDatetime
    """When it came to that state, UTC."""
    is_packaged: bool
    """Whether the person's package was written."""
    n_submitted: int
    """Images that came in while in that state."""
    n_needed: int
    """Images that are to come in, hidden ones among them."""
    scores: tuple[RoundScore, ...]
    """Samples that were compared, first round first."""
    next_command: str | None
    """What to do next: the words after `mira annotate audit`; absent once it is accepted."""


class PersonStatus(Record):
    """How one person's drawings of hidden images agree with the known answers."""

    person: str
    """The person."""
    n_images: int
    """Hidden images that were compared."""
    mean_iou: float | None
    """Over all, each package weighing as much as it has images; absent without a shape."""


def statuses_of(batches: Mapping[str, BatchProgress]) -> tuple[BatchStatus, ...]:
    """A row for each batch, in the order they were planned."""
    return tuple(_status_of(progress) for progress in batches.values())


def people_of(batches: Mapping[str, BatchProgress]) -> tuple[PersonStatus, ...]:
    """A row for each person who was given hidden images that are compared, by name."""
    by_person: dict[str, list[GoldScore]] = {}
    for score in _gold_scores(batches):
        by_person.setdefault(score.person, []).append(score)
    rows = []
    for person, scores in sorted(by_person.items()):
        drawn = [(s.mean_iou, s.n_images) for s in scores if s.mean_iou is not None]
        weight = sum(n for _, n in drawn)
        rows.append(
            PersonStatus(
                person=person,
                n_images=sum(score.n_images for score in scores),
                mean_iou=sum(iou * n for iou, n in drawn) / weight if weight else None,
            )
        )
    return tuple(rows)


def _gold_scores(batches: Mapping[str, BatchProgress]) -> Iterator[GoldScore]:
    for progress in batches.values():
        for part in progress.steps:
            if part.score is not None:
                yield from part.score.gold


def _status_of(progress: BatchProgress) -> BatchStatus:
    part = progress.now
    needed = progress.images_of(part)
    missing = progress.missing_of(part)
    return BatchStatus(
        batch_id=progress.batch.batch_id,
        n_images=len(progress.batch.image_ids),
        state=progress.state,
        people=part.step.people,
        since=part.step.at,
        is_packaged=bool(part.step.people) and part.person in part.packages,
        n_submitted=len(needed) - len(missing) if needed else len(part.drawings),
        n_needed=len(needed),
        scores=tuple(done.score for done in progress.steps if done.score is not None),
        next_command=_next_command(progress, is_drawn=not missing),
    )


def _next_command(progress: BatchProgress, *, is_drawn: bool) -> str | None:
    batch_id, part = progress.batch.batch_id, progress.now
    if progress.state == "accepted":
        return None
    if progress.state == "adjudicating":
        return f"decide {batch_id} --adjudicated"
    if part.score is not None:
        return f"decide {batch_id}"
    if is_drawn:
        return f"score {batch_id}"
    if part.person not in part.packages:
        return f"package {batch_id}"
    return f"submit {batch_id} FOLDER --by {part.person}"
