"""A release as one COCO document with its pictures."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from export.harnesses.coco_entries import categories_of, fields_by_instance, image_entry
from export.harnesses.ordered import picture_count, rows_in_order
from mira.errors import ReleaseError
from mira.release.drawings import ReleasedDrawing, drawing_of_row
from mira.release.loading import damaged_picture
from mira.release.reader import Row, read_info, read_scenes
from mira.render.header import read_header
from mira.report.document import render_document
from mira.store.atomic import os_faults, replace_folder
from mira.store.coco import CocoWriter
from mira.store.exported_folder import require_unchanged, write_sums
from mira.store.names import require_name
from mira.store.subjects import label_of

DOCUMENT_NAME, README_NAME = "annotations.json", "README.md"
_PICTURES, _DEPTH = "images", "depth"
_README = Path(__file__).with_name("coco_readme.md.j2")
_ENDINGS = (".jpg", ".jpeg", ".png")
Progress = Callable[[int, int], None]
"""Takes pictures done and pictures in all."""


class CocoSummary(NamedTuple):
    """What was written."""

    out: str
    """The folder."""
    pictures: int
    with_depth: int
    """Pictures with a depth file."""
    links: int
    """Reflections that name what they show."""
    by_category: dict[str, int]
    """Annotations a category, in the order of their ids."""
    by_split: dict[str, int]
    """Pictures a split."""
    by_licence: dict[str, int]
    """Pictures a licence; those that have none on record are left out."""


def write_coco(
    release: Path,
    out: Path,
    *,
    split: str | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> CocoSummary:
    """Write pictures, outlines and links of a release in place of `out`, in one step.

    The same release gives the same bytes, and each of its splits the same ids of categories.

    Args:
        release: The folder.
        out: A folder that is new, empty, or an earlier one that nobody has changed since.
        split: Only this split; all by default.
        limit: The first so many pictures alone, by scene and picture.
        progress: Called with pictures done and in all.

    Raises:
        ReleaseError: The folder is no release or is damaged, has no such split, or a picture's
            name can be none of a file.
        MiraError: `out` holds something else, or cannot be written.
    """
    info = read_info(release)
    total = picture_count(release, split)
    total = total if limit is None else min(limit, total)
    require_unchanged(out)
    with replace_folder(out) as root, os_faults(out):
        folder = _CocoFolder(root)
        about = {"description": info.name, "release_digest": info.digest}
        categories = categories_of(read_scenes(release, columns=["instances"]))
        with CocoWriter(root / DOCUMENT_NAME, info=about, categories=categories) as writer:
            rows = islice(rows_in_order(release, "scenes", split=split), total)
            for done, row in enumerate(rows, start=1):
                folder.take(row, writer)
                if progress is not None:
                    progress(done, total)
        summary = folder.summary(out, categories)
        readme = render_document(_README, info=info, split=split, summary=summary)
        folder.finish(readme)
    return summary


class _CocoFolder:
    """The folder on its way."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._digests: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._by_category: Counter[str] = Counter()
        self._by_split: Counter[str] = Counter()
        self._by_licence: Counter[str] = Counter()
        for name in (_PICTURES, _DEPTH):
            (root / name).mkdir()

    def take(self, row: Row, writer: CocoWriter) -> None:
        """Write the files of a picture, and its entries.

        Raises:
            ReleaseError: The row is damaged, or its name can be none of a file.
        """
        try:
            drawing = drawing_of_row(row)
            image = self._put_pictures(row)
            licence = row["licence"]
            more = fields_by_instance(drawing)
        except (KeyError, TypeError, AttributeError) as error:
            raise damaged_picture(row, error) from None
        writer.write_image(image, [drawing], licence=licence, more=more)
        self._count(row, drawing)

    def summary(self, out: Path, categories: Iterable[str]) -> CocoSummary:
        """What was written."""
        return CocoSummary(
            out=str(out),
            pictures=self._counts["pictures"],
            with_depth=self._counts["with_depth"],
            links=self._counts["links"],
            by_category={name: self._by_category[name] for name in categories},
            by_split=dict(self._by_split),
            by_licence=dict(sorted(self._by_licence.items())),
        )

    def finish(self, readme: str) -> None:
        """Write what tells people, and the next run, what is here."""
        self._put(README_NAME, readme.encode())
        with (self._root / DOCUMENT_NAME).open("rb") as stream:
            self._digests[DOCUMENT_NAME] = hashlib.file_digest(stream, "sha256").hexdigest()
        write_sums(self._root, self._digests)

    def _put_pictures(self, row: Row) -> dict[str, object]:
        name = require_name(str(row["image_id"]), error=ReleaseError)
        file_name = f"{_PICTURES}/{name}{_ending(row)}"
        self._put(file_name, row["image"]["bytes"])
        depth_file_name = None
        if row["depth"] is not None:
            depth_file_name = f"{_DEPTH}/{name}.png"
            self._put(depth_file_name, row["depth"]["bytes"])
        return image_entry(row, file_name=file_name, depth_file_name=depth_file_name)

    def _put(self, name: str, data: bytes) -> None:
        self._digests[name] = hashlib.sha256(data).hexdigest()
        # A picture that is there twice ends here rather than in the other's file.
        with (self._root / name).open("xb") as stream:
            stream.write(data)

    def _count(self, row: Row, drawing: ReleasedDrawing) -> None:
        self._counts["pictures"] += 1
        self._counts["with_depth"] += row["depth"] is not None
        self._counts["links"] += sum(link.reflection_of_id is not None for link in drawing.links)
        self._by_split[row["split"]] += 1
        if row["licence"] is not None:
            self._by_licence[row["licence"]] += 1
        self._by_category["surface"] += len(drawing.surfaces)
        self._by_category.update(
            label_of(instance.category, instance.visibility) for instance in drawing.instances
        )


def _ending(row: Row) -> str:
    """How the name of the colour file ends."""
    data, path = row["image"]["bytes"], row["image"]["path"]
    ending = PurePosixPath(path or "").suffix.lower()
    return ending if ending in _ENDINGS else f".{read_header(data, where=row['image_id']).format}"
