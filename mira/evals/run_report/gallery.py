"""Wrong answers with their pictures as the model saw them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from mira.errors import MiraError
from mira.evals.mira_bench.answers import gold_answer
from mira.evals.mira_bench.judging import JudgedRun, JudgedRuns
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.questions import Question
from mira.evals.mira_bench.subtasks import name_of, subtasks_in_order
from mira.evals.run_report.policy import RunReportPolicy
from mira.release.loading import marks_of_row, pictures_of_row
from mira.release.question_sets import read_scenes
from mira.release.reader import Row
from mira.render.scene import SceneRenderer
from mira.render.sizing import at_most
from mira.render.style import RenderStyle
from mira.report.page import jpeg_uri

_LONGEST_REPLY = 600


class Shown(NamedTuple):
    """A picture of an example."""

    role: str
    uri: str
    width_px: int
    height_px: int


class Example(NamedTuple):
    """A question that a run has wrong."""

    question_id: str
    subtask: str
    template_id: str
    protocol: str | None
    text: str
    options: tuple[str, ...]
    gold: str
    said: str | None
    """The answer as it was read; None where none could be."""
    kind: str
    """Class of the reply."""
    confidence: float | None
    raw: str | None
    """The reply as it came, cut where it is long; None where only an answer is known."""
    pictures: tuple[Shown, ...]
    missing: str | None
    """Why there is no picture."""


def examples_of(
    judged: JudgedRuns, rows: Mapping[str, Row], *, policy: RunReportPolicy
) -> list[tuple[Example, ...]]:
    """For each run, the wrong answers that are shown; the same for equal input.

    Args:
        judged: The runs.
        rows: Rows of `qa` by question id.
        policy: How many, and how large.
    """
    picked = [_picked(run, policy.examples) for run in judged.runs]
    wanted = {rows[one.question_id]["image_id"] for of in picked for one in of}
    pictures = _Pictures(judged.release, wanted, policy)
    return [
        tuple(_example(run, one, rows[one.question_id], pictures) for one in of)
        for run, of in zip(judged.runs, picked, strict=True)
    ]


def _picked(judged: JudgedRun, most: int) -> list[Question]:
    """Some wrong answers of each sub-task, by the digests of the questions."""
    wrong: dict[str, list[Question]] = defaultdict(list)
    for one in sorted(judged.asked, key=lambda one: (one.sha8, one.question_id)):
        if judged.outcomes[one.question_id] in (Outcome.WRONG, Outcome.UNPARSABLE):
            wrong[one.subtask].append(one)
    return [one for subtask in subtasks_in_order(wrong) for one in wrong[subtask][:most]]


class _Pictures:
    """Renders questions about some pictures, which it keeps."""

    def __init__(self, release: Path, image_ids: Iterable[str], policy: RunReportPolicy) -> None:
        wanted = set(image_ids)
        self._policy = policy
        self._scenes = {
            row["image_id"]: pictures_of_row(row)
            for row in (read_scenes(release) if wanted else ())
            if row["image_id"] in wanted
        }
        self._renderers: dict[tuple[str, bytes], SceneRenderer] = {}

    def show(self, row: Row, judged: JudgedRun) -> Iterator[Shown]:
        """The pictures that went with a question."""
        manifest = judged.run.manifest
        modality = manifest.modality if manifest else None
        style = RenderStyle.model_validate(manifest.style if manifest else {})
        rendered = self._renderer(row["image_id"], style).render(
            marks_of_row(row), protocol=row["protocol"] or "bbox_text", modality=modality or "rgb"
        )
        for picture in rendered:
            small = at_most(picture.image_rgb, self._policy.thumbnail_px)
            uri = jpeg_uri(small, quality=self._policy.jpeg_quality)
            yield Shown(picture.role, uri, width_px=small.shape[1], height_px=small.shape[0])

    def _renderer(self, image_id: str, style: RenderStyle) -> SceneRenderer:
        """Draws on a picture in a style."""
        key = (image_id, style.to_json())
        if key not in self._renderers:
            self._renderers[key] = SceneRenderer(self._scenes[image_id], style=style)
        return self._renderers[key]


def _example(judged: JudgedRun, question: Question, row: Row, pictures: _Pictures) -> Example:
    missing = None
    shown: tuple[Shown, ...] = ()
    try:
        shown = tuple(pictures.show(row, judged))
    except MiraError as error:
        missing = str(error)
    except KeyError:
        missing = "the release does not hold the picture"
    said = judged.said[question.question_id]
    texts = {
        choice.label: f"{choice.label}. {choice.text}"
        if choice.text and choice.text != choice.label
        else choice.label
        for choice in question.choices
    }
    gold = gold_answer(question)
    return Example(
        question_id=question.question_id,
        subtask=name_of(question.subtask),
        template_id=question.template_id,
        protocol=question.protocol,
        text=row["question"],
        options=tuple(texts.values()),
        gold=_words(gold, texts),
        said=None if said.answer is None else _words(said.answer, texts),
        kind=said.kind,
        confidence=said.confidence,
        raw=_raw_of(judged, question),
        pictures=shown,
        missing=missing,
    )


def _raw_of(judged: JudgedRun, question: Question) -> str | None:
    raw = next(
        one.raw_text for one in judged.run.predictions if one.question_id == question.question_id
    )
    if raw is None or len(raw) <= _LONGEST_REPLY:
        return raw
    return f"{raw[:_LONGEST_REPLY]} …"


def _words(answer: str, texts: Mapping[str, str]) -> str:
    return texts.get(answer, answer.replace(",", ", ").replace("_", " "))
