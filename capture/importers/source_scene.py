"""What a data set holds, before any picture is decoded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from capture.importers.cameras import NO_CAMERA, CameraSource
from mira.errors import MiraError
from mira.schema.capture import DepthKind, DepthScope, FrameTiming
from mira.schema.session import DeviceInfo

if TYPE_CHECKING:
    from capture.importers.policy import ImportPolicy
    from capture.importers.settings import ImportSettings
    from capture.importers.source_tree import SourceTree


class ImportFault(NamedTuple):
    """A file that was left out, and why."""

    file: str
    """Its path below the source."""
    reason: str
    """What was expected and what was found."""

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}"

    @classmethod
    def of(cls, error: MiraError) -> Self:
        """The fault that an error tells of."""
        return cls(error.where, f"{error.problem} ({error.fix})" if error.fix else error.problem)


class DepthMeaning(NamedTuple):
    """What the values of a depth map mean."""

    kind: DepthKind
    unit_m: float | None = None
    """Metres a step; absent for normalised depth."""
    scope: DepthScope | None = None
    """What normalised depth was normalised over."""


@dataclass(frozen=True)
class SourceView:
    """One picture of a data set with the files that belong to it.

    Attributes:
        name: What gives the view's id.
        color: The picture, as a path below the source.
        depth: Its depth map.
        mask: A mask of reflective surfaces.
        meaning: What the depth map's values mean.
        camera: Tells the cameras for a picture size.
        timing: When the frames were taken.
        device: The camera.
    """

    name: str
    color: str
    depth: str | None = None
    mask: str | None = None
    meaning: DepthMeaning | None = None
    camera: CameraSource = NO_CAMERA
    timing: FrameTiming | None = None
    device: DeviceInfo | None = None


@dataclass(frozen=True)
class SourceScene:
    """Pictures of one reflective context, in order of time where that is known.

    Attributes:
        name: What gives the scene's id.
        views: Its pictures.
        is_video: Whether they are the frames of a video, of which keyframes are chosen.
        is_single: Whether it is a picture for itself, whose view has the scene's id.
    """

    name: str
    views: tuple[SourceView, ...]
    is_video: bool = False
    is_single: bool = False


@dataclass
class SourcePlan:
    """All that a layout's reader found.

    Attributes:
        scenes: What can be imported.
        faults: Files that cannot.
        notes: What the user should know, a sentence each.
        is_recognised: Whether it is the data set itself, and not somebody's files in its layout.
    """

    scenes: list[SourceScene] = field(default_factory=list)
    faults: list[ImportFault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_recognised: bool = True

    def note_unpaired(self, files: Iterable[str]) -> None:
        """Tell of depth maps and masks that belong to no picture."""
        names = sorted(files)
        if names:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            self.notes.append(f"depth or mask without a picture: {names[0]}{more}")


class SourceReader(Protocol):
    """Finds the scenes of a data set by the names of its files."""

    def __call__(
        self, tree: SourceTree, settings: ImportSettings, policy: ImportPolicy
    ) -> SourcePlan:
        """What the source holds; no picture is read.

        Args:
            tree: Its files.
            settings: What the user asks for.
            policy: Limits.

        Raises:
            MiraError: A flag or a file that all views need cannot be used.
        """
        ...
