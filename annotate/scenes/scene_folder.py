"""Scenes from a folder of colour pictures, 16-bit depth and intrinsics JSON.

Of a picture `NAME.png` (or `.jpg`, `.jpeg`) the depth is `NAME_depth.png` and the camera
`NAME_intrinsics.json`, or else the folder's `intrinsics.json`. A `scene.json` makes all pictures
of its folder one scene; without it each is a scene of its own.
"""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from pydantic import ValidationError

from annotate.findings import FindingLog, brief, text_of
from annotate.names import CAMERA_ENDING, CAMERA_NAME, DEPTH_ENDING, SCENE_NAME, id_of
from annotate.policy import AnnotationPolicy
from annotate.scenes.camera_file import CameraFile, read_camera
from annotate.scenes.pictures import Picture, read_picture
from mira.errors import SceneSourceError
from mira.schema.capture import CameraIntrinsics, Scene, View
from mira.schema.record import Provenance, describe_fault

_DEPTH_NAME = "depth.png"
_ASSUMED_STEP_M = 0.001
"""Most depth cameras count millimetres."""


class SourceView(NamedTuple):
    """A picture as it goes into a workspace."""

    scene: Scene
    scene_given: bool
    """Whether a `scene.json` says what the scene is."""
    camera_given: bool
    """Whether a camera file says what camera and depth are; else they are assumed or unknown."""
    view: View
    files: dict[str, Path]
    """For each file of the view, the one to copy."""


class SceneFolder:
    """Reads the pictures of a run with their scene, depth and camera."""

    def __init__(self, *, camera: Path | None, policy: AnnotationPolicy) -> None:
        """Start a run.

        Args:
            camera: A camera file that is taken for every picture, in place of those beside it.
            policy: Thresholds.
        """
        self._camera_file = camera
        self._policy = policy
        self._names: dict[Path, dict[str, Path]] = {}
        self._scenes: dict[Path, Scene | SceneSourceError | None] = {}
        self._folders: dict[str, Path] = {}

    def read_view(self, color: Picture, image_id: str, log: FindingLog) -> SourceView:
        """A picture with what belongs to it.

        Args:
            color: The colour picture.
            image_id: Its id.
            log: Takes depth maps and cameras that are left out, and what was assumed.

        Raises:
            SceneSourceError: The `scene.json` of its folder cannot be used.
        """
        scene = self._scene(color.path.parent, log)
        camera_path = self._camera_path(color.path)
        camera = self._camera(camera_path, color, log) if camera_path else None
        depth = self._depth(color, log)
        if depth is not None and camera_path is None:
            log.info("camera-missing", "", "found no intrinsics file for it", path=color.path)
        if depth is not None and camera_path is not None and camera is None:
            message = "left out: its camera file cannot be used, so its unit is unknown"
            log.error("depth-without-unit", "", message, path=depth.path)
            depth = None
        files = {f"color.{color.header.format}": color.path}
        if depth is not None:
            files[_DEPTH_NAME] = depth.path
        kind = camera.depth_kind if camera else "metric"
        view = View(
            scene_id=scene.scene_id if scene else image_id,
            image_id=image_id,
            width_px=color.header.width_px,
            height_px=color.header.height_px,
            color=color.ref(f"color.{color.header.format}"),
            depth_aligned=depth.ref(_DEPTH_NAME) if depth else None,
            depth_unit_m=_step_m(camera, log) if depth and kind == "metric" else None,
            depth_kind=kind if depth else None,
            intrinsics=_fitting(camera, color, log) if camera else None,
            provenance=_provenance(color, depth, camera),
        )
        return SourceView(
            scene=scene or Scene(scene_id=image_id),
            scene_given=scene is not None,
            camera_given=camera is not None,
            view=view,
            files=files,
        )

    def _sibling(self, color: Path, ending: str) -> Path | None:
        """The file beside a picture of the same stem and another ending."""
        return self._beside(color.parent, f"{color.stem}{ending}")

    def _beside(self, folder: Path, name: str) -> Path | None:
        """The file of a name in any case, the exact one first."""
        if (folder / name).is_file():
            return folder / name
        if folder not in self._names:
            found = sorted((path for path in folder.iterdir() if path.is_file()), reverse=True)
            self._names[folder] = {path.name.casefold(): path for path in found}
        return self._names[folder].get(name.casefold())

    def _depth(self, color: Picture, log: FindingLog) -> Picture | None:
        path = self._sibling(color.path, f"{DEPTH_ENDING}.png")
        if path is None:
            return None
        try:
            depth = read_picture(path, limit_px=self._policy.picture_limit_px)
        except SceneSourceError as error:
            log.error("depth-unreadable", "", error.problem, path=path)
            return None
        header = depth.header
        if header.format != "png" or header.bits != 16 or header.channels != 1:
            message = f"expected a 16-bit PNG of 1 channel, found {header.form}"
            log.error("depth-format", "", message, path=path)
            return None
        if header.size_px != color.header.size_px:
            message = _size_fault(color.header.size_px, header.size_px)
            log.error("depth-size", "", message, path=path)
            return None
        return depth

    def _camera_path(self, color: Path) -> Path | None:
        own = self._camera_file or self._sibling(color, f"{CAMERA_ENDING}.json")
        return own or self._beside(color.parent, CAMERA_NAME)

    def _camera(self, path: Path, color: Picture, log: FindingLog) -> CameraFile | None:
        size_px = color.header.size_px
        try:
            return read_camera(path, size_px=size_px, step_limit_m=self._policy.depth_step_limit_m)
        except SceneSourceError as error:
            log.error("camera-invalid", "", error.problem, path=path)
            return None

    def _scene(self, folder: Path, log: FindingLog) -> Scene | None:
        """The scene that a folder's `scene.json` describes; None without that file."""
        if folder not in self._scenes:
            try:
                self._scenes[folder] = self._new_scene(folder, log)
            except SceneSourceError as error:
                self._scenes[folder] = error
        scene = self._scenes[folder]
        if isinstance(scene, SceneSourceError):
            raise scene
        return scene

    def _new_scene(self, folder: Path, log: FindingLog) -> Scene | None:
        values = _read_scene(folder / SCENE_NAME, log)
        if values is None:
            return None
        scene = _scene_of(values, folder / SCENE_NAME)
        first = self._folders.setdefault(scene.scene_id.casefold(), folder)
        if first != folder and "scene_id" not in values:
            raise SceneSourceError(
                folder / SCENE_NAME,
                f"scene_id: expected one, as {first} has the same name, found none",
            )
        return scene


