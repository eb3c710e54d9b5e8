"""Does a release hold what it says, as a user of `datasets` would meet it?"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mira.errors import MissingExtraError, ReleaseError
from mira.release.columns import PICTURE_COLUMNS
from mira.release.digest import RowDigest, combined_digest
from mira.release.reader import Row, read_info, read_questions, read_rows, read_scenes
from mira.schema.export import ReleaseInfo
from mira.schema.finding import Finding, Severity
from mira.schema.record import FileRef
from mira.store.atomic import file_ref
from mira.taxonomy.catalogue import taxonomy

Progress = Callable[[str, int, int], None]
_MAX_EXAMPLES = 5
"""A kind of fault is shown so many times, then counted."""


def verify_release(release: Path, *, progress: Progress | None = None) -> tuple[Finding, ...]:
    """Check files, rows and meaning of a release.

    In turn: checksums; the card; every table through `datasets` in a fresh cache with every
    picture decoded; logical digests; questions against the pictures they are about; what is
    unsettled before publication.

    Args:
        release: The folder.
        progress: Called with table, rows done and rows in all.

    Returns:
        What is wrong (`error`) or open (`warning`), nothing for a perfect release.

    Raises:
        ReleaseError: The folder is no release.
    """
    info = read_info(release)
    damaged = list(_check_files(release, info))
    if damaged:
        return tuple(damaged)
    faults = _Faults()
    for config in info.configs:
        for finding in _check_load(release, info, config.name, progress):
            faults.add(finding)
    if not faults.findings:
        for finding in (*_check_digests(release, info), *_check_questions(release)):
            faults.add(finding)
        for finding in _check_open(release):
            faults.add(finding)
    return faults.all()


class _Faults:
    """Findings, of which each kind is kept a few times and counted beyond."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._counts: Counter[str] = Counter()

    def add(self, finding: Finding) -> None:
        self._counts[finding.code] += 1
        if self._counts[finding.code] <= _MAX_EXAMPLES:
            self.findings.append(finding)

    def all(self) -> tuple[Finding, ...]:
        more = [
            finding.model_copy(
                update={"where": "", "message": f"and {count - _MAX_EXAMPLES} more of this kind"}
            )
            for code, count in self._counts.items()
            if count > _MAX_EXAMPLES
            for finding in [next(f for f in self.findings if f.code == code)]
        ]
        return (*self.findings, *more)


def _finding(
    code: str, path: Path | str, where: str, message: str, severity: Severity = "error"
) -> Finding:
    return Finding(code=code, severity=severity, path=str(path), where=where, message=message)


def _check_files(release: Path, info: ReleaseInfo) -> Iterator[Finding]:
    refs = [
        info.card,
        *(ref for config in info.configs for part in config.splits for ref in part.files),
    ]
    for ref in refs:
        yield from _check_file(release, ref)
    listed = {ref.path for ref in refs}
    for path in sorted(release.rglob("*.parquet")):
        name = path.relative_to(release).as_posix()
        if name not in listed:
            yield _finding("file-not-listed", path, "", "is no part of the release")


def _check_file(release: Path, ref: FileRef) -> Iterator[Finding]:
    path = release / ref.path
    if not path.is_file():
        yield _finding("file-missing", path, "", "is missing")
        return
    found = file_ref(path, relative_to=release)
    if found.sha256 != ref.sha256:
        yield _finding(
            "file-changed",
            path,
            "",
            f"expected sha256 {ref.sha256[:12]}… of {ref.size_bytes} bytes, "
            f"found {found.sha256[:12]}… of {found.size_bytes}",
        )


def _check_load(
    release: Path, info: ReleaseInfo, config: str, progress: Progress | None
) -> Iterator[Finding]:
    """Load a table as users do and decode all of it."""
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("datasets", "export") from None
    expected = next(entry for entry in info.configs if entry.name == config)
    with tempfile.TemporaryDirectory(prefix="mira-verify-") as cache:
        quiet = datasets.utils.logging
        bars = quiet.is_progress_bar_enabled()
        quiet.disable_progress_bar()
        try:
            loaded = datasets.load_dataset(str(release), config, cache_dir=cache)
        except (ValueError, OSError, datasets.exceptions.DatasetsError) as error:
            yield _finding("load-failed", release, config, f"`load_dataset` refused: {error}")
            return
        finally:
            if bars:
                quiet.enable_progress_bar()
        for part in expected.splits:
            if part.split not in loaded or len(loaded[part.split]) != part.rows:
                found = len(loaded[part.split]) if part.split in loaded else 0
                yield _finding(
                    "row-count",
                    release,
                    f"{config}/{part.split}",
                    f"expected {part.rows} rows, found {found}",
                )
                continue
            table = loaded[part.split]
            if config == "scenes":
                yield from _check_pictures(release, table, progress)
            elif progress:
                progress(config, part.rows, part.rows)


