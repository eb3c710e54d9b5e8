"""The demo as a run of the stages, one after the other."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import typer

from annotate.importing import import_annotations
from export.build import build_release
from export.verify import verify_release
from mira.cli.demo.page import Step, demo_page
from mira.cli.output import format_count, format_size, progress
from mira.errors import MiraError
from mira.evals.mira_bench.predictions import write_predictions
from mira.evals.mira_bench.release import BaselineKind, baseline_predictions, score_release
from mira.evals.mira_bench.table import render_score_table
from mira.schema.evaluation import ScoreTable
from mira.schema.qa import QAPolicy
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.atomic import replace_folder, write_file
from mira.store.workspace import Workspace
from qa_gen.generate import generate_questions

_MARK = ".mira-demo"
_SEED = 0
_NAME = "mira-demo"
_PLAYERS: tuple[BaselineKind, ...] = ("oracle", "random")


def run_demo(out: Path) -> Path:
    """Packaged scenes become a workspace, a release, scores and a page.

    Args:
        out: A new folder, or one of an earlier demo, which is replaced in one step.

    Returns:
        The page.

    Raises:
        MiraError: The folder holds something else, or a step failed.
    """
    if out.exists() and not (out / _MARK).is_file() and (not out.is_dir() or any(out.iterdir())):
        raise MiraError(out, "holds something that is no demo", "choose a new folder with --out")
    with replace_folder(out) as root:
        (root / _MARK).touch()
        shutil.copytree(packaged_scenes_dir(), root / "scenes")
        steps = [
            _import_step(root),
            _question_step(root),
            _export_step(root),
            _verify_step(root),
        ]
        tables: dict[str, ScoreTable] = {kind: _score(root, kind) for kind in _PLAYERS}
        steps.append(
            Step(
                "Scored two players",
                f"oracle {_overall(tables['oracle'])}, random {_overall(tables['random'])}",
                f"mira eval score {_NAME} predictions/oracle.jsonl",
            )
        )
        page = demo_page(root / _NAME, folder=out, steps=steps, tables=tables)
        write_file(root / "report.html", page.encode())
    _say(tables, out)
    return out / "report.html"


def _import_step(root: Path) -> Step:
    workspace = Workspace.create(root / "workspace")
    with progress("importing") as advance:
        report = import_annotations(
            root / "scenes", workspace, scenes=None, annotator="simulator", progress=advance
        )
    faults = [finding for finding in report.findings if finding.severity == "error"]
    if faults:
        raise MiraError(root, f"a packaged scene does not import: {faults[0]}")
    return Step(
        "Imported and checked",
        f"{format_count(report.imported, 'annotated picture')}, "
        f"{format_count(report.instances, 'outline')}",
        "mira annotate import scenes --workspace workspace",
    )


def _question_step(root: Path) -> Step:
    with progress("making questions") as advance:
        summary = generate_questions(
            Workspace.open(root / "workspace"), policy=QAPolicy(seed=_SEED), progress=advance
        )
    return Step(
        "Made questions",
        f"{format_count(summary.items, 'item')}, "
        f"{format_count(summary.questions, 'question')} in five protocols",
        "mira qa generate --workspace workspace",
    )


def _export_step(root: Path) -> Step:
    with progress("writing the release") as advance:
        info = build_release(
            Workspace.open(root / "workspace"),
            root / _NAME,
            name=_NAME,
            progress=advance,
        )
    size = sum(ref.size_bytes for c in info.configs for part in c.splits for ref in part.files)
    return Step(
        "Wrote a release",
        f"{len(info.configs)} tables, {format_size(size)}, digest {info.digest[:8]}",
        f"mira export build --workspace workspace --out {_NAME}",
    )


def _verify_step(root: Path) -> Step:
    with progress("verifying") as advance:
        findings = verify_release(root / _NAME, progress=advance)
    faults = [finding for finding in findings if finding.severity == "error"]
    if faults:
        raise MiraError(root, f"the release does not hold: {faults[0]}")
    return Step(
        "Verified it",
        "loads offline in a fresh cache, every picture decodes, every digest holds",
        f"mira export verify {_NAME}",
    )


def _score(root: Path, kind: BaselineKind) -> ScoreTable:
    release, path = root / _NAME, root / "predictions" / f"{kind}.jsonl"
    rng = np.random.default_rng(_SEED)
    write_predictions(path, baseline_predictions(release, kind, rng=rng))
    return score_release(release, path, rng=np.random.default_rng(_SEED)).table


def _overall(table: ScoreTable) -> str:
    value = table.rows[-1].value
    return "–" if value is None else f"{100 * value:.1f} %"


def _say(tables: dict[str, ScoreTable], out: Path) -> None:
    from rich.console import Console

    console = Console()
    for kind, table in tables.items():
        console.print(f"\n[bold]{kind}[/bold]")
        console.print(render_score_table(table))
    typer.echo(f"Workspace: {out / 'workspace'}", err=True)
    typer.echo(f"Release:   {out / _NAME}", err=True)
    typer.echo("Report:", err=True)
    typer.echo(str(out / "report.html"))
