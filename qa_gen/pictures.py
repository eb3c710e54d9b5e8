"""The pictures of a workspace with the annotation that counts for questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from mira.errors import WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import View
from mira.store.audit import AuditBook
from mira.store.workspace import Workspace

Progress = Callable[[int, int], None]
"""Takes how many are done and how many there are."""


class AnnotatedPictures:
    """Views with the annotation that counts, in turn; counts those that have none.

    Attributes:
        left_out: Pictures without questions a reason.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        annotator: str | None = None,
        limit: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """List the views.

        Args:
            workspace: Where they are.
            annotator: Whose annotation counts. If None, that of an accepted batch of an audit, else
                the only one.
            limit: The first so many pictures alone.
            progress: Called with pictures done and in all.
        """
        self.left_out: Counter[str] = Counter()
        self._workspace = workspace
        self._views = list(workspace.views())[:limit]
        self._annotator = annotator
        self._accepted = AuditBook(workspace).counting_annotators()
        self._progress = progress
        self._annotated = 0
        self._annotator_seen = False

    def __len__(self) -> int:
        return len(self._views)

    def __iter__(self) -> Iterator[tuple[View, ImageAnnotation]]:
        for done, view in enumerate(self._views, start=1):
            annotation = self.choose(view.image_id)
            if annotation is None:
                self.left_out["not-annotated"] += 1
            elif annotation.status == "failed":
                self.left_out["annotation-given-up"] += 1
            else:
                self._annotated += 1
                yield view, annotation
            if self._progress:
                self._progress(done, len(self._views))

    def choose(self, image_id: str) -> ImageAnnotation | None:
        """The annotation of a picture that counts; None without one.

        Raises:
            WorkspaceError: Several people drew it and nobody was named.
        """
        name = self.annotator_of(image_id)
        self._annotator_seen |= name is not None and name == self._annotator
        return None if name is None else self._workspace.annotation(image_id, name)

    def annotator_of(self, image_id: str) -> str | None:
        """Whose annotation of a picture counts; None without one.

        Raises:
            WorkspaceError: Several people drew it and nobody was named.
        """
        names = self._workspace.annotators(image_id)
        if self._annotator in names:
            return self._annotator
        if self._annotator is None and image_id in self._accepted:
            return self._accepted[image_id]
        if len(names) > 1:
            raise WorkspaceError(
                image_id, f"is annotated by {', '.join(names)}", "choose one with --annotator"
            )
        return names[0] if names else None

    def require_any(self) -> None:
        """Raise if no picture came through.

        Raises:
            WorkspaceError: No picture is annotated, or the named annotator drew on none.
        """
        if self._annotator and not self._annotator_seen:
            raise WorkspaceError(
                self._workspace.root, f"holds no annotation by {self._annotator!r}"
            )
        if not self._annotated:
            raise WorkspaceError(
                self._workspace.root, "holds no annotated picture", "run: mira annotate import"
            )
