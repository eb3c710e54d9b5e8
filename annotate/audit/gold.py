"""Images with a known answer, hidden among those that people draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from annotate.audit.chance import derive_seed, draw_sample
from mira.errors import MiraError
from mira.schema.audit import BatchState
from mira.schema.audit_ledger import BatchPlan
from mira.store.audit_progress import BatchProgress
from mira.store.workspace import Workspace


def gold_images(workspace: Workspace, gold_annotator: str) -> tuple[str, ...]:
    """Images that somebody whose drawings are known to be right has drawn, by id.

    Raises:
        MiraError: There is none.
    """
    found = tuple(
        view.image_id
        for view in workspace.views()
        if gold_annotator in workspace.annotators(view.image_id)
    )
    if not found:
        raise MiraError(gold_annotator, "expected annotations with known answers, found none")
    return found


def draw_hidden(
    workspace: Workspace,
    plan: BatchPlan,
    *,
    batches: Mapping[str, BatchProgress],
    batch_id: str,
    state: BatchState,
    person: str,
) -> tuple[str, ...]:
    """The known images to hide in a package; first those that its person never had.

    Args:
        workspace: Holds the known answers.
        plan: What the batch began with.
        batches: All batches so far, for what the person had before.
        batch_id: The batch.
        state: The state that it comes to.
        person: Who is to draw.
    """
    if plan.gold_annotator is None or not plan.policy.honeypots:
        return ()
    taken = {name for progress in batches.values() for name in progress.batch.image_ids}
    taken.update(plan.image_ids)
    return draw_sample(
        (name for name in gold_images(workspace, plan.gold_annotator) if name not in taken),
        seed=derive_seed(plan.seed, batch_id, state, "hidden"),
        size=plan.policy.honeypots,
        avoid=set(_seen_by(person, batches.values())),
    )


def _seen_by(person: str, batches: Iterable[BatchProgress]) -> Iterable[str]:
    for progress in batches:
        for part in progress.steps:
            if person in part.step.people:
                yield from part.hidden
