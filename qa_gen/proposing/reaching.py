"""Proposals on whether one can get to a thing, from what is seen of the floor before it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.mirror_verdict import Refusal
from mira.schema.qa import YesNoAnswer
from qa_gen.asking import Ask
from qa_gen.proposing.measured import MeasuredPicture, key_of
from qa_gen.proposing.placing import Placed
from qa_gen.proposing.surroundings import Surroundings
from qa_gen.proposing.writing import Outcome

Array = NDArray[np.float64]


class Target(NamedTuple):
    """A thing on the ground.

    Attributes:
        spot_m: Its middle on the floor, x to the right, y ahead.
        nearest_m: From the camera's spot to the nearest corner of its box, over the floor.
        low_m: Height of its lower end.
        doubt_m: Standard deviation of where it is.
    """

    spot_m: Array
    nearest_m: float
    low_m: float
    doubt_m: float

    @property
    def bearing_deg(self) -> float:
        """Angle to the right of straight ahead."""
        return math.degrees(math.atan2(self.spot_m[0], self.spot_m[1]))

    @property
    def distance_m(self) -> float:
        """From the camera's spot to its middle."""
        return float(np.hypot(*self.spot_m))


def target_of(placed: Placed, around: Surroundings) -> Target:
    """A placed thing on the ground."""
    corners = around.ground.from_camera(placed.extents_m.corners_m())
    middle = around.ground.from_camera(np.array(placed.extents_m.centre_m))[:2]
    least, most = corners[:, :2].min(axis=0), corners[:, :2].max(axis=0)
    nearest = np.clip(np.zeros(2), least, most)
    return Target(
        middle,
        float(np.hypot(*nearest)),
        float(corners[:, 2].min()),
        max(placed.doubt_m),
    )


def propose_reach(
    ask: Ask, picture: MeasuredPicture, around: Surroundings | None
) -> Outcome | Refusal:
    """Whether a body gets so near to an object that a hand touches it.

    It does where nothing measured stands on the straight way to it and the floor of that way is
    seen. Where floor is not seen, or something stands there and may be gone around, the
    answer is most likely yes and a person has to look.
    """
    (obj,) = ask.subject
    place = picture.place_of(obj)
    if isinstance(place, Refusal) or around is None:
        return place if isinstance(place, Refusal) else Refusal("no_depth", "there is no depth")
    # Asked once more for the next action, and for other appearances.
    known = picture.notes.get(("reach", key_of(obj)))
    if not isinstance(known, Outcome):
        known = picture.notes["reach", key_of(obj)] = _reach(place, picture, around)
    return known


def _reach(place: Placed, picture: MeasuredPicture, around: Surroundings) -> Outcome:
    policy, target = picture.policy, target_of(place, around)
    walker, slack = policy.spatial.walker, policy.sure_sigmas * target.doubt_m
    over = target.low_m - walker.reach_height_m
    if over > 0:
        reason = f"it hangs {target.low_m:.2f} m high, a hand reaches {walker.reach_height_m:g} m"
        sure = around.is_floor_seen and over > walker.close_call_m + slack
        return _outcome("no", reason, place, over, close_call=not sure)
    if target.nearest_m <= walker.arm_reach_m:
        margin = walker.arm_reach_m - target.nearest_m
        reason = f"it is {target.nearest_m:.2f} m away, an arm reaches {walker.arm_reach_m:g} m"
        return _outcome("yes", reason, place, margin, close_call=margin < slack)
    way = target.spot_m / target.distance_m
    free = around.free_m(way.tolist())
    needed = target.nearest_m - walker.arm_reach_m
    seen = around.seen_share(target.spot_m, until_m=target.distance_m - needed)
    reason = f"the straight way to it is {needed:.1f} m long, "
    if needed > policy.blind_zone_m:
        reason += f"floor is seen on {seen:.0%} of it beyond the first {policy.blind_zone_m:g} m"
    else:
        reason += "all of it before the feet"
    if free < needed:
        reason += f" and something stands {free:.1f} m ahead"
    sure = around.is_floor_seen and seen == 1.0 and free - needed > slack
    return _outcome("yes", reason, place, None, close_call=not sure, unseen=not sure)


def _outcome(
    word: str,
    reason: str,
    place: Placed,
    margin: float | None,
    *,
    close_call: bool,
    unseen: bool = False,
) -> Outcome:
    return Outcome(
        answer=YesNoAnswer(value="yes" if word == "yes" else "no"),
        reason=reason,
        close_call=close_call,
        margin=margin,
        unit=None if margin is None else "m",
        flags=(
            *(("behind_camera",) if place.extents_m.centre_m[2] < 0 else ()),
            *(("unseen_space",) if unseen else ()),
        ),
        rests_on=(place,),
    )
