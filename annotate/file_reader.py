"""Annotation files from disk with their pictures: all that check and import have in common."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from annotate.contents import documents_in
from annotate.findings import FindingLog, Refused, UnusableFileError, brief, text_of
from annotate.gaps import note_gaps
from annotate.names import id_of
from annotate.plausibility.checking import note_doubts
from annotate.policy import AnnotationPolicy, LinksMode
from annotate.reading.annotation import Subject, read_annotation
from annotate.reading.document import Document, PictureDocument, read_bytes
from annotate.scenes.pictures import Picture
from annotate.scenes.scene_reader import FoundPicture, SceneReader
from mira.schema.annotation import ImageAnnotation
from mira.schema.record import FileRef

Size = tuple[int, int]


class FileReading(NamedTuple):
    """What an annotation file gave for one of its pictures."""

    place: int
    """Position among the pictures of the file, from 0 on."""
    annotation: ImageAnnotation | None
    """Absent where it is unusable."""
    picture: Picture | None
    """Absent where it was not found or cannot be read."""
    log: FindingLog
    """What was found in it; the file's own log where the file is of one picture."""


class FileReader:
    """Reads annotation files of one run."""

    def __init__(
        self,
        scenes: SceneReader,
        *,
        annotator: str,
        links: LinksMode,
        strict: bool,
        policy: AnnotationPolicy,
        need_picture: bool,
    ) -> None:
        """Start a run.

        Args:
            scenes: Finds and reads the pictures.
            annotator: Who drew.
            links: How links are written.
            strict: Whether any error makes a file unusable.
            policy: Thresholds.
            need_picture: Whether a file without its picture is unusable.
        """
        self._scenes = scenes
        self._annotator = annotator
        self._links = links
        self._strict = strict
        self._policy = policy
        self._need_picture = need_picture
        self._last: Picture | None = None

    def read(self, path: Path, *, root: Path, log: FindingLog) -> Iterator[FileReading]:
        """The pictures of one file, one by one; a file that is unusable as a whole gives one.

        Args:
            path: The file.
            root: Folder that the run was given, or the file's.
            log: Takes the findings that are of no single picture.
        """
        try:
            raw = read_bytes(path)
            documents = documents_in(raw, path, log)
        except UnusableFileError as error:
            log.unusable(error)
            yield FileReading(0, None, None, log)
            return
        file = FileRef(
            path=_reference(path.relative_to(root)),
            sha256=hashlib.sha256(raw).hexdigest(),
            size_bytes=len(raw),
        )
        for place, document in enumerate(documents):
            annotation, picture = self._read(document, file)
            if self._strict and (log.has_errors or document.log.has_errors):
                annotation = None
            yield FileReading(place, annotation, picture, document.log)

    def _read(
        self, read: PictureDocument, file: FileRef
    ) -> tuple[ImageAnnotation | None, Picture | None]:
        picture: Picture | None = None
        try:
            picture = self._picture(read.path, read.document, read.log)
            return self._annotation(read, picture, file), picture
        except UnusableFileError as error:
            read.log.unusable(error)
        except Refused as refused:
            read.log.refuse(refused)
        return None, picture

    def _annotation(
        self, read: PictureDocument, picture: Picture | None, file: FileRef
    ) -> ImageAnnotation:
        document, log = read.document, read.log
        name = picture.name if picture else self._scenes.name_of(read.path, _image_path(document))
        if not id_of(name):
            message = f"expected a name with a letter or digit, found {name!r}"
            raise Refused("image-name-invalid", "imagePath", message)
        subject = Subject(
            image_id=id_of(name),
            annotator=self._annotator,
            size_px=_size(document, picture, self._policy.picture_limit_px, log),
            file=file,
        )
        annotation = read_annotation(
            document, subject, log=log, policy=self._policy, links=self._links
        )
        note_gaps(annotation, log)
        note_doubts(annotation, log, policy=self._policy.plausibility)
        return annotation

    def _picture(self, path: Path, document: Document, log: FindingLog) -> Picture | None:
        image_path = _image_path(document)
        if image_path is not None and not isinstance(image_path, str):
            message = f"expected text, found {brief(image_path)}"
            log.warning("image-path-invalid", "imagePath", message)
        found = self._scenes.find(path, image_path)
        if found is None:
            message = f"expected the picture {brief(image_path or path.stem)}, found none"
            if self._scenes.looks_beside_alone:
                message += " (look elsewhere with --scenes DIR)"
            if self._need_picture:
                raise Refused("picture-missing", "imagePath", message)
            log.warning("picture-missing", "imagePath", message)
            return None
        if found.guessed:
            wanted = self._scenes.name_of(path, image_path)
            message = f"expected a picture named {wanted!r}, found none; {found.path.name} is taken"
            log.warning("picture-guessed", "imagePath", message)
        return self._read_picture(found, log)

    def _read_picture(self, found: FoundPicture, log: FindingLog) -> Picture:
        if self._last is None or self._last.path != found.path:
            self._last = self._scenes.read(found)
        picture = self._last
        if picture.header.orientation != 1:
            message = (
                f"{found.path.name} has EXIF orientation {picture.header.orientation}: check that "
                "the shapes fit its pixels as stored, not the picture as viewers turn it"
            )
            log.warning("picture-orientation", "imagePath", message)
        return picture


def _reference(path: Path) -> str:
    """A path as a record can hold it: what is no name on every system becomes `_`."""
    return text_of(path.as_posix()).translate({ord(":"): "_", ord("\\"): "_"})


def _image_path(document: Document) -> Any:
    return document.data.get("imagePath")


def _size(document: Document, picture: Picture | None, limit_px: int, log: FindingLog) -> Size:
    """Width and height of the picture that was drawn on.

    Raises:
        Refused: The annotation gives another size than the picture has, or there is neither.
    """
    width = _length(document.data, "imageWidth", log)
    height = _length(document.data, "imageHeight", log)
    if picture is None:
        if width is None or height is None:
            field = "imageWidth" if width is None else "imageHeight"
            message = "expected a size or a picture, found neither"
            raise Refused("image-size-unknown", field, message)
        if width * height > limit_px:
            message = f"expected at most {limit_px} pixels, found {width}x{height}"
            raise Refused("image-size-invalid", "imageWidth", message)
        return width, height
    stored = picture.header.size_px
    given = (width or stored[0], height or stored[1])
    if given != stored:
        raise _size_fault(given, picture)
    return stored


def _length(data: dict[str, Any], field: str, log: FindingLog) -> int | None:
    """A positive whole number of pixels; None where it is missing or -1, as some files have."""
    value = data.get(field)
    if value is None or value == -1 or value == 0:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31:
        return value
    message = f"expected a whole number of pixels, found {brief(value)}; the picture's is taken"
    log.warning("image-size-invalid", field, message)
    return None


def _size_fault(given: Size, picture: Picture) -> Refused:
    header = picture.header
    field = "imageWidth" if given[0] != header.width_px else "imageHeight"
    sizes = (
        f"expected {header.width_px}x{header.height_px} as {picture.path.name} is stored, "
        f"found {given[0]}x{given[1]}"
    )
    if given != (header.height_px, header.width_px):
        return Refused("image-size-mismatch", field, sizes)
    if header.turned:
        reason = f"the picture was drawn on turned by its EXIF orientation {header.orientation}"
        fix = "save it upright without EXIF orientation and import that picture"
        return Refused("image-size-turned", field, f"{sizes}: {reason}; {fix}")
    return Refused("image-size-turned", field, f"{sizes}: width and height are swapped")
