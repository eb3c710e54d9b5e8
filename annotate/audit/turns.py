"""Whose turn it is: the state a batch comes to next, with its people and its sample."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from annotate.audit.chance import derive_seed, draw_sample
from annotate.audit.gold import draw_hidden
from annotate.audit.roster import require_person
from mira.errors import MiraError
from mira.schema.audit import BatchState, BatchStep
from mira.store.audit import AuditBook
from mira.store.audit_progress import BatchProgress, StepProgress

_ROLE_OF: Mapping[BatchState, str] = {
    "annotating": "annotator",
    "auditing": "auditor",
    "reannotating": "third",
    "reauditing": "reauditor",
}


class Turn(NamedTuple):
    """A state to come, and what is hidden in its packages."""

    step: BatchStep
    hidden: tuple[str, ...]


def drawing_turn(
    book: AuditBook, progress: BatchProgress, state: BatchState, *, at: datetime
) -> Turn:
    """The turn of one person who draws all or a sample of a batch.

    Args:
        book: The audit.
        progress: The batch as it is.
        state: The state to come, one in which somebody draws.
        at: When it comes.
    """
    batch, plan = progress.batch, progress.plan
    person = _free_person(progress, state)
    seed: int | None = None
    sample: tuple[str, ...] = ()
    if state in ("auditing", "reauditing"):
        seed = derive_seed(plan.seed, state)
        sample = draw_sample(
            batch.image_ids,
            seed=seed,
            size=batch.policy.sample_size(len(batch.image_ids)),
            avoid={name for step in batch.steps for name in step.sample},
        )
    hidden = draw_hidden(
        book.workspace,
        plan,
        batches=book.batches(),
        batch_id=batch.batch_id,
        state=state,
        person=person,
    )
    step = BatchStep(state=state, at=at, people=(person,), seed=seed, sample=sample)
    return Turn(step, hidden)


def barred_from(progress: BatchProgress, state: BatchState) -> frozenset[str]:
    """Who cannot draw in a state: who drew the whole batch, and for the third who drew any of it.

    Args:
        progress: The batch as it is.
        state: A state that it comes to, or is in.
    """
    earlier = [part.step for part in progress.steps if part.step.state != state]
    if state == "annotating":
        return frozenset()
    return frozenset(
        name
        for step in earlier
        if state == "reannotating" or not step.sample
        for name in step.people
    )


def stored_as(progress: BatchProgress, part: StepProgress, image_id: str) -> str:
    """Name under which the workspace keeps the drawing of an image in a state.

    The person's own; with an ending for a known image, and for one who draws in the batch again.
    Joint corrections are revisions of the drawing that counts.
    """
    if part.step.state == "adjudicating":
        return progress.batch.annotator
    person = part.person
    earlier = progress.steps[: progress.steps.index(part)]
    again = any(person in before.step.people for before in earlier)
    name = f"{person}.{progress.batch.batch_id}" if image_id in part.hidden else person
    return f"{name}.2" if again else name


def require_free(progress: BatchProgress, person: str) -> str:
    """A person who may draw in the state that a batch is in.

    Raises:
        MiraError: They drew what they would have to judge or to draw blind.
    """
    barred = barred_from(progress, progress.state)
    if require_person(person) in barred:
        wanted = f"expected somebody other than {', '.join(sorted(barred))}"
        raise MiraError(progress.batch.batch_id, f"{wanted} while {progress.state}, found {person}")
    return person


def _free_person(progress: BatchProgress, state: BatchState) -> str:
    """Whom the roster names for a state, or another of it where that one is barred by now."""
    roster = progress.plan.roster
    barred = barred_from(progress, state)
    named = getattr(roster, _ROLE_OF[state])
    others = (roster.reauditor, roster.third, roster.auditor, roster.annotator)
    free = [name for name in (named, *others) if name not in barred]
    if not free:
        raise MiraError(progress.batch.batch_id, f"expected somebody free for {state}, found none")
    return str(free[0])
