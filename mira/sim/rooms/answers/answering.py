"""All true answers of a picture."""

from __future__ import annotations

from mira.schema.spatial import SpatialPolicy, TrueAnswer
from mira.sim.rooms.answers.added import added_information_answers
from mira.sim.rooms.answers.approaching import approach_answers
from mira.sim.rooms.answers.body import Body
from mira.sim.rooms.answers.colliding import collision_answers
from mira.sim.rooms.answers.facts import ViewFacts
from mira.sim.rooms.answers.floor import Floor, floor_of
from mira.sim.rooms.answers.perception import correspondence_answers, visibility_answers
from mira.sim.rooms.answers.reaching import Surroundings, reachability_answers
from mira.sim.rooms.answers.relations import counting_answers, relation_answers
from mira.sim.rooms.answers.viewing import better_view_answers
from mira.sim.rooms.policy import CameraPolicy
from mira.sim.rooms.scene import SceneView, SimulatedScene


def answers_of(
    scene: SimulatedScene,
    view: SceneView,
    policy: SpatialPolicy,
    *,
    camera: CameraPolicy,
    floor: Floor | None = None,
) -> tuple[TrueAnswer, ...]:
    """The right answer of every question that a picture supports.

    Args:
        scene: The scene.
        view: One of its pictures.
        policy: All thresholds.
        camera: The camera that the picture was made with.
        floor: The scene's floor for the policy's walker, where several pictures share it; worked
            out when missing.

    Returns:
        Answers by sub-task in the taxonomy's order, within one by the ids of the slots; equal
        scenes and policies give equal answers.
    """
    facts = ViewFacts(scene, view, camera, policy)
    floor = floor or floor_of(scene.plan, facts.mesh, policy.walker)
    body, around = Body(facts, floor), Surroundings(facts, floor)
    reaches = {
        item: around.reach(item, corners, facts.room_extents[item])
        for item, corners in facts.corners.items()
    }
    return (
        *visibility_answers(facts),
        *correspondence_answers(facts),
        *relation_answers(facts),
        *counting_answers(facts),
        *added_information_answers(facts),
        *reachability_answers(facts, reaches),
        *approach_answers(facts, around, reaches, body),
        *better_view_answers(facts, body),
        *collision_answers(body, policy),
    )
