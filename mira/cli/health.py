"""Checks of an installation and of a workspace, without importing what is checked."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from ctypes.util import find_library
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from mira.errors import MiraError, MissingExtraError
from mira.store.workspace import Workspace

DISTRIBUTION = "mira-toolkit"
PACKAGES = ("mira", "capture", "annotate", "qa_gen", "export")
LOW_DISK_BYTES = 5 * 1024**3
"""Less free space than this is worth a warning: a release of full size is about 1 GB."""

Status = Literal["ok", "absent", "warning", "broken"]
"""`absent`: optional and not there; `broken`: something that is needed does not work."""


class Check(NamedTuple):
    """One line of a doctor's report."""

    section: str
    name: str
    status: Status
    detail: str
    fix: str | None = None


def check_versions() -> Iterator[Check]:
    """Python's and MIRA's versions."""
    yield Check("versions", "python", "ok", f"{platform.python_version()} ({sys.executable})")
    if found := _version(DISTRIBUTION):
        yield Check("versions", "mira", "ok", found)
    else:
        fix = f"pip install {DISTRIBUTION}, or in a checkout: bash scripts/setup.sh"
        yield Check("versions", "mira", "broken", "runs without being installed", fix)
    yield Check("versions", "system", "ok", f"{platform.system()} {platform.machine()}")


def check_packages() -> Iterator[Check]:
    """Required packages one by one, then the packages of each extra together."""
    extras: dict[str, list[str]] = {}
    for name, extra in _requirements():
        if extra:
            extras.setdefault(extra, []).append(name)
        elif found := _version(name):
            yield Check("packages", name, "ok", found)
        else:
            yield Check("packages", name, "broken", "not installed", f"pip install {DISTRIBUTION}")
    for extra, names in extras.items():
        missing = [name for name in names if not _version(name)]
        if missing:
            detail = f"without {', '.join(missing)}"
            yield Check("extras", extra, "absent", detail, MissingExtraError.how_to_add(extra))
        else:
            yield Check("extras", extra, "ok", ", ".join(f"{n} {_version(n)}" for n in names))


def _requirements() -> Iterator[tuple[str, str | None]]:
    """Each requirement of the distribution: the package and the extra that asks for it."""
    try:
        requirements = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return
    for requirement in requirements:
        name = re.split(r"[^\w.\-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", requirement)
        if name != DISTRIBUTION and not (extra and extra.group(1) == "all"):
            yield name, extra.group(1) if extra else None


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def check_libraries() -> Iterator[Check]:
    """Whether the system libraries behind OpenCV and the simulator's renderer load."""
    probe = subprocess.run(
        [sys.executable, "-I", "-c", "import cv2"], capture_output=True, text=True, check=False
    )
    if probe.returncode == 0:
        yield Check("system libraries", "OpenCV", "ok", "loads")
    else:
        reason = (probe.stderr.strip().splitlines() or ["no reason given"])[-1]
        fix = "Debian, Ubuntu: apt-get install libgl1 libglib2.0-0"
        yield Check("system libraries", "OpenCV", "broken", reason, fix)
    if find_spec("mujoco") is None or platform.system() != "Linux":
        return
    renderers = [name for name in ("EGL", "OSMesa") if find_library(name)]
    if renderers:
        yield Check("system libraries", "MuJoCo", "ok", f"renders with {' or '.join(renderers)}")
    else:
        fix = "Debian, Ubuntu: apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri"
        yield Check("system libraries", "MuJoCo", "warning", "finds no EGL or OSMesa", fix)


def check_name_clashes(home: Path | None = None) -> Iterator[Check]:
    """Whether Python finds this distribution's packages under their generic names.

    Args:
        home: Folder that holds the packages; that of the running `mira` by default.
    """
    home = home or Path(__file__).parents[2]
    for name in PACKAGES:
        if not (home / name / "__init__.py").is_file():
            yield Check("names", name, "absent", "not in this version")
            continue
        spec = find_spec(name)
        found = Path(spec.origin).parents[1] if spec and spec.origin else None
        if found and found.resolve() == home.resolve():
            yield Check("names", name, "ok", str(home / name))
        else:
            fix = f"uninstall the other package called {name}, or use a fresh environment"
            yield Check("names", name, "broken", f"is another package's: {found}", fix)


def check_disk(folder: Path) -> Iterator[Check]:
    """Free space where `folder` is."""
    free = shutil.disk_usage(folder).free
    status: Status = "ok" if free >= LOW_DISK_BYTES else "warning"
    fix = None if status == "ok" else "free some space before an export"
    yield Check("disk", str(folder.resolve()), status, f"{free / 1024**3:.1f} GB free", fix)


def check_workspace(root: Path) -> Iterator[Check]:
    """Whether every record of a workspace reads, how many there are, and what crashes left."""
    try:
        workspace = Workspace.open(root)
    except MiraError as error:
        yield Check("workspace", str(root), "broken", error.problem, error.fix)
        return
    yield Check("workspace", "opens", "ok", str(root))
    try:
        counts = _count(workspace)
    except MiraError as error:
        yield Check("workspace", error.where, "broken", error.problem, error.fix)
    else:
        for name, count in counts.items():
            yield Check("workspace", name, "ok", str(count))
    leftovers = sorted(root.rglob(".*.partial-*"))
    if leftovers:
        detail = f"{len(leftovers)} left by a process that was killed, such as {leftovers[0]}"
        fix = "the next write removes folders; files can be deleted while nothing is running"
        yield Check("workspace", "partial files", "warning", detail, fix)


def _count(workspace: Workspace) -> dict[str, int]:
    views = list(workspace.views())
    annotations = [
        workspace.annotation(view.image_id, annotator)
        for view in views
        for annotator in workspace.annotators(view.image_id)
    ]
    summary = workspace.qa_summary()
    return {
        "scenes": sum(1 for _ in workspace.scenes()),
        "views": len(views),
        "annotations": len(annotations),
        "items": summary.items if summary else 0,
        "questions": summary.questions if summary else 0,
    }
