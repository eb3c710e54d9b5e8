"""Runs judged question by question: what scores, comparisons and reports are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mira.errors import PredictionError, ReleaseError
from mira.evals.mira_bench.outcomes import Outcome, hear, judge_heard
from mira.evals.mira_bench.questions import (
    QUESTION_COLUMNS,
    Question,
    parse_questions,
    select_questions,
)
from mira.evals.mira_bench.runs import Run, read_manifest, read_run, run_paths
from mira.evals.mira_bench.scoring import predictions_by_question
from mira.release.question_sets import read_questions, set_digest
from mira.replies.reading import ReadReply


@dataclass(frozen=True)
class JudgedRun:
    """What became of every question that a run was to answer.

    Attributes:
        run: Its replies, and what is known of them.
        protocol: The one protocol that was asked; None for all.
        split: The one split that was asked; None for all.
        asked: The questions.
        said: What was said to each, by question id.
        outcomes: What became of each, by question id.
    """

    run: Run
    protocol: str | None
    split: str | None
    asked: tuple[Question, ...]
    said: Mapping[str, ReadReply]
    outcomes: Mapping[str, Outcome]


@dataclass(frozen=True)
class JudgedRuns:
    """Runs over one release.

    Attributes:
        release: The folder.
        digest: Its logical digest.
        questions: All its questions.
        runs: In the order given.
    """

    release: Path
    digest: str
    questions: tuple[Question, ...]
    runs: tuple[JudgedRun, ...]

    @cached_property
    def by_id(self) -> dict[str, Question]:
        """Questions by id."""
        return {question.question_id: question for question in self.questions}


def judge_runs(
    paths: Sequence[Path],
    *,
    release: Path | None = None,
    protocol: str | None = None,
    split: str | None = None,
) -> JudgedRuns:
    """Read runs and judge each question that they were to answer.

    What a run was to answer is what its manifest says. A plain file says nothing: where all it
    answers is of one protocol, or of one split, it is taken to have been asked that alone.

    Args:
        paths: Run folders, folders of these, and files of predictions.
        release: The release; by default where the manifests say that it lies.
        protocol: Judge this referring protocol alone.
        split: Judge this split alone.

    Raises:
        ReleaseError: There is no release, or it cannot be scored.
        PredictionError: A run cannot be read, or was asked about another release.
    """
    paths = run_paths(paths)
    if not paths:
        raise PredictionError("runs", "expected at least one, found none")
    folder = _release_of(paths) if release is None else release
    questions = parse_questions(read_questions(folder, columns=QUESTION_COLUMNS))
    known = {question.question_id: question for question in questions}
    digest = set_digest(folder)
    judged = []
    for path in paths:
        run = read_run(path, question_ids=known)
        _require_release(run, digest)
        judged.append(judge_run(run, questions, protocol=protocol, split=split))
    return JudgedRuns(folder, digest, questions, tuple(judged))


def judge_run(
    run: Run,
    questions: tuple[Question, ...],
    *,
    protocol: str | None = None,
    split: str | None = None,
) -> JudgedRun:
    """Judge each question that a run was to answer; see `judge_runs`.

    Args:
        run: Its replies.
        questions: All questions of the release.
        protocol: Judge this referring protocol alone.
        split: Judge this split alone.

    Raises:
        ReleaseError: No such question is there, or it cannot be scored.
        PredictionError: A question has changed since it was answered.
    """
    by_question = predictions_by_question(run.predictions, questions)
    answered = [question for question in questions if question.question_id in by_question]
    if run.manifest is not None:
        protocol = protocol or run.manifest.protocol
        split = split or run.manifest.split
    else:
        every = ({one.protocol for one in questions} - {None}, {one.split for one in questions})
        protocol = protocol or _only({one.protocol for one in answered} - {None}, every[0])
        split = split or _only({one.split for one in answered}, every[1])
    asked = select_questions(questions, protocol=protocol, split=split)
    said = {one.question_id: hear(one, by_question.get(one.question_id)) for one in asked}
    outcomes = {one.question_id: judge_heard(one, said[one.question_id]) for one in asked}
    return JudgedRun(run, protocol, split, asked, said, outcomes)


def _only(values: set[str | None], every: set[str | None]) -> str | None:
    """The one value that some have, where others have others."""
    return next(iter(values)) if len(values) == 1 and values != every else None


def _release_of(paths: Sequence[Path]) -> Path:
    """The release that runs name; the same for all of them."""
    found: dict[Path, Path] = {}
    for path in paths:
        manifest = read_manifest(path)
        if manifest is not None and manifest.release is not None:
            release = (path / manifest.release).resolve()
            found[release] = release
    if len(found) == 1:
        return next(iter(found))
    told = "none" if not found else f"{len(found)} that differ"
    raise ReleaseError("release", f"expected one that all runs name, found {told}", "use --release")


def _require_release(run: Run, digest: str) -> None:
    """Raise where a run was asked about another release and its replies cannot show that it held.

    Replies with the digest of their question are checked one by one.
    """
    if run.manifest is None or run.manifest.dataset_digest == digest:
        return
    if any(one.question_sha8 is None for one in run.predictions):
        asked = run.manifest.dataset_digest[:12]
        raise PredictionError(
            run.path,
            f"expected replies to release {digest[:12]}, found some to {asked} without the "
            "question_sha8 that would show what was asked",
        )
