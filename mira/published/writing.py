"""Items and their pictures as a published folder."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from mira.errors import MiraError
from mira.processes.pool import results_of
from mira.published.one_picture import (
    AskedPicture,
    PictureWriter,
    WrittenPicture,
    entry_line,
    part_path,
)
from mira.published.pictures import ColorForm
from mira.published.records import QUESTIONS_NAME, PublishedQuestion
from mira.published.vocabulary import subcategory_of
from mira.render.depth import DepthScale
from mira.render.style import RenderStyle
from mira.report.document import render_document
from mira.schema.qa import QAItem
from mira.schema.record import RootRecord
from mira.store.atomic import replace_folder, write_file
from mira.store.replacing import require_replaceable

PICTURES_NAME = "pictures.json"
_PARTS_NAME = "parts"
README_NAME = "README.md"
_README = Path(__file__).with_name("readme.md.j2")
_OWN_ENTRIES = (QUESTIONS_NAME, PICTURES_NAME, README_NAME, "images", "bbox", "mask")
Progress = Callable[[int, int], None]
"""Takes pictures done and pictures in all, 0 while nobody knows."""


class PublishedPictures(RootRecord):
    """`pictures.json`: what the pictures beside a `questions.json` show."""

    style: RenderStyle
    """How they were rendered."""
    color_form: ColorForm
    """Kind of file of rendered colours."""
    depth: dict[str, DepthScale | None]
    """For each picture, what the colours of its depth mean; null without depth."""


class PublishedSummary(NamedTuple):
    """What was written."""

    out: str
    """The folder."""
    pictures: int
    """Pictures with a question."""
    items: int
    entries: int
    """Items times referring styles."""
    by_template: dict[str, int]
    """Items a template."""
    rejected: int
    """Items that review rejected; they were left out."""
    wordless: int
    """Items that no style can ask; they were left out."""


def write_published(
    asked: Iterable[AskedPicture],
    out: Path,
    *,
    style: RenderStyle,
    color_form: ColorForm = "jpeg",
    limit: int | None = None,
    workers: int = 1,
    total: int = 0,
    progress: Progress | None = None,
) -> PublishedSummary:
    """Write items and what they show in place of `out`, in one step; the same give the same bytes.

    Args:
        asked: Pictures with what is asked about them; each picture is there once.
        out: The folder; one that this wrote before is replaced.
        style: How pictures look.
        color_form: Kind of file of rendered colour pictures.
        limit: Use the first so many pictures only.
        workers: Processes.
        total: Pictures in all, for progress.
        progress: Called after each picture.

    Raises:
        MiraError: `out` holds anything else, there is no item, the items of a picture are apart,
            or a picture cannot be had.
    """
    require_replaceable(out, mark=PICTURES_NAME, own=_OWN_ENTRIES)
    left_out: Counter[str] = Counter()
    with replace_folder(out) as root:
        parts = root / _PARTS_NAME
        parts.mkdir()
        writer = PictureWriter(root, parts, style, color_form)
        turns = enumerate(islice(_wanted(asked, left_out), limit))
        written: list[WrittenPicture] = []
        for one in results_of(writer, turns, workers=workers):
            written.append(one)
            if progress is not None:
                progress(len(written), min(total, limit or total))
        if not written:
            raise MiraError(out, "expected items to write, found none", "see: mira qa generate")
        written.sort()
        _join_parts(root / QUESTIONS_NAME, [part_path(parts, one.number) for one in written])
        shutil.rmtree(parts)
        depth = {one.image_id: one.depth for one in written}
        record = PublishedPictures(style=style, color_form=color_form, depth=depth)
        (root / PICTURES_NAME).write_bytes(record.to_json())
        summary = _summary(out, written, left_out)
        _write_readme(root / README_NAME, summary)
    return summary


def write_questions(path: Path, questions: Iterable[PublishedQuestion]) -> None:
    """Write entries, such as a file of others holds, as one file, whole or not at all.

    Raises:
        MiraError: The disk is full or the folder cannot be written.
    """
    lines = [entry_line(question) for question in questions]
    write_file(path, b"[\n" + b",\n".join(lines) + b"\n]\n")


def _wanted(asked: Iterable[AskedPicture], left_out: Counter[str]) -> Iterator[AskedPicture]:
    """Pictures with the items that can go out; the others are counted."""
    seen: set[str] = set()
    for picture in asked:
        items = tuple(item for item in picture.items if _is_wanted(item, left_out))
        if not items:
            continue
        if picture.image_id in seen:
            problem = "expected its items one after the other, found them apart"
            raise MiraError(picture.image_id, problem)
        seen.add(picture.image_id)
        yield picture._replace(items=items)


def _is_wanted(item: QAItem, left_out: Counter[str]) -> bool:
    if item.review == "rejected":
        left_out["rejected"] += 1
    elif not item.wordings:
        left_out["wordless"] += 1
    else:
        return True
    return False


def _join_parts(path: Path, parts: list[Path]) -> None:
    with path.open("wb") as stream:
        for number, part in enumerate(parts):
            stream.write(b",\n" if number else b"[\n")
            stream.write(part.read_bytes())
        stream.write(b"\n]\n")


def _write_readme(path: Path, summary: PublishedSummary) -> None:
    names = {template_id: subcategory_of(template_id) for template_id in summary.by_template}
    text = render_document(_README, summary=summary, subcategories=names)
    path.write_text(text, "utf-8", newline="\n")


def _summary(out: Path, written: list[WrittenPicture], left_out: Counter[str]) -> PublishedSummary:
    by_template: Counter[str] = Counter()
    for one in written:
        by_template.update(one.by_template)
    return PublishedSummary(
        out=str(out),
        pictures=len(written),
        items=by_template.total(),
        entries=sum(one.entries for one in written),
        by_template=dict(sorted(by_template.items())),
        rejected=left_out["rejected"],
        wordless=left_out["wordless"],
    )
