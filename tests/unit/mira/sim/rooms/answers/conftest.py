from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from mira.schema.spatial import SpatialPolicy, TrueAnswer
from mira.sim.rooms.answers.answering import answers_of
from mira.sim.rooms.plan import Lamp, RoomPlan, Walkable
from mira.sim.rooms.policy import CameraPolicy, InstancePolicy, RoomPolicy
from mira.sim.rooms.reflective import ReflectiveSurface, facing
from mira.sim.rooms.scene import SceneView, SimulatedScene
from mira.sim.rooms.things.colours import matt
from mira.sim.rooms.things.parts import Item, Part, Placed, box
from mira.sim.rooms.things.rotation import Vector
from mira.sim.rooms.tracing.renderer import RoomRenderer
from mira.sim.rooms.truth.sightings import Sighting, find_content
from mira.sim.rooms.viewpoint import look_at

HALF_WIDTH_M, DEPTH_M, HEIGHT_M = 2.0, 5.0, 2.6
EYE: Vector = (0.0, -2.4, 1.4)
ROOM_POLICY = RoomPolicy(
    camera=CameraPolicy(width_px=424, height_px=240, focal_px=305.0),
    instances=InstancePolicy(
        min_area_px=30, min_thickness_px=1.0, min_surface_area_px=100, min_share=0.05
    ),
)


class SmallWorld:
    """A scene with one picture, and its answers by template and slots."""

    def __init__(self, scene: SimulatedScene, camera: CameraPolicy, policy: SpatialPolicy) -> None:
        self.scene, self.camera, self.policy = scene, camera, policy
        self.answers = answers_of(scene, scene.views[0], policy, camera=camera)

    def sighting(self, description: str, *chain: int) -> Sighting:
        """The appearance of an item by the numbers of the surfaces it is seen by."""
        return next(
            s
            for s in self.scene.views[0].content.sightings
            if self.scene.plan.items[s.item].item.description == description and s.chain == chain
        )

    def of(self, template_id: str, *ids: int, direction: str | None = None) -> TrueAnswer:
        """The one answer of a template for some slots."""
        (found,) = (
            answer
            for answer in self.answers
            if answer.template_id == template_id
            and tuple(answer.slots.values()) == ids
            and answer.direction == direction
        )
        return found


class Kit:
    """Makes small rooms and what stands in them."""

    @staticmethod
    def thing(description: str, at_m: Vector, *parts: Part, yaw_deg: float = 0.0) -> Placed:
        """An item made of parts around its origin; a green cube of 16 cm when there are none."""
        cube = box(matt("green"), (0.16, 0.16, 0.16), (0.0, 0.0, 0.0))
        return Placed(Item(description, description, parts or (cube,), 0.1), at_m, yaw_deg)

    @staticmethod
    def pane(at_m: Vector, size_m: tuple[float, float], yaw_deg: float) -> ReflectiveSurface:
        """A sheet of glass around a point."""
        return ReflectiveSurface(
            "pane",
            "glass",
            at_m,
            facing(yaw_deg),
            *size_m,
            silver=(0.1, 0.1, 0.1),
            see_through=0.85,
        )

    @staticmethod
    def mirror(
        x_m: float = 0.0, width_m: float = 3.0, *, bottom_m: float = 0.6, top_m: float = 2.2
    ) -> ReflectiveSurface:
        """A mirror on the front wall."""
        centre = (x_m, -0.004, (bottom_m + top_m) / 2)
        height = top_m - bottom_m
        return ReflectiveSurface("mirror", "planar_mirror", centre, facing(0), width_m, height)

    @staticmethod
    def slab(low_m: Vector, high_m: Vector) -> Part:
        """A box-shaped piece of structure between two corners."""
        return _slab(low_m, high_m)

    @staticmethod
    def build(
        *items: Placed,
        surfaces: Iterable[ReflectiveSurface] | None = None,
        structure: Iterable[Part] = (),
        eye_m: Vector = EYE,
        target_m: Vector = (0.0, 0.0, 1.3),
        policy: SpatialPolicy | None = None,
    ) -> SmallWorld:
        """A closed room of 4 x 5 m with a mirror on its front wall, seen from its middle."""
        viewpoint = look_at(eye_m, target_m)
        items = items or (Kit.thing("cup", (1.2, -0.2, 1.3)),)
        plan = RoomPlan(
            place="bathroom",
            environment="indoor",
            lighting="day",
            structure=(*_shell(), *structure),
            walkable=Walkable((-HALF_WIDTH_M, -DEPTH_M), (HALF_WIDTH_M, 0.0)),
            surfaces=(Kit.mirror(),) if surfaces is None else tuple(surfaces),
            items=items,
            lamps=(Lamp((0, -2.5, 2.55), (0.5, 0, 0), (0, -0.5, 0), (4.0, 4.0, 4.0)),),
            viewpoints=(viewpoint,),
            ambient=(0.1, 0.1, 0.1),
        )
        renderer = RoomRenderer(plan, ROOM_POLICY)
        rng = np.random.default_rng(3)
        truth = renderer.view(viewpoint, rng)
        content = find_content(truth, plan, ROOM_POLICY, rng)
        depth = np.zeros(truth.first_surface.shape, np.uint16)
        view = SceneView(viewpoint, truth, depth, content)
        scene = SimulatedScene(0, 0, plan, renderer, (view,))
        return SmallWorld(scene, ROOM_POLICY.camera, policy or SpatialPolicy())


def _slab(low_m: Vector, high_m: Vector) -> Part:
    (x, y, z), (right, back, top) = low_m, high_m
    size = (right - x, back - y, top - z)
    return box(matt("white"), size, ((x + right) / 2, (y + back) / 2, (z + top) / 2))


def _shell() -> tuple[Part, ...]:
    w, d, h = HALF_WIDTH_M, DEPTH_M, HEIGHT_M
    return (
        _slab((-w, -d, -0.1), (w, 0, 0)),
        _slab((-w, -d, h), (w, 0, h + 0.1)),
        _slab((-w, 0, 0), (w, 0.1, h)),
        _slab((-w, -d - 0.1, 0), (w, -d, h)),
        _slab((-w - 0.1, -d, 0), (-w, 0, h)),
        _slab((w, -d, 0), (w + 0.1, 0, h)),
    )


@pytest.fixture(scope="session")
def kit() -> Kit:
    """Builds small rooms; skips where no ray can be traced."""
    pytest.importorskip("embreex", reason="the extra `sim` is not installed")
    return Kit()
