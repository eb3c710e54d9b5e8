"""The scripts refuse wrong use in a line, and what installs is named alike everywhere."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from mira import errors
from mira.errors import MissingExtraError

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", str(ROOT / "scripts" / script), *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )


def extras() -> set[str]:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return set(document["project"]["optional-dependencies"])


def test_unknown_extra_is_refused_and_the_known_are_listed(tmp_path: Path) -> None:
    refused = run("setup.sh", "export", "nosuch", cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "no such extra: nosuch" in refused.stderr
    listed = refused.stderr.split("there are: ")[1].rstrip(")\n").split()
    assert set(listed) == extras()


@pytest.mark.parametrize("arguments", [["--foo"], ["-x"], ["a", "b"]])
def test_demo_makes_no_folder_of_a_flag_it_does_not_know(
    tmp_path: Path, arguments: list[str]
) -> None:
    refused = run("demo", *arguments, cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("script", ["setup.sh", "demo"])
def test_help_says_how_to_call_it(tmp_path: Path, script: str) -> None:
    shown = run(script, "--help", cwd=tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith(f"usage: bash scripts/{script}")


def test_missing_extra_names_the_script_in_a_checkout() -> None:
    assert MissingExtraError("mujoco", "sim").fix == "bash scripts/setup.sh sim"


def test_missing_extra_names_pip_beside_an_installed_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "__file__", str(tmp_path / "site-packages" / "mira" / "errors.py"))
    assert MissingExtraError("mujoco", "sim").fix == "pip install 'mira-toolkit[sim]'"
