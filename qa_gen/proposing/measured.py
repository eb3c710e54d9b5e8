"""One annotated picture in metres: what every rule starts from."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.geometry.measured_scene import SceneGeometry, SurfaceGeometry
from mira.geometry.mirror_verdict import Refusal
from mira.geometry.outlined_areas import OutlinedAreas
from mira.geometry.scene_geometry import estimate_scene_geometry
from mira.schema.annotation import Surface
from mira.schema.capture import CameraIntrinsics
from qa_gen.asking import Ask
from qa_gen.facts import ImageFacts
from qa_gen.objects import PhysicalObject
from qa_gen.proposing.cut_off import cut_off_sides
from qa_gen.proposing.placing import Placed, Placer
from qa_gen.proposing.policy import ProposalPolicy

Depth = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class MeasuredPicture:
    """A picture as the rules of proposals see it.

    Attributes:
        facts: What labels and outlines say.
        scene: What geometry says.
        areas: Outlines as masks.
        depth_m: z of every pixel, metres, 0 for none, shape (height, width); None without metric
            depth.
        policy: Every number.
        notes: What rules worked out and need again.
    """

    facts: ImageFacts
    scene: SceneGeometry
    areas: OutlinedAreas
    depth_m: Depth | None
    policy: ProposalPolicy
    notes: dict[Hashable, object] = field(default_factory=dict)

    @cached_property
    def camera(self) -> CameraIntrinsics | None:
        """The picture's camera."""
        return self.facts.view.intrinsics

    @cached_property
    def places(self) -> dict[int, Placed | Refusal]:
        """Where each object is, or why that is not known, by the smallest id of its instances."""
        if self.camera is None or self.depth_m is None:
            return {key_of(obj): self._no_place(obj) for obj in self.facts.objects}
        placer = Placer(
            self.scene,
            boxes=self.facts.boxes,
            cut_off=cut_off_sides(
                self.facts.annotation,
                self.areas,
                self.scene,
                self.depth_m,
                self.policy.geometry.instances.noise,
            ),
            camera=self.camera,
            policy=self.policy,
        )
        return {key_of(obj): placer.place(obj) for obj in self.facts.objects}

    @cached_property
    def surfaces(self) -> dict[int, Placed | Refusal]:
        """Where each reflective surface is, as far as it is seen, by id."""
        by_id = {surface.surface_id: surface for surface in self.facts.annotation.surfaces}
        return {
            one.surface_id: self._surface(by_id[one.surface_id], one) for one in self.scene.surfaces
        }

    @cached_property
    def denied(self) -> frozenset[int]:
        """Instances of links that geometry speaks against."""
        links = [link for link in self.scene.links if link.agrees is False]
        return frozenset(number for link in links for number in (link.reflected_id, link.real_id))

    def place_of(self, obj: PhysicalObject) -> Placed | Refusal:
        """Where an object is, or why that is not known."""
        return self.places[key_of(obj)]

    def subject_places(self, ask: Ask) -> list[Placed | Refusal]:
        """Where the objects of a question are."""
        return [self.place_of(obj) for obj in ask.subject]

    def _no_place(self, obj: PhysicalObject) -> Refusal:
        first = obj.instances[0].instance_id
        refusal = next(one.refusal for one in self.scene.instances if one.instance_id == first)
        assert refusal is not None
        return refusal

    def _surface(self, surface: Surface, one: SurfaceGeometry) -> Placed | Refusal:
        if one.mirror.refusal is not None:
            return one.mirror.refusal
        if one.extents_m is None:
            return Refusal("outside_picture", "its outline holds no pixel")
        area = self.areas.surfaces[surface.surface_id]
        height, width = area.mask.shape
        picture = self.facts.view
        cut = np.array(
            (
                (area.left <= 1) + (area.left + width >= picture.width_px - 1),
                (area.top <= 1) + (area.top + height >= picture.height_px - 1),
                0,
            )
        )
        cut[2] = cut[:2].max()
        size = np.array(one.extents_m.high_m) - np.array(one.extents_m.low_m)
        across = np.hypot(self.policy.span_doubt, self.policy.hidden_doubt * cut) * size
        off = one.mirror.distance_error_m or 0.0
        x, y, z = np.hypot(across / 2, off).tolist()
        width_m, height_m, depth_m = across.tolist()
        return Placed(
            one.extents_m,
            (x, y, z),
            (width_m, height_m, depth_m),
            surface_ids=(surface.surface_id,),
        )


def measure_picture(
    facts: ImageFacts, depth_m: Depth | None, *, policy: ProposalPolicy, rng: Generator
) -> MeasuredPicture:
    """What is known of a picture in metres.

    Args:
        facts: What labels and outlines say.
        depth_m: z of every pixel, metres, 0 for none; None where there is no depth.
        policy: Every number.
        rng: For fits to depth.

    Raises:
        GeometryError: Depth or camera are of another size than the picture.
    """
    view = facts.view
    areas = OutlinedAreas(facts.annotation)
    scene = estimate_scene_geometry(
        facts.annotation,
        areas=areas,
        depth_m=depth_m,
        camera=view.intrinsics,
        depth_kind=view.depth_kind,
        policy=policy.geometry,
        rng=rng,
    )
    is_metric = view.depth_kind == "metric"
    return MeasuredPicture(facts, scene, areas, depth_m if is_metric else None, policy)


def key_of(obj: PhysicalObject) -> int:
    """What tells an object from the others of its picture."""
    return min(instance.instance_id for instance in obj.instances)
