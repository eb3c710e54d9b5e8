"""The plane of one flat reflective surface, from what is around it and from pairs seen in it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.geometry.camera import deproject_rays
from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.foot_plane import find_foot
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.geometry.mirror_verdict import (
    MirrorPlane,
    PairVerdict,
    PlaneSource,
    Refusal,
    confidence_of,
)
from mira.geometry.pair_evidence import MirrorPair
from mira.geometry.pair_plane import PairedPlane
from mira.geometry.plane_belief import PlaneBelief
from mira.geometry.plane_options import (
    PlaneOption,
    find_options,
    foot_option,
    is_walled,
    no_plane,
    notes_on,
)
from mira.geometry.surroundings import SurroundingPlane, Surroundings, find_surroundings
from mira.schema.capture import CameraIntrinsics, SurfaceType

Array = NDArray[np.float64]


def estimate_mirror_plane(
    depth_m: NDArray[np.floating],
    surface: CroppedMask,
    camera: CameraIntrinsics,
    *,
    surface_type: SurfaceType | None,
    outlined: NDArray[np.uint8],
    pairs: Sequence[MirrorPair] = (),
    policy: MirrorGeometryPolicy,
    rng: Generator,
) -> MirrorPlane:
    """The plane of a flat reflective surface.

    Planes around the surface are tried with the pairs seen in it, pairs alone where no plane has
    most of them, and what most of the evidence speaks for is taken; where little around it is of
    its plane, what it stands on is tried too. A plane around it is out of the question when depth
    inside the surface is nearer: a wall far behind a mirror on a stand, say.

    Args:
        depth_m: z of every pixel of the picture, metres, shape (height, width); 0 or NaN where
            there is no reading. Never normalised depth.
        surface: The surface's mask.
        camera: The picture's camera.
        surface_type: Its kind; curved ones have no plane.
        outlined: `DIRECT` and `OUTLINED` pixels of the picture (see `mira.geometry.ring_readings`).
        pairs: Things that are seen directly and in this surface alone. Where the surface's depth
            is not that of reflections, they are left out.
        policy: Thresholds.
        rng: For fits to readings.

    Returns:
        The plane, or the reason why there is none.

    Raises:
        GeometryError: The camera's lens model is unknown.
    """
    refusal = _unsuited(surface, surface_type, policy)
    if refusal is not None:
        return MirrorPlane(refusal=refusal, pairs=_unused(pairs, refusal.reason))
    shows_images = surface_type in policy.virtual_depth_types
    ring = policy.surroundings
    around = find_surroundings(
        depth_m,
        surface,
        camera,
        outlined=outlined,
        mount_m=ring.mirror_mount_m if shows_images else ring.pane_mount_m,
        policy=policy,
        rng=rng,
    )
    ray = _middle_ray(surface, camera)
    own = _own_depth(around, ray, policy)
    if own is not None:
        return _of_surface(own, around, pairs, ray, policy)
    usable, unused = _sorted_out(pairs, shows_images=shows_images)
    options = find_options(around, usable, middle_ray=ray, policy=policy)
    if shows_images and not is_walled(options, policy.verdict):
        foot = find_foot(depth_m, surface, camera, outlined=outlined, policy=policy, rng=rng)
        stood = foot_option(foot, usable, middle_ray=ray, policy=policy)
        options += [] if stood is None else [stood]
    best = max(options, key=lambda option: option.trust, default=None)
    if best is None or best.trust < policy.verdict.least_trust:
        refusal = no_plane(best, around, len(usable), policy.verdict)
        verdicts = (*unused, *_unused(usable, refusal.reason))
        return MirrorPlane(refusal=refusal, pairs=_by_reflection(verdicts))
    estimate = _estimate(best, usable, ray, policy)
    return estimate._replace(
        depth_shows="reflection" if shows_images else "unknown",
        pairs=_by_reflection((*estimate.pairs, *unused)),
        notes=notes_on(best, options, usable, unused, policy.verdict),
    )


def _unsuited(
    surface: CroppedMask, surface_type: SurfaceType | None, policy: MirrorGeometryPolicy
) -> Refusal | None:
    """Why a surface cannot have a plane."""
    if surface_type is None:
        return Refusal("surface_type_unset", "nobody said whether the surface is flat")
    if surface_type not in policy.flat_types:
        return Refusal("curved_surface", f"a {surface_type.replace('_', ' ')} has no plane")
    if not surface.mask.any():
        return Refusal("outside_picture", "the surface has no pixel in the picture")
    return None


def _own_depth(
    around: Surroundings, ray: Array, policy: MirrorGeometryPolicy
) -> SurroundingPlane | None:
    """The plane around the surface that depth inside continues, if it does."""
    found = [
        plane
        for plane in around.planes
        if plane.continues_inside(policy) and plane.belief.polar @ ray > 0
    ]
    return max(found, key=lambda plane: plane.coverage, default=None)


def _of_surface(
    own: SurroundingPlane,
    around: Surroundings,
    pairs: Sequence[MirrorPair],
    ray: Array,
    policy: MirrorGeometryPolicy,
) -> MirrorPlane:
    """The plane of readings on the surface itself."""
    fit = around.inside_fit or own.fit
    covariance = own.belief.covariance if fit.covariance is None else fit.covariance
    belief = PlaneBelief.of_plane(fit.plane, covariance)
    angle, distance = belief.normal_error_deg, belief.distance_error_m(ray)
    return MirrorPlane(
        belief=belief,
        source="surface",
        depth_shows="surface",
        trust=1.0,
        confidence=confidence_of(1.0, angle, distance, policy.verdict),
        normal_error_deg=angle,
        distance_error_m=distance,
        residual_m=fit.residual_m,
        inlier_share=fit.inlier_share,
        coverage=own.coverage,
        pairs=_unused(pairs, "depth there is that of the surface itself"),
        notes=("depth_of_surface",),
    )


def _estimate(
    best: PlaneOption, pairs: Sequence[MirrorPair], ray: Array, policy: MirrorGeometryPolicy
) -> MirrorPlane:
    found, ring, foot = best.found, best.ring, best.foot
    source: PlaneSource = "pairs"
    if ring is not None or foot is not None:
        alone: PlaneSource = "surroundings" if foot is None else "foot"
        source = "both" if found.agrees.any() else alone
    base = ring.fit if ring is not None else foot
    angle, distance = found.belief.normal_error_deg, found.belief.distance_error_m(ray)
    return MirrorPlane(
        belief=found.belief,
        source=source,
        trust=best.trust,
        confidence=confidence_of(best.trust, angle, distance, policy.verdict),
        normal_error_deg=angle,
        distance_error_m=distance,
        residual_m=None if base is None else base.residual_m,
        inlier_share=next((one.share for one in (ring, foot) if one is not None), None),
        coverage=best.coverage,
        pairs=tuple(_verdict(pair, found, k) for k, pair in enumerate(pairs)),
    )


def _verdict(pair: MirrorPair, found: PairedPlane, k: int) -> PairVerdict:
    apart, sigmas = float(found.residuals_m[k]), float(found.sigmas[k])
    used, reason = bool(found.agrees[k]), None
    if not used:
        reason = (
            f"its image put back is {apart:.2f} m from the thing, "
            f"{sigmas:.1f} times what such a pair may be off by"
        )
    return PairVerdict(pair.reflected_id, pair.real_id, used, apart, sigmas, reason)


def _sorted_out(
    pairs: Sequence[MirrorPair], *, shows_images: bool
) -> tuple[list[MirrorPair], tuple[PairVerdict, ...]]:
    """Pairs that can be evidence, and verdicts on the others."""
    if not shows_images:
        return [], _unused(pairs, "depth there is not known to be the reflection's")
    wrong = _unused(
        [pair for pair in pairs if not _is_behind(pair)],
        "its image is measured no farther away than itself",
    )
    return [pair for pair in pairs if _is_behind(pair)], wrong


def _is_behind(pair: MirrorPair) -> bool:
    """Whether an image is farther from the camera than its thing, as in every flat mirror."""
    real, virtual = (np.linalg.norm(one.centre_m) for one in (pair.real, pair.virtual))
    return bool(virtual > real)


def _unused(pairs: Sequence[MirrorPair], reason: str) -> tuple[PairVerdict, ...]:
    return tuple(
        PairVerdict(pair.reflected_id, pair.real_id, used=False, reason=reason) for pair in pairs
    )


def _by_reflection(verdicts: Sequence[PairVerdict]) -> tuple[PairVerdict, ...]:
    return tuple(sorted(verdicts, key=lambda one: (one.reflected_id, one.real_id)))


def _middle_ray(surface: CroppedMask, camera: CameraIntrinsics) -> Array:
    """The ray to the middle of a surface's pixels."""
    sums = cv2.moments(surface.mask.view(np.uint8), binaryImage=True)
    column, row = sums["m10"] / sums["m00"], sums["m01"] / sums["m00"]
    return deproject_rays(camera, (column + surface.left, row + surface.top))
