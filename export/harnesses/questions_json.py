"""The published layout, `questions.json` beside its pictures, of a release."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from export.harnesses.ordered import picture_count, rows_in_order
from mira.errors import ReleaseError
from mira.published.one_picture import AskedPicture
from mira.published.pictures import ColorForm
from mira.published.writing import Progress, PublishedSummary, write_published
from mira.release.items import items_of_rows
from mira.release.loading import source_of_row
from mira.render.style import RenderStyle


def write_questions_json(
    release: Path,
    out: Path,
    *,
    style: RenderStyle | None = None,
    color_form: ColorForm = "jpeg",
    split: str | None = None,
    limit: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> PublishedSummary:
    """Write the questions of a release and the pictures that they show, in place of `out`.

    The workspace that the release was built from gives the same bytes for the same items, unless
    the release holds its colour pictures as other files.

    Args:
        release: The folder.
        out: A folder that is new, empty, or an earlier one of this layout, which is replaced in
            one step.
        style: How pictures look; the default style where none is given.
        color_form: Kind of file of rendered colour pictures.
        split: Only this split; all by default.
        limit: The first so many pictures alone, by scene and picture.
        workers: Processes.
        progress: Called with pictures done and in all.

    Raises:
        ReleaseError: The folder is no release or is damaged, or has no such split.
        MiraError: `out` holds something else, or cannot be written.
    """
    return write_published(
        _asked_pictures(release, split),
        out,
        style=style or RenderStyle(),
        color_form=color_form,
        limit=limit,
        workers=workers,
        total=picture_count(release, split),
        progress=progress,
    )


def _asked_pictures(release: Path, split: str | None) -> Iterator[AskedPicture]:
    """Pictures with their questions: both tables have one order, so neither is held."""
    questions = groupby(rows_in_order(release, "qa", split=split), key=lambda row: row["image_id"])
    following = next(questions, None)
    for row in rows_in_order(release, "scenes", split=split):
        if following is None or following[0] != row["image_id"]:
            continue
        image_id, group = following
        yield AskedPicture(image_id, tuple(items_of_rows(group)), partial(source_of_row, row))
        following = next(questions, None)
    if following is not None:
        problem = f"questions about {following[0]!r} are not in the order of the pictures"
        raise ReleaseError(release, problem, "see: mira export verify")
