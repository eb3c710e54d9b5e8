"""`mira doctor`: what is installed, what is missing and how to get it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.text import Text

from mira.cli.health import (
    Check,
    check_disk,
    check_libraries,
    check_name_clashes,
    check_packages,
    check_versions,
    check_workspace,
)
from mira.cli.output import print_json

_MARKS = {
    "ok": ("ok", "green"),
    "absent": ("--", "dim"),
    "warning": ("!!", "yellow"),
    "broken": ("XX", "bold red"),
}


def run_doctor(workspace: Path | None, *, as_json: bool) -> bool:
    """Print a report of this installation, and of a workspace if one is named.

    Args:
        workspace: Folder to look at as well.
        as_json: Print `{"healthy", "checks": [{"section", "name", "status", "detail", "fix"}]}`.

    Returns:
        Whether all that is required works.
    """
    checks = [*check_versions(), *check_packages(), *check_libraries(), *check_name_clashes()]
    if workspace is not None:
        checks += check_workspace(workspace)
    checks += check_disk(workspace if workspace and workspace.is_dir() else Path())
    healthy = all(check.status != "broken" for check in checks)
    if as_json:
        print_json({"healthy": healthy, "checks": [check._asdict() for check in checks]})
    else:
        _show(checks, healthy=healthy)
    return healthy


def _show(checks: Sequence[Check], *, healthy: bool) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for section, group in groupby(checks, key=lambda check: check.section):
        members = list(group)
        width = max(len(check.name) for check in members)
        console.print(Text(section, style="bold"))
        for check in members:
            mark, style = _MARKS[check.status]
            line = Text.assemble("  ", (mark, style), f"  {check.name:<{width}}  {check.detail}")
            if check.fix:
                line.append(f"   -> {check.fix}", style="cyan")
            console.print(line)
    if healthy:
        console.print(Text("All that is required works.", style="green"))
    else:
        console.print(Text("Something that is required does not work: see XX.", style="bold red"))
