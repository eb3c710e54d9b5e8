"""Pictures and truth of a room: direct views and virtual views, composed mirror by mirror.

The engine draws one mirror at most and its segmentation skips reflections. So what a mirror
shows is rendered by the reflected camera, with the mirror's wall hidden, flipped left to right
and pasted where the mirror is seen; mirrors in mirrors repeat the step. The virtual camera's z is
the depth of the virtual image.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mira.sim.engine import load_mujoco
from mira.sim.rooms.model import EYE, WALL_GROUP, RoomModel, build_model
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.shading import ambient_occlusion, expose
from mira.sim.rooms.viewpoint import Viewpoint

Chain = tuple[int, ...]
"""Indices of the mirrors that light from the camera meets, in order; empty for direct sight."""
_FAR_M = np.float32(29.0)


@dataclass(frozen=True, eq=False)
class ViewTruth:
    """One picture and everything true about its pixels.

    Attributes:
        colour: Picture, shape (height, width, 3), uint8 RGB.
        depth_m: z of the first surface, on mirrors of the virtual image; float32.
        first_mirror: Index of the mirror seen at the pixel, -1 for none; int32.
        item: Index of the item seen, directly or reflected, -1 for none; int32.
        chain_id: Index into `chains` of how the pixel's content is seen; int32.
        chains: Mirror chains that occur; the first is the empty chain.
    """

    colour: NDArray[np.uint8]
    depth_m: NDArray[np.float32]
    first_mirror: NDArray[np.int32]
    item: NDArray[np.int32]
    chain_id: NDArray[np.int32]
    chains: tuple[Chain, ...]


@dataclass(eq=False)
class _Layer:
    """One camera's own picture; mirrors are plain glass until they are pasted over.

    Colour has `supersample` samples a pixel side; everything else is taken at pixel centres.
    """

    colour: NDArray[np.float32]
    occlusion: NDArray[np.float32]
    depth_m: NDArray[np.float32]
    item: NDArray[np.int32]
    mirror: NDArray[np.int32]
    chain_id: NDArray[np.int32]


@contextmanager
def open_room(plan: RoomPlan, policy: RoomPolicy) -> Iterator[RoomRenderer]:
    """A renderer of one room, closed when the block ends.

    Raises:
        SimulationError: No GL library is found.
        MissingExtraError: MuJoCo is not installed.
    """
    mujoco = load_mujoco()
    room = build_model(plan, policy)
    samples = policy.camera.supersample
    width, height = policy.camera.width_px, policy.camera.height_px
    limit = room.model.ngeom + 16
    with (
        mujoco.Renderer(room.model, height * samples, width * samples, limit) as painter,
        mujoco.Renderer(room.model, height, width, limit) as surveyor,
    ):
        yield RoomRenderer(plan, policy, room, painter, surveyor)


class RoomRenderer:
    """Draws views of one room."""

    def __init__(
        self, plan: RoomPlan, policy: RoomPolicy, room: RoomModel, painter: Any, surveyor: Any
    ) -> None:
        self._mujoco = load_mujoco()
        self._plan, self._policy, self._room = plan, policy, room
        self._painter, self._surveyor = painter, surveyor
        self._data = self._mujoco.MjData(room.model)
        self._mujoco.mj_forward(room.model, self._data)
        self._chains: list[Chain] = []

    def view(self, viewpoint: Viewpoint) -> ViewTruth:
        """Picture and truth from one camera."""
        self._chains = []
        layer = self._compose(viewpoint, ())
        return ViewTruth(
            colour=expose(layer.colour, layer.occlusion, self._policy),
            depth_m=layer.depth_m,
            first_mirror=layer.mirror,
            item=layer.item,
            chain_id=layer.chain_id,
            chains=tuple(self._chains),
        )

    def _compose(self, viewpoint: Viewpoint, chain: Chain) -> _Layer:
        """One camera's layer with all its mirrors filled in."""
        self._chains.append(chain)
        layer = self._draw(viewpoint, chain)
        followed = self._mirrors_to_follow(layer, chain)
        if not followed:
            return layer
        samples = self._mirror_samples(viewpoint, chain)
        tint = np.array(self._policy.reflection.tint, np.float32)
        for index in followed:
            virtual = viewpoint.reflected(self._plan.mirrors[index])
            inner = self._compose(virtual, (*chain, index))
            seen = samples == index
            layer.colour[seen] = inner.colour[seen] * tint
            _paste(layer, inner, layer.mirror == index)
        return layer

    def _mirrors_to_follow(self, layer: _Layer, chain: Chain) -> list[int]:
        """Mirrors that the layer shows well enough, unless the chain is long already."""
        policy = self._policy.reflection
        if len(chain) == policy.max_order:
            return []
        area = np.bincount(layer.mirror.ravel() + 1, minlength=len(self._plan.mirrors) + 1)[1:]
        large = np.flatnonzero(area >= policy.min_area_px).tolist()
        return [index for index in large if not chain or chain[-1] != index]

    def _draw(self, viewpoint: Viewpoint, chain: Chain) -> _Layer:
        """One camera's layer with its mirrors as plain glass."""
        geom = self._segment(self._surveyor, viewpoint, chain)
        self._surveyor.enable_depth_rendering()
        depth = np.minimum(self._render(self._surveyor, viewpoint, chain), _FAR_M)
        self._surveyor.disable_depth_rendering()
        colour = self._render(self._painter, viewpoint, chain)
        return _Layer(
            colour=colour.astype(np.float32) / np.float32(255),
            occlusion=ambient_occlusion(depth, self._policy),
            depth_m=depth,
            item=np.where(geom >= 0, self._room.item_of_geom[geom], np.int32(-1)),
            mirror=np.where(geom >= 0, self._room.mirror_of_geom[geom], np.int32(-1)),
            chain_id=np.full(geom.shape, len(self._chains) - 1, np.int32),
        )

    def _mirror_samples(self, viewpoint: Viewpoint, chain: Chain) -> NDArray[np.int32]:
        """Index of the mirror at every colour sample, -1 for none."""
        geom = self._segment(self._painter, viewpoint, chain)
        return np.where(geom >= 0, self._room.mirror_of_geom[geom], np.int32(-1))

    def _segment(self, engine: Any, viewpoint: Viewpoint, chain: Chain) -> NDArray[np.int32]:
        """Id of the geometry at every sample, -1 for none."""
        engine.enable_segmentation_rendering()
        ids: NDArray[np.int32] = self._render(engine, viewpoint, chain)[..., 0]
        engine.disable_segmentation_rendering()
        return ids

    def _render(self, engine: Any, viewpoint: Viewpoint, chain: Chain) -> Any:
        """One pass, with left and right as the real camera sees them."""
        self._set_eye(viewpoint)
        engine.update_scene(self._data, EYE, self._option(chain))
        return engine.render()[:, :: -1 if viewpoint.mirrored else 1]

    def _set_eye(self, viewpoint: Viewpoint) -> None:
        """Pose the engine's camera; a mirrored pose is made proper by turning x around."""
        right, down, forward = viewpoint.axes
        if viewpoint.mirrored:
            right = -right
        columns = np.stack((right, -down, -forward), axis=1)
        self._data.cam_xpos[0] = viewpoint.eye_m
        self._data.cam_xmat[0] = columns.ravel()

    def _option(self, chain: Chain) -> Any:
        """All groups but the wall that the virtual camera looks through."""
        option = self._mujoco.MjvOption()
        option.geomgroup[:] = 1
        if chain:
            option.geomgroup[WALL_GROUP[self._plan.mirrors[chain[-1]].wall]] = 0
        return option


def _paste(outer: _Layer, inner: _Layer, seen: NDArray[np.bool_]) -> None:
    """Fill a mirror's pixels; `outer.mirror` keeps the mirror that the camera meets first."""
    outer.occlusion[seen] = inner.occlusion[seen]
    outer.depth_m[seen] = inner.depth_m[seen]
    outer.item[seen] = inner.item[seen]
    outer.chain_id[seen] = inner.chain_id[seen]
