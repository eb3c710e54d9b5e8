"""`mira annotate export` and `mira annotate init`, as a user runs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import typer
from typer.testing import CliRunner, Result

from annotate.importing import import_annotations
from mira.cli.annotate_export import export
from mira.cli.annotate_init import init
from mira.store.workspace import Workspace

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    app = typer.Typer()
    app.command()(export)
    app.command()(init)
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def workspace(
    tmp_path: Path, shape: Any, document: Any, write_picture: Any, write_json: Any
) -> Path:
    write_picture(tmp_path / "drawn" / "a.png")
    write_json(tmp_path / "drawn" / "a.json", document(shape(), shape("surfce", gid="x")))
    for name in ("ann", "bob"):
        made = Workspace.create(tmp_path / "workspace")
        import_annotations(tmp_path / "drawn", made, scenes=None, annotator=name)
    return tmp_path / "workspace"


def test_an_export_says_what_it_wrote_and_how_to_read_it(
    run: Run, workspace: Path, tmp_path: Path
) -> None:
    result = run("export", workspace, "--to", "xanylabeling", "--out", tmp_path / "out")

    assert result.exit_code == 0
    assert "ann: 1 annotation" in result.stdout
    assert f"{tmp_path / 'out'}: 1 picture, 0 surfaces, 2 instances, 0 links" in result.stdout
    assert "Next: mira annotate import" in result.stderr
    assert (tmp_path / "out" / "bob" / "a.json").exists()


def test_coco_of_two_annotators_says_that_one_can_be_taken(
    run: Run, workspace: Path, tmp_path: Path
) -> None:
    result = run("export", workspace, "--to", "coco", "-o", tmp_path / "out", "--json")

    assert orjson.loads(result.stdout)["by_annotator"] == {"ann": 1, "bob": 1}
    assert "--annotator takes one" in result.stderr


def test_faulty_reflections_that_are_missing_are_told(
    run: Run, workspace: Path, tmp_path: Path
) -> None:
    made = Workspace.open(workspace)
    annotation = made.annotation("a", "ann")
    assert annotation is not None
    made.put_annotation(annotation.model_copy(update={"lost_reflections": 2}))

    result = run("export", workspace, "--to", "coco", "-o", tmp_path / "out")

    assert "2 faulty shapes of reflections had been left out" in result.stderr


def test_init_says_what_it_wrote(run: Run, tmp_path: Path) -> None:
    result = run("init", "--out", tmp_path / "out", "--categories", "cup,lamp")

    assert result.exit_code == 0
    assert "9 labels: surface, object, object_reflection, cup, cup_reflection" in result.stdout
    assert str(tmp_path / "out" / "guide.html") in result.stdout


def test_init_gives_one_json_document(run: Run, tmp_path: Path) -> None:
    result = run("init", "-o", tmp_path / "out", "--json")

    assert "attributes.json" in orjson.loads(result.stdout)["files"]