def _check_pictures(release: Path, table: Any, progress: Progress | None) -> Iterator[Finding]:
    for k in range(len(table)):
        try:
            row = table[k]
            sizes = {name: row[name].size for name in ("image", "depth") if row[name] is not None}
        except (OSError, ValueError, SyntaxError) as error:
            yield _finding("picture-undecodable", release, f"scenes[{k}]", str(error))
            continue
        size = (row["width_px"], row["height_px"])
        for name, found in sizes.items():
            if found != size:
                yield _finding(
                    "picture-size",
                    release,
                    f"scenes[{k}].{name}",
                    f"expected {size[0]} x {size[1]}, found {found[0]} x {found[1]}",
                )
        if row["depth"] is not None and not row["depth"].mode.startswith("I"):
            yield _finding(
                "depth-mode",
                release,
                f"scenes[{k}].depth",
                f"expected 16-bit depth, found mode {row['depth'].mode}",
            )
        if progress:
            progress("scenes", k + 1, len(table))


def _check_digests(release: Path, info: ReleaseInfo) -> Iterator[Finding]:
    found = []
    for config in info.configs:
        digest = RowDigest()
        for row in read_rows(release, config.name):
            digest.add(row)
            yield from _check_picture_digests(release, row)
        found.append((config.name, digest.hexdigest()))
        if digest.hexdigest() != config.digest:
            yield _finding("digest", release, config.name, "rows are not those that were written")
    if combined_digest(found) != info.digest:
        yield _finding("digest", release, "", "the release's digest is not that of its tables")


def _check_picture_digests(release: Path, row: Row) -> Iterator[Finding]:
    for column in PICTURE_COLUMNS:
        picture = row.get(column)
        if picture and hashlib.sha256(picture["bytes"]).hexdigest() != row[f"{column}_sha256"]:
            yield _finding(
                "picture-digest",
                release,
                f"{row['image_id']}.{column}",
                "the picture is not the one whose digest the row states",
            )


def _check_questions(release: Path) -> Iterator[Finding]:
    """Every question has one right answer, is about a known picture, and no scene is split."""
    instances = {
        row["image_id"]: {entry["instance_id"] for entry in row["instances"]}
        for row in read_scenes(release, columns=["image_id", "instances"])
    }
    splits: dict[str, str] = {}
    seen: set[str] = set()
    groups: dict[str, list[str]] = {}
    for row in read_questions(release):
        where = row["question_id"]
        if where in seen:
            yield _finding("duplicate-id", release, where, "two questions have this id")
        seen.add(where)
        known = instances.get(row["image_id"])
        missing = [m["instance_id"] for m in row["marks"] if m["instance_id"] not in (known or ())]
        if known is None:
            yield _finding("picture-unknown", release, where, f"no picture {row['image_id']!r}")
        elif missing:
            yield _finding("instance-unknown", release, where, f"no instance {missing}")
        if splits.setdefault(row["scene_id"], row["split"]) != row["split"]:
            yield _finding("scene-split", release, where, f"{row['scene_id']!r} is in two splits")
        yield from _check_answer(release, row)
        if row["joint_group"]:
            groups.setdefault(row["joint_group"], []).append(row["answer"])
    for group, answers in groups.items():
        if len(answers) != 3 or answers.count("yes") != 1:
            yield _finding(
                "joint-group",
                release,
                group,
                f"expected three questions with one yes, found {answers}",
            )


def _check_answer(release: Path, row: Row) -> Iterator[Finding]:
    try:
        template = taxonomy().template(row["template_id"])
    except KeyError:
        yield _finding("template-unknown", release, row["question_id"], row["template_id"])
        return
    labels = [option["label"] for option in row["options"]]
    if len(set(labels)) != len(labels):
        yield _finding("options", release, row["question_id"], f"labels repeat: {labels}")
    if template.format in ("yes_no", "single_choice", "single_choice_plus_text") and (
        row["answer"] not in labels
    ):
        yield _finding(
            "answer",
            release,
            row["question_id"],
            f"expected one of {labels}, found {row['answer']!r}",
        )


def _check_open(release: Path) -> Iterator[Finding]:
    """What people have yet to settle before this is published."""
    states = Counter(row["review"] for row in read_questions(release, columns=["review"]))
    if unsettled := states.total() - states["accepted"]:
        yield _finding(
            "unreviewed",
            release,
            "qa.review",
            f"{unsettled} of {states.total()} questions are not settled by review",
            "warning",
        )
    for field, unset in (("licence", None), ("consent", "unknown")):
        rows = list(read_scenes(release, columns=[field, "scene_id"]))
        open_scenes = {row["scene_id"] for row in rows if row[field] == unset}
        if open_scenes:
            yield _finding(
                f"{field}-open",
                release,
                f"scenes.{field}",
                f"{len(open_scenes)} scenes have no {field} on record",
                "warning",
            )


def require_release(release: Path, *, progress: Progress | None = None) -> None:
    """Raise at the first error of `verify_release`; warnings pass.

    Raises:
        ReleaseError: Something is wrong.
    """
    for finding in verify_release(release, progress=progress):
        if finding.severity == "error":
            raise ReleaseError(release, str(finding))
