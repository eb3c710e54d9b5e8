"""Runs on disk: the replies of one model, and all that decided them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from mira.errors import PredictionError, RecordError
from mira.evals.mira_bench.predictions import read_predictions, write_predictions
from mira.schema.episode import EpisodeRun
from mira.schema.evaluation import Prediction, RunManifest
from mira.store.atomic import replace_folder, write_file, write_new

MANIFEST_NAME, REPLIES_NAME = "run.json", "replies.jsonl"
JOURNAL_NAME = "heard.jsonl"
"""In a folder that holds what runs beside it were made from."""


@dataclass(frozen=True)
class Run:
    """Replies with what is known of where they came from.

    Attributes:
        name: What tables call it.
        path: The folder, or the plain file of predictions.
        manifest: What decided the replies; None for a plain file.
        predictions: At most one a question.
    """

    name: str
    path: Path
    manifest: RunManifest | None
    predictions: tuple[Prediction, ...]


def run_paths(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Runs and files of predictions, where folders that hold runs stand for these.

    What `mira eval run` keeps beside several runs is passed over, so that `runs/*` means the runs;
    so are runs of episodes in a folder of runs.
    """
    found: list[Path] = []
    for path in paths:
        if not path.is_dir() or (path / MANIFEST_NAME).is_file():
            found.append(path)
        elif not (path / JOURNAL_NAME).is_file():
            inside = sorted(
                one.parent for one in path.glob(f"*/{MANIFEST_NAME}") if not _is_of_episodes(one)
            )
            found += inside or [path]
    return tuple(dict.fromkeys(found))


def read_manifest(path: Path) -> RunManifest | None:
    """What decided the replies of a run; None where the path is a plain file of predictions.

    Args:
        path: A folder with `run.json` and `replies.jsonl`, or a file.

    Raises:
        PredictionError: The folder is no run, or one of episodes.
        RecordError: Its manifest cannot be read.
    """
    if not path.is_dir():
        return None
    manifest = path / MANIFEST_NAME
    if not manifest.is_file():
        raise PredictionError(path, f"expected a run with {MANIFEST_NAME}, found none in it")
    if _is_of_episodes(manifest):
        problem = "expected replies to the questions of a release, found a run of episodes"
        raise PredictionError(path, problem, "see mira eval mirror, mosaic and tom")
    return RunManifest.from_json(manifest.read_bytes(), where=manifest)


def read_run(path: Path, *, question_ids: Collection[str], asked: str = "release") -> Run:
    """A run, or a plain file of predictions taken for one.

    Args:
        path: A folder with `run.json` and `replies.jsonl`, or a file.
        question_ids: All questions of the release.
        asked: What errors call that which holds the questions.

    Raises:
        PredictionError: It is no run, or a line of it answers no or other questions.
        RecordError: Its manifest cannot be read.
    """
    manifest = read_manifest(path)
    replies = path if manifest is None else path / REPLIES_NAME
    predictions = read_predictions(replies, question_ids=question_ids, asked=asked)
    return Run(_name_of(path, manifest), path, manifest, predictions)


def write_run(path: Path, manifest: RunManifest, predictions: Iterable[Prediction]) -> None:
    """Write a run as a folder, whole or not at all, in place of an earlier one.

    Raises:
        MiraError: The folder cannot be written.
    """
    with replace_folder(path) as partial:
        write_new(partial / MANIFEST_NAME, manifest.to_json(), durable=False)
        write_predictions(partial / REPLIES_NAME, predictions)


def update_run(path: Path, manifest: RunManifest, predictions: Iterable[Prediction]) -> None:
    """Write a run in its folder, and leave what else is in there.

    Raises:
        MiraError: The folder cannot be written.
    """
    write_predictions(path / REPLIES_NAME, predictions)
    write_file(path / MANIFEST_NAME, manifest.to_json())


def _is_of_episodes(manifest: Path) -> bool:
    try:
        EpisodeRun.from_json(manifest.read_bytes(), where=manifest)
    except (OSError, RecordError):
        return False
    return True


def _name_of(path: Path, manifest: RunManifest | None) -> str:
    if manifest is None:
        return path.stem
    return manifest.name or manifest.model
