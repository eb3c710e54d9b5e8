"""The best next action of the camera on its way to a thing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mira.geometry.walking import Spread, nearest_cell, spread_from
from mira.schema.qa import ChoiceAnswer
from mira.schema.spatial import MarginUnit, TrueAnswer
from mira.sim.rooms.answers.body import Body, Step
from mira.sim.rooms.answers.facts import ViewFacts
from mira.sim.rooms.answers.reaching import Reach, Surroundings

_DECIMALS = 4
_SIDEWAYS: tuple[Step, ...] = ("left", "right", "backward")


class _Choice(NamedTuple):
    action: str
    reason: str
    margin: float | None = None
    unit: MarginUnit | None = None


def approach_answers(
    facts: ViewFacts, around: Surroundings, reaches: dict[int, Reach], body: Body
) -> Iterator[TrueAnswer]:
    """The next action towards each appearance's object, where it really is.

    The first rule that fits decides: no way leads there: none; it is within reach: stop; its
    bearing is far behind: turn around; it is outside the cone ahead: rotate to its side; a step
    ahead is free and no detour: move forward; else the free step to a side, or back, that shortens
    the way most; else rotate to the side that the way leads to.
    """
    chosen = {item: _choose(facts, item, around, reaches[item], body) for item in facts.objects}
    for sighting in facts.view.content.sightings:
        choice = chosen[sighting.item]
        yield TrueAnswer(
            template_id="ac_002",
            slots={"X": sighting.group_id},
            answer=ChoiceAnswer(value=choice.action),
            margin=None if choice.margin is None else round(choice.margin, _DECIMALS),
            margin_unit=choice.unit,
            close_call=_is_close(facts, sighting.item, reaches[sighting.item], body),
            flags=facts.flags(sighting.item),
            reason=f"the {facts.name(sighting.item)} {choice.reason}",
        )


def _choose(facts: ViewFacts, item: int, around: Surroundings, reach: Reach, body: Body) -> _Choice:
    policy = facts.policy.action
    if reach.now:
        return _Choice("stop", "is within reach", reach.now_margin_m, "m")
    if reach.outcome != "in_reach":
        margin = None if reach.margin_m is None else abs(reach.margin_m)
        return _Choice("none", "cannot be got at", margin, None if margin is None else "m")
    bearing = _bearing_deg(facts, item, body)
    side = "right" if bearing > 0 else "left"
    off = f"is {abs(bearing):.0f} degrees to the {side}"
    to_limit = min(abs(abs(bearing) - limit) for limit in (policy.facing_deg, policy.behind_deg))
    if abs(bearing) > policy.behind_deg:
        return _Choice("turn_around", off, to_limit, "deg")
    if abs(bearing) > policy.facing_deg:
        return _Choice(f"rotate_{side}", off, to_limit, "deg")
    action, why = _step(facts, around, reach, body)
    return _Choice(action, f"is ahead; {why}", to_limit, "deg")


def _step(facts: ViewFacts, around: Surroundings, reach: Reach, body: Body) -> tuple[str, str]:
    """What to do about a thing that the camera faces."""
    assert around.start is not None
    ahead_free = body.free_m["forward"] >= facts.policy.action.step_m
    nearest = nearest_cell(reach.spots, around.start, within_cells=math.inf)
    assert nearest is not None
    if ahead_free and _is_straight(around, nearest):
        return "move_forward", "the way is free"
    way = spread_from(reach.spots, around.free, until=around.start)
    left = {step: _left_after(facts, around, way, body, step) for step in ("forward", *_SIDEWAYS)}
    here = way.around(around.start) or 0
    if ahead_free and left["forward"] < here:
        return "move_forward", "the way is free"
    best = min(_SIDEWAYS, key=lambda step: left[step])
    if left[best] < here:
        return f"move_{best}", f"something is in the way, and the way there leads {best}"
    return _rotation(facts, around, way, body)


def _left_after(
    facts: ViewFacts, around: Surroundings, way: Spread, body: Body, step: str
) -> float:
    """Steps that are left after a movement; infinite if it is not free."""
    length = facts.policy.action.step_m
    named: Step = "forward" if step == "forward" else next(s for s in _SIDEWAYS if s == step)
    if body.free_m[named] < length:
        return math.inf
    x, y = (facts.view.viewpoint.eye_m[:2] + length * body.direction(named)).tolist()
    cell = around.floor.grid.cell_of(x, y)
    left = way.around(cell) if around.floor.grid.holds(*cell) else None
    return math.inf if left is None else left


def _rotation(facts: ViewFacts, around: Surroundings, way: Spread, body: Body) -> tuple[str, str]:
    """Rotate to the side to which the way leads within the next step."""
    assert around.start is not None
    grid = around.floor.grid
    rows, columns = np.nonzero(way.steps >= 0)
    offset = grid.centres_m(rows, columns) - facts.view.viewpoint.eye_m[:2]
    near = np.hypot(*offset.T) <= facts.policy.action.step_m
    steps = np.where(near, way.steps[rows, columns], way.steps.max() + 1)
    best = offset[int(np.argmin(steps))]
    side = "right" if best @ body.direction("right") > 0 else "left"
    return f"rotate_{side}", f"no step shortens the way, which leads {side}"


def _is_straight(around: Surroundings, goal: tuple[int, int]) -> bool:
    """Whether the straight line from the start to a cell is free."""
    assert around.start is not None
    start, end = np.array(around.start), np.array(goal)
    count = 2 * int(np.abs(end - start).max()) + 1
    cells = np.round(start + np.linspace(0, 1, count)[:, None] * (end - start)).astype(int)
    return bool(around.free[cells[:, 0], cells[:, 1]].all())


def _bearing_deg(facts: ViewFacts, item: int, body: Body) -> float:
    """Angle from the camera's heading to a thing's middle, positive to the right."""
    way = np.array(facts.room_extents[item].centre_m[:2]) - facts.view.viewpoint.eye_m[:2]
    right, forward = way @ body.direction("right"), way @ body.direction("forward")
    return math.degrees(math.atan2(right, forward))


def _is_close(facts: ViewFacts, item: int, reach: Reach, body: Body) -> bool:
    """Whether a limit on the way to the answer was too near to call."""
    policy, walker = facts.policy.action, facts.policy.walker
    if abs(reach.now_margin_m) < walker.close_call_m or reach.doubtful:
        return True
    if reach.now or reach.outcome != "in_reach":
        return False
    bearing = abs(_bearing_deg(facts, item, body))
    limits = (policy.facing_deg, policy.behind_deg)
    return any(abs(bearing - limit) < policy.close_call_deg for limit in limits)
