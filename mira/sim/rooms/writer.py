"""Scene folders: the mirror rooms as the rest of the pipeline reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
from numpy.typing import NDArray

from mira.errors import SimulationError
from mira.sim.engine import engine_info
from mira.sim.rooms.annotation_file import annotation_document
from mira.sim.rooms.depth_sensor import DEPTH_UNIT_M
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import SceneView, SimulatedScene, simulate_scene
from mira.sim.rooms.scene_file import scene_document
from mira.store.atomic import os_faults, replace_folder

Progress = Callable[[int, int], None]
_NEWLINE = orjson.OPT_APPEND_NEWLINE
_PNG_SMALL = (cv2.IMWRITE_PNG_COMPRESSION, 6)


def write_rooms(
    out_dir: Path,
    *,
    count: int,
    seed: int,
    policy: RoomPolicy | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> tuple[Path, ...]:
    """Scene folders number 0 to `count` - 1 of a seed.

    Equal seeds, policies and engine versions give equal bytes; scene k does not depend on how
    many are made.

    Args:
        out_dir: Parent of the scene folders; made where it is missing.
        count: Number of scenes, at least 1.
        seed: Seed of the series, at least 0.
        policy: All settings; the defaults when missing.
        overwrite: Whether an existing scene of the same name is replaced.
        progress: Called with the number of finished scenes and `count` after each.

    Returns:
        The scene folders in order.

    Raises:
        SimulationError: A number is out of range, a scene exists already, or no GL is found.
        MissingExtraError: MuJoCo is not installed.
    """
    if count < 1:
        raise SimulationError("count", f"expected at least 1, found {count}")
    for index in range(count):
        _require_writable(out_dir / scene_name(seed, index), overwrite=overwrite)
    folders = []
    for index in range(count):
        folders.append(
            write_room(out_dir, seed=seed, index=index, policy=policy, overwrite=overwrite)
        )
        if progress is not None:
            progress(index + 1, count)
    return tuple(folders)


def write_room(
    out_dir: Path,
    *,
    seed: int,
    index: int,
    policy: RoomPolicy | None = None,
    overwrite: bool = False,
) -> Path:
    """One scene folder, there as a whole or not at all.

    Args:
        out_dir: Parent of the scene folder.
        seed: Seed of the series, at least 0.
        index: Number of the scene, at least 0.
        policy: All settings; the defaults when missing.
        overwrite: Whether an existing scene of the same name is replaced.

    Returns:
        The scene folder.

    Raises:
        SimulationError: A number is out of range, the scene exists already, or no GL is found.
        MissingExtraError: MuJoCo is not installed.
    """
    for name, value in (("seed", seed), ("index", index)):
        if value < 0:
            raise SimulationError(name, f"expected 0 or more, found {value}")
    folder = out_dir / scene_name(seed, index)
    _require_writable(folder, overwrite=overwrite)
    chosen = policy or RoomPolicy()
    scene = simulate_scene(seed=seed, index=index, policy=chosen)
    with replace_folder(folder) as partial, os_faults(folder):
        _write_scene(partial, folder.name, scene, chosen)
    return folder


def scene_name(seed: int, index: int) -> str:
    """Scene id of scene `index` of a seed."""
    return f"room_s{seed}_{index:04d}"


def _require_writable(folder: Path, *, overwrite: bool) -> None:
    if folder.exists() and not overwrite:
        raise SimulationError(
            folder, "expected no folder of this name, found one", "--overwrite, or another --seed"
        )


def _write_scene(folder: Path, scene_id: str, scene: SimulatedScene, policy: RoomPolicy) -> None:
    document = scene_document(scene, policy, scene_id=scene_id, engine=engine_info())
    _write_json(folder / "scene.json", document)
    for number, view in enumerate(scene.views):
        _write_view(folder, f"{scene_id}_v{number}", view, scene, policy)


def _write_view(
    folder: Path, view_id: str, view: SceneView, scene: SimulatedScene, policy: RoomPolicy
) -> None:
    image_name = f"{view_id}.png"
    _write_png(folder / image_name, view.truth.colour[..., ::-1])
    _write_png(folder / f"{view_id}_depth.png", view.sensor_depth)
    intrinsics = policy.camera.intrinsics().model_dump(mode="json")
    depth = {"depth_unit_m": DEPTH_UNIT_M, "depth_kind": "metric"}
    _write_json(folder / f"{view_id}_intrinsics.json", intrinsics | depth)
    document = annotation_document(view.content, scene.plan, policy.camera, image_name=image_name)
    (folder / f"{view_id}.json").write_bytes(orjson.dumps(document, option=_NEWLINE))


def _write_json(path: Path, document: dict[str, Any]) -> None:
    path.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2 | _NEWLINE))


def _write_png(path: Path, picture: NDArray[np.uint8] | NDArray[np.uint16]) -> None:
    encoded = cv2.imencode(".png", np.ascontiguousarray(picture), _PNG_SMALL)[1]
    path.write_bytes(encoded.tobytes())
