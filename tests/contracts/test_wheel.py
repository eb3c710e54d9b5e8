"""The wheel carries the five packages with their data, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"mira", "capture", "annotate", "qa_gen", "export"}


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the files in a freshly built wheel."""
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        check=True,
        capture_output=True,
        cwd=ROOT,
    )
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_wheel_holds_the_five_packages_and_nothing_else(wheel_names: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES


@pytest.mark.slow
def test_wheel_holds_every_file_of_the_packages(wheel_names: set[str]) -> None:
    listed = subprocess.run(
        ["git", "ls-files", *sorted(PACKAGES), "data_cards"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    ).stdout.splitlines()
    if not listed:
        pytest.skip("needs a git checkout")
    wanted = {
        f"export/{name}" if name.startswith("data_cards/") else name
        for name in listed
        if (ROOT / name).exists()
    }
    assert wanted - wheel_names == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "mira/taxonomy/taxonomy.yaml",
        "annotate/app/static/viewer.js",
        "annotate/app/static/viewer.css",
        "annotate/app/static/viewer/panels.js",
        "qa_gen/templates/referring.yaml",
        "export/data_cards/dataset_card.md.j2",
        "export/data_cards/datasheet.md.j2",
        "export/plots/plot.svg.j2",
    ],
)
def test_wheel_holds_data_files(wheel_names: set[str], name: str) -> None:
    assert name in wheel_names


@pytest.mark.slow
def test_wheel_holds_the_licence(wheel_names: set[str]) -> None:
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel_names)