def _size_fault(expected: tuple[int, int], found: tuple[int, int]) -> str:
    return f"expected {expected[0]}x{expected[1]} as the picture has, found {found[0]}x{found[1]}"


def _fitting(camera: CameraFile, color: Picture, log: FindingLog) -> CameraIntrinsics | None:
    """The intrinsics, unless they are those of another size."""
    found = (camera.intrinsics.width_px, camera.intrinsics.height_px)
    if found != color.header.size_px:
        log.error("camera-size", "", _size_fault(color.header.size_px, found), path=camera.path)
        return None
    if not camera.size_given:
        message = "gives no size; the picture's is taken"
        log.info("camera-size-assumed", "", message, path=camera.path)
    return camera.intrinsics


def _step_m(camera: CameraFile | None, log: FindingLog) -> float:
    if camera is not None and camera.depth_unit_m is not None:
        return camera.depth_unit_m
    message = f"expected metres a step of depth, found none; {_ASSUMED_STEP_M} is taken"
    log.info("depth-unit-assumed", "depth_unit_m", message, path=camera.path if camera else None)
    return _ASSUMED_STEP_M


def _provenance(color: Picture, depth: Picture | None, camera: CameraFile | None) -> Provenance:
    pictures = [color] if depth is None else [color, depth]
    return Provenance(
        tool="mira annotate import",
        tool_version=_version(),
        parameters={"camera_file": text_of(camera.path.name)} if camera else {},
        inputs=tuple(picture.ref(text_of(picture.path.name)) for picture in pictures),
    )


def _version() -> str:
    try:
        return metadata.version("mira-toolkit")
    except metadata.PackageNotFoundError:
        return "unknown"


def _read_scene(path: Path, log: FindingLog) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    try:
        data = orjson.loads(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except (OSError, orjson.JSONDecodeError) as fault:
        raise SceneSourceError(path, f"expected JSON, found a fault: {fault}") from None
    if not isinstance(data, dict):
        raise SceneSourceError(path, f"expected an object, found {brief(data)}")
    known = {key: value for key, value in data.items() if key in Scene.model_fields}
    if unknown := sorted(data.keys() - known.keys()):
        log.info("scene-key-unknown", "", f"not kept: {', '.join(unknown)}", path=path)
    return known


def _scene_of(values: dict[str, Any], path: Path) -> Scene:
    try:
        scene = Scene.model_validate({"scene_id": id_of(path.resolve().parent.name), **values})
    except ValidationError as error:
        raise SceneSourceError(path, describe_fault(error)) from None
    if id_of(scene.scene_id) != scene.scene_id or not scene.scene_id:
        found = brief(scene.scene_id)
        raise SceneSourceError(
            path, f"scene_id: expected letters, digits, '_', '-' and '.', found {found}"
        )
    return scene
