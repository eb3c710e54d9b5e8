"""Proposals on which action shows more of an object that is seen reflected."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mira.geometry.mirror_verdict import Refusal
from mira.schema.capture import CameraIntrinsics
from mira.schema.qa import ChoiceAnswer
from qa_gen.asking import Ask
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.placing import Placed
from qa_gen.proposing.surroundings import WAYS, Surroundings
from qa_gen.proposing.writing import Outcome

Array = NDArray[np.float64]
_NEAREST_M = 0.15
_GRID = 6


def propose_better_view(
    ask: Ask, picture: MeasuredPicture, around: Surroundings | None
) -> Outcome | Refusal:
    """The action after which an object would fill most of the picture, by where it really is.

    What it shows directly counts as the truth of simulated rooms weighs it. Its reflections are
    taken to be as large as now where the camera moves a step, and to be gone where it turns. What
    would stand in the way is not known: in simulated rooms one clear win in fifteen was behind a
    wall or a cupboard. So a person has to look at each.
    """
    obj = ask.subject[0]
    place = picture.place_of(obj)
    if isinstance(place, Refusal) or around is None or picture.camera is None:
        return place if isinstance(place, Refusal) else Refusal("no_depth", "there is no depth")
    policy = picture.policy.spatial.action
    reflected = float(
        sum(np.count_nonzero(picture.areas.instances[r.instance_id].mask) for r in obj.reflections)
    )
    direct_now = 0.0
    if obj.real is not None:
        direct_now = float(np.count_nonzero(picture.areas.instances[obj.real.instance_id].mask))
    stay = reflected + policy.direct_weight * direct_now
    scores: dict[str, float] = {}
    is_seen = obj.real is not None
    points = around.ground.from_camera(_box_points(place))
    for action, turn, shift in _moves(picture, around):
        direct = _shown_px((points - (*shift, 0.0)) @ turn.T, around, picture.camera)
        moves = action.startswith("move")
        if moves and not is_seen:
            # What a step reveals lies at the picture's edge; what hid it may hide it still.
            direct = 0.0
        score = policy.direct_weight * direct + (reflected if moves else 0.0)
        scores[action] = max(scores.get(action, 0.0), score)
    ranked = sorted(scores, key=lambda action: -scores[action])
    best, second = scores[ranked[0]], scores[ranked[1]]
    gain, lead = best / max(stay, 1.0), max(best, 1.0) / max(second, 1.0)
    better = gain >= policy.better_ratio
    word = ranked[0] if better else "none"
    words = ranked[0].replace("_", " ")
    return Outcome(
        answer=ChoiceAnswer(value=word),
        reason=f"{words} would show {gain:.1f} times as much of it, {lead:.1f} times as much as "
        "the next best action, if nothing stands in the way",
        close_call=True,
        margin=min(lead, gain / policy.better_ratio)
        if better
        else policy.better_ratio / max(gain, 0.1),
        unit="ratio",
        flags=(
            *(("behind_camera",) if place.extents_m.centre_m[2] < 0 else ()),
            "unseen_space",
        ),
        rests_on=(place,),
    )


def _moves(
    picture: MeasuredPicture, around: Surroundings
) -> Iterator[tuple[str, Array, tuple[float, float]]]:
    """Actions, each with the turn of the ground frame and the camera's shift."""
    policy = picture.policy.spatial.action
    for name, way in WAYS.items():
        if around.free_m(way) >= policy.step_m:
            yield f"move_{name}", np.eye(3), (policy.step_m * way[0], policy.step_m * way[1])
    for angle in policy.turns_deg:
        yield "rotate_left", _turn(angle), (0.0, 0.0)
        yield "rotate_right", _turn(-angle), (0.0, 0.0)
    yield "turn_around", _turn(180.0), (0.0, 0.0)


def _turn(angle_deg: float) -> Array:
    """What turning the camera to the left by an angle does to the ground frame."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return np.array(((cos, sin, 0.0), (-sin, cos, 0.0), (0.0, 0.0, 1.0)))


def _box_points(place: Placed) -> Array:
    """Points all through a thing's box, camera frame, shape (n, 3)."""
    low, high = np.array(place.extents_m.low_m), np.array(place.extents_m.high_m)
    share = (np.arange(_GRID) + 0.5) / _GRID
    grid = np.array(np.meshgrid(share, share, share)).reshape(3, -1).T
    return np.asarray(low + grid * (high - low))


def _shown_px(points_m: Array, around: Surroundings, camera: CameraIntrinsics) -> float:
    """Pixels of the box around a thing's part in the picture.

    Args:
        points_m: Points of the thing in the ground frame after the action, shape (n, 3).
        around: Gives the ground frame.
        camera: The camera.
    """
    points = points_m - (0.0, 0.0, around.ground.camera_height_m)
    cam = points @ around.ground.axes
    cam = cam[cam[:, 2] > _NEAREST_M]
    u = camera.cx_px + camera.fx_px * cam[:, 0] / cam[:, 2]
    v = camera.cy_px + camera.fy_px * cam[:, 1] / cam[:, 2]
    inside = (u > 0) & (u < camera.width_px) & (v > 0) & (v < camera.height_px)
    return float(np.ptp(u[inside]) * np.ptp(v[inside])) if inside.any() else 0.0
