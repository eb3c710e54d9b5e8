"""The files that a person hands in: which image each is of, and which cannot be taken."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from annotate.audit.manifest import MANIFEST_NAME, PackageManifest
from annotate.audit.packaging import picture_name
from annotate.collisions import Part, find_collisions
from annotate.file_reader import FileReader
from annotate.findings import FindingLog, text_of
from annotate.folders import FolderWalk
from annotate.locating import Source, find_annotations
from annotate.policy import AnnotationPolicy, LinksMode
from annotate.scenes.opening import SceneOpener
from mira.errors import MiraError
from mira.schema.annotation import ImageAnnotation
from mira.schema.finding import Finding
from mira.schema.record import Record
from mira.store.atomic import os_faults
from mira.store.workspace import Workspace

RefusalKind = Literal["unusable", "not_of_package", "twice", "copied", "missing"]
"""Faults in a file; a picture that is not asked for; two files for one; shapes of somebody else;
no file."""


class Refusal(Record):
    """Why a file, or an image without one, keeps a submission from being whole."""

    kind: RefusalKind
    """What is wrong."""
    where: str
    """The file, or the image."""
    message: str
    """What was expected and what was found."""

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


class Folder(NamedTuple):
    """What a folder holds."""

    drawn: dict[str, ImageAnnotation]
    """What usable files say, by image; they name no annotator yet."""
    refusals: tuple[Refusal, ...]
    """The others, each with the reason."""


@contextmanager
def borrowed_pictures(workspace: Workspace, image_ids: Collection[str]) -> Iterator[Path]:
    """A folder with copies of pictures of the workspace under the names packages give them.

    Args:
        workspace: Has the pictures.
        image_ids: Which.

    Yields:
        The folder, which goes when the block ends.
    """
    with tempfile.TemporaryDirectory(prefix="mira-audit-") as name:
        folder = Path(name)
        with os_faults(folder):
            for view in workspace.views():
                if view.image_id in image_ids:
                    path = folder / picture_name(view)
                    path.write_bytes(workspace.read_picture(view, view.color))
        yield folder


def find_files(folder: Path) -> tuple[Path, ...]:
    """The annotation files of a folder, or the one that a path is.

    Raises:
        MiraError: There is no such path.
    """
    manifest = folder / MANIFEST_NAME
    return tuple(path for path in find_annotations(folder).files if path != manifest)


def require_package(folder: Path, *, batch_id: str, state: str) -> None:
    """Refuse a folder whose manifest is that of another batch or state; one without is welcome.

    Raises:
        MiraError: It is.
    """
    path = folder / MANIFEST_NAME
    if not path.is_file():
        return
    with os_faults(path):
        manifest = PackageManifest.from_json(path.read_bytes(), where=path)
    if (manifest.batch_id, manifest.state) != (batch_id, state):
        found = f"found that of {manifest.batch_id} while {manifest.state}"
        raise MiraError(path, f"expected the package of {batch_id} while {state}, {found}")


def read_files(
    paths: tuple[Path, ...],
    *,
    root: Path,
    pictures: Path,
    wanted: Collection[str],
    links: LinksMode,
) -> Folder:
    """Files as annotations of the images that are asked for.

    Args:
        paths: The files.
        root: The folder they were found in.
        pictures: Folder of the pictures that are asked for.
        wanted: Ids of those.
        links: How links are written.
    """
    policy = AnnotationPolicy()
    source = Source(root, list(paths), FolderWalk((), ()), None)
    scenes = SceneOpener(pictures, camera=None, policy=policy).open(source)
    reader = FileReader(
        scenes, annotator="any", links=links, strict=False, policy=policy, need_picture=True
    )
    doubles = find_collisions(paths, scenes, one_file_a_picture=True)
    drawn: dict[str, ImageAnnotation] = {}
    refusals: list[Refusal] = []
    for path in paths:
        log = FindingLog(path)
        readings = list(reader.read(path, root=root, log=log))
        whole_file = _errors_of(log)
        for reading in readings:
            errors = whole_file if reading.log is log else (*whole_file, *_errors_of(reading.log))
            annotation, double = reading.annotation, doubles.get(Part(path, reading.place))
            if _is_of_other(annotation, errors, wanted):
                message = "expected a picture that is asked for, found another"
                refusals.append(
                    Refusal(kind="not_of_package", where=text_of(path), message=message)
                )
            elif double is not None:
                refusals.append(Refusal(kind="twice", where=text_of(path), message=double.message))
            elif annotation is None or errors:
                for error in errors:
                    where = f"{text_of(path)}: {error.where}" if error.where else text_of(path)
                    refusals.append(Refusal(kind="unusable", where=where, message=error.message))
            else:
                drawn[annotation.image_id] = _by_its_name(annotation)
    return Folder(drawn, tuple(refusals))


def put_drawings(
    workspace: Workspace, drawn: Mapping[str, ImageAnnotation], *, names: Mapping[str, str]
) -> dict[str, ImageAnnotation]:
    """Put drawings into the workspace, whose pictures stay as they are.

    Args:
        workspace: Locked while it is written.
        drawn: Annotations, by image.
        names: Under which name each is kept.

    Returns:
        What the workspace now holds of each.
    """
    with workspace.lock():
        return {
            image_id: workspace.put_annotation(
                annotation.model_copy(update={"annotator": names[image_id]})
            )
            for image_id, annotation in sorted(drawn.items())
        }


def _errors_of(log: FindingLog) -> tuple[Finding, ...]:
    return tuple(finding for finding in log.findings if finding.severity == "error")


def _is_of_other(
    annotation: ImageAnnotation | None, errors: Collection[Finding], wanted: Collection[str]
) -> bool:
    if annotation is not None:
        return annotation.image_id not in wanted
    return any(error.code == "picture-missing" for error in errors)


def _by_its_name(annotation: ImageAnnotation) -> ImageAnnotation:
    """The annotation as one of a file that lies in no folder, wherever it was handed in from."""
    file = annotation.source.file
    file = file.model_copy(update={"path": PurePosixPath(file.path).name})
    source = annotation.source.model_copy(update={"file": file})
    return annotation.model_copy(update={"source": source})
