"""Links and labels that measured depth speaks against.

Stereo depth inside a mirror is that of the virtual image behind it. Put back across the mirror's
plane, a reflection has to come to its object, and nothing that is reflected lies before the mirror.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from annotate.findings import FindingLog
from annotate.plausibility.doubts import Doubt, fields_of
from annotate.plausibility.layout import Layout
from annotate.plausibility.policy import PlausibilityPolicy
from annotate.scenes.scene_reader import SourceView
from mira.errors import MiraError
from mira.geometry.measured_scene import InstanceGeometry, SceneGeometry, SurfaceGeometry
from mira.geometry.plane import signed_distances_m
from mira.geometry.plane_fitting import depth_sigma_m
from mira.geometry.scene_geometry import estimate_scene_geometry
from mira.render.source import decode_depth
from mira.schema.annotation import ImageAnnotation


def note_depth_doubts(
    annotation: ImageAnnotation, source: SourceView, log: FindingLog, *, policy: PlausibilityPolicy
) -> None:
    """Note what measured depth speaks against, where a picture has metric depth and a camera.

    Args:
        annotation: A picture's annotation, all of it.
        source: The picture with its files.
        log: Takes the doubts, at the shapes that they are about.
        policy: Bounds.
    """
    view = source.view
    usable = annotation.surfaces and view.depth_aligned and view.depth_unit_m and view.intrinsics
    if not usable or view.depth_kind != "metric":
        return
    assert view.depth_aligned is not None
    assert view.depth_unit_m is not None
    path = source.files[view.depth_aligned.path]
    try:
        geometry = estimate_scene_geometry(
            annotation,
            depth_m=decode_depth(path.read_bytes(), where=path) * np.float32(view.depth_unit_m),
            camera=view.intrinsics,
            depth_kind=view.depth_kind,
            policy=policy.geometry,
            # Fits draw their trials; the same picture gives the same doubts.
            rng=np.random.default_rng(0),
        )
    except MiraError as error:
        log.info("depth-not-used", "", f"depth says nothing of the annotation: {error}")
        return
    fields = fields_of(annotation)
    for doubt in doubt_depth(annotation, geometry, policy):
        note = log.info if doubt.severity == "info" else log.warning
        note(doubt.code, fields[doubt.owner_id], doubt.message)


def doubt_depth(
    annotation: ImageAnnotation, geometry: SceneGeometry, policy: PlausibilityPolicy
) -> Iterator[Doubt]:
    """What in an annotation does not fit where depth has things.

    Args:
        annotation: A picture's annotation.
        geometry: What depth says of it.
        policy: Bounds.
    """
    for surface in geometry.surfaces:
        if surface.mirror.depth_shows == "surface":
            message = f"depth in surface {surface.surface_id} is of the surface, not of reflections"
            yield Doubt("depth-of-surface", "info", surface.surface_id, message)
    for link in geometry.links:
        if link.gap_m is None or link.sigmas is None:
            continue
        if link.sigmas > policy.link_apart_sigmas:
            message = (
                f"by depth, what reflection {link.reflected_id} shows is {link.gap_m:.2f} m from "
                f"object {link.real_id}, {link.sigmas:.1f} times what measuring explains; is "
                "the link right?"
            )
            yield Doubt("link-apart", "warning", link.reflected_id, message)
    for instance in geometry.instances:
        if instance.refusal is not None and instance.refusal.code == "before_surface":
            message = f"{instance.refusal.reason}; is it a reflection?"
            yield Doubt("reflection-before-surface", "warning", instance.instance_id, message)
        if instance.refusal is not None and instance.refusal.code == "another_surface":
            message = instance.refusal.reason
            yield Doubt("reflection-in-another", "warning", instance.instance_id, message)
    yield from _behind(annotation, geometry, policy)


def _behind(
    annotation: ImageAnnotation, geometry: SceneGeometry, policy: PlausibilityPolicy
) -> Iterator[Doubt]:
    """Instances labelled direct that are seen in a mirror and measured behind it."""
    mirrors = [
        surface
        for surface in geometry.surfaces
        if surface.mirror.depth_shows == "reflection"
        and surface.mirror.trust >= policy.geometry.verdict.trust_to_place
    ]
    if not mirrors:
        return
    layout = Layout(annotation)
    measured = {one.instance_id: one for one in geometry.instances if one.seen is not None}
    by_id = {mirror.surface_id: mirror for mirror in mirrors}
    pairs = [
        (one.instance_id, number)
        for one in annotation.instances
        if one.visibility == "direct" and one.instance_id in measured
        for number in by_id
    ]
    for (number, surface_id), share in layout.shares_inside(pairs).items():
        if share < policy.direct_inside_share:
            continue
        behind = _behind_m(measured[number], by_id[surface_id], policy)
        if behind is not None:
            message = (
                f"{share:.0%} of it lies in surface {surface_id}, and it is measured "
                f"{behind:.2f} m behind it; is it a reflection?"
            )
            yield Doubt("direct-behind-mirror", "warning", number, message)


def _behind_m(
    instance: InstanceGeometry, surface: SurfaceGeometry, policy: PlausibilityPolicy
) -> float | None:
    """How far behind a mirror an instance is measured; None where it may be before it."""
    assert instance.seen is not None
    assert surface.mirror.plane is not None
    off = -float(signed_distances_m(instance.seen.centre_m, surface.mirror.plane))
    noise = float(depth_sigma_m(instance.seen.centre_m[2], policy.geometry.instances.noise))
    slack = np.hypot(noise, surface.mirror.distance_error_m or 0.0)
    return off if off > policy.geometry.fit.inlier_sigmas * slack + policy.behind_m else None
