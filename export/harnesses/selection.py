"""Questions of a release that a harness is to ask, by picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from export.harnesses.options import TaskOptions
from mira.errors import ReleaseError
from mira.release.reader import Row, config_info, read_info, read_questions, read_scenes
from mira.taxonomy.catalogue import taxonomy

_COLUMNS = (
    *("question_id", "item_id", "scene_id", "image_id", "level", "subtask", "template_id"),
    *("protocol", "format", "question", "options", "answer", "joint_group", "marks"),
)


@dataclass(frozen=True)
class Selection:
    """The questions that are asked.

    Attributes:
        by_picture: Rows of `qa` by picture, the pictures in the order of `scenes`.
        without_depth: Questions left out because their picture has no depth.
    """

    by_picture: dict[str, list[Row]]
    without_depth: int


def select_questions(release: Path, options: TaskOptions) -> Selection:
    """Choose questions of a release; a question that has no protocol is asked in each.

    Raises:
        ReleaseError: The folder is no release, has no such split or no such question, or a picture
            lacks what is to be shown.
    """
    _require_split(release, options.split)
    asked: dict[str, list[Row]] = {}
    for row in read_questions(release, columns=_COLUMNS, split=options.split):
        if not asked and (missing := [name for name in _COLUMNS if name not in row]):
            raise ReleaseError(release, f"qa: expected a column {missing[0]}, found none")
        if row["protocol"] in (options.protocol, None) or taxonomy().points_at_nothing(
            row["template_id"]
        ):
            asked.setdefault(row["image_id"], []).append(row)
    if not asked:
        splits = f"split {options.split!r}" if options.split else "the release"
        raise ReleaseError(release, f"{splits} has no question in protocol {options.protocol!r}")
    depth = {
        row["image_id"]: row["depth_sha256"] is not None
        for row in read_scenes(release, columns=["image_id", "depth_sha256"], split=options.split)
    }
    _require_pictures(release, asked, depth)
    shown = [name for name in depth if name in asked and _shows(depth[name], options)]
    left_out = sum(len(rows) for name, rows in asked.items() if not _shows(depth[name], options))
    if left_out and (options.missing_depth == "refuse" or not shown):
        raise ReleaseError(
            release,
            f"expected depth for modality {options.modality!r}, found {left_out} of "
            f"{sum(map(len, asked.values()))} questions about a picture without",
            "choose rgb or rgb_m, or leave them out: --missing-depth skip",
        )
    chosen = {name: asked[name] for name in islice(shown, options.limit)}
    return Selection(chosen, left_out)


def chosen_scenes(release: Path, selection: Selection, options: TaskOptions) -> Iterator[Row]:
    """Rows of `scenes` of the chosen pictures, one in memory at a time."""
    left = set(selection.by_picture)
    for row in read_scenes(release, split=options.split):
        if row["image_id"] in left:
            left.remove(row["image_id"])
            yield row
        if not left:
            return


def _shows(has_depth: bool, options: TaskOptions) -> bool:
    return has_depth or not taxonomy().modality(options.modality).depth


def _require_split(release: Path, split: str | None) -> None:
    splits = [part.split for part in config_info(read_info(release), "qa", release).splits]
    if split is not None and split not in splits:
        raise ReleaseError(
            release, f"expected one of its splits ({', '.join(splits)}), found {split!r}"
        )


def _require_pictures(release: Path, asked: dict[str, list[Row]], depth: dict[str, bool]) -> None:
    unknown = sum(len(rows) for name, rows in asked.items() if name not in depth)
    if unknown:
        raise ReleaseError(
            release,
            f"{unknown} questions are about pictures that it does not hold",
            "see: mira export verify",
        )
