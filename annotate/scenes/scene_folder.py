"""Scenes from a folder of colour pictures, 16-bit depth and intrinsics JSON.

Of a picture `NAME.png` (or `.jpg`, `.jpeg`) the depth is `NAME_depth.png` and the camera
`NAME_intrinsics.json`, or else the folder's `intrinsics.json`. A `scene.json` makes all pictures
of its folder one scene; without it each is a scene of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from annotate.findings import FindingLog, Refused, text_of
from annotate.names import CAMERA_ENDING, CAMERA_NAME, DEPTH_ENDING, SCENE_NAME, image_name
from annotate.policy import AnnotationPolicy
from annotate.scenes.camera_file import CameraFile, read_camera
from annotate.scenes.depth_map import fitting_camera, read_depth
from annotate.scenes.picture_finder import PictureFinder
from annotate.scenes.pictures import Picture, read_picture
from annotate.scenes.scene_file import SceneFile, read_scene
from annotate.scenes.scene_reader import (
    VIEW_COLOR,
    VIEW_DEPTH_ALIGNED,
    FoundPicture,
    SourceView,
    provenance_of,
)
from mira.errors import SceneSourceError
from mira.schema.capture import CameraIntrinsics, Scene, View
from mira.schema.finding import Finding
from mira.schema.record import Provenance

_ASSUMED_STEP_M = 0.001
"""Most depth cameras count millimetres."""


class _ReadScene(NamedTuple):
    """A folder's `scene.json`, read."""

    scene: SceneFile | SceneSourceError | None
    findings: tuple[Finding, ...]


class SceneFolder:
    """Reads the pictures of a run with their scene, depth and camera; see `SceneReader`."""

    def __init__(
        self, finder: PictureFinder, *, camera: Path | None, policy: AnnotationPolicy
    ) -> None:
        """Start a run.

        Args:
            finder: Finds the pictures.
            camera: A camera file that is taken for every picture, in place of those beside it.
            policy: Thresholds.

        Raises:
            SceneSourceError: There is no such camera file.
        """
        if camera is not None and not camera.is_file():
            raise SceneSourceError(camera, "expected an intrinsics file, found none")
        self.settings_read: set[Path] = set()
        """Camera and scene files that were read so far."""
        self._finder = finder
        self._camera_file = camera
        self._policy = policy
        self._names: dict[Path, dict[str, Path]] = {}
        self._scenes: dict[Path, _ReadScene] = {}
        self._folders: dict[str, Path] = {}

    @property
    def looks_beside_alone(self) -> bool:
        """Whether no folder of pictures was given."""
        return self._finder.looks_beside_alone

    def name_of(self, annotation: Path, image_path: Any) -> str:
        """The stem of the picture that an annotation names, or its own."""
        return image_name(annotation, image_path)

    def find(self, annotation: Path, image_path: Any) -> FoundPicture | None:
        """The picture of an annotation; None where it cannot be found."""
        path = self._finder.find(annotation, image_path)
        if path is None:
            return None
        wanted = image_name(annotation, image_path)
        return FoundPicture(path, path.stem, guessed=path.stem.casefold() != wanted.casefold())

    def read(self, found: FoundPicture) -> Picture:
        """A picture, checked to be whole."""
        try:
            return read_picture(found.path, limit_px=self._policy.picture_limit_px, name=found.name)
        except SceneSourceError as error:
            message = f"{error.where}: {error.problem}"
            raise Refused("picture-unreadable", "imagePath", message) from None

    def read_view(self, color: Picture, image_id: str, log: FindingLog) -> SourceView:
        """A picture with what belongs to it; refused where `scene.json` names no scene."""
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
        name = f"{VIEW_COLOR}.{color.header.format}"
        files = {name: color.path}
        if depth is not None:
            files[VIEW_DEPTH_ALIGNED] = depth.path
        kind = camera.depth_kind if camera else "metric"
        view = View(
            scene_id=scene.scene_id,
            image_id=image_id,
            width_px=color.header.width_px,
            height_px=color.header.height_px,
            color=color.ref(name),
            depth_aligned=depth.ref(VIEW_DEPTH_ALIGNED) if depth else None,
            depth_unit_m=_step_m(camera, depth, log) if depth and kind == "metric" else None,
            depth_kind=kind if depth else None,
            intrinsics=_intrinsics(camera, color, log) if camera else None,
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
        return read_depth(
            path,
            size_px=color.header.size_px,
            of="the picture",
            limit_px=self._policy.picture_limit_px,
            log=log,
        )

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


def _intrinsics(camera: CameraFile, color: Picture, log: FindingLog) -> CameraIntrinsics | None:
    """The intrinsics, unless they are those of another size."""
    fitting = fitting_camera(camera.intrinsics, color, log, path=camera.path)
    if fitting is not None and not camera.size_given:
        message = "gives no size; the picture's is taken"
        log.info("camera-size-assumed", "", message, path=camera.path)
    return fitting


def _step_m(camera: CameraFile | None, depth: Picture, log: FindingLog) -> float:
    if camera is not None and camera.depth_unit_m is not None:
        return camera.depth_unit_m
    message = f"expected metres a step of depth, found none; {_ASSUMED_STEP_M} is taken"
    path = camera.path if camera else depth.path
    log.warning("depth-unit-assumed", "depth_unit_m", message, path=path)
    return _ASSUMED_STEP_M


def _provenance(color: Picture, depth: Picture | None, camera: CameraFile | None) -> Provenance:
    pictures = [color] if depth is None else [color, depth]
    return provenance_of(
        tuple(picture.ref(text_of(picture.path.name)) for picture in pictures),
        {"camera_file": text_of(camera.path.name)} if camera else {},
    )
