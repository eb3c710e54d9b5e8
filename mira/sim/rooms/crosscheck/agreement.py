"""How far the ray tracer and the reflected cameras agree, pixel by pixel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.crosscheck.common_terms import by_glass, keys, terms_of_cameras, terms_of_rays
from mira.sim.rooms.crosscheck.reflected_cameras import Chain, CrossRenderer, open_crosscheck
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import SceneView, SimulatedScene
from mira.sim.rooms.tracing.renderer import ViewTruth
from mira.sim.rooms.viewpoint import Viewpoint

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MARK_PX = 6


@dataclass(frozen=True, eq=False)
class Agreement:
    """One picture, looked at twice.

    A pixel is the same if both renderers have the same first surface, and the same item by the
    same chain of surfaces, both straight on and by glass. What a convex surface shows is one
    thing and has no depth.

    Attributes:
        name: Which picture, such as `bathroom 3.1`.
        n_pixels: Its pixels.
        n_same: Pixels that are the same.
        depth_p99_m: 99th percentile of the difference of z, first and virtual, where pixels are
            the same.
        depth_max_m: Largest such difference; an edge within one item or wall makes it large.
        colour: The picture, shape (height, width, 3), uint8 RGB.
        traced: A number for what each pixel shows by rays, shape (height, width).
        rasterised: The same by reflected cameras.
    """

    name: str
    n_pixels: int
    n_same: int
    depth_p99_m: float
    depth_max_m: float
    colour: NDArray[np.uint8]
    traced: NDArray[np.int64]
    rasterised: NDArray[np.int64]

    @property
    def share(self) -> float:
        """Share of pixels that are the same."""
        return self.n_same / self.n_pixels


def compare(scene: SimulatedScene, view: SceneView, policy: RoomPolicy) -> Agreement:
    """One picture of a scene, looked at again by other means.

    Args:
        scene: The scene.
        view: One of its pictures.
        policy: The settings it was made with.

    Raises:
        SimulationError: No GL library is found.
        MissingExtraError: MuJoCo is not installed.
    """
    with open_crosscheck(scene.plan, policy, mesh=scene.renderer.mesh) as renderer:
        return _compare_in(renderer, scene, view)


def compare_views(scene: SimulatedScene, policy: RoomPolicy) -> tuple[Agreement, ...]:
    """All pictures of a scene, looked at again; quicker than one after the other.

    Raises:
        SimulationError: No GL library is found.
        MissingExtraError: MuJoCo is not installed.
    """
    with open_crosscheck(scene.plan, policy, mesh=scene.renderer.mesh) as renderer:
        return tuple(_compare_in(renderer, scene, view) for view in scene.views)


def compare_truth(
    renderer: CrossRenderer, viewpoint: Viewpoint, truth: ViewTruth, *, name: str
) -> Agreement:
    """One picture's truth, looked at again.

    Args:
        renderer: The second renderer, of the same room.
        viewpoint: Where the picture was taken.
        truth: What the ray tracer says of it.
        name: What to call the picture.
    """
    known: dict[Chain, int] = {}
    rays = terms_of_rays(truth, renderer.plan)
    cameras = terms_of_cameras(renderer.view(viewpoint), by_glass(truth))
    traced, rasterised = keys(rays, known), keys(cameras, known)
    same = traced == rasterised
    pairs = ((rays.first_depth_m, cameras.first_depth_m), (rays.depth_m, cameras.depth_m))
    apart = np.concatenate([_differences(ours[same], theirs[same]) for ours, theirs in pairs])
    return Agreement(
        name=name,
        n_pixels=same.size,
        n_same=int(np.count_nonzero(same)),
        depth_p99_m=float(np.quantile(apart, 0.99)),
        depth_max_m=float(apart.max()),
        colour=truth.colour,
        traced=traced,
        rasterised=rasterised,
    )


def worst_of(agreements: Iterable[Agreement]) -> Agreement:
    """The picture with the smallest share of pixels that are the same."""
    return min(agreements, key=lambda agreement: agreement.share)


def disagreement_picture(agreement: Agreement) -> bytes:
    """A PNG of what rays see, what reflected cameras see, and the picture with all differences.

    Each thing has a colour of its own, the same left and in the middle; pixels that differ are
    red in the picture on the right, with a yellow ring around each group of them.
    """
    differs = agreement.traced != agreement.rasterised
    marked = (agreement.colour // 2)[..., ::-1].copy()
    wide = cv2.dilate(differs.astype(np.uint8), np.ones((2 * _MARK_PX + 1,) * 2, np.uint8))
    rings, _ = cv2.findContours(wide, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(marked, rings, -1, (0, 255, 255), 1)
    marked[differs] = (0, 0, 255)
    panels = (_in_colours(agreement.traced), _in_colours(agreement.rasterised), marked)
    return bytes(cv2.imencode(".png", np.concatenate(panels, axis=1))[1])


def _compare_in(renderer: CrossRenderer, scene: SimulatedScene, view: SceneView) -> Agreement:
    name = f"{scene.plan.place} {scene.index}.{scene.views.index(view)}"
    return compare_truth(renderer, view.viewpoint, view.truth, name=name)


def _differences(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Absolute differences where both renderers measure, infinite where only one meets the sky."""
    known = ~np.isnan(ours) & ~np.isnan(theirs) & (np.isfinite(ours) | np.isfinite(theirs))
    return np.abs(ours[known] - theirs[known])


def _in_colours(key: NDArray[np.int64]) -> NDArray[np.uint8]:
    """A colour for each number, light enough to tell from black."""
    mixed = (key.astype(np.uint64) * _ODD) >> np.uint64(40)
    channels = [(mixed >> np.uint64(shift)) & np.uint64(0xFF) for shift in (0, 8, 16)]
    return np.asarray(64 + np.stack(channels, axis=-1) * 3 // 4, np.uint8)
