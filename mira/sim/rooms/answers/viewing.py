"""Which single action shows more of an object that is seen reflected."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mira.schema.qa import ChoiceAnswer
from mira.schema.spatial import TrueAnswer
from mira.sim.rooms.answers.body import STEPS, Body
from mira.sim.rooms.answers.facts import ViewFacts
from mira.sim.rooms.viewpoint import Viewpoint

_DECIMALS = 3
_LEAST_PX = 1.0
"""An object that shows less counts as showing this much, or ratios would run away."""


def better_view_answers(facts: ViewFacts, body: Body) -> Iterator[TrueAnswer]:
    """The action after which each reflection's object is seen best.

    Each movement that is free and each rotation is carried out and looked from; a rotation counts
    at its best angle. What an object shows is the sum over pixels of the share of light that
    comes from it, those that show it directly weighted; all of its reflections count.
    """
    if not facts.reflected:
        return
    views = [("stay", facts.view.viewpoint), *_views_after(facts, body)]
    stay, *after = _scores(facts, [viewpoint for _, viewpoint in views])
    scores: dict[str, NDArray[np.float64]] = {}
    for (action, _), seen in zip(views[1:], after, strict=True):
        scores[action] = np.maximum(seen, scores.get(action, seen))
    for sighting in facts.reflected:
        item = sighting.item
        yield _answer(
            facts,
            sighting.group_id,
            item,
            float(stay[item]),
            {action: float(score[item]) for action, score in scores.items()},
        )


def _answer(
    facts: ViewFacts, group_id: int, item: int, stay: float, scores: dict[str, float]
) -> TrueAnswer:
    policy = facts.policy.action
    ranked = sorted(scores, key=lambda action: -scores[action])
    best, second = scores[ranked[0]], scores[ranked[1]]
    gain = max(best, _LEAST_PX) / max(stay, _LEAST_PX)
    lead = max(best, _LEAST_PX) / max(second, _LEAST_PX)
    over = gain / policy.better_ratio
    better = over >= 1
    margin = min(lead, over) if better else 1 / over
    name = facts.name(item)
    reason = f"no action shows {policy.better_ratio:g} times as much of the {name}"
    if better:
        action = ranked[0].replace("_", " ")
        reason = f"{action} shows {gain:.1f} times as much of the {name}, {lead:.1f} times "
        reason += "as much as the next best action"
    return TrueAnswer(
        template_id="ac_003",
        slots={"X": group_id},
        answer=ChoiceAnswer(value=ranked[0] if better else "none"),
        margin=round(margin, _DECIMALS),
        margin_unit="ratio",
        close_call=margin < policy.close_call_ratio,
        flags=facts.flags(item),
        reason=reason,
    )


def _views_after(facts: ViewFacts, body: Body) -> Iterator[tuple[str, Viewpoint]]:
    """The camera after each action that it can take; after a rotation, at each of its angles."""
    policy, here = facts.policy.action, facts.view.viewpoint
    for step in STEPS:
        if body.free_m[step] >= policy.step_m:
            shift = np.array((*(policy.step_m * body.direction(step)), 0.0))
            yield f"move_{step}", Viewpoint(here.eye_m + shift, here.axes)
    for angle in policy.turns_deg:
        yield "rotate_left", _turned(here, angle)
        yield "rotate_right", _turned(here, -angle)
    yield "turn_around", _turned(here, 180.0)


def _turned(viewpoint: Viewpoint, angle_deg: float) -> Viewpoint:
    """A camera turned about the upward axis, anticlockwise seen from above."""
    angle = np.radians(angle_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array(((cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)))
    return Viewpoint(viewpoint.eye_m, viewpoint.axes @ turn.T)


def _scores(facts: ViewFacts, viewpoints: list[Viewpoint]) -> NDArray[np.float64]:
    """How much of each item each camera sees, shape (cameras, items)."""
    policy = facts.policy.action
    camera = facts.camera.reduced(policy.look_reduction)
    scores = np.zeros((len(viewpoints), len(facts.plan.items)))
    for sights in facts.scene.renderer.glances(viewpoints, camera):
        item = np.where(sights.triangle >= 0, facts.item_of_triangle[sights.triangle], -1)
        seen = np.flatnonzero(item >= 0)
        view = sights.ray[seen] // (camera.width_px * camera.height_px)
        light = sights.weight[seen].mean(axis=1).astype(np.float64)
        light *= np.where(sights.chain[seen] == 0, policy.direct_weight, 1.0)
        place = np.ravel_multi_index((view, item[seen]), scores.shape)
        scores += np.bincount(place, light, scores.size).reshape(scores.shape)
    return scores
