"""One table of runs on disk: what the command line prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from mira.errors import PredictionError
from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.judging import judge_runs
from mira.evals.mira_bench.naming import keys_of
from mira.evals.mira_bench.scoring import score_outcomes
from mira.evals.run_tables.layout import score_sheet, sheets_of
from mira.evals.run_tables.linking import LinkedBy
from mira.evals.run_tables.making import make_tables
from mira.evals.run_tables.records import Propagation, RunTables, Sweep
from mira.evals.run_tables.sheets import Sheet
from mira.schema.evaluation import ScoreTable

TableName = Literal["main", "modality", "protocol", "style", "control", "propagation", "subset"]
_NEEDS: dict[TableName, str] = {
    "main": "at least one run",
    "modality": "runs of one model in two modalities, all else alike",
    "protocol": "runs of one model in two protocols, all else alike, or one in all",
    "style": "runs of one model in two styles, all else alike",
    "control": "runs that tell how they were asked, and --control with others of the same models",
    "propagation": "questions on visibility and on places about what decisions are about",
    "subset": "runs that tell how they were asked, and questions of which some point at one thing",
}


class PrintedTables(NamedTuple):
    """A table, once for each model or kind of decision.

    Attributes:
        sheets: As people read it.
        numbers: The same in numbers, by run for the main one.
        needs: What it is made from.
    """

    sheets: tuple[Sheet, ...]
    numbers: list[Sweep] | list[Propagation] | dict[str, ScoreTable]
    needs: str


def printed_tables(
    name: TableName,
    paths: Sequence[Path],
    *,
    control: Sequence[Path] = (),
    release: Path | None = None,
    protocol: str | None = None,
    split: str | None = None,
    linked_by: LinkedBy = "instance",
    seed: int = 0,
) -> PrintedTables:
    """One of the tables that runs give.

    Args:
        name: Which.
        paths: Run folders and files of predictions.
        control: Runs on another set of questions, without mirrors.
        release: The release; by default where the manifests say that it lies.
        protocol: Judge this referring protocol alone.
        split: Judge this split alone.
        linked_by: What a decision shares with the questions below it.
        seed: Seed of resamples and exchanges.

    Raises:
        MiraError: A run or the release cannot be read, or no control is given for its table.
    """
    if name == "control" and not control:
        raise PredictionError("--control", "expected runs on questions without mirrors, found none")
    judged = judge_runs(paths, release=release, protocol=protocol, split=split)
    keys = keys_of(judged)
    if name == "main":
        scores = {
            key: score_outcomes(
                run.asked,
                run.outcomes,
                release_digest=judged.digest,
                protocol=run.protocol,
                split=run.split,
                rng=np.random.default_rng(seed),
            )
            for key, run in zip(keys, judged.runs, strict=True)
        }
        return PrintedTables((score_sheet(scores.items()),), scores, _NEEDS[name])
    tables = make_tables(
        judged,
        keys,
        control=judge_runs(control, split=split) if control else None,
        linked_by=linked_by,
        only=name,
        policy=BootstrapPolicy(),
        seed=seed,
    )
    return PrintedTables(sheets_of(tables), _numbers(name, tables), _NEEDS[name])


def _numbers(name: TableName, tables: RunTables) -> list[Sweep] | list[Propagation]:
    if name == "propagation":
        return list(tables.propagation)
    return list({"control": tables.control, "subset": tables.subsets}.get(name, tables.sweeps))
