"""The guide to imports says what there is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from capture.importers.layouts import LAYOUTS
from capture.importers.readers import file_roles, folder_cameras
from mira.cli.capture_import import import_

GUIDE = Path(__file__).parents[4] / "docs" / "capture" / "import.md"
TEXT = GUIDE.read_text("utf-8")


def test_every_layout_has_a_row_and_an_example():
    table = TEXT.split("## Layouts")[1].split("```")[0]
    assert re.findall(r"^\| `([a-z0-9]+[a-z0-9-]*)` \|", table, re.MULTILINE) == list(LAYOUTS)
    for name in LAYOUTS:
        assert f"--from {name} --out" in TEXT


def test_flags_of_the_examples_exist():
    app = typer.Typer()
    app.command()(import_)
    known = {flag for parameter in get_command(app).params for flag in parameter.opts}
    examples = re.findall(r"^mira capture import .*$", TEXT, re.MULTILINE)
    assert len(examples) > len(LAYOUTS)
    for line in examples:
        flags = {word for word in shlex.split(line, comments=True) if word.startswith("--")}
        assert flags <= known, line


def test_links_lead_to_files():
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", TEXT):
        assert "://" in target or (GUIDE.parent / target).exists(), target


@pytest.mark.parametrize("word", sorted({*file_roles._ROLES, *file_roles._BESIDE}))
def test_words_that_decide_are_listed(word):
    assert f"`{word.removesuffix('s')}`" in TEXT


def test_names_of_camera_files_are_listed():
    for name in folder_cameras._OF_FOLDER:
        assert f"`{name}`" in TEXT
