"""The scene record, with the room's geometry for whoever wants to check an answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mira.sim.engine import EngineInfo
from mira.sim.rooms.mirror import Mirror
from mira.sim.rooms.parts import Placed
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import SimulatedScene
from mira.sim.rooms.viewpoint import Viewpoint

_DECIMALS = 6


def scene_document(
    scene: SimulatedScene, policy: RoomPolicy, *, scene_id: str, engine: EngineInfo
) -> dict[str, Any]:
    """What is known about a scene as a whole.

    Args:
        scene: The scene.
        policy: The settings it was made with.
        scene_id: Its name.
        engine: Versions that decide the pixels.

    Returns:
        A JSON document; lengths in metres, the room frame's origin on the floor at the middle of
        the front wall, x right, y towards that wall, z up.
    """
    plan = scene.plan
    mirrors = "one mirror" if len(plan.mirrors) == 1 else f"{len(plan.mirrors)} mirrors"
    return {
        "scene_id": scene_id,
        "environment": "indoor",
        "lighting": plan.lighting,
        "place": plan.place,
        "consent": "not_needed",
        "source": "mira mirror rooms",
        "licence": "CC0-1.0",
        "notes": f"Simulated {plan.place.replace('_', ' ')} with {mirrors}; "
        "depth on a mirror is the virtual distance.",
        "simulator": {
            "name": "mujoco",
            **engine._asdict(),
            "seed": scene.seed,
            "index": scene.index,
            "policy": policy.model_dump(mode="json"),
            "truth": {
                "mirrors": [_mirror(mirror) for mirror in plan.mirrors],
                "items": [_item(placed) for placed in plan.items if placed.item.annotated],
                "views": [_view(view.viewpoint) for view in scene.views],
            },
        },
    }


def _mirror(mirror: Mirror) -> dict[str, Any]:
    return {
        "name": mirror.name,
        "surface_type": "planar_mirror",
        "centre_room_m": _rounded(mirror.centre_m),
        "normal_room": _rounded(mirror.normal),
        "offset_m": round(mirror.offset_m, _DECIMALS),
        "width_m": round(mirror.width_m, _DECIMALS),
        "height_m": round(mirror.height_m, _DECIMALS),
        "round": mirror.round,
    }


def _item(placed: Placed) -> dict[str, Any]:
    return {
        "category": placed.item.category,
        "description": placed.item.description,
        "origin_room_m": _rounded(placed.at_m),
        "yaw_deg": round(placed.yaw_deg, _DECIMALS),
    }


def _view(viewpoint: Viewpoint) -> dict[str, Any]:
    return {
        "eye_room_m": _rounded(viewpoint.eye_m),
        "camera_axes_room": [_rounded(axis) for axis in viewpoint.axes],
    }


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(float(value), _DECIMALS) + 0.0 for value in values]
