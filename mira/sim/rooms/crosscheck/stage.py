"""Triangles in the engine: which thing each pixel shows, and how far it is."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.sim.engine import load_mujoco
from mira.sim.rooms.policy import CameraPolicy
from mira.sim.rooms.viewpoint import Viewpoint

NOTHING = -2
"""Stands for an item where a pixel shows the sky."""
_EYE = "eye"
_NEAR_M, _FAR_M = 0.1, 400.0
_GLASS_GROUP = 1
_MIN_AREA_M2 = 1e-10
_PLACE_TOLERANCE_M = 1e-5


class Triangles(NamedTuple):
    """Triangles and what they belong to; arrays over triangles.

    Attributes:
        corners: Positions in the room frame, metres, shape (n, 3, 3).
        item: Index into the plan's items, -1 for none, shape (n,).
        surface: Index into the plan's reflective surfaces, -1 for none, shape (n,).
    """

    corners: NDArray[np.float64]
    item: NDArray[np.int32]
    surface: NDArray[np.int32]


class Drawing(NamedTuple):
    """What one camera sees, left and right as the real camera has them; shapes (height, width).

    Attributes:
        item: Index of the item, -1 for none, `NOTHING` in the sky.
        surface: Index of the reflective surface whose pane is seen, -1 for none.
        depth_m: z in the camera's frame, infinite in the sky.
    """

    item: NDArray[np.int32]
    surface: NDArray[np.int32]
    depth_m: NDArray[np.float64]


class Stage:
    """A set of triangles that can be drawn from anywhere; to be closed.

    Both sides of a triangle are seen, as rays see them.
    """

    def __init__(
        self, triangles: Triangles, camera: CameraPolicy, glass: NDArray[np.bool_]
    ) -> None:
        """Compile triangles.

        Args:
            triangles: What there is.
            camera: The picture.
            glass: Which reflective surfaces let light through, shape (surfaces,).

        Raises:
            SimulationError: No GL library is found.
            MissingExtraError: MuJoCo is not installed.
        """
        self._mujoco = load_mujoco()
        spec = _empty_spec(self._mujoco, camera)
        groups = list(_grouped(triangles))
        for number, (corners, _, surface) in enumerate(groups):
            is_glass = surface >= 0 and bool(glass[surface])
            _add_mesh(self._mujoco, spec, f"mesh_{number}", corners, is_glass)
        # The last entry is for pixels that show no geometry.
        self._item = np.array([item for _, item, _ in groups] + [NOTHING], np.int32)
        self._surface = np.array([surface for _, _, surface in groups] + [-1], np.int32)
        model = spec.compile()
        self._data = self._mujoco.MjData(model)
        self._mujoco.mj_forward(model, self._data)
        _require_places(model, self._data, [corners for corners, _, _ in groups])
        self._engine = self._mujoco.Renderer(
            model, camera.height_px, camera.width_px, model.ngeom + 16
        )

    def close(self) -> None:
        """Give the engine's buffers back."""
        self._engine.close()

    def draw(self, viewpoint: Viewpoint, *, with_glass: bool) -> Drawing:
        """What a camera sees, with panes that let light through shown or left out."""
        self._set_eye(viewpoint)
        option = self._mujoco.MjvOption()
        option.geomgroup[:] = 1
        option.geomgroup[_GLASS_GROUP] = with_glass
        self._engine.update_scene(self._data, _EYE, option)
        self._engine.scene.flags[self._mujoco.mjtRndFlag.mjRND_CULL_FACE] = False
        turn = np.s_[:, :: -1 if viewpoint.mirrored else 1]
        self._engine.enable_segmentation_rendering()
        geom = self._engine.render()[..., 0][turn]
        self._engine.enable_depth_rendering()
        depth = self._engine.render()[turn].astype(np.float64)
        self._engine.disable_depth_rendering()
        return Drawing(self._item[geom], self._surface[geom], np.where(geom >= 0, depth, np.inf))

    def _set_eye(self, viewpoint: Viewpoint) -> None:
        """Pose the engine's camera; a mirrored pose is made proper by turning x around."""
        right, down, forward = viewpoint.axes
        if viewpoint.mirrored:
            right = -right
        self._data.cam_xpos[0] = viewpoint.eye_m
        self._data.cam_xmat[0] = np.stack((right, -down, -forward), axis=1).ravel()


def _empty_spec(mujoco: Any, camera: CameraPolicy) -> Any:
    spec = mujoco.MjSpec()
    spec.visual.global_.offwidth = camera.width_px
    spec.visual.global_.offheight = camera.height_px
    spec.visual.quality.offsamples = 0
    spec.visual.quality.shadowsize = 0
    spec.visual.map.znear, spec.visual.map.zfar = _NEAR_M, _FAR_M
    spec.stat.extent = 1.0
    fov = 2 * math.degrees(math.atan(camera.height_px / 2 / camera.focal_px))
    spec.worldbody.add_camera(name=_EYE, fovy=fov)
    return spec


def _grouped(triangles: Triangles) -> list[tuple[NDArray[np.float64], int, int]]:
    """Corners of all triangles of one thing, its item, its surface."""
    found = []
    # One number for both, as numpy compares rows of two far more slowly.
    label = (triangles.item.astype(np.int64) << 32) + triangles.surface
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.diff(label[order], prepend=np.iinfo(np.int64).min))
    for members in np.split(order, starts[1:]) if len(order) else ():
        corners = triangles.corners[members]
        item, surface = int(triangles.item[members[0]]), int(triangles.surface[members[0]])
        edges = corners[:, 1:] - corners[:, :1]
        area = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1).sum() / 2
        if area > _MIN_AREA_M2:
            if len(corners) == 1:
                # The engine wants four vertices at least.
                corners = np.repeat(corners, 2, axis=0)
            found.append((corners, item, surface))
    return found


def _add_mesh(
    mujoco: Any, spec: Any, name: str, corners: NDArray[np.float64], is_glass: bool
) -> None:
    """One geometry; corners are not shared, so that nothing is merged or smoothed."""
    spec.add_mesh(
        name=name,
        uservert=corners.ravel(),
        userface=np.arange(3 * len(corners)),
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
    )
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=name,
        group=_GLASS_GROUP if is_glass else 0,
        contype=0,
        conaffinity=0,
    )


def _require_places(model: Any, data: Any, wanted: list[NDArray[np.float64]]) -> None:
    """The engine turns meshes into frames of their own; make sure that nothing has moved."""
    for geom, corners in enumerate(wanted):
        mesh = model.geom_dataid[geom]
        start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        faces = model.mesh_face[model.mesh_faceadr[mesh] :][: model.mesh_facenum[mesh]]
        vertices = model.mesh_vert[start : start + count].astype(np.float64)
        placed = vertices @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
        moved = np.abs(placed[faces] - corners).max()
        assert moved < _PLACE_TOLERANCE_M, f"mesh {geom} moved by {moved} m"
