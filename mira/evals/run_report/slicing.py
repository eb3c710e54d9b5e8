"""Accuracy by what questions have in common: template, protocol, place, mirrors, sizes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from mira.evals.mira_bench.bootstrap import BootstrapPolicy, percentile_interval, scene_draws
from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.questions import Question
from mira.evals.mira_bench.tallies import FloatArray
from mira.evals.run_report.distances import DEPTH_COLUMNS, distances_of
from mira.evals.run_report.records import SliceScore
from mira.release.reader import Row

SCENE_COLUMNS = (
    "image_id",
    "environment",
    "lighting",
    "source",
    "width_px",
    "height_px",
    "surfaces",
    *DEPTH_COLUMNS,
)
"""Columns of `scenes` that slices are made of."""
QUESTION_COLUMNS = ("question_id", "image_id", "answer_source", "marks")
"""Columns of `qa` that slices are made of, beside those of scores."""
_SIZES = ((0.01, "under 1 %"), (0.05, "1 to 5 %"), (0.2, "5 to 20 %"), (2.0, "over 20 %"))
"""Share of the picture that the smallest box of a question takes, by upper bound."""
_DISTANCES = ((1.0, "under 1 m"), (2.0, "1 to 2 m"), (4.0, "2 to 4 m"), (1e9, "over 4 m"))
"""Distance of what is asked about, by upper bound in metres."""
_NO_READING = "not measured"
_UNKNOWN = "not told"
Traits = tuple[tuple[str, str], ...]
"""What a question has in common with others: name and value of each."""


class _Counts(NamedTuple):
    right: FloatArray
    heard: FloatArray
    asked: FloatArray


def traits_of(
    questions: Iterable[Question], rows: Iterable[Row], scenes: Iterable[Row]
) -> dict[str, Traits]:
    """What each question has in common with others, by its id.

    Args:
        questions: Of the release.
        rows: Its `qa` table, the `QUESTION_COLUMNS` above.
        scenes: Its `scenes` table, the `SCENE_COLUMNS`.
    """
    by_id = {row["question_id"]: row for row in rows}
    by_picture: dict[str, list[Row]] = defaultdict(list)
    for row in by_id.values():
        by_picture[row["image_id"]].append(row)
    pictures: dict[str, Row] = {}
    distances: dict[str, float | None] = {}
    for scene in scenes:
        distances |= distances_of(scene, by_picture[scene["image_id"]])
        pictures[scene["image_id"]] = {**scene, "depth": None}
    return {
        question.question_id: (
            *_traits(question, by_id[question.question_id], pictures),
            *_of_distance(distances, question),
        )
        for question in questions
    }


def slice_scores(
    judged: JudgedRun,
    traits: Mapping[str, Traits],
    *,
    policy: BootstrapPolicy,
    rng: np.random.Generator,
) -> tuple[SliceScore, ...]:
    """Accuracy of a run by what questions have in common; each question counts for itself.

    Args:
        judged: The run.
        traits: As `traits_of` gives them.
        policy: How intervals are computed.
        rng: Source of the resamples.
    """
    scenes = {name: row for row, name in enumerate(sorted({q.scene_id for q in judged.asked}))}
    columns: dict[tuple[str, str], int] = {}
    for question in judged.asked:
        for trait in traits[question.question_id]:
            columns.setdefault(trait, len(columns))
    counts = _counted(judged, traits, scenes, columns)
    drawn = np.concatenate(
        [
            _shares(draws @ counts.right, draws @ counts.heard)
            for draws in scene_draws(len(scenes), policy=policy, rng=rng)
        ]
    )
    found = []
    for (by, value), column in columns.items():
        n_heard = int(counts.heard[:, column].sum())
        interval = None
        if np.count_nonzero(counts.heard[:, column]) >= 2:
            interval = percentile_interval(drawn[:, column], policy, over="scenes")
        found.append(
            SliceScore(
                by=by,
                value=value,
                n=int(counts.asked[:, column].sum()),
                n_heard=n_heard,
                accuracy=float(counts.right[:, column].sum() / n_heard) if n_heard else None,
                interval=interval,
            )
        )
    return tuple(sorted(found, key=_place))


def _shares(right: FloatArray, heard: FloatArray) -> FloatArray:
    return np.where(heard > 0, right / np.where(heard > 0, heard, 1), np.nan)


def _counted(
    judged: JudgedRun,
    traits: Mapping[str, Traits],
    scenes: Mapping[str, int],
    columns: Mapping[tuple[str, str], int],
) -> _Counts:
    counts = _Counts(*np.zeros((3, len(scenes), len(columns))))
    for question in judged.asked:
        row, outcome = scenes[question.scene_id], judged.outcomes[question.question_id]
        for trait in traits[question.question_id]:
            cell = row, columns[trait]
            counts.asked[cell] += 1
            counts.heard[cell] += outcome is not Outcome.UNSCORED
            counts.right[cell] += outcome is Outcome.RIGHT
    return counts


def _of_distance(
    distances: Mapping[str, float | None], question: Question
) -> Iterator[tuple[str, str]]:
    if question.question_id in distances:
        metres = distances[question.question_id]
        near = next((name for bound, name in _DISTANCES if metres and metres < bound), _NO_READING)
        yield "distance", near


def _traits(question: Question, row: Row, pictures: Mapping[str, Row]) -> Iterator[tuple[str, str]]:
    scene = pictures.get(row["image_id"])
    yield "template", question.template_id
    yield "protocol", question.protocol or "none needed"
    yield "answered by", row["answer_source"] or _UNKNOWN
    if question.choices and question.format != "yes_no":
        yield "options", str(len(question.choices))
    if scene is None:
        return
    kinds = sorted({surface["surface_type"] or _UNKNOWN for surface in scene["surfaces"]})
    for kind in kinds:
        yield "surface type", kind.replace("_", " ")
    number = len(scene["surfaces"])
    yield "surfaces", "4 or more" if number > 3 else str(number)
    for name in ("environment", "lighting", "source"):
        yield name, str(scene[name] or _UNKNOWN).replace("_", " ")
    yield "depth", scene["depth_kind"] or "none"
    boxes = [mark["box_xyxy_px"] for mark in row["marks"] or () if mark["role"] == "slot"]
    if boxes:
        area = scene["width_px"] * scene["height_px"]
        share = min((x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in boxes) / area
        yield "smallest box", next(name for bound, name in _SIZES if share < bound)


_ORDER = (
    *("template", "protocol", "surface type", "surfaces", "smallest box", "distance", "lighting"),
    *("environment", "source", "depth", "options", "answered by"),
)
_SIZE_ORDER = {name: place for of in (_SIZES, _DISTANCES) for place, (_, name) in enumerate(of)}


def _place(one: SliceScore) -> tuple[int, int, str]:
    return _ORDER.index(one.by), _SIZE_ORDER.get(one.value, len(_SIZES)), one.value
