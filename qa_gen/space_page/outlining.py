"""Reflective surfaces with their outlines, in the picture and on their planes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mira.geometry.camera import deproject_rays
from mira.geometry.measured_scene import SurfaceGeometry
from mira.geometry.plane import Plane, intersect_rays
from mira.schema.annotation import Instance, Ring, Surface
from mira.schema.capture import CameraIntrinsics
from qa_gen.proposing.measured import MeasuredPicture
from qa_gen.space_page.lengths import rounded, vector, why_not
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.records import DrawnRing, Loop, SpacePair, SpaceSurface
from qa_gen.space_page.telling import Names

_PIXEL_DECIMALS = 1


def space_surfaces(
    picture: MeasuredPicture, names: Names, *, policy: SpacePolicy
) -> tuple[SpaceSurface, ...]:
    """The surfaces of a picture.

    Args:
        picture: The picture in metres.
        names: What the page calls things.
        policy: To how many decimals.
    """
    said = {one.surface_id: one for one in picture.scene.surfaces}
    return tuple(
        _surface(surface, said[surface.surface_id], picture, names, policy)
        for surface in picture.facts.annotation.surfaces
    )


def drawn_rings(one: Surface | Instance) -> tuple[DrawnRing, ...]:
    """An outline in the picture: parts and holes, to be filled even-odd."""
    return tuple(
        tuple((round(x, _PIXEL_DECIMALS), round(y, _PIXEL_DECIMALS)) for x, y in ring)
        for ring in (*one.polygons_px, *one.holes_px)
    )


def _surface(
    surface: Surface,
    said: SurfaceGeometry,
    picture: MeasuredPicture,
    names: Names,
    policy: SpacePolicy,
) -> SpaceSurface:
    mirror, plane, camera = said.mirror, said.mirror.plane, picture.camera
    loops: tuple[Loop, ...] = ()
    if plane is not None and camera is not None:
        loops = _loops((*surface.polygons_px, *surface.holes_px), plane, camera, policy)
    return SpaceSurface(
        surface_id=surface.surface_id,
        name=names.surface(surface.surface_id),
        surface_type=surface.surface_type,
        rings_px=drawn_rings(surface),
        normal=None if plane is None else vector(plane.normal, policy, more=3),
        offset_m=None if plane is None else rounded(plane.offset_m, policy),
        loops_m=loops,
        centre_m=vector(np.mean(loops[0], axis=0), policy) if loops else None,
        trust=round(mirror.trust, policy.decimals),
        confidence=round(mirror.confidence, policy.decimals),
        normal_error_deg=rounded(mirror.normal_error_deg, policy),
        distance_error_m=rounded(mirror.distance_error_m, policy),
        source=mirror.source,
        depth_shows=mirror.depth_shows,
        notes=mirror.notes,
        pairs=tuple(
            SpacePair(
                reflected_id=pair.reflected_id,
                real_id=pair.real_id,
                used=pair.used,
                residual_m=rounded(pair.residual_m, policy),
                reason=pair.reason,
            )
            for pair in mirror.pairs
        ),
        refusal=why_not(mirror.refusal),
    )


def _loops(
    rings: Iterable[Ring], plane: Plane, camera: CameraIntrinsics, policy: SpacePolicy
) -> tuple[Loop, ...]:
    """Outlines where their rays meet the plane; corners whose rays miss it are left out."""
    found = []
    for ring in rings:
        # Drawn points count from the picture's corner, rays from the middle of the first pixel.
        met = intersect_rays(deproject_rays(camera, np.array(ring) - 0.5), plane)
        near = np.isfinite(met).all(axis=1) & (met[:, 2] < policy.farthest_m)
        if np.count_nonzero(near) >= 3:
            found.append(tuple(vector(corner, policy) for corner in met[near]))
    return tuple(found)
