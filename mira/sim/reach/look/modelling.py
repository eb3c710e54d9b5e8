"""Parts of things as geometry of the engine, in groups that can be shown and hidden."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Finish, Mesh, Part
from mira.sim.rooms.viewpoint import Viewpoint

_SHININESS = 0.35


class Group(IntEnum):
    """What a piece of geometry belongs to: the engine's groups, which it shows or hides."""

    BODY = 0
    """The body; the floor and the wall behind the camera too."""
    MIRROR = 1
    """The glass."""
    BEHIND = 2
    """What the glass hangs on and in, which the camera's mirror image must not see."""
    MARK = 3
    HAND = 4
    HIDDEN = 5
    """Hands and marks of other scenes."""


class Painted(NamedTuple):
    """A surface with a colour at each corner, looked up in a small picture.

    Attributes:
        mesh: The surface, in the world.
        normals: Unit normals of its corners, shape (n, 3).
        places: Where in the picture each corner's colour is, (0, 0) its first pixel's outer
            corner, shape (n, 2).
        picture: The colours, shape (h, w, 3).
        gloss: Strength of highlights in [0, 1].
    """

    mesh: Mesh
    normals: NDArray[np.float64]
    places: NDArray[np.float64]
    picture: NDArray[np.uint8]
    gloss: float


class Look(NamedTuple):
    """What a thing is made of.

    Attributes:
        parts: Pieces of one finish each.
        painted: Surfaces with colours of their own.
    """

    parts: tuple[Part, ...] = ()
    painted: tuple[Painted, ...] = ()


class Model:
    """A model under construction.

    Attributes:
        mujoco: The engine.
        spec: What it is to compile.
    """

    def __init__(self, mujoco: Any) -> None:
        self.mujoco, self.spec = mujoco, mujoco.MjSpec()
        self._materials: dict[Finish, str] = {}
        self._meshes = 0

    def add(self, body: Any, look: Look, group: Group) -> None:
        """Fix a thing to one of the engine's bodies."""
        for part in look.parts:
            form: dict[str, Any] = {"material": self.material(part.finish)}
            if part.mesh is None:
                form["size"] = (*part.size_m, 0.0, 0.0)[:3]
            else:
                form["meshname"] = self._mesh(part.mesh)
            body.add_geom(
                type=getattr(self.mujoco.mjtGeom, f"mjGEOM_{part.shape.upper()}"),
                pos=part.at_m,
                quat=part.turn,
                group=int(group),
                contype=0,
                conaffinity=0,
                **form,
            )
        for surface in look.painted:
            self._add_painted(body, surface, group)

    def _add_painted(self, body: Any, surface: Painted, group: Group) -> None:
        name = self._mesh(surface.mesh, surface.normals, surface.places)
        height, width = surface.picture.shape[:2]
        texture = self.spec.add_texture(
            name=name,
            type=self.mujoco.mjtTexture.mjTEXTURE_2D,
            width=width,
            height=height,
            nchannel=3,
        )
        texture.data = surface.picture.tobytes()
        roles = [""] * int(self.mujoco.mjtTextureRole.mjNTEXROLE)
        roles[self.mujoco.mjtTextureRole.mjTEXROLE_RGB] = name
        self.spec.add_material(
            name=name, textures=roles, specular=surface.gloss, shininess=_SHININESS
        )
        body.add_geom(
            type=self.mujoco.mjtGeom.mjGEOM_MESH,
            meshname=name,
            material=name,
            group=int(group),
            contype=0,
            conaffinity=0,
        )

    def material(self, finish: Finish) -> str:
        """Name of the material of a finish, one for all that share it."""
        if finish not in self._materials:
            name = f"finish_{len(self._materials)}"
            self.spec.add_material(
                name=name,
                rgba=(*finish.rgb, 1.0),
                specular=finish.specular,
                shininess=finish.shininess,
                emission=finish.glow,
            )
            self._materials[finish] = name
        return self._materials[finish]

    def quaternion(self, pose: Viewpoint) -> NDArray[np.float64]:
        """A camera's pose as the engine has it, which looks along -z with y up."""
        right, down, forward = pose.axes
        found = np.zeros(4)
        axes = np.stack((right, -down, -forward), axis=1)
        self.mujoco.mju_mat2Quat(found, axes.ravel())
        return found

    def _mesh(
        self,
        mesh: Mesh,
        normals: NDArray[np.float64] | None = None,
        places: NDArray[np.float64] | None = None,
    ) -> str:
        """Name of a new mesh; without normals the engine makes its own."""
        name = f"mesh_{self._meshes}"
        self._meshes += 1
        self.spec.add_mesh(
            name=name,
            uservert=mesh.vertices_m.ravel(),
            userface=mesh.faces.ravel(),
            **_of_corners("normal", normals, mesh.faces),
            **_of_corners("texcoord", places, mesh.faces),
            inertia=self.mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
        )
        return name


def _of_corners(
    what: str, values: NDArray[np.float64] | None, faces: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """Values of a mesh's corners as the engine takes them, if there are any."""
    if values is None:
        return {}
    return {f"user{what}": values.ravel(), f"userface{what}": faces.ravel()}
