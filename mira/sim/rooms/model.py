"""A room plan as an engine model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mira.sim.engine import load_mujoco
from mira.sim.rooms.mirror import GLASS_GAP_M, WALL_YAW_DEG, Mirror, Wall
from mira.sim.rooms.parts import Finish, Mesh, Part, Texture
from mira.sim.rooms.plan import Lamp, RoomPlan, Shell
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.rotation import UPRIGHT, Vector, compose, yaw

EYE = "eye"
"""Name of the one camera; its pose is set for every picture."""
WALL_GROUP: dict[Wall, int] = {"front": 1, "right": 2, "back": 3, "left": 4}
"""Geometry groups by which a wall is hidden together with its mirror glass."""
_GLASS_RGBA = (0.62, 0.68, 0.70, 1.0)
_WALL_THICKNESS_M = 0.1
_HALF_EXTENT = 2.0
"""The engine repeats a uniform texture over half extents, so a metre counts twice."""
_SKIRTING_M = (0.012, 0.08)


@dataclass(frozen=True)
class RoomModel:
    """A compiled room and what its geometry ids mean.

    Attributes:
        model: The engine's model.
        item_of_geom: Index into the plan's items for every geometry, -1 for none.
        mirror_of_geom: Index into the plan's mirrors for every geometry, -1 for none.
    """

    model: Any
    item_of_geom: np.ndarray[Any, np.dtype[np.int32]]
    mirror_of_geom: np.ndarray[Any, np.dtype[np.int32]]


def build_model(plan: RoomPlan, policy: RoomPolicy) -> RoomModel:
    """Compile a plan.

    Args:
        plan: The room.
        policy: Picture size, angle of view, quality of shadows.

    Returns:
        The model and the meaning of its geometry ids.
    """
    builder = _Builder(policy)
    builder.add_shell(plan.shell)
    for mirror in plan.mirrors:
        builder.add_mirror(mirror)
    for index, placed in enumerate(plan.items):
        body = builder.add_body(f"item_{index}", placed.at_m, yaw(placed.yaw_deg))
        for part in placed.item.parts:
            builder.add_part(body, part)
    for lamp in plan.lamps:
        builder.add_lamp(lamp)
    builder.spec.visual.headlight.ambient = plan.ambient
    return builder.compile(plan)


class _Builder:
    """Collects a model; finishes, textures and meshes are added once each."""

    def __init__(self, policy: RoomPolicy) -> None:
        self.mujoco = load_mujoco()
        self.spec = self.mujoco.MjSpec()
        self._finishes: dict[Finish, str] = {}
        self._textures: dict[Texture, str] = {}
        self._meshes: dict[Mesh, str] = {}
        self._set_quality(policy)
        self.spec.worldbody.add_camera(name=EYE, fovy=policy.camera.vertical_fov_deg)

    def _set_quality(self, policy: RoomPolicy) -> None:
        camera, visual = policy.camera, self.spec.visual
        visual.global_.offwidth = camera.width_px * camera.supersample
        visual.global_.offheight = camera.height_px * camera.supersample
        visual.quality.offsamples = 0 if camera.supersample > 1 else 8
        visual.quality.shadowsize = policy.shading.shadow_map_px
        visual.quality.numquads = 8
        visual.quality.numslices = 32
        visual.quality.numstacks = 16
        visual.headlight.diffuse = (0, 0, 0)
        visual.headlight.specular = (0, 0, 0)
        visual.map.znear = 0.05
        visual.map.zfar = 30.0
        visual.map.shadowscale = 0.95
        self.spec.stat.extent = 1.0
        self.spec.stat.center = (0, -1.5, 1.2)

    def add_shell(self, shell: Shell) -> None:
        """Floor, ceiling and walls; they end exactly at the room's inner corners."""
        world = self.spec.worldbody
        half_w, half_d, half_h = shell.width_m / 2, shell.depth_m / 2, shell.height_m / 2
        half_t = _WALL_THICKNESS_M / 2
        floor = Part("box", shell.floor, (half_w, half_d, half_t), (0, -half_d, -half_t))
        self.add_part(world, floor)
        lid = (0, -half_d, shell.height_m + half_t)
        flip = (0.0, 1.0, 0.0, 0.0)
        self.add_part(world, Part("box", shell.ceiling, (half_w, half_d, half_t), lid, flip))
        for wall, group in WALL_GROUP.items():
            half = half_w if wall in ("front", "back") else half_d
            middle = _wall_point(shell, wall, -half_t, half_h)
            turn = compose(yaw(WALL_YAW_DEG[wall]), UPRIGHT)
            panel = Part("box", shell.walls[wall], (half, half_h, half_t), middle, turn)
            self.add_part(world, panel, group=group)
            if shell.skirting is not None:
                thick, high = _SKIRTING_M
                spot = _wall_point(shell, wall, thick / 2, high / 2)
                board = Part("box", shell.skirting, (half, high / 2, thick / 2), spot, turn)
                self.add_part(world, board, group=group)

    def add_mirror(self, mirror: Mirror) -> None:
        """Glass in its wall's group, and a frame that stays visible to virtual cameras."""
        body = self.add_body(mirror.name, mirror.centre_m, mirror.turn)
        half_t = GLASS_GAP_M / 4
        kind, size = "box", [mirror.width_m / 2, mirror.height_m / 2, half_t]
        if mirror.round:
            kind, size = "cylinder", [mirror.width_m / 2, half_t, 0]
        body.add_geom(
            name=mirror.name,
            type=self._geom_type(kind),
            size=size,
            pos=(0, 0, -half_t),
            rgba=_GLASS_RGBA,
            group=WALL_GROUP[mirror.wall],
        )
        for part in mirror.frame_parts():
            self.add_part(body, part)

    def add_body(self, name: str, at_m: Vector, turn: tuple[float, ...]) -> Any:
        """A rigid body in the room frame."""
        return self.spec.worldbody.add_body(name=name, pos=at_m, quat=turn)

    def add_part(self, body: Any, part: Part, *, group: int = 0) -> None:
        """One geometry."""
        extra: dict[str, Any] = {}
        if part.mesh is not None:
            extra["meshname"] = self._mesh(part.mesh)
        else:
            extra["size"] = [*part.size_m, 0.0, 0.0][:3]
        body.add_geom(
            type=self._geom_type(part.shape),
            pos=part.at_m,
            quat=part.turn,
            material=self._material(part.finish),
            group=group,
            **extra,
        )

    def add_lamp(self, lamp: Lamp) -> None:
        """One light."""
        self.spec.worldbody.add_light(
            pos=lamp.at_m,
            dir=lamp.towards,
            diffuse=lamp.rgb,
            specular=tuple(0.4 * value for value in lamp.rgb),
            ambient=(0, 0, 0),
            cutoff=lamp.cutoff_deg,
            exponent=lamp.exponent,
            castshadow=lamp.shadows,
        )

    def compile(self, plan: RoomPlan) -> RoomModel:
        """The model with its id tables."""
        model = self.spec.compile()
        item_of_body = np.full(model.nbody, -1, np.int32)
        for index in range(len(plan.items)):
            item_of_body[model.body(f"item_{index}").id] = index
        mirror_of_geom = np.full(model.ngeom, -1, np.int32)
        for index, mirror in enumerate(plan.mirrors):
            mirror_of_geom[model.geom(mirror.name).id] = index
        return RoomModel(model, item_of_body[model.geom_bodyid], mirror_of_geom)

    def _geom_type(self, shape: str) -> Any:
        return getattr(self.mujoco.mjtGeom, f"mjGEOM_{shape.upper()}")

    def _material(self, finish: Finish) -> str:
        if finish not in self._finishes:
            name = self._finishes[finish] = f"finish_{len(self._finishes)}"
            material = self.spec.add_material(
                name=name,
                rgba=(*finish.rgb, 1.0),
                specular=finish.specular,
                shininess=finish.shininess,
                emission=finish.glow,
                texuniform=finish.tile_m is not None,
                texrepeat=[_HALF_EXTENT / finish.tile_m if finish.tile_m else 1.0] * 2,
            )
            if finish.texture is not None:
                slots = material.textures
                slots[self.mujoco.mjtTextureRole.mjTEXROLE_RGB] = self._texture(finish.texture)
                material.textures = slots
        return self._finishes[finish]

    def _texture(self, texture: Texture) -> str:
        if texture not in self._textures:
            name = self._textures[texture] = f"texture_{len(self._textures)}"
            height, width, _ = texture.pixels.shape
            kinds = self.mujoco.mjtTexture
            added = self.spec.add_texture(
                name=name,
                type=kinds.mjTEXTURE_CUBE if texture.cube else kinds.mjTEXTURE_2D,
                width=width,
                height=height,
                nchannel=3,
            )
            added.data = np.ascontiguousarray(texture.pixels).tobytes()
        return self._textures[texture]

    def _mesh(self, mesh: Mesh) -> str:
        if mesh not in self._meshes:
            name = self._meshes[mesh] = f"mesh_{len(self._meshes)}"
            self.spec.add_mesh(
                name=name,
                uservert=mesh.vertices_m.ravel(),
                userface=mesh.faces.ravel(),
                inertia=self.mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
            )
        return self._meshes[mesh]


def _wall_point(shell: Shell, wall: Wall, inward_m: float, z_m: float) -> Vector:
    """The point over the middle of a wall, some way into the room."""
    half_w = shell.width_m / 2
    points: dict[Wall, Vector] = {
        "front": (0, -inward_m, z_m),
        "back": (0, -shell.depth_m + inward_m, z_m),
        "right": (half_w - inward_m, -shell.depth_m / 2, z_m),
        "left": (-half_w + inward_m, -shell.depth_m / 2, z_m),
    }
    return points[wall]
