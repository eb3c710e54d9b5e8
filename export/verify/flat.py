"""The table `flat`: each row stands for itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from export.verify.findings import finding
from mira.release.columns import FLAT_CONFIG
from mira.release.reader import Row, read_rows
from mira.schema.export import ReleaseInfo
from mira.schema.finding import Finding, Severity
from mira.taxonomy.catalogue import taxonomy

_COLUMNS = (
    *("question_id", "scene_id", "options", "answer", "review", "licence", "consent"),
    *("protocol", "modality", "image_sha256", "mask_sha256", "depth_sha256"),
)


def check_flat(release: Path, info: ReleaseInfo, *, open_matters: Severity) -> Iterator[Finding]:
    """Questions that are there twice or cannot be right, scenes in two splits, open matters.

    Args:
        release: The folder.
        info: What it says of itself; most releases have no such table.
        open_matters: How bad it is that something is not settled.
    """
    if FLAT_CONFIG not in {config.name for config in info.configs}:
        return
    seen: set[str] = set()
    split_of: dict[str, str] = {}
    for row in read_rows(release, FLAT_CONFIG, columns=_COLUMNS):
        where = f"{FLAT_CONFIG}.{row['question_id']}"
        if row["question_id"] in seen:
            yield finding("duplicate-id", release, where, "expected each question once")
        seen.add(row["question_id"])
        if split_of.setdefault(row["scene_id"], row["split"]) != row["split"]:
            message = f"scene {row['scene_id']} is in {split_of[row['scene_id']]} too"
            yield finding("scene-split", release, where, message)
        yield from _check_answer(release, where, row)
        yield from _check_pictures(release, where, row)
        if row["review"] == "rejected":
            yield finding("rejected-item", release, where, "review rejected it")
        elif row["review"] != "accepted":
            message = "is not settled by review"
            yield finding("unreviewed", release, where, message, severity=open_matters)
        if row["consent"] in (None, "unknown"):
            message = "has no consent on record"
            yield finding("consent-open", release, where, message, severity=open_matters)
        if not row["licence"]:
            message = "has no licence on record"
            yield finding("licence-open", release, where, message, severity=open_matters)


def _check_pictures(release: Path, where: str, row: Row) -> Iterator[Finding]:
    known = {one.id: one for one in taxonomy().modalities}
    if row["modality"] not in known:
        yield finding("row-malformed", release, where, f"no modality {row['modality']!r}")
        return
    expected = {"image": True, "depth": known[row["modality"]].depth}
    for column, is_shown in expected.items():
        if (row[f"{column}_sha256"] is not None) != is_shown:
            message = f"expected {'a' if is_shown else 'no'} picture in modality {row['modality']}"
            yield finding("picture-missing", release, f"{where}.{column}", message)


def _check_answer(release: Path, where: str, row: Row) -> Iterator[Finding]:
    labels = [option["label"] for option in row["options"]]
    if len(set(labels)) < len(labels):
        yield finding("options", release, where, f"labels repeat: {', '.join(labels)}")
    if labels and row["answer"] not in labels:
        message = f"expected one of {', '.join(labels)}, found {row['answer']!r}"
        yield finding("answer", release, where, message)
