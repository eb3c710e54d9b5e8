"""Episodes, their steps and questions as rows of a release, and back."""

from __future__ import annotations

import hashlib
from typing import Any

from mira.release.reader import Row
from mira.schema.episode import (
    Episode,
    EpisodeRun,
    MosaicDetails,
    ReachDetails,
    TomDetails,
    TomItem,
)
from mira.schema.step import MirrorStep, MosaicStep, Step

STEP_TABLES: dict[str, type[MirrorStep] | type[MosaicStep]] = {
    "mirror_steps": MirrorStep,
    "mosaic_steps": MosaicStep,
}
"""Tables of steps, and what their rows are."""
_DETAILS: dict[str, type[ReachDetails] | type[MosaicDetails] | type[TomDetails]] = {
    "mirror_reach": ReachDetails,
    "mosaic": MosaicDetails,
    "tom": TomDetails,
}
_DETAIL_COLUMNS = tuple(
    dict.fromkeys(
        name for kind in _DETAILS.values() for name in kind.model_fields if name != "family"
    )
)
_OWN_COLUMNS = ("run", "licence", "family", "split", *_DETAIL_COLUMNS)
_MOMENT = ("episode_id", "step", "role")


def episode_row(episode: Episode, run: EpisodeRun) -> Row:
    """A row of `episodes`."""
    content = episode.model_dump(mode="json", exclude={"details", "schema_version"})
    details = episode.details.model_dump(mode="json")
    return {
        **content,
        "run": run.name,
        "licence": run.licence,
        "family": episode.family,
        **{name: details.get(name) for name in _DETAIL_COLUMNS},
    }


def episode_of_row(row: Row) -> Episode:
    """The episode of a row of `episodes`.

    Raises:
        ValidationError: The row is none.
    """
    kind = _DETAILS.get(str(row["family"]))
    names = () if kind is None else kind.model_fields
    details = {name: row["family"] if name == "family" else row[name] for name in names}
    content = {name: value for name, value in row.items() if name not in _OWN_COLUMNS}
    return Episode.model_validate({**content, "details": details})


def step_row(step: Step, picture: bytes | None) -> Row:
    """A row of `mirror_steps` or `mosaic_steps`.

    Args:
        step: The step.
        picture: Bytes of the picture it names, if it names one.
    """
    content = step.model_dump(mode="json", exclude={"image"})
    image = None
    if step.image is not None and picture is not None:
        suffix = step.image.path.rsplit(".", 1)[-1].lower()
        image = {"bytes": picture, "path": f"{_stem(step)}.{suffix}"}
    digest = None if picture is None else hashlib.sha256(picture).hexdigest()
    return {**content, "image": image, "image_sha256": digest}


def step_of_row(table: str, row: Row) -> Step:
    """The step of a row; its picture stays with the row.

    Raises:
        ValidationError: The row is none.
    """
    left = ("image", "image_sha256", "split")
    return STEP_TABLES[table].model_validate(
        {name: value for name, value in row.items() if name not in left}
    )


def tom_row(item: TomItem, run: EpisodeRun) -> Row:
    """A row of `tom_qa`."""
    content = item.model_dump(mode="json", exclude={"moment", "schema_version"})
    moment = item.moment.model_dump() if item.moment else dict.fromkeys(_MOMENT)
    return {**content, **moment, "run": run.name, "licence": item.licence or run.licence}


def tom_of_row(row: Row) -> TomItem:
    """The question of a row of `tom_qa`.

    Raises:
        ValidationError: The row is none.
    """
    left = ("run", "split", *_MOMENT)
    content = {name: value for name, value in row.items() if name not in left}
    moment: dict[str, Any] | None = {name: row[name] for name in _MOMENT}
    if all(row[name] is None for name in _MOMENT):
        moment = None
    return TomItem.model_validate({**content, "moment": moment})


def _stem(step: Step) -> str:
    if isinstance(step, MirrorStep):
        return f"{step.episode_id}_{step.step:04d}"
    return f"{step.episode_id}_{step.round:02d}_{step.role}"
