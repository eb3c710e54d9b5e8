"""A picture in metres as a record of all that its 3D page shows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mira.geometry.camera import deproject_rays
from mira.geometry.mirror_verdict import Refusal
from mira.schema.capture import CameraIntrinsics
from mira.schema.proposal import Proposal
from mira.schema.qa import Drop
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.surroundings import look_around
from qa_gen.space_page.cloud import sample_cloud
from qa_gen.space_page.lengths import vector
from qa_gen.space_page.linking import space_links
from qa_gen.space_page.outlining import space_surfaces
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.records import SpaceModel
from qa_gen.space_page.room_records import SpaceCamera, SpaceGround
from qa_gen.space_page.telling import Names, count_reasons, space_proposals
from qa_gen.space_page.things import space_instances, space_things


def space_model(
    picture: MeasuredPicture,
    color_rgb: NDArray[np.uint8],
    proposed: Iterable[Proposal | Drop],
    *,
    policy: SpacePolicy,
) -> SpaceModel:
    """All that the page of a picture shows.

    Args:
        picture: The picture in metres.
        color_rgb: Its colours, shape (height, width, 3).
        proposed: What `proposals_of` gives for it.
        policy: How much is shown.

    Raises:
        GeometryError: The camera's lens cannot be undone.
    """
    facts, found = picture.facts, list(proposed)
    names = Names(facts)
    return SpaceModel(
        image_id=facts.view.image_id,
        scene_id=facts.view.scene_id,
        annotator=facts.annotation.annotator,
        revision=facts.annotation.revision,
        annotation_sha256=facts.annotation_sha256,
        camera=None if picture.camera is None else _camera(picture.camera, policy),
        cloud=sample_cloud(picture, color_rgb, policy=policy),
        ground=_ground(picture, policy),
        surfaces=space_surfaces(picture, names, policy=policy),
        instances=space_instances(picture, names, policy=policy),
        things=space_things(picture, policy=policy),
        links=space_links(picture, policy=policy),
        proposals=space_proposals(found, names),
        not_asked=count_reasons(found),
        move_m=picture.policy.spatial.collision.move_m,
        body_radius_m=picture.policy.spatial.walker.radius_m,
        note=_note(picture),
    )


def _camera(camera: CameraIntrinsics, policy: SpacePolicy) -> SpaceCamera:
    right, bottom = camera.width_px - 0.5, camera.height_px - 0.5
    corners = ((-0.5, -0.5), (right, -0.5), (right, bottom), (-0.5, bottom))
    a, b, c, d = (vector(ray, policy) for ray in deproject_rays(camera, np.array(corners)))
    return SpaceCamera(
        width_px=camera.width_px,
        height_px=camera.height_px,
        fx_px=camera.fx_px,
        fy_px=camera.fy_px,
        corners_m=(a, b, c, d),
    )


def _ground(picture: MeasuredPicture, policy: SpacePolicy) -> SpaceGround | None:
    around = look_around(picture, np.random.default_rng(picture.policy.seed))
    if around is None or not len(around.points_m):
        return None
    right, ahead, up = (_unit(axis, policy) for axis in around.ground.axes)
    return SpaceGround(
        normal=up,
        offset_m=round(around.ground.camera_height_m, policy.decimals),
        is_seen=around.is_floor_seen,
        ahead=ahead,
        right=right,
    )


def _unit(values: ArrayLike, policy: SpacePolicy) -> tuple[float, float, float]:
    return vector(values, policy, more=3)


def _note(picture: MeasuredPicture) -> str | None:
    """Why a picture gives no metres."""
    refusals = [one.refusal for one in picture.scene.instances]
    refusals += [one.mirror.refusal for one in picture.scene.surfaces]
    for refusal in refusals:
        if isinstance(refusal, Refusal) and refusal.code in _NO_METRES:
            return refusal.reason
    return None if picture.depth_m is not None else "the picture has no metric depth"


_NO_METRES = ("no_depth", "no_camera", "normalised_depth")
