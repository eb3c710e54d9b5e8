"""Items of a run on disk, replies to them, and scores: what the command line and reports call."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mira.errors import EpisodeError
from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.runs import Run, read_run
from mira.evals.tom.records import TomScores
from mira.evals.tom.scoring import score_items
from mira.schema.episode import EpisodeRun, TomItem
from mira.store.episodes import EpisodeStore


@dataclass(frozen=True)
class TomRun:
    """Questions of a run.

    Attributes:
        path: Its folder.
        run: What they have in common.
        items: The questions about stories, in their order; those about moments of episodes were
            asked when these were played.
    """

    path: Path
    run: EpisodeRun
    items: tuple[TomItem, ...]


def read_items(path: Path) -> TomRun:
    """The questions of a run.

    Raises:
        EpisodeError: The folder is no run, or has no questions.
    """
    store = EpisodeStore.open(path)
    items = tuple(item for item in store.tom_items() if item.story is not None)
    if not items:
        raise EpisodeError(path, "expected questions about stories in tom_items.jsonl, found none")
    ids = {item.item_id for item in items}
    if len(ids) < len(items):
        raise EpisodeError(path / "tom_items.jsonl", "expected each item_id once, found one twice")
    return TomRun(path, store.run(), items)


def read_tom_replies(run: TomRun, path: Path) -> Run:
    """Replies to the questions of a run: a file of them, or the folder of a model's run.

    Raises:
        PredictionError: They cannot be read, or answer no or other questions.
    """
    return read_run(path, question_ids={item.item_id for item in run.items}, asked="run")


def score_replies(
    run: TomRun, replies: Run, *, seed: int = 0, bootstrap: BootstrapPolicy | None = None
) -> TomScores:
    """Scores of replies to the questions of a run.

    Raises:
        PredictionError: A question has changed since it was answered.
    """
    rng = np.random.default_rng(seed)
    return score_items(
        run.items, replies.predictions, run=run.run.name, bootstrap=bootstrap, rng=rng
    )
