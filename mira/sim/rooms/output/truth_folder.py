"""Truth on disk: what `truth/<scene>/` holds."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from mira.render.png import encode_png_quickly
from mira.schema.record import FileRef
from mira.schema.spatial import TrueAnswer
from mira.sim.rooms.answers.answering import answers_of
from mira.sim.rooms.answers.floor import floor_of
from mira.sim.rooms.answers.free_space import free_space_of
from mira.sim.rooms.output.truth_file import depth_picture, true_scene, true_view
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import SceneView, SimulatedScene
from mira.store.atomic import write_file


def truth_names(view_id: str) -> tuple[str, ...]:
    """Files of a view's truth."""
    endings = (".json", "_answers.jsonl", "_first_surface.png", "_virtual.png")
    return tuple(f"{view_id}{ending}" for ending in endings)


def write_view_truth(
    folder: Path,
    scene: SimulatedScene,
    view: SceneView,
    *,
    scene_id: str,
    view_id: str,
) -> None:
    """Exact depth and the record of a view.

    Args:
        folder: The scene's folder of truth.
        scene: The scene.
        view: One of its views.
        scene_id: Id of the scene.
        view_id: Id of the view.
    """
    record = true_view(
        view,
        scene.plan,
        scene.renderer.mesh.part_names,
        scene_id=scene_id,
        view_id=view_id,
        first_surface_depth=_write_depth(
            folder, f"{view_id}_first_surface.png", view.truth.first_depth_m
        ),
        virtual_depth=_write_depth(folder, f"{view_id}_virtual.png", view.truth.virtual_depth_m),
    )
    _write(folder / f"{view_id}.json", record.to_json(indent=False))


def write_scene_truth(
    folder: Path, scene: SimulatedScene, view_ids: list[str], policy: RoomPolicy, *, scene_id: str
) -> None:
    """Answers of all views, then the record of the scene, which marks it as whole.

    Args:
        folder: The scene's folder of truth.
        scene: The scene.
        view_ids: Ids of its views, in order.
        policy: The settings it was made with.
        scene_id: Id of the scene.
    """
    floor = floor_of(scene.plan, scene.renderer.mesh, policy.spatial.walker)
    for view, view_id in zip(scene.views, view_ids, strict=True):
        answers = answers_of(scene, view, policy.spatial, camera=policy.camera, floor=floor)
        lines = b"".join(map(_line, answers))
        _write(folder / f"{view_id}_answers.jsonl", lines)
    free = free_space_of(scene, policy.spatial, floor=floor)
    record = true_scene(scene, scene_id=scene_id, free_space=free)
    _write(folder / "scene.json", record.to_json(indent=False))


def _line(answer: TrueAnswer) -> bytes:
    # Defaults are left out, but not of the answer, whose format tells how to read it.
    document = answer.model_dump(mode="json", exclude_defaults=True)
    document["answer"] = answer.answer.model_dump(mode="json")
    return orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE)


def _write_depth(folder: Path, name: str, depth_m: NDArray[np.float32]) -> FileRef:
    content = encode_png_quickly(depth_picture(depth_m))
    _write(folder / name, content)
    digest = hashlib.sha256(content).hexdigest()
    return FileRef(path=name, sha256=digest, size_bytes=len(content))


def _write(path: Path, content: bytes) -> None:
    write_file(path, content, durable=False)
