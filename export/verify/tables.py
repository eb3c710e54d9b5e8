"""Tables of a release through `datasets`, with every picture decoded."""

from __future__ import annotations

import io
import struct
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from export.verify.findings import finding
from mira.errors import MiraError, MissingExtraError, ReleaseError
from mira.release.columns import CONFIGS, LATER_COLUMNS, features
from mira.release.loadable import load_fault
from mira.schema.export import ConfigInfo, ReleaseInfo
from mira.schema.finding import Finding

_FILES = ("image", "depth", "mask")
"""Picture files of a row."""
_WITH_FILES = {
    "scenes": "image_id",
    "raw_depth": "image_id",
    "flat": "question_id",
    "mirror_steps": "episode_id",
    "mosaic_steps": "episode_id",
}
"""Tables whose files are decoded, and what a row is named after."""
_REQUIRED = {"scenes": "image", "flat": "image", "raw_depth": "depth"}
"""Files that no row is without."""
_NEED = {
    "qa": "scenes",
    "scenes": "qa",
    "qa_preview": "qa",
    "raw_depth": "scenes",
    "mirror_steps": "episodes",
    "mosaic_steps": "episodes",
}
"""Tables that make no sense without another."""


def check_tables(
    release: Path, info: ReleaseInfo, *, progress: Callable[[int, int], None] | None
) -> Iterator[Finding]:
    """What users of `datasets` would stumble over.

    Raises:
        MiraError: The folder for temporary files is full or cannot be written.
    """
    names = {config.name for config in info.configs}
    for name in sorted({_NEED[name] for name in names if name in _NEED} - names):
        yield finding("config-missing", release, name, "the release has no such table")
    for config in info.configs:
        with _scratch_folder() as scratch, _offline():
            try:
                tables = _load(release, config.name, scratch)
            except ReleaseError as error:
                yield finding("load-failed", release, config.name, error.problem)
                continue
            yield from _check_shape(release, config, tables)
            if config.name in _WITH_FILES:
                yield from _check_pictures(release, config.name, tables, progress)


@contextmanager
def _scratch_folder() -> Iterator[Path]:
    try:
        folder = tempfile.TemporaryDirectory(prefix="mira-verify-", ignore_cleanup_errors=True)
    except OSError as error:
        raise MiraError(
            tempfile.tempdir or "TMPDIR", f"no temporary folder can be made: {error}"
        ) from None
    with folder as name:
        yield Path(name)


@contextmanager
def _offline() -> Iterator[None]:
    """No network and no progress bars in `datasets`, whatever the settings outside."""
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("datasets", "export") from None
    from huggingface_hub import constants

    flags = (
        (datasets.config, "HF_HUB_OFFLINE"),
        (datasets.config, "HF_DATASETS_OFFLINE"),
        (constants, "HF_HUB_OFFLINE"),
    )
    before = [getattr(module, name) for module, name in flags]
    bars = datasets.utils.logging.is_progress_bar_enabled()
    for module, name in flags:
        setattr(module, name, True)
    datasets.utils.logging.disable_progress_bar()
    try:
        yield
    finally:
        for (module, name), value in zip(flags, before, strict=True):
            setattr(module, name, value)
        if bars:
            datasets.utils.logging.enable_progress_bar()


def _load(release: Path, config: str, scratch: Path) -> Any:
    """All splits of a table; whatever `datasets` raises, users would meet it."""
    import datasets

    try:
        return datasets.load_dataset(str(release.absolute()), config, cache_dir=str(scratch))
    except Exception as error:
        fault = load_fault(
            error, release=release, config=config, scratch=scratch.parent, setting="TMPDIR"
        )
        raise fault from None


def _check_shape(release: Path, config: ConfigInfo, tables: Any) -> Iterator[Finding]:
    expected = features(config.name) if config.name in CONFIGS else None
    for part in config.splits:
        where = f"{config.name}/{part.split}"
        found = len(tables[part.split]) if part.split in tables else 0
        if part.split not in tables or found != part.rows:
            yield finding("row-count", release, where, f"expected {part.rows} rows, found {found}")
        elif expected is not None and tables[part.split].features != expected:
            columns = tables[part.split].features
            later = LATER_COLUMNS.get(config.name, frozenset()) - columns.keys()
            odd = [k for k in expected if k not in later and columns.get(k) != expected[k]]
            odd += [key for key in columns if key not in expected]
            if not odd:
                continue
            yield finding("columns", release, where, f"other columns or types than expected: {odd}")


def _check_pictures(
    release: Path, config: str, tables: Any, progress: Callable[[int, int], None] | None
) -> Iterator[Finding]:
    total = sum(len(table) for table in tables.values())
    done = 0
    for table in tables.values():
        raw = _raw_pictures(table)
        for k in range(len(raw)):
            yield from _check_row(release, config, raw[k])
            done += 1
            if progress:
                progress(done, total)


def _raw_pictures(table: Any) -> Any:
    """Sizes and picture files, undecoded: decoding would apply an EXIF orientation unseen."""
    import datasets

    wanted = (*_WITH_FILES.values(), "width_px", "height_px", *_FILES)
    table = table.select_columns(
        [name for name in dict.fromkeys(wanted) if name in table.column_names]
    )
    for column in _FILES:
        if column in table.column_names:
            table = table.cast_column(column, datasets.Image(decode=False))
    return table


def _check_row(release: Path, config: str, row: dict[str, Any]) -> Iterator[Finding]:
    for column in _FILES:
        where = f"{row.get(_WITH_FILES[config])}.{column}"
        picture = row.get(column)
        if picture is None and _REQUIRED.get(config) != column:
            continue
        if not picture or picture["bytes"] is None:
            yield finding("picture-missing", release, where, "expected a picture file, found none")
            continue
        yield from _check_picture(release, where, column, picture["bytes"], row)


def _check_picture(
    release: Path, where: str, column: str, data: bytes, row: dict[str, Any]
) -> Iterator[Finding]:
    from PIL import ExifTags, Image

    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.load()
            size, mode = picture.size, picture.mode
            orientation = picture.getexif().get(ExifTags.Base.Orientation, 1)
    except (OSError, ValueError, SyntaxError, struct.error, Image.DecompressionBombError) as error:
        yield finding("picture-undecodable", release, where, str(error))
        return
    expected = (row.get("width_px"), row.get("height_px"))
    if "width_px" in row and size != expected:
        yield finding(
            "picture-size",
            release,
            where,
            f"expected {expected[0]} x {expected[1]}, found {size[0]} x {size[1]}",
        )
    if orientation != 1:
        yield finding(
            "picture-orientation",
            release,
            where,
            f"`datasets` would turn it by its EXIF orientation {orientation}, away from its boxes",
        )
    if column == "depth" and "width_px" in row and not mode.startswith("I"):
        yield finding("depth-mode", release, where, f"expected 16-bit depth, found mode {mode}")
