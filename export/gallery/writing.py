"""The folder of a gallery: a page, and for each picture its files and its questions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import orjson

from export.gallery.page import gallery_page
from export.gallery.records import picture_record, question_records, tile_of
from mira.errors import MiraError, ReleaseError
from mira.release.loading import pictures_of_row
from mira.release.reader import Row, config_info, read_info, read_questions, read_scenes
from mira.render.depth import DepthScale, render_depth
from mira.render.jpeg import encode_jpeg
from mira.render.sizing import at_most
from mira.render.style import RenderStyle
from mira.report.page import json_for_script
from mira.store.atomic import os_faults, replace_folder
from mira.store.names import require_name
from mira.store.replacing import require_replaceable

PAGE_NAME = "index.html"
_ENDINGS = {"pictures": ".jpg", "tiles": ".jpg", "depth": ".jpg", "data": ".js"}
"""Folders of a gallery, and what all names in them end in."""
_MARK_NAME = "gallery.json"
_OWN_ENTRIES = frozenset({PAGE_NAME, _MARK_NAME, *_ENDINGS})
_LONG_PX, _TILE_PX = 1280, 360
_QUALITY = 85
Progress = Callable[[int, int], None]
"""Takes pictures done and pictures in all."""


def write_gallery(
    release: Path, out: Path, *, limit: int | None = None, progress: Progress | None = None
) -> Path:
    """Write a gallery of a release in one step; the same release gives the same bytes.

    Args:
        release: The folder.
        out: A folder that is new, empty, or an earlier gallery, which is replaced.
        limit: The first so many pictures alone.
        progress: Called with pictures done and in all.

    Returns:
        The page.

    Raises:
        ReleaseError: The folder is no release, a table is damaged, or a picture's name can be none
            of a file.
        MiraError: `out` holds something else, or cannot be written.
    """
    info = read_info(release)
    require_replaceable(out, mark=_MARK_NAME, own=_OWN_ENTRIES)
    _require_own_files(out)
    total = sum(part.rows for part in config_info(info, "scenes", release).splits)
    total = total if limit is None else min(limit, total)
    names = [row["image_id"] for row in islice(read_scenes(release, columns=["image_id"]), total)]
    tiles: list[dict[str, Any]] = []
    with replace_folder(out) as root, os_faults(out):
        for folder in _ENDINGS:
            (root / folder).mkdir()
        _spool_questions(release, {_checked(name) for name in names}, root / "data")
        for row in islice(read_scenes(release), total):
            try:
                tiles.append(_write_picture(row, root))
            except (KeyError, TypeError, AttributeError) as error:
                problem = f"the picture {row.get('image_id')} misses something: {error}"
                raise ReleaseError(release, problem, "see: mira export verify") from None
            if progress is not None:
                progress(len(tiles), total)
        page = gallery_page(info, release.absolute().name, tiles, RenderStyle())
        (root / PAGE_NAME).write_text(page, "utf-8", newline="\n")
        shown = {"release_digest": info.digest, "pictures": len(tiles)}
        (root / _MARK_NAME).write_bytes(orjson.dumps(shown, option=orjson.OPT_APPEND_NEWLINE))
    return out / PAGE_NAME


def _spool_questions(release: Path, image_ids: set[str], folder: Path) -> None:
    """Questions by picture, a line each: those of all pictures would fill memory."""
    for image_id, rows in groupby(read_questions(release), key=lambda row: row["image_id"]):
        if image_id in image_ids:
            with (folder / f"{image_id}.jsonl").open("ab") as stream:
                stream.writelines(
                    orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows
                )


def _write_picture(row: Row, root: Path) -> dict[str, Any]:
    """Write the files of a picture; gives its tile."""
    name = row["image_id"]
    depth = _write_files(row, root)
    spooled = root / "data" / f"{name}.jsonl"
    lines = spooled.read_bytes().splitlines() if spooled.exists() else []
    spooled.unlink(missing_ok=True)
    questions = question_records(map(orjson.loads, lines))
    record = json_for_script(orjson.dumps(picture_record(row, questions, depth)).decode())
    (root / "data" / f"{name}.js").write_text(f"gallery.add({record});\n", "utf-8", newline="\n")
    return tile_of(row, questions)


def _checked(name: Any) -> str:
    """A name that files can have: a release of others may hold any."""
    return require_name(str(name), error=ReleaseError)


def _write_files(row: Row, root: Path) -> DepthScale | None:
    pictures = pictures_of_row(row)
    name = row["image_id"]
    color = at_most(pictures.color_rgb, _LONG_PX)
    (root / "pictures" / f"{name}.jpg").write_bytes(encode_jpeg(color, quality=_QUALITY))
    tile = at_most(color, _TILE_PX)
    (root / "tiles" / f"{name}.jpg").write_bytes(encode_jpeg(tile, quality=_QUALITY))
    if pictures.depth is None:
        return None
    depth = render_depth(pictures.depth, unit_m=pictures.metric_unit_m, style=RenderStyle())
    shown = at_most(depth.image_rgb, _LONG_PX)
    (root / "depth" / f"{name}.jpg").write_bytes(encode_jpeg(shown, quality=_QUALITY))
    return depth.scale


def _require_own_files(out: Path) -> None:
    """Raise where somebody put files of their own between those of a gallery."""
    foreign = [
        path.relative_to(out).as_posix()
        for folder, ending in _ENDINGS.items()
        for path in sorted((out / folder).glob("*"))
        if path.suffix != ending or not path.is_file()
    ]
    if foreign:
        raise MiraError(out, f"holds {foreign[0]!r}, which would be lost", "choose a new folder")
