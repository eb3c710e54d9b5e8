"""Opens the place where the pictures of annotations are kept: a session, or a folder of them."""

from __future__ import annotations

from pathlib import Path

from annotate.locating import Source
from annotate.policy import AnnotationPolicy
from annotate.scenes.picture_finder import PictureFinder
from annotate.scenes.scene_folder import SceneFolder
from annotate.scenes.scene_reader import SceneReader
from annotate.scenes.scene_session import SceneSession
from mira.errors import SceneSourceError
from mira.store.session import is_session


class SceneOpener:
    """Opens the pictures of one or more sources of annotations."""

    def __init__(
        self, scenes: Path | None, *, camera: Path | None, policy: AnnotationPolicy
    ) -> None:
        """Look at where all pictures are, if they are not beside their annotations.

        Args:
            scenes: A folder of pictures, or a session; None where pictures lie beside annotations.
            camera: A camera file that is taken for every picture.
            policy: Thresholds.

        Raises:
            SceneSourceError: There is no such folder or file.
        """
        self._scenes = scenes
        self._camera = camera
        self._policy = policy
        of_session = scenes is not None and is_session(scenes)
        self._finder = PictureFinder(None if of_session else scenes)

    def open(self, source: Source) -> SceneReader:
        """The pictures of a source.

        Raises:
            SceneSourceError: A camera or a folder of pictures is given for those of a session.
            MiraError: The session's record is damaged.
        """
        scenes = source.session if self._scenes is None else self._scenes
        if scenes is not None and is_session(scenes):
            if self._camera is not None:
                problem = "expected no camera file, as each view of a session has its own"
                raise SceneSourceError(self._camera, problem, "leave out --intrinsics")
            return SceneSession(scenes, policy=self._policy)
        if source.session is not None:
            problem = "expected a session, as the annotations lie in one, found a folder"
            raise SceneSourceError(self._scenes or source.session, problem, "leave out --scenes")
        return SceneFolder(self._finder, camera=self._camera, policy=self._policy)
