"""Where each batch of an audit stands, from the events of its ledger alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import ValidationError

from mira.errors import RecordError
from mira.schema.audit import Batch, BatchState, BatchStep
from mira.schema.audit_ledger import AuditEvent, BatchPlan, Drawing, RoundScore
from mira.schema.record import describe_fault


@dataclass(frozen=True)
class StepProgress:
    """One state of a batch, and what was done in it.

    Attributes:
        step: The state, with who acts and what is drawn again.
        hidden: Images with a known answer that are mixed into its packages.
        drawings: What came in, by image; the last of an image counts.
        packages: Digests of the packages that were written, by person.
        score: The last comparison, in a state with a sample.
    """

    step: BatchStep
    hidden: tuple[str, ...]
    drawings: Mapping[str, Drawing]
    packages: Mapping[str, str]
    score: RoundScore | None = None

    @property
    def person(self) -> str:
        """Who draws in this state; of several that decide together, the first."""
        return self.step.people[0]


@dataclass(frozen=True)
class BatchProgress:
    """One batch, and what was done in each of its states.

    Attributes:
        plan: What it began with.
        batch: The batch with its states.
        steps: The same states with what was done, in order.
    """

    plan: BatchPlan
    batch: Batch
    steps: tuple[StepProgress, ...]

    @property
    def now(self) -> StepProgress:
        """The state it is in."""
        return self.steps[-1]

    @property
    def state(self) -> BatchState:
        """Name of the state it is in."""
        return self.batch.state

    @property
    def round(self) -> Literal[1, 2]:
        """2 once a third annotator draws, or drew, the batch."""
        return 2 if any(part.step.state == "reannotating" for part in self.steps) else 1

    def images_of(self, part: StepProgress) -> tuple[str, ...]:
        """Images to draw in a state, hidden ones among them, by name; none in a state without."""
        if part.step.state in ("adjudicating", "accepted"):
            return ()
        return tuple(sorted({*(part.step.sample or self.batch.image_ids), *part.hidden}))

    def missing_of(self, part: StepProgress) -> tuple[str, ...]:
        """Images of a state that nobody submitted yet, by name."""
        return tuple(name for name in self.images_of(part) if name not in part.drawings)

    def audited(self, round_: Literal[1, 2]) -> tuple[StepProgress, StepProgress] | None:
        """The whole drawing and the sample of a round; None where it was not come to."""
        at = 2 * round_ - 1
        if len(self.steps) <= at or not self.steps[at].step.sample:
            return None
        return self.steps[at - 1], self.steps[at]


def progress_of(events: Iterable[tuple[str, AuditEvent]]) -> dict[str, BatchProgress]:
    """All batches by id, in the order they were planned.

    Args:
        events: Each with its place in the ledger, which errors name.

    Raises:
        RecordError: An event does not follow from those before it.
    """
    batches: dict[str, BatchProgress] = {}
    for where, event in events:
        before = batches.get(event.batch_id)
        if (before is None) != (event.event == "planned"):
            found = "one again" if before else f"{event.event!r} first"
            raise RecordError(where, f"expected one plan for {event.batch_id!r}, found {found}")
        try:
            batches[event.batch_id] = _begun(event) if before is None else _after(before, event)
        except ValidationError as error:
            raise RecordError(where, describe_fault(error)) from None
    return batches


def _begun(event: AuditEvent) -> BatchProgress:
    assert event.plan is not None
    assert event.step is not None
    batch = Batch(
        batch_id=event.batch_id,
        image_ids=event.plan.image_ids,
        policy=event.plan.policy,
        steps=(event.step,),
    )
    return BatchProgress(event.plan, batch, (_new_part(event.step, event.hidden),))


def _after(before: BatchProgress, event: AuditEvent) -> BatchProgress:
    """A batch after one more event."""
    part = before.now
    if event.event == "packaged":
        assert event.by is not None
        assert event.package_sha256 is not None
        part = replace(part, packages={**part.packages, event.by: event.package_sha256})
    elif event.event == "handed":
        part = replace(part, step=part.step.model_copy(update={"people": event.people}))
    elif event.event == "submitted":
        drawn = {drawing.image_id: drawing for drawing in event.drawings}
        part = replace(part, drawings={**part.drawings, **drawn})
    elif event.event == "scored":
        part = replace(part, score=event.score)
    steps = (*before.steps[:-1], part)
    if event.step is not None:
        steps = (*steps, _new_part(event.step, event.hidden))
    batch = Batch(
        batch_id=before.batch.batch_id,
        image_ids=before.batch.image_ids,
        policy=before.batch.policy,
        steps=tuple(done.step for done in steps),
    )
    return BatchProgress(before.plan, batch, steps)


def _new_part(step: BatchStep, hidden: tuple[str, ...]) -> StepProgress:
    return StepProgress(step=step, hidden=hidden, drawings={}, packages={})
