"""Where a batch goes by its report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotate.audit.clock import Clock, utc_now
from annotate.audit.roster import require_person
from annotate.audit.turns import Turn, drawing_turn
from mira.errors import MiraError
from mira.schema.audit import BatchState, BatchStep
from mira.schema.audit_ledger import AuditEvent
from mira.store.audit import AuditBook
from mira.store.audit_progress import BatchProgress


class Decided(NamedTuple):
    """Where a batch went."""

    batch_id: str
    """The batch."""
    state: BatchState
    """The state it is in now."""
    people: tuple[str, ...]
    """Who has to act now."""
    was_decided: bool
    """Whether that was decided before, and nothing was changed."""


def decide_batch(
    book: AuditBook,
    batch_id: str,
    *,
    adjudicated: bool = False,
    people: Sequence[str] = (),
    now: Clock = utc_now,
) -> Decided:
    """Move a batch on by the report of its sample, or accept it after joint work.

    A sample that passed accepts the batch. The first that failed gives it to the third annotator,
    from scratch; the second brings people together. A decision that was made stays.

    Args:
        book: The audit.
        batch_id: The batch.
        adjudicated: Whether the people who decide together are done.
        people: Who decides together after a second failure; annotator and auditor of the second
            round where nobody is named.
        now: Gives the time.

    Raises:
        MiraError: The sample is not compared yet, or the batch is not being adjudicated.
    """
    with book.lock():
        progress = book.batch(batch_id)
        turn = _next_turn(book, progress, adjudicated, people, now)
        if turn is not None:
            progress = book.append(
                AuditEvent(
                    at=turn.step.at,
                    event="decided",
                    batch_id=batch_id,
                    state=turn.step.state,
                    step=turn.step,
                    hidden=turn.hidden,
                )
            )
    return Decided(batch_id, progress.state, progress.now.step.people, was_decided=turn is None)


def _next_turn(
    book: AuditBook, progress: BatchProgress, adjudicated: bool, people: Sequence[str], now: Clock
) -> Turn | None:
    """The state to come; None where it was come to already."""
    batch_id, state, at = progress.batch.batch_id, progress.state, now()
    together = tuple(require_person(name) for name in people)
    if adjudicated and state not in ("adjudicating", "accepted"):
        raise MiraError(batch_id, f"expected it adjudicating, found it {state}")
    if state == "adjudicating" and together and together != progress.now.step.people:
        found = f"expected {', '.join(progress.now.step.people)} to decide, found other people"
        raise MiraError(batch_id, found)
    accepted = Turn(BatchStep(state="accepted", at=at), ())
    if state == "adjudicating":
        return accepted if adjudicated else None
    if state in ("reannotating", "accepted"):
        return None
    score = progress.now.score
    if score is None:
        problem = f"expected a sample that was compared, found it {state}"
        fix = None
        if progress.now.step.sample and not progress.missing_of(progress.now):
            fix = f"mira annotate audit score {batch_id}"
        raise MiraError(batch_id, problem, fix)
    if score.verdict == "passed":
        return accepted
    if state == "auditing":
        return drawing_turn(book, progress, "reannotating", at=at)
    step = BatchStep(state="adjudicating", at=at, people=together or _of_last_round(progress))
    return Turn(step, ())


def _of_last_round(progress: BatchProgress) -> tuple[str, ...]:
    return tuple(part.person for part in progress.steps[-2:])
