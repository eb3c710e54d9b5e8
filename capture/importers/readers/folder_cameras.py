"""The camera files that lie beside pictures or in a folder above them."""

from __future__ import annotations

from capture.importers.camera_file import CameraFile
from capture.importers.policy import ImportPolicy
from capture.importers.scene_grouping import read_named_camera
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import ImportFault
from capture.importers.source_tree import SourceTree, join, stem_of
from mira.errors import MiraError

_OF_ONE = "_intrinsics.json"
_OF_FOLDER = (
    "intrinsics.json",
    "intrinsic.json",
    "camera_intrinsic.json",
    "camera_info.json",
    "calib.json",
)


class FolderCameras:
    """Finds the camera file of each picture and reads each file once.

    Attributes:
        faults: Files that hold no camera.
    """

    def __init__(self, tree: SourceTree, settings: ImportSettings, policy: ImportPolicy) -> None:
        """Read the user's camera file, which is taken for all pictures, if there is one.

        Raises:
            SceneSourceError: That cannot be read, or holds no camera.
        """
        self.faults: list[ImportFault] = []
        self._named = read_named_camera(settings, policy)
        self._tree = tree
        self._step_limit_m = policy.depth_step_limit_m
        self._read: dict[str, CameraFile | None] = {}

    def of(self, color: str, *, name: str) -> CameraFile | None:
        """The camera file of a picture; None where there is none, or it holds no camera.

        Args:
            color: The picture.
            name: Its name without words such as `color`.
        """
        if self._named is not None:
            return self._named
        path = self._find(color, name)
        if path is None:
            return None
        if path not in self._read:
            self._read[path] = self._parse(path)
        return self._read[path]

    def failed_for(self, color: str, *, name: str) -> bool:
        """Whether a picture has a camera file that holds no camera."""
        path = self._find(color, name)
        return self._named is None and path is not None and self._read.get(path, 0) is None

    def _find(self, color: str, name: str) -> str | None:
        folder = color.rpartition("/")[0]
        own = (join(folder, f"{stem}{_OF_ONE}") for stem in (stem_of(color), name) if stem)
        if path := next(filter(self._tree.has, own), None):
            return path
        while True:
            shared = (join(folder, file) for file in _OF_FOLDER)
            if path := next(filter(self._tree.has, shared), None):
                return path
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def _parse(self, path: str) -> CameraFile | None:
        try:
            text = self._tree.read_text_bytes(path)
            return CameraFile.parse(text, where=path, step_limit_m=self._step_limit_m)
        except MiraError as error:
            reason = f"{error.problem}: the pictures that it is the camera of are left out"
            self.faults.append(ImportFault(path, reason))
            return None
