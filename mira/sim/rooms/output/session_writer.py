"""Mirror rooms as a capture session, with annotation files and truth beside it.

capture.json  journal.jsonl  scenes/…           the session, as a camera would have left it
scenes/<scene>/views/<view>/color.json          what an annotator's program would have saved
truth/<scene>/scene.json                        TrueScene, written last
truth/<scene>/<view>.json                       TrueView, beside its two depth pictures
"""

from __future__ import annotations

import hashlib
import shutil
from importlib import metadata
from pathlib import Path

import cv2
import numpy as np
import orjson
from numpy.typing import NDArray

from mira.errors import SimulationError
from mira.schema.capture import Calibration, Scene, SceneSurface, ViewFrame, ViewQuality
from mira.schema.record import FileRef, Provenance
from mira.schema.session import (
    CameraSettings,
    CaptureSession,
    CaptureSettings,
    DeviceInfo,
    StreamSettings,
)
from mira.sim.rooms.output.annotation_file import annotation_document
from mira.sim.rooms.output.truth_file import depth_picture, true_scene, true_view
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import SceneView, SimulatedScene, simulate_scene
from mira.sim.rooms.truth.depth_sensor import DEPTH_UNIT_M
from mira.store.atomic import os_faults, write_file
from mira.store.folder_commit import PARTIAL
from mira.store.session import Session

_SOURCE = "mira mirror rooms"
_TRUTH = "truth"
_PNG = (cv2.IMWRITE_PNG_COMPRESSION, 1)
_FPS = 30
_DARK, _BRIGHT = 16, 239


def open_rooms(out_dir: Path, *, seed: int, policy: RoomPolicy) -> Session:
    """The session that a series of rooms goes to, new or begun earlier.

    Args:
        out_dir: Its folder.
        seed: Seed of the series.
        policy: All settings.

    Raises:
        SessionError: The folder holds another session, one of another seed or policy, or other
            files.
    """
    settings = policy.model_dump(mode="json")
    digest = hashlib.sha256(orjson.dumps(settings, option=orjson.OPT_SORT_KEYS)).hexdigest()
    session = CaptureSession(
        session_id=f"rooms_s{seed}_{digest[:8]}",
        source="simulated",
        provenance=Provenance(
            tool="mira sim rooms",
            tool_version=metadata.version("mira-toolkit"),
            parameters={"seed": seed, "policy": settings},
        ),
    )
    return Session.create(out_dir, session, durable=False)


def scene_name(seed: int, index: int) -> str:
    """Scene id of scene `index` of a seed."""
    return f"room_s{seed}_{index:04d}"


def is_written(session: Session, *, seed: int, index: int, policy: RoomPolicy) -> bool:
    """Whether a scene is there with all its views, annotation files and truth.

    Its `truth/<scene>/scene.json` is gone while it is made anew, and written last.
    """
    scene_id = scene_name(seed, index)
    views = [_view_name(number) for number in range(policy.views_per_scene)]
    truth = session.root / _TRUTH / scene_id
    return (
        set(session.committed(scene_id)) == set(views)
        and (truth / "scene.json").is_file()
        and all((truth / f"{view}.json").is_file() for view in views)
        and all((session.view_folder(scene_id, view) / "color.json").is_file() for view in views)
    )


def write_room(session: Session, *, seed: int, index: int, policy: RoomPolicy) -> str:
    """Simulate a scene and put it into a session, in place of an earlier one of its name.

    Args:
        session: Where it goes.
        seed: Seed of the series, at least 0.
        index: Number of the scene, at least 0.
        policy: All settings.

    Returns:
        The scene's id.

    Raises:
        SimulationError: A number is out of range, or no layout showed a linked pair.
        MissingExtraError: Embree is not installed.
        MiraError: The disk is full, or the folder cannot be written.
    """
    for name, value in (("seed", seed), ("index", index)):
        if value < 0:
            raise SimulationError(name, f"expected 0 or more, found {value}")
    scene = simulate_scene(seed=seed, index=index, policy=policy)
    scene_id = scene_name(seed, index)
    truth = _cleared(session, scene_id)
    session.write_scene(_scene_record(scene, scene_id))
    for number, view in enumerate(scene.views):
        view_id = _view_name(number)
        _write_truth(truth, scene, view, scene_id=scene_id, view_id=view_id)
        session.commit_view(scene_id, view_id, _view_files(view, policy), replace=True)
        document = annotation_document(view.content, scene.plan, policy.camera)
        annotation = session.view_folder(scene_id, view_id) / "color.json"
        write_file(annotation, orjson.dumps(document) + b"\n", durable=False)
    record = true_scene(scene, scene_id=scene_id)
    write_file(truth / "scene.json", record.to_json(indent=False), durable=False)
    return scene_id


