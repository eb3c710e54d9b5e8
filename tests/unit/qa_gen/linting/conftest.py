from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from qa_gen.linting.checking import LintReport, lint_wording

OURS = {
    entry.name: entry.read_text("utf-8")
    for entry in (resources.files("qa_gen") / "templates").iterdir()
    if entry.name.endswith(".yaml")
}
Plant = Callable[..., LintReport]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a copy of our wording."""
    for name, text in OURS.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def plant(folder: Path) -> Plant:
    """Changes our wording in places, each of them once, and lints it."""

    def planted(*changes: tuple[str, str, str]) -> LintReport:
        for name, old, new in changes:
            text = (folder / name).read_text("utf-8")
            assert old in text, f"not in {name}: {old}"
            (folder / name).write_text(text.replace(old, new, 1), "utf-8")
        return lint_wording(folder)

    return planted
