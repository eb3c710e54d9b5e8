"""What `mira annotate app export` tells of the human baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from mira.cli.output import format_count, say_next

if TYPE_CHECKING:
    from annotate.desk.baseline_export import BaselineExport


def baseline_json(found: BaselineExport) -> dict[str, Any]:
    """What was exported, as JSON has it."""
    files = [{**one._asdict(), "path": str(one.path)} for one in found.files]
    return {"files": files, "left_out": found.left_out}


def tell_baseline(found: BaselineExport) -> None:
    """Say how many replies there are, and how they are scored; nothing where nobody replied."""
    for one in found.files:
        ways = ", ".join(f"{protocol} with {modality}" for protocol, modality in one.ways)
        typer.echo(
            f"{one.path}: {format_count(one.replies, 'reply', 'replies')} ({ways or 'none'})"
        )
    if found.left_out:
        count = format_count(found.left_out, "reply", "replies")
        typer.echo(f"{count} left out: what was asked has changed, or is no longer accepted")
    for one in found.files:
        if one.ways:
            protocol = one.ways[0][0]
            say_next("mira", "eval", "score", "RELEASE", one.path, "--protocol", protocol)
