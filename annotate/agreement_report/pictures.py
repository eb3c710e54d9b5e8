"""Where a report's pictures come from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mira.errors import WorkspaceError
from mira.render.source import decode_color
from mira.schema.capture import View
from mira.store.workspace import Workspace

Pictures = Callable[[str], NDArray[np.uint8]]
"""Takes an image's id and gives its colours, shape (height, width, 3); raises a `MiraError` where
there is no picture."""


class WorkspacePictures:
    """Colour pictures of a workspace, each read when it is asked for."""

    def __init__(self, workspace: Workspace) -> None:
        """Name the workspace; views are listed when the first picture is asked for."""
        self._workspace = workspace
        self._views: dict[str, View] | None = None

    def __call__(self, image_id: str) -> NDArray[np.uint8]:
        """The colours of an image.

        Raises:
            WorkspaceError: There is no such image, or its file is gone or another.
            SceneSourceError: The file is no picture.
        """
        if self._views is None:
            self._views = {view.image_id: view for view in self._workspace.views()}
        view = self._views.get(image_id)
        if view is None:
            raise WorkspaceError(image_id, "expected an image of the workspace, found none")
        return decode_color(self._workspace.read_picture(view, view.color), where=image_id)
