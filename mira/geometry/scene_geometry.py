"""Where the surfaces and things of one picture are, in metres: the one answer for every stage."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.errors import GeometryError
from mira.geometry.instance_points import InstanceExtent, estimate_extent
from mira.geometry.light_path import SeenMirror, mirror_in_the_way
from mira.geometry.measured_scene import (
    InstanceGeometry,
    SceneGeometry,
    SurfaceGeometry,
    refused_scene,
)
from mira.geometry.mirror_plane import estimate_mirror_plane
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.geometry.mirror_verdict import MirrorPlane, Refusal
from mira.geometry.outlined_areas import OutlinedAreas, extents_on_plane
from mira.geometry.pair_evidence import MirrorPair
from mira.geometry.real_place import LinkGap, RealPlace, link_gap, place_direct, place_reflected
from mira.schema.annotation import ImageAnnotation, Instance, Surface
from mira.schema.capture import CameraIntrinsics, DepthKind

Depth = NDArray[np.floating]


def estimate_scene_geometry(
    annotation: ImageAnnotation,
    *,
    depth_m: Depth | None,
    camera: CameraIntrinsics | None,
    depth_kind: DepthKind | None,
    policy: MirrorGeometryPolicy,
    rng: Generator,
    areas: OutlinedAreas | None = None,
) -> SceneGeometry:
    """Planes of surfaces, places of instances and gaps of links, each with a reason if not.

    Args:
        annotation: What is outlined in the picture.
        depth_m: z of every pixel, metres, shape (height, width); 0 or NaN where there is no
            reading; None for pictures without depth.
        camera: The picture's camera; None where it is unknown.
        depth_kind: What depth means; None for pictures without depth.
        policy: Thresholds.
        rng: For fits to readings; another one changes results by less than their doubts.
        areas: The annotation's outlines as masks, if they are there already.

    Returns:
        One entry for each surface, each instance and each link that names a direct instance.

    Raises:
        GeometryError: Depth or camera are of another size than the annotation, or the camera's
            lens model is unknown.
    """
    if depth_m is None or depth_kind is None:
        return refused_scene(annotation, Refusal("no_depth", "the picture has no depth"))
    if depth_kind != "metric":
        reason = "depth is normalised: it is in no unit of length"
        return refused_scene(annotation, Refusal("normalised_depth", reason))
    if camera is None:
        reason = "the picture's camera is unknown"
        return refused_scene(annotation, Refusal("no_camera", reason))
    _require_same_size(annotation, depth_m, camera)
    areas = areas or OutlinedAreas(annotation)
    return _View(annotation, areas, depth_m, camera, policy).geometry(rng)


def _require_same_size(
    annotation: ImageAnnotation, depth_m: Depth, camera: CameraIntrinsics
) -> None:
    size = (annotation.width_px, annotation.height_px)
    sizes = {"depth": depth_m.shape[::-1], "camera": (camera.width_px, camera.height_px)}
    for name, found in sizes.items():
        if found != size:
            expected, other = ("x".join(map(str, one)) for one in (size, found))
            raise GeometryError(name, f"expected {expected} as the annotation, found {other}")


class _View:
    """One picture on its way."""

    def __init__(
        self,
        annotation: ImageAnnotation,
        areas: OutlinedAreas,
        depth_m: Depth,
        camera: CameraIntrinsics,
        policy: MirrorGeometryPolicy,
    ) -> None:
        self._annotation, self._policy = annotation, policy
        self._depth_m, self._camera = depth_m, camera
        self._areas = areas
        self._chains = {one.instance_id: one.seen_in for one in annotation.instances}
        self._decided = {
            link.reflected_id
            for link in annotation.links
            if link.counterpart in ("in_frame", "out_of_frame")
        }
        self._seen = {
            which: estimate_extent(depth_m, area, camera, policy=policy.instances)
            for which, area in self._areas.instances.items()
        }
        self._panes = [
            surface.surface_id
            for surface in annotation.surfaces
            if surface.surface_type in set(policy.flat_types) - set(policy.virtual_depth_types)
        ]
        self._mirrors: dict[int, MirrorPlane] = {}

    def geometry(self, rng: Generator) -> SceneGeometry:
        for surface in self._annotation.surfaces:
            self._mirrors[surface.surface_id] = self._mirror(surface, rng)
        instances = tuple(self._placed(one) for one in self._annotation.instances)
        places = {one.instance_id: one for one in instances}
        links = tuple(
            self._link(places[link.reflected_id], places[link.real_id])
            for link in self._annotation.links
            if link.real_id is not None
        )
        apart = {link.reflected_id: link.refusal for link in links if link.agrees is False}
        instances = tuple(
            one._replace(real=None, refusal=apart[one.instance_id])
            if one.real is not None and one.instance_id in apart
            else one
            for one in instances
        )
        return SceneGeometry(tuple(map(self._surface, self._mirrors)), instances, links)

    # Surfaces

    def _mirror(self, surface: Surface, rng: Generator) -> MirrorPlane:
        return estimate_mirror_plane(
            self._depth_m,
            self._areas.surfaces[surface.surface_id],
            self._camera,
            surface_type=surface.surface_type,
            outlined=self._areas.outlined,
            pairs=self._pairs_in(surface.surface_id),
            policy=self._policy,
            rng=rng,
        )

    def _pairs_in(self, surface_id: int) -> list[MirrorPair]:
        """Pairs whose reflection is seen in one surface alone, both with depth."""
        pairs = []
        for link in self._annotation.links:
            if link.real_id is None or self._chains[link.reflected_id] != (surface_id,):
                continue
            real, virtual = self._seen[link.real_id], self._seen[link.reflected_id]
            if real is not None and virtual is not None:
                pairs.append(MirrorPair(link.reflected_id, link.real_id, real, virtual))
        return pairs

    def _surface(self, surface_id: int) -> SurfaceGeometry:
        mirror, area = self._mirrors[surface_id], self._areas.surfaces[surface_id]
        if mirror.plane is None:
            return SurfaceGeometry(surface_id, mirror, None)
        extents = extents_on_plane(area, mirror.plane, self._camera)
        return SurfaceGeometry(surface_id, mirror, extents)

    # Instances

    def _placed(self, one: Instance) -> InstanceGeometry:
        seen = self._seen[one.instance_id]
        if seen is None:
            few = f"fewer than {self._policy.instances.least_pixels} readings inside the outline"
            return InstanceGeometry(one.instance_id, None, None, Refusal("too_few_readings", few))
        found = self._direct(one, seen) if one.visibility == "direct" else self._put_back(one, seen)
        if isinstance(found, Refusal):
            return InstanceGeometry(one.instance_id, seen, None, found)
        return InstanceGeometry(one.instance_id, seen, found, None)

    def _direct(self, one: Instance, seen: InstanceExtent) -> RealPlace | Refusal:
        covered = self._areas.share_in(one.instance_id, self._panes)
        if covered < self._policy.behind_pane_share:
            return place_direct(seen, policy=self._policy)
        reason = f"{covered:.0%} of it is seen through panes, where depth may be the reflection's"
        return Refusal("behind_pane", reason)

    def _put_back(self, one: Instance, seen: InstanceExtent) -> RealPlace | Refusal:
        if one.seen_in and one.instance_id not in self._decided:
            reason = "nobody could say what it is the reflection of: it may be seen in more mirrors"
            return Refusal("counterpart_undecided", reason)
        found = place_reflected(seen, one.seen_in, self._mirrors, policy=self._policy)
        if isinstance(found, Refusal):
            return found
        which = mirror_in_the_way(
            np.array(seen.centre_m),
            one.seen_in,
            self._opaque(),
            self._camera,
            slack_m=self._policy.verdict.way_sigmas * found.doubt_m,
        )
        if which is None:
            return found
        named = ", ".join(map(str, one.seen_in))
        reason = f"its light would come through surface {which}: is it seen there and in {named}?"
        return Refusal("another_surface", reason)

    def _opaque(self) -> dict[int, SeenMirror]:
        """Mirrors that are well known; nothing is seen through them."""
        least = self._policy.verdict.trust_to_place
        return {
            which: SeenMirror(mirror.plane, self._areas.surfaces[which])
            for which, mirror in self._mirrors.items()
            if mirror.plane is not None
            and mirror.depth_shows == "reflection"
            and mirror.trust >= least
        }

    # Links

    def _link(self, reflected: InstanceGeometry, real: InstanceGeometry) -> LinkGap:
        ids = reflected.instance_id, real.instance_id
        for one in (reflected, real):
            # A place that is too doubtful to be given may still be wrong for certain.
            if one.refusal is not None and one.refusal.code != "uncertain_place":
                return LinkGap(*ids, refusal=one.refusal)
        assert reflected.seen is not None
        assert real.seen is not None
        beliefs = [self._mirrors[which].belief for which in self._chains[reflected.instance_id]]
        return link_gap(
            MirrorPair(*ids, real.seen, reflected.seen),
            [belief for belief in beliefs if belief is not None],
            policy=self._policy.pairs,
        )
