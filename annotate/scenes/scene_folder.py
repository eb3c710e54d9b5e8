"""Scenes from a folder of colour pictures, 16-bit depth and intrinsics JSON.

Of a picture `NAME.png` (or `.jpg`, `.jpeg`) the depth is `NAME_depth.png` and the camera
`NAME_intrinsics.json`, or else the folder's `intrinsics.json`. A `scene.json` makes all pictures
of its folder one scene; without it each is a scene of its own.
"""

from __future__ import annotations

from functools import cache
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from annotate.findings import FindingLog, Refused, text_of
from annotate.names import CAMERA_ENDING, CAMERA_NAME, DEPTH_ENDING, SCENE_NAME
from annotate.policy import AnnotationPolicy
from annotate.scenes.camera_file import CameraFile, read_camera
from annotate.scenes.pictures import Picture, read_picture
from annotate.scenes.scene_file import SceneFile, read_scene
from mira.errors import SceneSourceError
from mira.schema.capture import CameraIntrinsics, Scene, View
from mira.schema.finding import Finding
from mira.schema.record import Provenance

_DEPTH_NAME = "depth.png"
_ASSUMED_STEP_M = 0.001
"""Most depth cameras count millimetres."""


class SourceView(NamedTuple):
    """A picture as it goes into a workspace."""

    scene: Scene
    scene_file: SceneFile | None
    """The `scene.json` that says what the scene is, if there is one."""
    camera_given: bool
    """Whether a camera file says what camera and depth are; else they are assumed or unknown."""
    view: View
    files: dict[str, Path]
    """For each file of the view, the one to copy."""


class _ReadScene(NamedTuple):
    """A folder's `scene.json`, read."""

    scene: SceneFile | SceneSourceError | None
    findings: tuple[Finding, ...]


class SceneFolder:
    """Reads the pictures of a run with their scene, depth and camera."""

    def __init__(self, *, camera: Path | None, policy: AnnotationPolicy) -> None:
        """Start a run.

        Args:
            camera: A camera file that is taken for every picture, in place of those beside it.
            policy: Thresholds.

        Raises:
            SceneSourceError: There is no such camera file.
        """
        if camera is not None and not camera.is_file():
            raise SceneSourceError(camera, "expected an intrinsics file, found none")
        self.settings_read: set[Path] = set()
        """Camera and scene files that were read so far."""
        self._camera_file = camera
        self._policy = policy
        self._names: dict[Path, dict[str, Path]] = {}
        self._scenes: dict[Path, _ReadScene] = {}
        self._folders: dict[str, Path] = {}

    def read_view(self, color: Picture, image_id: str, log: FindingLog) -> SourceView:
        """A picture with what belongs to it.

        Args:
            color: The colour picture.
            image_id: Its id.
            log: Takes depth maps, cameras and fields of the scene that are left out, and what
                was assumed.

        Raises:
            Refused: The `scene.json` of its folder does not say which scene it is.
        """
        scene_file = self._scene(color.path.parent, log)
        scene = scene_file.scene if scene_file else Scene(scene_id=image_id)
        camera_path = self._camera_path(color.path)
        camera = self._camera(camera_path, color, log) if camera_path else None
        depth = self._depth(color, log)
        if depth is not None and camera_path is None:
            message = "has depth and no camera: expected an intrinsics file, found none"
            log.warning("camera-missing", "", message, path=color.path)
        if depth is not None and camera_path is not None and camera is None:
            message = "left out: its camera file cannot be used, so its unit is unknown"
            log.error("depth-without-unit", "", message, path=depth.path)
            depth = None
        files = {f"color.{color.header.format}": color.path}
        if depth is not None:
            files[_DEPTH_NAME] = depth.path
        kind = camera.depth_kind if camera else "metric"
        view = View(
            scene_id=scene.scene_id,
            image_id=image_id,
            width_px=color.header.width_px,
            height_px=color.header.height_px,
            color=color.ref(f"color.{color.header.format}"),
            depth_aligned=depth.ref(_DEPTH_NAME) if depth else None,
            depth_unit_m=_step_m(camera, depth, log) if depth and kind == "metric" else None,
            depth_kind=kind if depth else None,
            intrinsics=_fitting(camera, color, log) if camera else None,
            provenance=_provenance(color, depth, camera),
        )
        return SourceView(
            scene=scene,
            scene_file=scene_file,
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
        if not header.holds_depth:
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
        self.settings_read.add(path)
        try:
            return read_camera(path, size_px=size_px, step_limit_m=self._policy.depth_step_limit_m)
        except SceneSourceError as error:
            log.error("camera-invalid", "", error.problem, path=path)
            return None

    def _scene(self, folder: Path, log: FindingLog) -> SceneFile | None:
        """What a folder's `scene.json` says; None without that file.

        What is wrong with it is in the log of every picture of the folder.
        """
        if folder not in self._scenes:
            self._scenes[folder] = self._new_scene(folder)
        read = self._scenes[folder]
        log.extend(read.findings)
        if isinstance(read.scene, SceneSourceError):
            raise Refused("scene-invalid", "", f"{read.scene.where}: {read.scene.problem}")
        return read.scene

    def _new_scene(self, folder: Path) -> _ReadScene:
        path = folder / SCENE_NAME
        log = FindingLog(path)
        try:
            scene = read_scene(path, log)
            if scene is not None:
                self.settings_read.add(path)
                self._require_other_name(scene, folder)
        except SceneSourceError as error:
            return _ReadScene(error, log.findings)
        return _ReadScene(scene, log.findings)

    def _require_other_name(self, scene: SceneFile, folder: Path) -> None:
        first = self._folders.setdefault(scene.scene.scene_id.casefold(), folder)
        if first != folder and not scene.gives_id:
            problem = f"scene_id: expected one, as {first} has the same name, found none"
            raise SceneSourceError(scene.path, problem)


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


def _step_m(camera: CameraFile | None, depth: Picture, log: FindingLog) -> float:
    if camera is not None and camera.depth_unit_m is not None:
        return camera.depth_unit_m
    message = f"expected metres a step of depth, found none; {_ASSUMED_STEP_M} is taken"
    path = camera.path if camera else depth.path
    log.warning("depth-unit-assumed", "depth_unit_m", message, path=path)
    return _ASSUMED_STEP_M


def _provenance(color: Picture, depth: Picture | None, camera: CameraFile | None) -> Provenance:
    pictures = [color] if depth is None else [color, depth]
    return Provenance(
        tool="mira annotate import",
        tool_version=_version(),
        parameters={"camera_file": text_of(camera.path.name)} if camera else {},
        inputs=tuple(picture.ref(text_of(picture.path.name)) for picture in pictures),
    )


@cache
def _version() -> str:
    try:
        return metadata.version("mira-toolkit")
    except metadata.PackageNotFoundError:
        return "unknown"
