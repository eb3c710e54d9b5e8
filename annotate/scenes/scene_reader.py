"""What import and check ask of a place where pictures are kept, whatever its layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, Protocol

from annotate.findings import FindingLog
from annotate.scenes.pictures import Picture
from annotate.scenes.scene_file import SceneFile
from mira.schema.capture import Scene, View
from mira.schema.record import FileRef, Provenance
from mira.store.version import tool_version

VIEW_COLOR = "color"
"""Name of a picture in a workspace, less the ending that its format gives."""
VIEW_DEPTH_ALIGNED = "depth.png"
"""Name of depth on the picture's grid in a workspace."""
VIEW_DEPTH = "depth_raw.png"
"""Name of depth on the sensor's grid in a workspace."""


class FoundPicture(NamedTuple):
    """Where the picture of an annotation is."""

    path: Path
    name: str
    """What gives the id of the image."""
    guessed: bool
    """Whether the annotation names another picture, which is not there."""


class SourceView(NamedTuple):
    """A picture as it goes into a workspace."""

    scene: Scene
    scene_file: SceneFile | None
    """The `scene.json` that says what the scene is, if there is one."""
    camera_given: bool
    """Whether a file says what the depth means; else that is assumed or unknown."""
    view: View
    files: dict[str, Path]
    """For each file of the view, the one to copy."""


class SceneReader(Protocol):
    """Reads pictures with their scene, depth and camera."""

    @property
    def looks_beside_alone(self) -> bool:
        """Whether pictures are looked for beside their annotations and nowhere else."""
        ...

    @property
    def settings_read(self) -> set[Path]:
        """Camera and scene files that were read so far and may lie among annotations."""
        ...

    def name_of(self, annotation: Path, image_path: Any) -> str:
        """What gives the id of an annotation's image, whether or not its picture is there.

        Args:
            annotation: The annotation file.
            image_path: Its `imagePath` as read.
        """
        ...

    def find(self, annotation: Path, image_path: Any) -> FoundPicture | None:
        """The picture of an annotation; None where it cannot be found.

        Args:
            annotation: The annotation file.
            image_path: Its `imagePath` as read: a path from the file's folder, by any system's
                rules. Where it leads nowhere its last part counts, then the file's own name.

        Raises:
            Refused: Several pictures have that name.
        """
        ...

    def read(self, found: FoundPicture) -> Picture:
        """A picture, checked to be whole.

        Raises:
            Refused: It is damaged, or not as it was captured.
        """
        ...

    def read_view(self, color: Picture, image_id: str, log: FindingLog) -> SourceView:
        """A picture with what belongs to it.

        Args:
            color: The colour picture, as `read` gave it.
            image_id: Its id.
            log: Takes depth maps, cameras and fields of the scene that are left out, and what
                was assumed.

        Raises:
            Refused: Nothing tells which scene it is.
        """
        ...


def provenance_of(inputs: tuple[FileRef, ...], parameters: dict[str, Any]) -> Provenance:
    """The provenance of a view that is imported."""
    return Provenance(
        tool="mira annotate import",
        tool_version=tool_version(),
        parameters=parameters,
        inputs=inputs,
    )
