"""A room by reflected cameras: what a flat mirror shows, the camera's mirror image sees.

A virtual camera stands behind its mirror, so everything behind the mirror's plane is cut away;
its picture fills the pixels where the outer one shows the mirror, mirror by mirror. What convex
surfaces show is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.crosscheck.clipping import cut_triangles
from mira.sim.rooms.crosscheck.stage import Drawing, Stage, Triangles
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.tracing.scene_mesh import SceneMesh, build_mesh
from mira.sim.rooms.viewpoint import Viewpoint

Chain = tuple[int, ...]
Mask = NDArray[np.bool_]
UNKNOWN = -3
"""Stands for an item where a pixel shows what a convex surface reflects."""
EMPTY = -1
"""Stands for a chain where a layer has nothing."""
_IN_PLANE_M = 1e-6


@dataclass(frozen=True, eq=False)
class CrossLayer:
    """One of two pictures that lie over each other; arrays of shape (height, width).

    Attributes:
        item: Index of the item seen, -1 for none, `stage.NOTHING` or `UNKNOWN`.
        chain_id: Index into `CrossView.chains`, `EMPTY` where the layer has nothing.
        depth_m: z of what is seen; of its virtual image, by mirrors.
    """

    item: NDArray[np.int32]
    chain_id: NDArray[np.int32]
    depth_m: NDArray[np.float64]


class CrossView(NamedTuple):
    """One picture's truth.

    Attributes:
        first_surface: Index of the reflective surface seen at each pixel, -1 for none.
        first_depth_m: z of what each pixel shows first, panes included.
        straight: What is seen with all glass looked through.
        by_glass: What the first pane of glass reflects.
        chains: Reflective surfaces on the way, by chain id.
    """

    first_surface: NDArray[np.int32]
    first_depth_m: NDArray[np.float64]
    straight: CrossLayer
    by_glass: CrossLayer
    chains: tuple[Chain, ...]


class _Side(NamedTuple):
    """What a virtual camera looks into: the room on one side of a flat surface's plane."""

    surface: int
    behind: bool


