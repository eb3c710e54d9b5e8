"""Proposals for all pictures of a workspace; what has not changed is kept."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from mira.processes.pool import results_of
from mira.render.source import decode_depth
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import View
from mira.schema.proposal import ImageProposals
from mira.schema.qa import Drop, QAPolicy
from mira.schema.record import Record
from mira.store.proposals import ProposalShelf
from mira.store.version import tool_version
from mira.store.workspace import Workspace, annotation_digest
from qa_gen.facts import image_facts
from qa_gen.pictures import AnnotatedPictures
from qa_gen.proposing.measured import measure_picture
from qa_gen.proposing.policy import ProposalPolicy
from qa_gen.proposing.proposing import proposals_of

Progress = Callable[[int, int], None]


class TemplateProposals(Record):
    """What became of the questions of one template."""

    sure: int = 0
    """Proposals that are no close call."""
    close_calls: int = 0
    """Proposals that a person should look at."""
    refused: dict[str, int] = Field(default_factory=dict)
    """Questions without a proposal, a reason."""


class ProposalSummary(Record):
    """What one run made or kept."""

    images: int
    """Pictures with proposals."""
    kept: int
    """Those of them that had not changed."""
    pictures_left_out: dict[str, int]
    """Pictures without, a reason."""
    by_template: dict[str, TemplateProposals]
    """Proposals by template."""
    drops: dict[str, int]
    """Questions that cannot be put, a reason."""


class _Job(NamedTuple):
    """A picture to be looked at."""

    root: Path
    view: View
    annotator: str


def propose_answers(
    workspace: Workspace,
    *,
    policy: ProposalPolicy,
    bounds: QAPolicy,
    annotator: str | None = None,
    limit: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> ProposalSummary:
    """Propose answers for all annotated pictures of a workspace, under its lock.

    A picture whose annotation, depth, camera and thresholds are those of the last run keeps its
    proposals, so a run that was cut off goes on where it stopped.

    Args:
        workspace: Read for views and annotations.
        policy: Every number of the proposals; kept in the workspace.
        bounds: Which instances can be pointed at.
        annotator: Whose annotation counts; see `AnnotatedPictures`.
        limit: The first so many pictures alone.
        workers: Processes.
        progress: Called with pictures done and in all.

    Raises:
        WorkspaceError: No picture is annotated, or it is not clear whose annotation counts.
        MiraError: A picture's depth is gone, or is of another size.
    """
    tally = _Tally()
    with workspace.lock():
        shelf = ProposalShelf(workspace)
        pictures = AnnotatedPictures(workspace, annotator=annotator, limit=limit)
        stale: list[_Job] = []
        for view, annotation in pictures:
            made_from = _digest(view, annotation, policy, bounds)
            known = shelf.proposals(view.image_id)
            if known is not None and known.made_from == made_from:
                tally.add(known, kept=True)
            else:
                stale.append(_Job(workspace.root, view, annotation.annotator))
        pictures.require_any()
        shelf.put_policy(policy)
        done = tally.images
        if progress is not None:
            progress(done, done + len(stale))
        work = partial(_propose, policy=policy, bounds=bounds)
        for made in results_of(work, stale, workers=workers):
            shelf.put_proposals(made)
            tally.add(made, kept=False)
            if progress is not None:
                progress(tally.images, done + len(stale))
        if limit is None:
            _forget_others(shelf, workspace)
    return tally.summary(pictures.left_out)


def read_depth_m(workspace: Workspace, view: View) -> NDArray[np.float32] | None:
    """Depth of a view in metres, 0 for none, shape (height, width); None without metric depth.

    Raises:
        WorkspaceError: The file is gone or another.
    """
    if view.depth_aligned is None or view.depth_kind != "metric" or view.depth_unit_m is None:
        return None
    data = workspace.read_picture(view, view.depth_aligned)
    return decode_depth(data, where=view.image_id) * np.float32(view.depth_unit_m)


def image_proposals(
    workspace: Workspace,
    view: View,
    annotation: ImageAnnotation,
    *,
    policy: ProposalPolicy,
    bounds: QAPolicy,
) -> ImageProposals:
    """What is proposed for one picture.

    Raises:
        MiraError: Its depth is gone, or is of another size.
    """
    facts = image_facts(view, annotation, bounds)
    depth_m = read_depth_m(workspace, view)
    picture = measure_picture(facts, depth_m, policy=policy, rng=np.random.default_rng(policy.seed))
    found = list(proposals_of(picture))
    return ImageProposals(
        image_id=view.image_id,
        annotator=annotation.annotator,
        made_from=_digest(view, annotation, policy, bounds),
        policy_sha256=policy.sha256(),
        proposals=tuple(one for one in found if not isinstance(one, Drop)),
        drops=tuple(one for one in found if isinstance(one, Drop)),
    )


def _propose(job: _Job, *, policy: ProposalPolicy, bounds: QAPolicy) -> ImageProposals:
    workspace = Workspace(job.root)
    # Read once more: the annotations of all pictures that wait would fill memory.
    annotation = workspace.annotation(job.view.image_id, job.annotator)
    assert annotation is not None
    return image_proposals(workspace, job.view, annotation, policy=policy, bounds=bounds)


def _digest(
    view: View, annotation: ImageAnnotation, policy: ProposalPolicy, bounds: QAPolicy
) -> str:
    """Digest of all that proposals are made from."""
    made_from = hashlib.sha256()
    for part in (
        tool_version(),
        annotation.annotator,
        annotation_digest(annotation),
        view.model_dump_json(include={"width_px", "height_px", "depth_aligned", "intrinsics"}),
        view.model_dump_json(include={"depth_unit_m", "depth_kind", "depth_scope"}),
        policy.model_dump_json(),
        bounds.model_dump_json(include={"min_box_side_px", "max_box_iou"}),
    ):
        made_from.update(part.encode() + b"\x00")
    return made_from.hexdigest()


def _forget_others(shelf: ProposalShelf, workspace: Workspace) -> None:
    """Drop proposals for pictures that are gone."""
    known = {view.image_id for view in workspace.views()}
    for image_id in shelf.proposed_images():
        if image_id not in known:
            shelf.remove_proposals(image_id)


class _Tally:
    """Counts proposals as they come."""

    def __init__(self) -> None:
        self.images = 0
        self._kept = 0
        self._sure: Counter[str] = Counter()
        self._close: Counter[str] = Counter()
        self._refused: dict[str, Counter[str]] = {}
        self._drops: Counter[str] = Counter()

    def add(self, made: ImageProposals, *, kept: bool) -> None:
        self.images += 1
        self._kept += kept
        self._drops.update(drop.reason for drop in made.drops)
        for proposal in made.proposals:
            if proposal.refusal is not None:
                self._refused.setdefault(proposal.template_id, Counter())[proposal.refusal] += 1
            elif proposal.close_call:
                self._close[proposal.template_id] += 1
            else:
                self._sure[proposal.template_id] += 1

    def summary(self, left_out: Counter[str]) -> ProposalSummary:
        templates = sorted({*self._sure, *self._close, *self._refused})
        return ProposalSummary(
            images=self.images,
            kept=self._kept,
            pictures_left_out=dict(sorted(left_out.items())),
            by_template={
                template_id: TemplateProposals(
                    sure=self._sure[template_id],
                    close_calls=self._close[template_id],
                    refused=dict(self._refused.get(template_id, Counter()).most_common()),
                )
                for template_id in templates
            },
            drops=dict(sorted(self._drops.items())),
        )
