"""One picture of a workspace, measured and coloured."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.errors import WorkspaceError
from mira.render.source import decode_color
from mira.schema.capture import View
from mira.schema.qa import QAPolicy
from mira.store.descriptions import DescriptionShelf
from mira.store.workspace import Workspace
from qa_gen.facts import image_facts
from qa_gen.pictures import AnnotatedPictures
from qa_gen.proposing.measured import MeasuredPicture, measure_picture
from qa_gen.proposing.policy import ProposalPolicy
from qa_gen.proposing.proposing import proposals_of
from qa_gen.proposing.run import read_depth_m
from qa_gen.space_page.model import space_model
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.records import SpaceModel


class SpacePicture(NamedTuple):
    """What the page is made of.

    Attributes:
        model: All that it shows in metres.
        color_rgb: The picture, shape (height, width, 3).
        measured: What both rest on.
    """

    model: SpaceModel
    color_rgb: NDArray[np.uint8]
    measured: MeasuredPicture


def find_view(workspace: Workspace, name: str) -> View:
    """The view of an image id, or of the id of a scene with one view.

    Raises:
        WorkspaceError: There is none, or the scene has several.
    """
    of_scene = []
    for view in workspace.views():
        if view.image_id == name:
            return view
        if view.scene_id == name:
            of_scene.append(view)
    if len(of_scene) == 1:
        return of_scene[0]
    if of_scene:
        known = ", ".join(view.image_id for view in of_scene)
        raise WorkspaceError(name, f"expected a scene of one picture, found {known}", "name one")
    raise WorkspaceError(workspace.root, f"holds no picture and no scene {name!r}")


def read_space(
    workspace: Workspace,
    name: str,
    *,
    annotator: str | None,
    proposal_policy: ProposalPolicy,
    bounds: QAPolicy,
    policy: SpacePolicy,
) -> SpacePicture:
    """Read, measure and describe one picture.

    Args:
        workspace: Where it is.
        name: Its id, or that of its scene.
        annotator: Whose annotation counts; see `AnnotatedPictures`.
        proposal_policy: Every number of the proposals.
        bounds: Which instances can be pointed at.
        policy: How much is shown.

    Raises:
        WorkspaceError: It is not there, not annotated, or it is not clear by whom.
        MiraError: Its colour or depth is gone, or of another size.
    """
    view = find_view(workspace, name)
    annotation = AnnotatedPictures(workspace, annotator=annotator).choose(view.image_id)
    if annotation is None or (annotator is not None and annotation.annotator != annotator):
        whom = f" by {annotator!r}" if annotator else ""
        raise WorkspaceError(view.image_id, f"has no annotation{whom}", "run: mira annotate import")
    color_rgb = decode_color(workspace.read_picture(view, view.color), where=view.image_id)
    if color_rgb.shape[:2] != (view.height_px, view.width_px):
        raise WorkspaceError(
            view.image_id,
            f"expected a picture of {view.width_px} x {view.height_px}, found one of "
            f"{color_rgb.shape[1]} x {color_rgb.shape[0]}",
            "import it again",
        )
    measured = measure_picture(
        image_facts(
            view,
            annotation,
            bounds,
            described=DescriptionShelf(workspace).of_image(view.image_id),
        ),
        read_depth_m(workspace, view),
        policy=proposal_policy,
        rng=np.random.default_rng(proposal_policy.seed),
    )
    model = space_model(measured, color_rgb, proposals_of(measured), policy=policy)
    return SpacePicture(model, color_rgb, measured)
