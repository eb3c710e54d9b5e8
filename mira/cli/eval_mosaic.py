"""`mira eval mosaic`: a game of two agents, played, and scored from what they did."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.eval_mosaic_replay import replay
from mira.cli.eval_mosaic_run import run
from mira.cli.options import JsonOption, PolicyOption, SeedOption, policy_or
from mira.cli.output import format_count, print_json, progress, say_next
from mira.cli.plain_help import PlainTyper

if TYPE_CHECKING:
    from mira.evals.mosaic.policy import MosaicPolicy
    from mira.evals.mosaic.sources import TrialGroup

app = PlainTyper()
app.command()(run)
app.command()(replay)


class TrialForm(StrEnum):
    """What trials are read from."""

    episodes = "episodes"
    pcm_llm = "pcm-llm"


RunsArgument = Annotated[
    list[Path],
    typer.Argument(
        help="Folders of episodes; of logs with --from pcm-llm.", metavar="RUN", file_okay=False
    ),
]
FromOption = Annotated[
    TrialForm,
    typer.Option("--from", help="What the folders hold: episodes, or logs of PCM-LLM."),
]
WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        help="Take only logs of PCM-LLM with this setting; repeatable.",
        metavar="COLUMN=VALUE",
    ),
]


@app.callback()
def _group() -> None:
    """MOSAIC, a game of two agents that needs theory of mind: played, and scored from episodes."""


@app.command()
def score(
    runs: RunsArgument,
    source: FromOption = TrialForm.episodes,
    where: WhereOption = None,
    policy: PolicyOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Score trials by condition: TOCS, bias, signals, sensitivity, failures, and all tests."""
    from mira.evals.mosaic.evaluating import evaluate

    bounds = _policy(policy)
    found = evaluate(_groups(runs, source, where), bounds, seed=seed)
    if as_json:
        print_json(found.scores)
        return
    from mira.cli.terminal import print_view
    from mira.evals.mosaic.printing import MosaicView

    print_view(MosaicView(found.scores))


@app.command()
def report(
    runs: RunsArgument,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            help="Folder for two pages, the numbers and tables; replaces an earlier one.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = Path("mosaic-report"),
    source: FromOption = TrialForm.episodes,
    where: WhereOption = None,
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials",
            help="Trials of each run and condition that can be looked at; 25 by default.",
            min=0,
            metavar="N",
        ),
    ] = None,
    policy: PolicyOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Put runs on a page: scores, figures, tests, failures; and their trials on another."""
    from mira.evals.beliefs.policy import BeliefPolicy
    from mira.evals.beliefs.runs import beliefs_of
    from mira.evals.mosaic.report.writing import require_report_folder, write_mosaic_report

    bounds = _policy(policy)
    if trials is not None:
        bounds = bounds.model_copy(update={"trials_shown": trials})
    require_report_folder(out)
    groups = _groups(runs, source, where)
    believed = BeliefPolicy(gaze_threshold=bounds.gaze_threshold, bootstrap=bounds.bootstrap)
    beliefs = beliefs_of(runs, policy=believed, seed=seed) if source is TrialForm.episodes else None
    written = write_mosaic_report(groups, out, policy=bounds, seed=seed, beliefs=beliefs)
    if as_json:
        print_json({"files": written.files, "report": written.scores})
        return
    for path in written.files:
        typer.echo(path)


@app.command("import-pcm")
def import_pcm(
    logs: Annotated[
        Path,
        typer.Argument(
            help="Logs of the PCM-LLM study, as published or packed.",
            metavar="DIR",
            file_okay=False,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Folder for the run.", metavar="RUN", file_okay=False),
    ],
    where: WhereOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a run of episodes of the PCM-LLM study's logs; goes on where it stopped.

    To score logs once, `mira eval mosaic score --from pcm-llm` needs no copy.
    """
    from mira.evals.mosaic.pcm_llm import import_pcm_llm, write_pcm_run

    found = import_pcm_llm(logs, where=_settings(where))
    with progress("writing episodes") as advance:
        write_pcm_run(found, out, progress=advance)
    if as_json:
        run = {"run": out, "episodes": found.n, "licence": found.run.licence}
        print_json({**run, "scores_that_do_not_follow": found.other_scores})
    else:
        typer.echo(f"{format_count(found.n, 'episode')} in {out}, licence {found.run.licence}")
    if found.other_scores:
        games = format_count(found.other_scores, "game")
        typer.echo(f"{games} with a logged score other than the choice gives; it counts", err=True)
    say_next("mira", "eval", "mosaic", "score", out)


def _groups(runs: list[Path], source: TrialForm, where: list[str] | None) -> list[TrialGroup]:
    from mira.evals.mosaic.pcm_llm import pcm_groups
    from mira.evals.mosaic.sources import read_runs, with_keys

    settings = _settings(where)
    if source is TrialForm.episodes:
        if settings:
            raise typer.BadParameter("only logs of PCM-LLM have settings", param_hint="--where")
        with progress("reading episodes") as advance:
            return read_runs(runs, progress=advance)
    with progress("reading logs") as advance:
        found = [
            one for folder in runs for one in pcm_groups(folder, where=settings, progress=advance)
        ]
    return with_keys(found)


def _policy(path: Path | None) -> MosaicPolicy:
    from mira.evals.mosaic.policy import MosaicPolicy

    return policy_or(MosaicPolicy(), path)


def _settings(where: list[str] | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in where or ():
        name, mark, value = text.partition("=")
        if not name or not mark or name in found:
            raise typer.BadParameter(
                f"expected COLUMN=VALUE, a column once, found {text!r}", param_hint="--where"
            )
        found[name] = value
    return found
