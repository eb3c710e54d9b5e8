"""What a workspace's annotators drew on the views of a session."""

from __future__ import annotations

from mira.errors import WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.store.workspace import Workspace


class DrawnOn:
    """Finds the annotation that counts for a view."""

    def __init__(self, workspace: Workspace, *, annotator: str | None = None) -> None:
        """Look into a workspace.

        Args:
            workspace: Where annotations are.
            annotator: Whose count where a picture has several; by default as `mira.toml` says.
        """
        self._workspace = workspace
        self.root = workspace.root
        self._annotator = annotator or workspace.settings().questions.annotator

    def annotation_of(self, image_id: str) -> ImageAnnotation | None:
        """The newest annotation of a picture by the chosen annotator, else by the only one.

        Raises:
            WorkspaceError: Several drew on the picture, and none of them was chosen.
            RecordError: The annotation is damaged.
        """
        names = self._workspace.annotators(image_id)
        if self._annotator in names:
            return self._workspace.annotation(image_id, self._annotator)
        if len(names) > 1:
            raise WorkspaceError(
                image_id, f"is annotated by {', '.join(names)}", "choose one with --annotator"
            )
        return self._workspace.annotation(image_id, names[0]) if names else None
