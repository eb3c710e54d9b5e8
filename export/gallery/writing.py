"""The folder of a gallery: a page, and for each picture its files and its questions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
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
from mira.store.atomic import os_faults, replace_folder
from mira.store.names import require_name

PAGE_NAME = "index.html"
_ENDINGS = {"pictures": ".jpg", "tiles": ".jpg", "depth": ".jpg", "data": ".js"}
"""Folders of a gallery, and what all names in them end in."""
_MARK = b'<meta name="generator" content="MIRA gallery">'
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
    _require_replaceable(out)
    total = sum(part.rows for part in config_info(info, "scenes", release).splits)
    total = total if limit is None else min(limit, total)
    names = [row["image_id"] for row in islice(read_scenes(release, columns=["image_id"]), total)]
    asked = _questions_of(release, {_checked(name) for name in names})
    tiles: list[dict[str, Any]] = []
    with replace_folder(out) as root, os_faults(out):
        for folder in _ENDINGS:
            (root / folder).mkdir()
        for row in islice(read_scenes(release), total):
            try:
                tiles.append(_write_picture(row, asked.get(row["image_id"], []), root))
            except (KeyError, TypeError, AttributeError) as error:
                problem = f"the picture {row.get('image_id')} misses something: {error}"
                raise ReleaseError(release, problem, "see: mira export verify") from None
            if progress is not None:
                progress(len(tiles), total)
        page = gallery_page(info, release.absolute().name, tiles, RenderStyle())
        (root / PAGE_NAME).write_text(page, "utf-8", newline="\n")
    return out / PAGE_NAME


def _write_picture(row: Row, rows: list[Row], root: Path) -> dict[str, Any]:
    """Write the files of a picture; gives its tile."""
    name = row["image_id"]
    depth = _write_files(row, root)
    questions = question_records(rows)
    record = in_script(picture_record(row, questions, depth))
    (root / "data" / f"{name}.js").write_bytes(b"gallery.add(" + record + b");\n")
    return tile_of(row, questions)


def _checked(name: Any) -> str:
    """A name that files can have: a release of others may hold any."""
    return require_name(str(name), error=ReleaseError)


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


def _questions_of(release: Path, image_ids: set[str]) -> dict[str, list[Row]]:
    """Questions about pictures, but for what the page does not show: all of them are held."""
    found: dict[str, list[Row]] = {}
    for row in read_questions(release):
        if row["image_id"] in image_ids:
            kept = {k: v for k, v in row.items() if k not in ("derivation", "scene_id", "split")}
            found.setdefault(row["image_id"], []).append(kept)
    return found


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


def _require_replaceable(out: Path) -> None:
    """A folder that is new, empty, or a gallery and nothing else."""
    if not out.exists():
        return
    if not out.is_dir():
        raise MiraError(out, "expected a folder, found a file")
    entries = sorted(out.iterdir())
    if not entries:
        return
    page = out / PAGE_NAME
    if not (page.is_file() and _MARK in page.read_bytes()):
        raise MiraError(out, "holds something that is no gallery", "choose a new folder")
    foreign = [path.name for path in entries if path.name not in (PAGE_NAME, *_ENDINGS)]
    foreign += [
        path.relative_to(out).as_posix()
        for folder, ending in _ENDINGS.items()
        for path in sorted((out / folder).glob("*"))
        if path.suffix != ending or not path.is_file()
    ]
    if foreign:
        problem = f"holds more than a gallery, which would be lost: {', '.join(foreign[:5])}"
        raise MiraError(out, problem, "choose a new folder, or move them out")
