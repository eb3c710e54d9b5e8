"""Batches from the images of a workspace that are in none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from annotate.audit.chance import derive_seed, draw_order
from annotate.audit.clock import Clock, utc_now
from annotate.audit.gold import draw_hidden, gold_images
from annotate.audit.roster import Assignment, require_person
from annotate.writing.setup.labels import parse_categories
from mira.errors import MiraError
from mira.schema.audit import AuditPolicy, BatchStep
from mira.schema.audit_ledger import AuditEvent, BatchPlan
from mira.schema.record import Seed
from mira.store.audit import AuditBook


class Planned(NamedTuple):
    """What a plan added."""

    batch_ids: tuple[str, ...]
    """New batches."""
    n_images: int
    """Images in them."""
    n_batches: int
    """Batches there are now."""


def plan_batches(
    book: AuditBook,
    assignment: Assignment,
    *,
    policy: AuditPolicy,
    seed: Seed,
    gold_annotator: str | None = None,
    now: Clock = utc_now,
) -> Planned:
    """Put all images that are in no batch into new batches, in an order the seed decides.

    Batches that are there stay as they are, with their policy, people and seed.

    Args:
        book: The audit.
        assignment: Who draws which batch.
        policy: Bounds of the new batches.
        seed: Decides the order of the images and all samples.
        gold_annotator: Whose annotations are known to be right; their images are hidden among
            others and are in no batch.
        now: Gives the time.

    Raises:
        MiraError: There is no image, a batch that the table names is not planned, a category is
            no label, or hidden images and a gold annotator do not go together.
    """
    _require_gold(policy, gold_annotator)
    parse_categories(policy.categories)
    with book.lock():
        batches = book.batches()
        known = {name for progress in batches.values() for name in progress.batch.image_ids}
        gold = gold_images(book.workspace, gold_annotator) if gold_annotator else ()
        images = [view.image_id for view in book.workspace.views()]
        if not images:
            raise MiraError(book.workspace.root, "expected images, found none", "import some")
        order = draw_order(set(images) - known - set(gold), seed=seed)
        parts = list(_parts(order, policy.batch_size))
        first = len(batches)
        new_ids = [_id_of(number) for number in range(first, first + len(parts))]
        assignment.require_known([*batches, *new_ids])
        for number, (batch_id, part) in enumerate(zip(new_ids, parts, strict=True), start=first):
            plan = BatchPlan(
                image_ids=part,
                policy=policy,
                roster=assignment.of(batch_id, number=number),
                seed=derive_seed(seed, batch_id),
                gold_annotator=gold_annotator,
            )
            _require_apart(plan)
            at = now()
            person = plan.roster.annotator
            hidden = draw_hidden(
                book.workspace,
                plan,
                batches=batches,
                batch_id=batch_id,
                state="annotating",
                person=person,
            )
            event = AuditEvent(
                at=at,
                event="planned",
                batch_id=batch_id,
                state="annotating",
                by=person,
                step=BatchStep(state="annotating", at=at, people=(person,)),
                hidden=hidden,
                plan=plan,
            )
            batches[batch_id] = book.append(event)
    return Planned(tuple(new_ids), len(order), len(batches))


def _require_gold(policy: AuditPolicy, gold_annotator: str | None) -> None:
    if gold_annotator is not None:
        require_person(gold_annotator)
    if bool(policy.honeypots) != (gold_annotator is not None):
        problem = f"expected a gold annotator exactly if images are hidden, found {gold_annotator} "
        raise MiraError("--gold", f"{problem}and honeypots = {policy.honeypots}")


def _require_apart(plan: BatchPlan) -> None:
    people = plan.roster.model_dump().values()
    if plan.gold_annotator in people:
        problem = f"expected somebody who draws no batch, found {plan.gold_annotator}"
        raise MiraError("--gold", problem)


def _id_of(number: int) -> str:
    """Id of a batch, by how many were planned before it."""
    return f"b{number + 1:03d}"


def _parts(names: tuple[str, ...], size: int) -> Iterator[tuple[str, ...]]:
    for first in range(0, len(names), size):
        yield names[first : first + size]
