"""Proposals on whether a movement of the camera runs into something."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mira.geometry.mirror_verdict import Refusal
from mira.geometry.plane_fitting import depth_sigma_m
from mira.schema.qa import YesNoAnswer
from qa_gen.asking import Ask
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.surroundings import WAYS, Surroundings
from qa_gen.proposing.writing import Outcome


def propose_collision(
    ask: Ask, picture: MeasuredPicture, around: Surroundings | None
) -> Outcome | Refusal:
    """Whether something that is measured, or seen in a mirror, stands in the way.

    What is in the way is known; that nothing is, hardly ever: a picture shows little of the space
    beside, behind and at the feet of its camera. So *no* is for a person to confirm.
    """
    if around is None:
        return Refusal("no_depth", "the picture has no metric depth or no camera")
    policy = picture.policy.spatial.collision
    assert ask.direction is not None
    firm = True
    if ask.direction in WAYS:
        way = WAYS[ask.direction]
        free = around.free_m(way)
        firm = around.readings_ahead(way, within_m=policy.move_m) >= picture.policy.firm_readings
    else:
        free = _free_vertical_m(around, upwards=ask.direction == "above")
    margin = policy.move_m - free
    if not math.isfinite(free):
        return _outcome("no", f"nothing is seen in the way {ask.direction}", None, close=True)
    reason = f"the way {ask.direction} is free for {free:.2f} m by what is seen; "
    reason += f"the movement is {policy.move_m:g} m long"
    noise = picture.policy.sure_sigmas * float(
        depth_sigma_m(free, picture.policy.geometry.fit.noise)
    )
    slack = max(policy.close_call_m, picture.policy.collision_slack_m) + noise
    sure = firm and margin > slack and around.is_floor_seen
    return _outcome("yes" if margin > 0 else "no", reason, abs(margin), close=not sure)


def _free_vertical_m(around: Surroundings, *, upwards: bool) -> float:
    """Way up or down before the camera alone meets something firm, or the floor."""
    policy = around.picture.policy.spatial.collision
    points, height = around.points_m, around.ground.camera_height_m
    over = points[np.hypot(points[:, 0], points[:, 1]) < policy.camera_radius_m][:, 2]
    ahead: NDArray[np.float64] = (
        over[over > height] - height if upwards else height - over[over < height]
    )
    ahead = np.sort(ahead)[around.picture.policy.firm_readings - 1 :]
    nearest = float(ahead[0]) if len(ahead) else math.inf
    return max((nearest if upwards else min(nearest, height)) - policy.camera_radius_m, 0.0)


def _outcome(word: str, reason: str, margin: float | None, *, close: bool) -> Outcome:
    return Outcome(
        answer=YesNoAnswer(value="yes" if word == "yes" else "no"),
        reason=reason,
        close_call=close,
        margin=margin,
        unit=None if margin is None else "m",
        flags=("unseen_space",) if close else (),
    )
