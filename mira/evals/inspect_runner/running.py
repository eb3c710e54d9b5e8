"""Asks a model questions, of a release or others; what a dead process left is asked by the next."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mira.errors import MissingExtraError, PredictionError
from mira.evals.inspect_runner.collecting import Tally, tally_of
from mira.evals.inspect_runner.folder import LOGS_NAME, WORK_NAME, require_free
from mira.evals.inspect_runner.journal import Heard, read_journal
from mira.evals.inspect_runner.options import AskingOptions, ModelOptions, Progress
from mira.evals.inspect_runner.planning import plan_asking
from mira.evals.inspect_runner.questionnaire import Askable, Questionnaire
from mira.evals.inspect_runner.recording import Recorder
from mira.evals.inspect_runner.release_questions import ReleaseQuestions
from mira.evals.mira_bench.runs import JOURNAL_NAME
from mira.store.atomic import exclusive, os_faults
from mira.store.heard_lines import open_journal

_QUESTIONS_A_LOG = 500
"""The memory that inspect_ai takes grows with the questions of a log: 1.1 GB at 4,000 of them."""


class _Round(NamedTuple):
    """One go at what is left.

    Attributes:
        spent: Whether a limit kept questions from being asked.
        interrupted: Whether somebody broke it off.
        log: inspect_ai's log.
    """

    spent: bool
    interrupted: bool
    log: Path | None


def run_model(
    release: Path,
    out: Path,
    *,
    options: AskingOptions,
    resume: bool = False,
    progress: Progress | None = None,
    model: Any = None,
) -> Tally:
    """Ask a model, and write what it said as runs.

    Args:
        release: The folder.
        out: Where the run is written; folders in it where there are several.
        options: Who is asked what.
        resume: Go on with what is in `out`: questions that were heard are not asked again.
        progress: Called with what is being done.
        model: A model of inspect_ai that is asked in place of the one that options name.

    Returns:
        How it stands.

    Raises:
        MissingExtraError: inspect_ai is not installed.
        ReleaseError: The release cannot be asked.
        PredictionError: `out` holds something, and is not to be resumed or was asked otherwise.
        MiraError: The model cannot be reached as options say, or a file cannot be written.
        KeyboardInterrupt: Somebody broke it off; what was heard is written.
    """
    _require_inspect()
    asked = ReleaseQuestions(plan_asking(release, out, options), options)
    return run_questions(asked, out, options=options, resume=resume, progress=progress, model=model)


def run_questions(
    asked: Questionnaire,
    out: Path,
    *,
    options: ModelOptions,
    resume: bool = False,
    progress: Progress | None = None,
    model: Any = None,
) -> Tally:
    """Ask a model whatever is to be asked, and write what it said as runs.

    Args:
        asked: The questions.
        out: Where the run is written; folders in it where there are several.
        options: Who is asked.
        resume: Go on with what is in `out`: questions that were heard are not asked again.
        progress: Called with what is being done.
        model: A model of inspect_ai that is asked in place of the one that options name.

    Returns:
        How it stands.

    Raises:
        MissingExtraError: inspect_ai is not installed.
        PredictionError: `out` holds something, and is not to be resumed or was asked otherwise.
        MiraError: The model cannot be reached as options say, or a file cannot be written.
        KeyboardInterrupt: Somebody broke it off; what was heard is written.
    """
    _require_inspect()
    from mira.evals.inspect_runner.model import facts_of, open_model

    require_free(out, resume=resume)
    # Before anything is written: most faults are a key or a package that is missing.
    asked_model = model or open_model(options)
    facts = facts_of(asked_model, options)
    asked.require_same_settings(facts)
    work = out / WORK_NAME
    with os_faults(work):
        work.mkdir(parents=True, exist_ok=True)
    with exclusive(work / ".lock", out):
        before = _known(asked, read_journal(work / JOURNAL_NAME))
        # A run that dies is a run, with what it heard.
        asked.write(before, facts)
        left = {key: one for key, one in asked.asked.items() if not _is_heard(before.get(key))}
        done = _Round(spent=False, interrupted=False, log=None)
        heard = before
        if left:
            with open_journal(work / JOURNAL_NAME) as stream:
                recorder = Recorder(
                    stream, before, total=len(asked.asked), options=options, progress=progress
                )
                try:
                    done = _ask(asked, left, recorder, options, work, progress, asked_model)
                finally:
                    heard = {**before, **recorder.added}
                    asked.write(heard, facts)
    if done.interrupted:
        raise KeyboardInterrupt
    tally = tally_of(asked, options, heard, spent=done.spent, log=done.log)
    if tally.missing and not tally.spent:
        problem = f"expected replies to {tally.asked} questions, {tally.missing} were never asked"
        raise PredictionError(out, problem, "go on: --resume")
    return tally


def _require_inspect() -> None:
    """Raise before anything else is done where what asks models is not installed."""
    try:
        import mira.evals.inspect_runner.model  # noqa: F401
    except ImportError:
        raise MissingExtraError("inspect_ai", "eval") from None


def _ask(
    asked: Questionnaire,
    left: Mapping[str, Askable],
    recorder: Recorder,
    options: ModelOptions,
    work: Path,
    progress: Progress | None,
    model: Any,
) -> _Round:
    from mira.evals.inspect_runner.evaluating import evaluate
    from mira.evals.inspect_runner.solver import ask_and_keep

    root = work.resolve()
    asker = ask_and_keep(left, recorder)
    log = None
    for samples in asked.datasets(left.keys(), root, _QUESTIONS_A_LOG, progress):
        log = evaluate(
            samples,
            asker,
            model=model,
            log_dir=root / LOGS_NAME,
            options=options,
            metadata={"digest": asked.digest},
        )
        if log is None:
            return _Round(recorder.spent, interrupted=True, log=log)
        if recorder.spent:
            break
    return _Round(recorder.spent, interrupted=False, log=log)


def _known(asked: Questionnaire, heard: Mapping[str, Heard]) -> dict[str, Heard]:
    """What was heard of the questions as they are now."""
    return {
        key: one
        for key, one in heard.items()
        if key in asked.asked and one.prediction.question_sha8 == asked.asked[key].question.sha8
    }


def _is_heard(heard: Heard | None) -> bool:
    return heard is not None and not heard.failed