class CrossRenderer:
    """Draws views of one room; made by `open_crosscheck`.

    Attributes:
        plan: The room.
    """

    def __init__(self, plan: RoomPlan, policy: RoomPolicy, mesh: SceneMesh) -> None:
        self.plan, self._camera = plan, policy.camera
        self._max_order = policy.reflection.max_order
        self._triangles = Triangles(mesh.corners, mesh.item, mesh.surface)
        self._glass = np.array([surface.see_through > 0 for surface in plan.surfaces], bool)
        self._stages: dict[_Side | None, Stage] = {}
        self._chains: list[Chain] = []

    def close(self) -> None:
        """Give the engine's buffers back."""
        for stage in self._stages.values():
            stage.close()

    def view(self, viewpoint: Viewpoint) -> CrossView:
        """Truth of one picture."""
        self._chains = []
        size = (self._camera.height_px, self._camera.width_px)
        everywhere = np.ones(size, bool)
        first = self._stage(None).draw(viewpoint, with_glass=True)
        by_glass = CrossLayer(
            np.full(size, -1, np.int32), np.full(size, EMPTY, np.int32), np.full(size, np.inf)
        )
        self._add_glass(by_glass, viewpoint, None, (), everywhere)
        straight = self._straight(viewpoint, None, (), everywhere)
        return CrossView(
            first.surface, first.depth_m, straight, by_glass, chains=tuple(self._chains)
        )

    def _straight(
        self, viewpoint: Viewpoint, side: _Side | None, chain: Chain, wanted: Mask
    ) -> CrossLayer:
        """What a camera sees through all glass, right where it is wanted."""
        drawing = self._stage(side).draw(viewpoint, with_glass=False)
        item, depth = drawing.item.copy(), drawing.depth_m.copy()
        chain_id = np.full(item.shape, self._chain_id(chain), np.int32)
        layer = CrossLayer(item, chain_id, depth)
        for index, seen in self._reflecting(drawing, viewpoint, chain, wanted):
            longer = (*chain, index)
            if self.plan.surfaces[index].bulge_radius_m is not None:
                layer.item[seen], layer.chain_id[seen] = UNKNOWN, self._chain_id(longer)
            else:
                virtual, there = self._virtual(viewpoint, index)
                _paste(layer, self._straight(virtual, there, longer, seen), seen)
        return layer

    def _add_glass(
        self,
        layer: CrossLayer,
        viewpoint: Viewpoint,
        side: _Side | None,
        chain: Chain,
        wanted: Mask,
    ) -> None:
        """Fill in what the first pane reflects, by mirrors if need be."""
        drawing = self._stage(side).draw(viewpoint, with_glass=True)
        for index, seen in self._reflecting(drawing, viewpoint, chain, wanted):
            if self.plan.surfaces[index].bulge_radius_m is not None:
                continue
            virtual, there = self._virtual(viewpoint, index)
            longer = (*chain, index)
            if self._glass[index]:
                _paste(layer, self._straight(virtual, there, longer, seen), seen)
            else:
                self._add_glass(layer, virtual, there, longer, seen)

    def _reflecting(
        self, drawing: Drawing, viewpoint: Viewpoint, chain: Chain, wanted: Mask
    ) -> Iterator[tuple[int, Mask]]:
        """Surfaces seen from a side that reflects, and where; none if the chain is long."""
        if len(chain) >= self._max_order:
            return
        for index in range(len(self.plan.surfaces)):
            seen = wanted & (drawing.surface == index)
            if not self._glass[index]:
                seen &= self._in_front(index, drawing, viewpoint)
            if seen.any():
                yield index, seen

    def _in_front(self, index: int, drawing: Drawing, viewpoint: Viewpoint) -> Mask:
        """Where a surface's reflecting side is seen, if the surface is seen there at all."""
        surface = self.plan.surfaces[index]
        centre = surface.ball_centre_m
        if centre is None:
            return np.asarray(viewpoint.eye_m @ surface.normal + surface.offset_m > 0)
        lens = self._camera.intrinsics()
        row, column = np.indices(drawing.surface.shape)
        x, y = (column - lens.cx_px) / lens.fx_px, (row - lens.cy_px) / lens.fy_px
        depth = np.where(drawing.surface == index, drawing.depth_m, 1.0)
        points = viewpoint.to_room(np.stack((x, y, np.ones_like(x)), axis=-1) * depth[..., None])
        towards_eye = viewpoint.eye_m - points
        return np.asarray(((points - centre) * towards_eye).sum(axis=-1) > 0)

    def _virtual(self, viewpoint: Viewpoint, index: int) -> tuple[Viewpoint, _Side]:
        """The camera's image in a flat surface, and the side of it that the image looks into."""
        surface = self.plan.surfaces[index]
        behind = bool(viewpoint.eye_m @ surface.normal + surface.offset_m < 0)
        return viewpoint.reflected(surface), _Side(index, behind)

    def _stage(self, side: _Side | None) -> Stage:
        if side not in self._stages:
            self._stages[side] = Stage(self._cut(side), self._camera, self._glass)
        return self._stages[side]

    def _cut(self, side: _Side | None) -> Triangles:
        if side is None:
            return self._triangles
        surface = self.plan.surfaces[side.surface]
        heights = self._triangles.corners @ surface.normal + surface.offset_m
        heights = (-heights if side.behind else heights) - _IN_PLANE_M
        corners, of = cut_triangles(self._triangles.corners, heights)
        return Triangles(corners, self._triangles.item[of], self._triangles.surface[of])

    def _chain_id(self, chain: Chain) -> int:
        if chain not in self._chains:
            self._chains.append(chain)
        return self._chains.index(chain)


@contextmanager
def open_crosscheck(
    plan: RoomPlan, policy: RoomPolicy, *, mesh: SceneMesh | None = None
) -> Iterator[CrossRenderer]:
    """A second renderer of a room, closed when the block ends.

    Args:
        plan: The room.
        policy: The settings of its pictures.
        mesh: The room's triangles, if they are made already.

    Raises:
        SimulationError: No GL library is found.
        MissingExtraError: MuJoCo is not installed.
    """
    renderer = CrossRenderer(plan, policy, mesh or build_mesh(plan))
    try:
        yield renderer
    finally:
        renderer.close()


def _paste(layer: CrossLayer, inner: CrossLayer, seen: Mask) -> None:
    layer.item[seen] = inner.item[seen]
    layer.chain_id[seen] = inner.chain_id[seen]
    layer.depth_m[seen] = inner.depth_m[seen]
