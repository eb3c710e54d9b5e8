"""The room of the mirror test: a calm floor and walls, a mirror in a frame that stands out."""

from __future__ import annotations

from mira.sim.reach.look.modelling import Group, Look, Model
from mira.sim.reach.look.viewing import FIELD_OF_VIEW_DEG, MIRROR_CENTRE_M, viewpoint
from mira.sim.reach.rules import MIRROR_SIZE_M, MIRROR_X_M
from mira.sim.rooms.things.parts import Finish, Part, box
from mira.sim.rooms.things.rotation import IDENTITY, Quaternion, Vector, about

EYE = "eye"
"""Name of the camera."""
_WALL = Finish((0.93, 0.93, 0.90), specular=0.0)
_SKIRTING = Finish((1.0, 1.0, 1.0), specular=0.0)
_TILES = (0.50, 0.53, 0.56), (0.47, 0.50, 0.53)
_TILE_M = 0.5
_FRAME = Finish((0.85, 0.50, 0.08), specular=0.3, shininess=0.4, glow=0.15)
_FRAME_WIDTH_M, _FRAME_DEPTH_M = 0.07, 0.05
_WALL_GAP_M = 0.02
_BACK_X_M = -3.0
_REACH_M = 12.0
_TO_BODY = about((0.0, 1.0, 0.0), -90.0)
"""Turns what faces up so that it faces the body."""
_TO_MIRROR = about((0.0, 1.0, 0.0), 90.0)


def add_room(model: Model) -> None:
    """Put floor, walls, mirror, frame, lights and the camera into a model."""
    _add_floor(model)
    _add_plane(model, model.material(_WALL), (_BACK_X_M, 0, 0), _TO_MIRROR, Group.BODY)
    wall_x = MIRROR_X_M + _WALL_GAP_M
    _add_plane(model, model.material(_WALL), (wall_x, 0, 0), _TO_BODY, Group.BEHIND)
    half = MIRROR_SIZE_M / 2
    # What a mirror shows is added to its own colour, so that is black.
    model.spec.add_material(name="glass", rgba=(0, 0, 0, 1), reflectance=1, specular=0)
    _add_plane(model, "glass", MIRROR_CENTRE_M, _TO_BODY, Group.MIRROR, half_m=half)
    model.add(model.spec.worldbody, Look((*_frame(), _skirting(wall_x))), Group.BEHIND)
    model.add(model.spec.worldbody, Look((_skirting(_BACK_X_M),)), Group.BODY)
    _add_lights(model)
    axes = viewpoint()
    model.spec.worldbody.add_camera(
        name=EYE, pos=axes.eye_m, quat=model.quaternion(axes), fovy=FIELD_OF_VIEW_DEG
    )


def _add_plane(
    model: Model,
    material: str,
    at_m: Vector,
    turn: Quaternion,
    group: Group,
    *,
    half_m: float = _REACH_M,
) -> None:
    model.spec.worldbody.add_geom(
        type=model.mujoco.mjtGeom.mjGEOM_PLANE,
        size=(half_m, half_m, 1.0),
        pos=at_m,
        quat=turn,
        material=material,
        group=int(group),
        contype=0,
        conaffinity=0,
    )


def _add_floor(model: Model) -> None:
    """Tiles that hardly show, but tell near from far."""
    one, other = _TILES
    model.spec.add_texture(
        name="tiles",
        type=model.mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=model.mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=one,
        rgb2=other,
        width=64,
        height=64,
    )
    roles = [""] * int(model.mujoco.mjtTextureRole.mjNTEXROLE)
    roles[model.mujoco.mjtTextureRole.mjTEXROLE_RGB] = "tiles"
    repeats = 1 / (2 * _TILE_M)
    model.spec.add_material(
        name="floor", textures=roles, texuniform=True, texrepeat=(repeats, repeats), specular=0
    )
    _add_plane(model, "floor", (0, 0, 0), IDENTITY, Group.BODY)


def _skirting(wall_x: float) -> Part:
    return box(_SKIRTING, (0.03, 2 * _REACH_M, 0.07), (wall_x, 0, 0.035))


def _frame() -> tuple[Part, ...]:
    """Four boards around the glass; in front they end where the hand is stopped."""
    x, y, z = MIRROR_CENTRE_M
    x -= _FRAME_DEPTH_M / 2
    away = (MIRROR_SIZE_M + _FRAME_WIDTH_M) / 2
    long, wide, deep = MIRROR_SIZE_M + 2 * _FRAME_WIDTH_M, _FRAME_WIDTH_M, _FRAME_DEPTH_M
    upright, level = (deep, wide, MIRROR_SIZE_M), (deep, long, wide)
    return (
        *(box(_FRAME, upright, (x, y + side * away, z)) for side in (-1, 1)),
        *(box(_FRAME, level, (x, y, z + side * away)) for side in (-1, 1)),
    )


def _add_lights(model: Model) -> None:
    """Daylight from above the mirror, on what the mirror shows; less from behind the camera."""
    sun = model.mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    for direction, strength in (((-0.62, 0.30, -1.0), 0.62), ((0.8, -0.45, -0.7), 0.30)):
        model.spec.worldbody.add_light(
            pos=(0.8, 0.0, 4.0),
            dir=direction,
            type=sun,
            diffuse=(strength,) * 3,
            specular=(strength / 2,) * 3,
            castshadow=False,
        )
    light = model.spec.visual.headlight
    light.ambient, light.diffuse, light.specular = (0.46,) * 3, (0.08,) * 3, (0.0,) * 3
