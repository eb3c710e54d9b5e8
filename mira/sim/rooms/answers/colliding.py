"""Whether a movement of the camera runs into something."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mira.schema.qa import YesNoAnswer
from mira.schema.spatial import SpatialPolicy, TrueAnswer
from mira.sim.rooms.answers.body import STEPS, Body

_DECIMALS = 4


def collision_answers(body: Body, policy: SpatialPolicy) -> Iterator[TrueAnswer]:
    """Each of the six movements: over the floor with the body, up and down the camera alone."""
    length = policy.collision.move_m
    for step in STEPS:
        yield _answer(step, body.free_m[step], length, policy)
    yield _answer("above", body.free_vertical_m(upwards=True), length, policy)
    yield _answer("below", body.free_vertical_m(upwards=False), length, policy)


def _answer(direction: str, free_m: float, move_m: float, policy: SpatialPolicy) -> TrueAnswer:
    margin = free_m - move_m
    finite = math.isfinite(margin)
    way = f"free for {free_m:.2f} m" if finite else "free"
    return TrueAnswer(
        template_id="ac_004",
        direction=direction,
        answer=YesNoAnswer(value="yes" if margin < 0 else "no"),
        margin=round(abs(margin), _DECIMALS) if finite else None,
        margin_unit="m" if finite else None,
        close_call=abs(margin) < policy.collision.close_call_m,
        reason=f"the way {direction} is {way}; the movement is {move_m:g} m long",
    )
