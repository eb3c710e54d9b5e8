"""Proposals on which action shows more of an object that is seen reflected."""

from __future__ import annotations

import math
from typing import NamedTuple

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
_SHARES = (np.arange(_GRID) + 0.5) / _GRID
_INSIDE = np.array(np.meshgrid(_SHARES, _SHARES, _SHARES)).reshape(3, -1).T
"""Points all through a box, as shares of its sides."""


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
    moves = _moves(picture, around)
    points = around.ground.from_camera(_box_points(place))
    shown = _shown_px(points, moves, around, picture.camera)
    for action, direct in zip(moves.actions, shown.tolist(), strict=True):
        stays = action.startswith("move")
        if stays and obj.real is None:
            # What a step reveals lies at the picture's edge; what hid it may hide it still.
            direct = 0.0
        score = policy.direct_weight * direct + (reflected if stays else 0.0)
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


class _Moves(NamedTuple):
    """Actions of the camera.

    Attributes:
        actions: Their words, shape (m,); one that turns by several angles is there for each.
        turns: What each does to the ground frame, shape (m, 3, 3).
        shifts: The camera's way in that frame before it turns, shape (m, 3).
    """

    actions: list[str]
    turns: Array
    shifts: Array


def _moves(picture: MeasuredPicture, around: Surroundings) -> _Moves:
    """What the camera can do; the same for all things of a picture."""
    known = picture.notes.get("moves")
    if not isinstance(known, _Moves):
        known = picture.notes["moves"] = _possible_moves(picture, around)
    return known


def _possible_moves(picture: MeasuredPicture, around: Surroundings) -> _Moves:
    policy = picture.policy.spatial.action
    ways = {name: way for name, way in WAYS.items() if around.free_m(way) >= policy.step_m}
    actions = [f"move_{name}" for name in ways]
    turns, shifts = [0.0] * len(ways), [(*way, 0.0) for way in ways.values()]
    for angle in policy.turns_deg:
        actions += ["rotate_left", "rotate_right"]
        turns += [angle, -angle]
    actions.append("turn_around")
    turns.append(180.0)
    shifts += [(0.0, 0.0, 0.0)] * (len(turns) - len(shifts))
    return _Moves(
        actions, np.array([_turn(angle) for angle in turns]), policy.step_m * np.array(shifts)
    )


def _turn(angle_deg: float) -> Array:
    """What turning the camera to the left by an angle does to the ground frame."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return np.array(((cos, sin, 0.0), (-sin, cos, 0.0), (0.0, 0.0, 1.0)))


def _box_points(place: Placed) -> Array:
    """Points all through a thing's box, camera frame, shape (n, 3)."""
    low, high = np.array(place.extents_m.low_m), np.array(place.extents_m.high_m)
    return np.asarray(low + _INSIDE * (high - low))


def _shown_px(
    points_m: Array, moves: _Moves, around: Surroundings, camera: CameraIntrinsics
) -> Array:
    """Pixels of the box around a thing's part in the picture after each move, shape (m,).

    Args:
        points_m: Points of the thing in the ground frame, shape (n, 3).
        moves: What the camera may do.
        around: Gives the ground frame.
        camera: The camera.
    """
    points = (points_m - moves.shifts[:, None]) @ moves.turns.swapaxes(1, 2)
    points[..., 2] -= around.ground.camera_height_m
    x, y, z = np.moveaxis(points @ around.ground.axes, -1, 0)
    ahead = np.maximum(z, _NEAREST_M)
    u = camera.cx_px + camera.fx_px * x / ahead
    v = camera.cy_px + camera.fy_px * y / ahead
    inside = (u > 0) & (u < camera.width_px) & (v > 0) & (v < camera.height_px) & (z > _NEAREST_M)
    return np.asarray(_reach(u, inside) * _reach(v, inside))


def _reach(values: Array, counted: NDArray[np.bool_]) -> Array:
    """From the least to the largest of those values of each row that count; 0 for none."""
    most = np.where(counted, values, -np.inf).max(axis=1)
    least = np.where(counted, values, np.inf).min(axis=1)
    return np.asarray(np.maximum(most - least, 0.0))
