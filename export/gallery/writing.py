"""The folder of a gallery: a page, and for each picture its files and its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson

from export.gallery.page import gallery_page
from export.gallery.records import picture_record, question_records, tile_of
from mira.errors import MiraError
from mira.release.loading import pictures_of_row
from mira.release.reader import Row, read_info, read_questions, read_scenes
from mira.render.depth import DepthScale, render_depth
from mira.render.jpeg import encode_jpeg
from mira.render.sizing import at_most
from mira.render.style import RenderStyle
from mira.store.atomic import os_faults, replace_folder

PAGE_NAME = "index.html"
_KNOWN = frozenset({PAGE_NAME, "pictures", "data"})
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
        ReleaseError: The folder is no release, or a table is damaged.
        MiraError: `out` holds something else, or cannot be written.
    """
    info = read_info(release)
    _require_replaceable(out)
    asked = _questions_by_picture(release)
    total = sum(
        part.rows for config in info.configs if config.name == "scenes" for part in config.splits
    )
    total = total if limit is None else min(limit, total)
    tiles: list[dict[str, Any]] = []
    with replace_folder(out) as root, os_faults(out):
        (root / "pictures").mkdir()
        (root / "data").mkdir()
        for row in read_scenes(release):
            if len(tiles) == total:
                break
            depth = _write_pictures(row, root / "pictures")
            questions = question_records(asked.get(row["image_id"], []))
            tiles.append(tile_of(row, questions))
            record = picture_record(row, questions, depth)
            (root / "data" / f"{row['image_id']}.js").write_bytes(
                b"gallery.add(" + in_script(record) + b");\n"
            )
            if progress is not None:
                progress(len(tiles), total)
        page = gallery_page(info, release.absolute().name, tiles, RenderStyle())
        (root / PAGE_NAME).write_text(page, "utf-8", newline="\n")
    return out / PAGE_NAME


def in_script(value: Any) -> bytes:
    """A value as JavaScript that no text in it can end or break."""
    text = orjson.dumps(value)
    for sign, name in (
        (b"<", b"\\u003c"),
        (b"\xe2\x80\xa8", b"\\u2028"),
        (b"\xe2\x80\xa9", b"\\u2029"),
    ):
        text = text.replace(sign, name)
    return text


def _questions_by_picture(release: Path) -> dict[str, list[Row]]:
    rows = read_questions(release)
    found: dict[str, list[Row]] = {}
    for image_id, some in groupby(rows, key=lambda row: row["image_id"]):
        found.setdefault(image_id, []).extend(_slim(some))
    return found


def _slim(rows: Iterator[Row]) -> Iterator[Row]:
    """Rows without what the page does not show: all of them are held."""
    for row in rows:
        yield {name: value for name, value in row.items() if name not in ("derivation", "scene_id")}


def _write_pictures(row: Row, folder: Path) -> DepthScale | None:
    pictures = pictures_of_row(row)
    name = row["image_id"]
    color = at_most(pictures.color_rgb, _LONG_PX)
    (folder / f"{name}.jpg").write_bytes(encode_jpeg(color, quality=_QUALITY))
    tile = at_most(color, _TILE_PX)
    (folder / f"{name}_tile.jpg").write_bytes(encode_jpeg(tile, quality=_QUALITY))
    if pictures.depth is None:
        return None
    depth = render_depth(pictures.depth, unit_m=pictures.metric_unit_m, style=RenderStyle())
    shown = at_most(depth.image_rgb, _LONG_PX)
    (folder / f"{name}_depth.jpg").write_bytes(encode_jpeg(shown, quality=_QUALITY))
    return depth.scale


def _require_replaceable(out: Path) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise MiraError(out, "expected a folder, found a file")
    foreign = sorted({path.name for path in out.iterdir()} - _KNOWN)
    if foreign:
        problem = f"holds more than a gallery, which would be lost: {', '.join(foreign)}"
        raise MiraError(out, problem, "choose a new folder, or move them out")
