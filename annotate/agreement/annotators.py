"""Two annotators of a workspace, compared on all pictures that both drew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from annotate.agreement.comparing import compare_shapes
from annotate.agreement.comparison import ImageComparison
from annotate.agreement.cross_check import CrossCheck
from annotate.agreement.overlaps import Drawings, Method
from annotate.agreement.policy import AgreementPolicy
from annotate.agreement.summary import AgreementSummary
from mira.errors import WorkspaceError
from mira.processes.pool import results_of
from mira.schema.record import Record
from mira.store.drawn_shapes import parse_drawn_shapes
from mira.store.workspace import Workspace

Progress = Callable[[int, int], None]
"""Takes how many are done and how many there are."""

_AT_ONCE = 100
"""Pictures that a worker takes at a time."""


class FilePair(NamedTuple):
    """Records of two annotations of one picture."""

    first: Path
    """The one annotator's."""
    second: Path
    """The other's."""


class BothDrew(NamedTuple):
    """What two annotators drew."""

    files: dict[str, FilePair]
    """Newest revisions of pictures that both drew, by picture."""
    only_first: tuple[str, ...]
    """Pictures that only the one drew."""
    only_second: tuple[str, ...]
    """Pictures that only the other drew."""


class AnnotatorComparison(Record):
    """What comparing two annotators came to."""

    first: str
    """The one annotator."""
    second: str
    """The other."""
    method: Method
    """How areas were measured."""
    only_first: tuple[str, ...]
    """Pictures that only the one drew."""
    only_second: tuple[str, ...]
    """Pictures that only the other drew."""
    summary: AgreementSummary
    """How far they agree on those that both drew."""
    cross_check: CrossCheck | None = None
    """Areas and pixels held against each other; absent where that was not asked for."""


def find_both(workspace: Workspace, first: str, second: str) -> BothDrew:
    """The pictures that two annotators drew.

    Raises:
        WorkspaceError: They are one person, one of them drew nothing, or they drew no picture in
            common.
    """
    if first == second:
        raise WorkspaceError(workspace.root, f"expected two annotators, found {first!r} twice")
    ours, theirs = (_files(workspace, name) for name in (first, second))
    both = {name: FilePair(path, theirs[name]) for name, path in ours.items() if name in theirs}
    if not both:
        raise WorkspaceError(
            workspace.root, f"holds no picture that {first} and {second} both drew"
        )
    return BothDrew(
        both,
        tuple(name for name in ours if name not in theirs),
        tuple(name for name in theirs if name not in ours),
    )


def compare_files(
    files: Sequence[FilePair],
    *,
    method: Method,
    policy: AgreementPolicy,
    boundary_fraction: float | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> tuple[ImageComparison, ...]:
    """Compare records of two annotations of each of some pictures, in their order.

    Args:
        files: The records.
        method: How shapes are measured.
        policy: When shapes are partners.
        boundary_fraction: Width of the rim for boundary IoU; None to leave it out.
        workers: Processes.
        progress: Called with pictures done and pictures in all.

    Raises:
        MiraError: A record cannot be read, or two are of two pictures or sizes.
    """
    work = partial(_compared, method=method, policy=policy, boundary_fraction=boundary_fraction)
    found: dict[int, list[ImageComparison]] = {}
    done = 0
    for start, images in results_of(work, _portions(files), workers=workers):
        found[start] = images
        done += len(images)
        if progress is not None:
            progress(done, len(files))
    return tuple(image for start in sorted(found) for image in found[start])


def read_pair(files: FilePair) -> Drawings:
    """Both annotations of a picture.

    Raises:
        RecordError: A file holds no annotation.
    """
    first, second = (parse_drawn_shapes(path.read_bytes(), where=str(path)) for path in files)
    return first, second


def _files(workspace: Workspace, annotator: str) -> dict[str, Path]:
    files = workspace.annotation_files(annotator)
    if not files:
        raise WorkspaceError(workspace.root, f"holds no annotation by {annotator!r}")
    return files


def _portions(files: Sequence[FilePair]) -> Iterator[tuple[int, list[FilePair]]]:
    """A worker's portions, each with the place of its first picture."""
    rest = iter(files)
    for start in range(0, len(files), _AT_ONCE):
        yield start, list(islice(rest, _AT_ONCE))


def _compared(
    portion: tuple[int, list[FilePair]],
    *,
    method: Method,
    policy: AgreementPolicy,
    boundary_fraction: float | None,
) -> tuple[int, list[ImageComparison]]:
    start, files = portion
    images = compare_shapes(
        map(read_pair, files), method=method, policy=policy, boundary_fraction=boundary_fraction
    )
    return start, list(images)
