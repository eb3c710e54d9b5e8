"""Scenes from a capture session: pictures, depth, cameras and scenes as they were committed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from annotate.findings import FindingLog, Refused, text_of
from annotate.names import image_name
from annotate.policy import AnnotationPolicy
from annotate.scenes.depth_map import Size, fitting_camera, read_depth
from annotate.scenes.pictures import Picture, read_picture
from annotate.scenes.scene_file import SceneFile
from annotate.scenes.scene_reader import (
    VIEW_COLOR,
    VIEW_DEPTH,
    VIEW_DEPTH_ALIGNED,
    FoundPicture,
    SourceView,
    provenance_of,
)
from annotate.scenes.session_index import SessionIndex, ViewPlace
from mira.errors import MiraError, SceneSourceError
from mira.schema.capture import Calibration, CameraIntrinsics, View, ViewFrame
from mira.store.session import (
    CALIBRATION_NAME,
    COLOR_NAME,
    DEPTH_ALIGNED_NAME,
    DEPTH_NAME,
    FRAME_NAME,
    SCENE_NAME,
    Session,
)


class _Depths(NamedTuple):
    """The depth maps of a view that can be used."""

    aligned: Picture | None = None
    raw: Picture | None = None


class SceneSession:
    """Reads the views of a session; see `SceneReader`."""

    def __init__(self, root: Path, *, policy: AnnotationPolicy) -> None:
        """Open a session.

        Args:
            root: Its folder.
            policy: Thresholds.

        Raises:
            MiraError: It is no session, or its record is damaged.
        """
        self._session = Session.open(root)
        self._session_id = self._session.read_session().session_id
        self._index = SessionIndex(self._session)
        self._policy = policy
        self._last: SceneFile | None = None

    @property
    def looks_beside_alone(self) -> bool:
        """Never: all views of the session are looked at."""
        return False

    @property
    def settings_read(self) -> set[Path]:
        """Nothing: a session's own files are never named."""
        return set()

    def name_of(self, annotation: Path, image_path: Any) -> str:
        """The id of the view that an annotation is of, or the name that it gives otherwise."""
        try:
            found = self.find(annotation, image_path)
        except Refused:
            found = None
        return found.name if found else image_name(annotation, image_path)

    def find(self, annotation: Path, image_path: Any) -> FoundPicture | None:
        """The picture of the view that an annotation names, or that its place or name tells."""
        place = self._index.find(annotation, image_path if isinstance(image_path, str) else "")
        if place is None:
            return None
        path = self._session.view_folder(*place) / COLOR_NAME
        return FoundPicture(path, place.image_id, guessed=False)

    def read(self, found: FoundPicture) -> Picture:
        """A picture whose view is as it was committed."""
        place = ViewPlace.of(found.path)
        if faults := self._session.verify_view(*place):
            listed = "; ".join(map(str, faults))
            message = f"the view {place.image_id!r} is not as it was committed: {listed}"
            raise Refused("view-not-committed", "imagePath", message)
        limit_px = self._policy.picture_limit_px
        try:
            return read_picture(found.path, limit_px=limit_px, name=found.name)
        except SceneSourceError as error:
            message = f"{error.where}: {error.problem}"
            raise Refused("picture-unreadable", "imagePath", message) from None

    def read_view(self, color: Picture, image_id: str, log: FindingLog) -> SourceView:
        """A view with what was committed beside its picture; refused without a scene's record."""
        place = ViewPlace.of(color.path)
        scene_file = self._scene(place.scene_id)
        calibration = self._calibration(color, log)
        depths = self._depths(color, calibration, log)
        frame = self._frame(color, log)
        if any(depths) and frame.depth_kind is None:
            path = color.path.with_name(FRAME_NAME)
            message = "depth is left out, as nothing says what its values mean"
            log.error("depth-without-unit", "depth_kind", message, path=path)
            depths = _Depths()
        meaning = frame if any(depths) else ViewFrame()
        name = f"{VIEW_COLOR}.{color.header.format}"
        pictures = {name: color, VIEW_DEPTH_ALIGNED: depths.aligned, VIEW_DEPTH: depths.raw}
        given = {name: picture for name, picture in pictures.items() if picture}
        inputs = tuple(picture.ref(self._path_of(picture)) for picture in given.values())
        view = View(
            scene_id=place.scene_id,
            image_id=image_id,
            width_px=color.header.width_px,
            height_px=color.header.height_px,
            color=color.ref(name),
            depth=depths.raw.ref(VIEW_DEPTH) if depths.raw else None,
            depth_aligned=depths.aligned.ref(VIEW_DEPTH_ALIGNED) if depths.aligned else None,
            depth_unit_m=meaning.depth_unit_m,
            depth_kind=meaning.depth_kind,
            depth_scope=meaning.depth_scope,
            intrinsics=_intrinsics(calibration, color, log),
            depth_intrinsics=calibration.depth if calibration and depths.raw else None,
            depth_to_color=calibration.depth_to_color if calibration and depths.raw else None,
            timing=frame.timing,
            quality=frame.quality,
            provenance=provenance_of(inputs, {"session": self._session_id}),
        )
        return SourceView(
            scene=scene_file.scene,
            scene_file=scene_file,
            camera_given=True,
            view=view,
            files={name: picture.path for name, picture in given.items()},
        )

    def _path_of(self, picture: Picture) -> str:
        return text_of(picture.path.relative_to(self._session.root).as_posix())

    def _scene(self, scene_id: str) -> SceneFile:
        """The scene of a view; those of one scene come one after the other."""
        if self._last is None or self._last.scene.scene_id != scene_id:
            try:
                scene = self._session.read_scene(scene_id)
            except MiraError as error:
                raise Refused("scene-invalid", "", f"{error.where}: {error.problem}") from None
            path = self._session.root / "scenes" / scene_id / SCENE_NAME
            self._last = SceneFile(path=path, scene=scene, gives_id=True)
        return self._last

    def _calibration(self, color: Picture, log: FindingLog) -> Calibration | None:
        path = color.path.with_name(CALIBRATION_NAME)
        if not path.exists():
            return None
        try:
            return self._session.read_calibration(*ViewPlace.of(color.path))
        except MiraError as error:
            log.error("camera-invalid", "", error.problem, path=path)
            return None

    def _frame(self, color: Picture, log: FindingLog) -> ViewFrame:
        """What is said of a view's frames; nothing where that cannot be read."""
        path = color.path.with_name(FRAME_NAME)
        if not path.exists():
            return ViewFrame()
        try:
            return self._session.read_frame(*ViewPlace.of(color.path))
        except MiraError as error:
            log.error("frame-invalid", "", error.problem, path=path)
            return ViewFrame()

    def _depths(self, color: Picture, calibration: Calibration | None, log: FindingLog) -> _Depths:
        camera = calibration.depth if calibration else None
        grid_px = (camera.width_px, camera.height_px) if camera else None
        aligned_path = color.path.with_name(DEPTH_ALIGNED_NAME)
        found = _Depths(
            aligned=self._depth(aligned_path, color.header.size_px, "the picture", log),
            raw=self._depth(color.path.with_name(DEPTH_NAME), grid_px, "its camera", log),
        )
        if any(found) and not color.path.with_name(CALIBRATION_NAME).exists():
            message = f"has depth and no camera: expected {CALIBRATION_NAME}, found none"
            log.warning("camera-missing", "", message, path=color.path)
        return found

    def _depth(self, path: Path, size_px: Size | None, of: str, log: FindingLog) -> Picture | None:
        if not path.exists():
            return None
        limit_px = self._policy.picture_limit_px
        return read_depth(path, size_px=size_px, of=of, limit_px=limit_px, log=log)


def _intrinsics(
    calibration: Calibration | None, color: Picture, log: FindingLog
) -> CameraIntrinsics | None:
    if calibration is None:
        return None
    path = color.path.with_name(CALIBRATION_NAME)
    return fitting_camera(calibration.color, color, log, path=path)
