"""Who imports whom, and what starting the command costs."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = (
    "datasets",
    "pyarrow",
    "pandas",
    "cv2",
    "mujoco",
    "gradio",
    "shapely",
    "numpy",
    "scipy",
    "PIL",
    "pydantic",
    "annotate",
    "qa_gen",
    "export",
    "capture",
    "mira.evals",
    "mira.sim",
    "mira.store",
)
LIST_MODULES = "print(*sys.modules, sep='\\n', file=sys.stderr)"


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=ROOT
    )


def loaded(statement: str) -> set[str]:
    """Modules that are loaded after a statement."""
    result = python("-c", f"import sys\ntry:\n    {statement}\nfinally:\n    {LIST_MODULES}")
    return set(result.stderr.split())


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_asking_for_help_or_version_imports_no_stage(arguments: list[str]) -> None:
    modules = loaded(f"from mira.cli.app import app; app({arguments!r}, prog_name='mira')")
    assert "mira.cli.app" in modules
    assert modules & set(HEAVY) == set()


@pytest.mark.parametrize("stage", ["annotate", "qa", "export", "eval", "sim"])
def test_help_of_a_stage_imports_no_heavy_package(stage: str) -> None:
    modules = loaded(f"from mira.cli.app import app; app([{stage!r}, '--help'], prog_name='mira')")
    assert f"mira.cli.{stage}" in modules
    assert modules & {"datasets", "pyarrow", "pandas", "cv2", "mujoco", "gradio"} == set()


def test_help_of_eval_reads_no_taxonomy() -> None:
    modules = loaded("from mira.cli.app import app; app(['eval', '--help'], prog_name='mira')")
    assert modules & {"yaml", "numpy", "mira.schema.qa", "mira.taxonomy.catalogue"} == set()


EMPTY_COMMAND = """
import typer
app = typer.Typer()
app.command()(lambda: None)
app(["--help"])
"""


def test_help_costs_little_more_than_that_of_an_empty_command() -> None:
    def cpu_seconds(*arguments: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        python(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # Taken in turns, so that a busy machine slows both.
    pairs = [
        (cpu_seconds("-m", "mira.cli.main", "--help"), cpu_seconds("-c", EMPTY_COMMAND))
        for _ in "123"
    ]
    assert min(mine for mine, _ in pairs) < 2 * min(empty for _, empty in pairs)


def test_records_cost_no_numeric_package() -> None:
    modules = loaded("import mira.schema.qa, mira.schema.annotation, mira.store.workspace")
    assert modules & {"numpy", "cv2", "shapely", "pandas", "pyarrow", "datasets"} == set()


def test_import_rules_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [linter, "--no-cache"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert result.returncode == 0, result.stdout + result.stderr
