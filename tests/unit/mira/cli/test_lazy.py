"""A stage's module is imported when one of its verbs is wanted, and not before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from mira.cli.lazy import stage_app

STAGE = """
import typer
app = typer.Typer()
deep = typer.Typer(help="Deeper.")
app.add_typer(deep, name="deep")

@app.command()
def greet(name: str, loud: bool = False) -> None:
    "Say hello."
    typer.echo(f"HELLO {name}" if loud else f"hello {name}")

@deep.command()
def dig() -> None:
    typer.echo("dug")
"""


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    """A command with one stage, whose module is `lazy_stage`."""
    (tmp_path / "lazy_stage.py").write_text(STAGE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lazy_stage", raising=False)
    app = typer.Typer()
    app.add_typer(stage_app("lazy_stage"), name="stage", help="A stage.")
    app.command("other")(lambda: None)
    return app


def test_help_of_the_command_names_the_stage_and_imports_nothing(app: typer.Typer) -> None:
    shown = CliRunner().invoke(app, ["--help"])
    assert "A stage." in shown.output
    assert "lazy_stage" not in sys.modules


def test_help_of_the_stage_lists_its_verbs(app: typer.Typer) -> None:
    shown = CliRunner().invoke(app, ["stage", "--help"])
    assert "Say hello." in shown.output
    assert "Deeper." in shown.output


def test_verbs_run_with_their_flags(app: typer.Typer) -> None:
    assert CliRunner().invoke(app, ["stage", "greet", "Ada", "--loud"]).output == "HELLO Ada\n"
    assert CliRunner().invoke(app, ["stage", "deep", "dig"]).output == "dug\n"


def test_wrong_verb_is_wrong_use(app: typer.Typer) -> None:
    refused = CliRunner().invoke(app, ["stage", "gret"])
    assert refused.exit_code == 2
    assert "Did you mean 'greet'" in refused.output
