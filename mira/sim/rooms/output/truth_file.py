"""What is true of a scene and its views, as records."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from functools import cache
from typing import get_args

import numpy as np
from numpy.lib import introspect
from numpy.typing import NDArray

from mira.geometry.mask import rle_from_mask
from mira.schema.capture import RigidTransform
from mira.schema.record import FileRef
from mira.schema.spatial import FreeSpace
from mira.schema.truth import (
    Side,
    TrueInstance,
    TrueItem,
    TrueMask,
    TrueScene,
    TrueSurface,
    TrueSurfaceMask,
    TrueView,
)
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.scene import ROOMS_VERSION, SceneView, SimulatedScene
from mira.sim.rooms.things.rotation import matrix, rotate, yaw
from mira.sim.rooms.tracing.rays import embree_version
from mira.sim.rooms.truth.sightings import Sighting
from mira.sim.rooms.viewpoint import Viewpoint

TRUE_DEPTH_UNIT_M = 0.0005
_DECIMALS = 6
_SIDES: tuple[Side, ...] = get_args(Side)
Triple = tuple[float, float, float]


def renderer_version() -> str:
    """All that decides a scene beside its seed and policy.

    Raises:
        MissingExtraError: Embree is not installed.
    """
    return f"mira rooms {ROOMS_VERSION}, embree {embree_version()}, {_processor()}"


@cache
def _processor() -> str:
    """The kind of processor, by its widest instructions: those decide how numbers are rounded."""
    found = introspect.opt_func_info(func_name="^(add|sin)$", signature="float32")
    levels = {kind["current"] for kinds in found.values() for kind in kinds.values()}
    return " ".join((platform.machine(), *sorted(levels)))


def true_scene(scene: SimulatedScene, *, scene_id: str, free_space: FreeSpace) -> TrueScene:
    """What is true of a room."""
    plan = scene.plan
    return TrueScene(
        scene_id=scene_id,
        renderer=renderer_version(),
        seed=scene.seed,
        index=scene.index,
        place=plan.place,
        walkable_low_m=plan.walkable.low_m,
        walkable_high_m=plan.walkable.high_m,
        surfaces=tuple(_surface(surface) for surface in plan.surfaces),
        items=tuple(_items(scene)),
        free_space=free_space,
    )


def true_view(
    view: SceneView,
    plan: RoomPlan,
    part_names: tuple[str, ...],
    *,
    scene_id: str,
    view_id: str,
    first_surface_depth: FileRef,
    virtual_depth: FileRef,
) -> TrueView:
    """What is true of a picture.

    Args:
        view: The picture.
        plan: The room.
        part_names: Name of each part of the scene's mesh.
        scene_id: Its scene.
        view_id: Its name.
        first_surface_depth: The picture of depth to the first surface.
        virtual_depth: The picture of depth to what is seen.
    """
    names = [surface.name for surface in plan.surfaces]
    return TrueView(
        scene_id=scene_id,
        view_id=view_id,
        camera=_camera(view.viewpoint),
        depth_unit_m=TRUE_DEPTH_UNIT_M,
        first_surface_depth=first_surface_depth,
        virtual_depth=virtual_depth,
        surfaces=tuple(
            TrueSurfaceMask(
                instance_id=seen.group_id,
                surface_id=names[seen.surface],
                mask=_mask(seen.mask),
            )
            for seen in view.content.surfaces
        ),
        instances=tuple(
            _instance(sighting, names, part_names) for sighting in view.content.sightings
        ),
    )


def depth_picture(depth_m: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Exact depth in steps of `TRUE_DEPTH_UNIT_M`, 0 where it is out of reach."""
    steps = np.round(depth_m / np.float32(TRUE_DEPTH_UNIT_M))
    return np.where(steps <= np.iinfo(np.uint16).max, steps, 0).astype(np.uint16)


def _surface(surface: ReflectiveSurface) -> TrueSurface:
    return TrueSurface(
        surface_id=surface.name,
        surface_type=surface.surface_type,
        centre_m=_rounded(surface.centre_m),
        normal=_rounded(surface.normal),
        offset_m=round(surface.offset_m, _DECIMALS),
        up=_rounded(rotate(surface.turn, (0.0, 1.0, 0.0))),
        width_m=round(surface.width_m, _DECIMALS),
        height_m=round(surface.height_m, _DECIMALS),
        round=surface.round,
        bulge_radius_m=surface.bulge_radius_m,
        silver=surface.silver,
        see_through=surface.see_through,
    )


def _items(scene: SimulatedScene) -> Iterable[TrueItem]:
    mesh = scene.renderer.mesh
    order = np.argsort(mesh.item, kind="stable")
    bounds = np.searchsorted(mesh.item[order], np.arange(len(scene.plan.items) + 1))
    points = mesh.corners[order].reshape(-1, 3)
    for index, placed in enumerate(scene.plan.items):
        corners = points[3 * bounds[index] : 3 * bounds[index + 1]]
        turn = matrix(yaw(placed.yaw_deg))
        own = (corners - np.asarray(placed.at_m)) @ turn
        yield TrueItem(
            item=index,
            category=placed.item.category,
            description=placed.item.description,
            annotated=placed.item.annotated,
            pose=_transform(turn, np.asarray(placed.at_m), source="item"),
            low_m=_rounded(own.min(axis=0)),
            high_m=_rounded(own.max(axis=0)),
            room_low_m=_rounded(corners.min(axis=0)),
            room_high_m=_rounded(corners.max(axis=0)),
        )


def _instance(sighting: Sighting, names: list[str], part_names: tuple[str, ...]) -> TrueInstance:
    rows, columns = np.nonzero(sighting.mask)
    named: dict[str, int] = {}
    for part, count in sighting.part_px.items():
        if part_names[part]:
            named[part_names[part]] = named.get(part_names[part], 0) + count
    return TrueInstance(
        instance_id=sighting.group_id,
        item=sighting.item,
        visibility="reflected" if sighting.chain else "direct",
        chain=tuple(names[index] for index in sighting.chain),
        reflection_of=sighting.reflection_of,
        mask=_mask(sighting.mask),
        area_px=len(rows),
        centroid_px=(round(float(columns.mean()), 3), round(float(rows.mean()), 3)),
        side_px={
            side: count for side, count in zip(_SIDES, sighting.side_px, strict=True) if count
        },
        named_parts=dict(sorted(named.items())),
        light_share=round(sighting.light_share, 4),
    )


def _mask(mask: NDArray[np.bool_]) -> TrueMask:
    return TrueMask.model_validate(rle_from_mask(mask).model_dump())


def _camera(viewpoint: Viewpoint) -> RigidTransform:
    return _transform(viewpoint.axes.T, viewpoint.eye_m, source="camera")


def _transform(
    rotation: NDArray[np.float64], translation_m: NDArray[np.float64], *, source: str
) -> RigidTransform:
    first, second, third = (_rounded(row, 9) for row in rotation)
    return RigidTransform(
        target="room",
        source=source,
        rotation=(first, second, third),
        translation_m=_rounded(translation_m),
    )


def _rounded(values: Iterable[float], decimals: int = _DECIMALS) -> Triple:
    x, y, z = (round(float(value), decimals) + 0.0 for value in values)
    return x, y, z
