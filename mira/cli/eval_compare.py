"""`mira eval compare`: two runs held against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.eval_options import ProtocolOption, ReleaseOption, SplitOption
from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json


def compare(
    first: Annotated[
        Path, typer.Argument(help="A run, or a file of predictions.", metavar="FIRST")
    ],
    second: Annotated[Path, typer.Argument(help="Another one.", metavar="SECOND")],
    release: ReleaseOption = None,
    protocol: ProtocolOption = None,
    split: SplitOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs: difference by sub-task with interval and test, and what else differs."""
    import numpy as np

    from mira.evals.mira_bench.comparing import compare_runs
    from mira.evals.mira_bench.comparison_table import ComparisonView
    from mira.evals.mira_bench.judging import judge_runs

    judged = judge_runs([first, second], release=release, protocol=protocol, split=split)
    compared = compare_runs(
        *judged.runs, release_digest=judged.digest, rng=np.random.default_rng(seed)
    )
    if as_json:
        print_json(compared)
        return
    from mira.cli.terminal import print_view

    print_view(ComparisonView(compared))
