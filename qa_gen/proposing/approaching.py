"""Proposals on the next action of the camera on its way to a thing."""

from __future__ import annotations

from mira.geometry.mirror_verdict import Refusal
from mira.schema.proposal import ProposalFlag
from mira.schema.qa import ChoiceAnswer, YesNoAnswer
from qa_gen.asking import Ask
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.proposing.placing import Placed
from qa_gen.proposing.policy import ProposalPolicy
from qa_gen.proposing.reaching import Target, propose_reach, target_of
from qa_gen.proposing.surroundings import Surroundings
from qa_gen.proposing.writing import Outcome


def propose_next_action(
    ask: Ask, picture: MeasuredPicture, around: Surroundings | None
) -> Outcome | Refusal:
    """What brings the camera nearer to an object, where it really is.

    As in the truth of simulated rooms: out of reach for good: none; within reach: stop; far behind:
    turn around; outside the cone ahead: rotate to its side; ahead: move forward. Whether a way
    leads there is as sure as `propose_reach` is.
    """
    reach = propose_reach(ask, picture, around)
    if isinstance(reach, Refusal):
        return reach
    assert around is not None
    place = reach.rests_on[0]
    target, policy = target_of(place, around), picture.policy
    if reach.answer == YesNoAnswer(value="no"):
        return reach._replace(answer=ChoiceAnswer(value="none"))
    if target.nearest_m <= policy.spatial.walker.arm_reach_m:
        return reach._replace(answer=ChoiceAnswer(value="stop"))
    return _towards(target, place, around, policy, reach)


def _towards(
    target: Target, place: Placed, around: Surroundings, policy: ProposalPolicy, reach: Outcome
) -> Outcome:
    action = policy.spatial.action
    bearing, side = abs(target.bearing_deg), "right" if target.bearing_deg > 0 else "left"
    to_limit = min(abs(bearing - limit) for limit in (action.facing_deg, action.behind_deg))
    doubt_deg = policy.sure_sigmas * 57.3 * target.doubt_m / max(target.distance_m, 1e-6)
    near = to_limit < action.close_call_deg + doubt_deg
    walker = policy.spatial.walker
    # Within reach it would be "stop".
    to_reach = target.nearest_m - walker.arm_reach_m
    near = near or to_reach < walker.close_call_m + policy.sure_sigmas * target.doubt_m
    flags: tuple[ProposalFlag, ...] = reach.flags
    if bearing > action.behind_deg:
        word, why = "turn_around", f"is {bearing:.0f} degrees to the {side}"
    elif bearing > action.facing_deg:
        word, why = f"rotate_{side}", f"is {bearing:.0f} degrees to the {side}"
    else:
        word, why = "move_forward", "is ahead"
        free = around.free_m((target.spot_m / target.distance_m).tolist())
        if free < action.step_m:
            near, why = True, f"is ahead, and something stands {free:.2f} m before the camera"
    return Outcome(
        answer=ChoiceAnswer(value=word),
        reason=f"it {why}; {reach.reason}",
        close_call=near or reach.close_call,
        margin=to_limit,
        unit="deg",
        flags=flags,
        rests_on=(place,),
    )