def _cleared(session: Session, scene_id: str) -> Path:
    """Folder of a scene's truth, once its mark and what killed processes left of it are gone."""
    truth = session.root / _TRUTH / scene_id
    with os_faults(truth):
        truth.mkdir(parents=True, exist_ok=True)
        (truth / "scene.json").unlink(missing_ok=True)
        for folder in (truth, session.root / "scenes" / scene_id):
            for path in sorted(folder.rglob(".*")):
                if path.is_dir() and path.name.startswith(PARTIAL):
                    shutil.rmtree(path)
                elif ".partial-" in path.name or path.name.startswith(PARTIAL):
                    path.unlink(missing_ok=True)
    return truth


def _view_name(number: int) -> str:
    return f"v{number}"


def _scene_record(scene: SimulatedScene, scene_id: str) -> Scene:
    plan = scene.plan
    surfaces = tuple(
        SceneSurface(surface_id=surface.name, surface_type=surface.surface_type)
        for surface in plan.surfaces
    )
    return Scene(
        scene_id=scene_id,
        environment=plan.environment,
        lighting=plan.lighting,
        place=plan.place,
        surfaces=surfaces,
        consent="not_needed",
        source=_SOURCE,
        licence="CC0-1.0",
        notes="Simulated; depth on a mirror is the virtual distance.",
    )


def _view_files(view: SceneView, policy: RoomPolicy) -> dict[str, bytes]:
    colour, depth = view.truth.colour, view.sensor_depth
    frame = ViewFrame(
        depth_unit_m=DEPTH_UNIT_M, depth_kind="metric", quality=_quality(colour, depth)
    )
    camera = policy.camera
    streams = tuple(
        StreamSettings(
            stream=stream,
            width_px=camera.width_px,
            height_px=camera.height_px,
            fps=_FPS,
            pixel_format=pixel_format,
        )
        for stream, pixel_format in (("depth", "z16"), ("color", "rgb8"))
    )
    settings = CameraSettings(streams=streams)
    return {
        "color.png": _png(colour[..., ::-1]),
        "depth_aligned.png": _png(depth),
        "frame.json": frame.to_json(),
        "calib.json": Calibration(color=camera.intrinsics()).to_json(),
        "device.json": DeviceInfo(name="mira simulated RGB-D camera").to_json(),
        "settings.json": CaptureSettings(asked=settings, actual=settings).to_json(),
    }


def _quality(colour: NDArray[np.uint8], depth: NDArray[np.uint16]) -> ViewQuality:
    grey = cv2.cvtColor(colour, cv2.COLOR_RGB2GRAY)
    return ViewQuality(
        sharpness=round(float(cv2.Laplacian(grey, cv2.CV_64F).var()), 3),
        dark_fraction=round(float((grey < _DARK).mean()), 6),
        bright_fraction=round(float((grey > _BRIGHT).mean()), 6),
        valid_depth_fraction=round(float((depth > 0).mean()), 6),
    )


def _write_truth(
    folder: Path, scene: SimulatedScene, view: SceneView, *, scene_id: str, view_id: str
) -> None:
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
    write_file(folder / f"{view_id}.json", record.to_json(indent=False), durable=False)


def _write_depth(folder: Path, name: str, depth_m: NDArray[np.float32]) -> FileRef:
    content = _png(depth_picture(depth_m))
    write_file(folder / name, content, durable=False)
    digest = hashlib.sha256(content).hexdigest()
    return FileRef(path=name, sha256=digest, size_bytes=len(content))


def _png(picture: NDArray[np.uint8] | NDArray[np.uint16]) -> bytes:
    return cv2.imencode(".png", np.ascontiguousarray(picture), _PNG)[1].tobytes()
