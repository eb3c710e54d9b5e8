"""What the rules need to know of one picture, worked out once from the scene's triangles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mira.geometry.relations import Extents, SpatialRelation, extents_of, relation_of
from mira.schema.spatial import AnswerFlag, SpatialPolicy
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import CameraPolicy
from mira.sim.rooms.scene import SceneView, SimulatedScene
from mira.sim.rooms.tracing.scene_mesh import SceneMesh
from mira.sim.rooms.tracing.vectors import mapped
from mira.sim.rooms.truth.sightings import Sighting

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ViewFacts:
    """One picture as the rules see it.

    Attributes:
        scene: The scene it is of.
        view: The picture.
        camera: Its size and focal length.
        policy: All thresholds.
    """

    scene: SimulatedScene
    view: SceneView
    camera: CameraPolicy
    policy: SpatialPolicy

    @property
    def plan(self) -> RoomPlan:
        """The room."""
        return self.scene.plan

    @property
    def mesh(self) -> SceneMesh:
        """The room's triangles."""
        return self.scene.renderer.mesh

    @cached_property
    def objects(self) -> dict[int, tuple[Sighting, ...]]:
        """All appearances of each item in the picture, items by their smallest id."""
        found: dict[int, list[Sighting]] = {}
        for sighting in self.view.content.sightings:
            found.setdefault(sighting.item, []).append(sighting)
        return {item: tuple(sightings) for item, sightings in found.items()}

    @cached_property
    def direct(self) -> tuple[Sighting, ...]:
        """Things seen directly."""
        return tuple(s for s in self.view.content.sightings if not s.chain)

    @cached_property
    def reflected(self) -> tuple[Sighting, ...]:
        """Reflections."""
        return tuple(s for s in self.view.content.sightings if s.chain)

    @cached_property
    def item_of_triangle(self) -> NDArray[np.int32]:
        """Item of each of the room's triangles, -1 for none."""
        return self.mesh.item

    @cached_property
    def triangles(self) -> dict[int, NDArray[np.intp]]:
        """Which triangles each item of the picture consists of."""
        item = self.item_of_triangle
        return {number: np.flatnonzero(item == number) for number in self.objects}

    @cached_property
    def corners(self) -> dict[int, Floats]:
        """Corners of each item's triangles, room frame, shape (n, 3, 3)."""
        return {item: self.mesh.corners[own] for item, own in self.triangles.items()}

    @cached_property
    def extents(self) -> dict[int, Extents]:
        """Camera-frame extents of each item, where it really is."""
        return {item: self._extents(corners) for item, corners in self.corners.items()}

    @cached_property
    def room_extents(self) -> dict[int, Extents]:
        """Room-frame extents of each item."""
        return {item: extents_of(corners.reshape(-1, 3)) for item, corners in self.corners.items()}

    @cached_property
    def surface_extents(self) -> dict[int, Extents]:
        """Camera-frame extents of the reflective surfaces seen, by id; their whole glass."""
        surface = self.mesh.surface
        return {
            seen.group_id: self._extents(self.mesh.corners[surface == seen.surface])
            for seen in self.view.content.surfaces
        }

    @cached_property
    def _relations(self) -> dict[tuple[int, int], SpatialRelation]:
        return {}

    def relation(self, item: int, reference: int) -> SpatialRelation:
        """How an item really stands to another."""
        key = (item, reference)
        if key not in self._relations:
            extents = self.extents
            self._relations[key] = relation_of(
                extents[item], extents[reference], self.policy.relation
            )
        return self._relations[key]

    @cached_property
    def behind(self) -> frozenset[int]:
        """Items whose middle is behind the camera."""
        return frozenset(item for item, own in self.extents.items() if own.centre_m[2] < 0)

    def flags(self, *items: int) -> tuple[AnswerFlag, ...]:
        """What a reviewer should know of the items that an answer rests on."""
        return () if self.behind.isdisjoint(items) else ("behind_camera",)

    def name(self, item: int) -> str:
        """What a person would call an item."""
        return self.plan.items[item].item.description

    def reflections(self, item: int) -> Iterator[Sighting]:
        """Reflections of an item in the picture."""
        return (sighting for sighting in self.objects[item] if sighting.chain)

    def _extents(self, corners: Floats) -> Extents:
        viewpoint = self.view.viewpoint
        shift = -viewpoint.axes @ viewpoint.eye_m
        return extents_of(mapped(corners.reshape(-1, 3).astype(np.float32), viewpoint.axes, shift))
