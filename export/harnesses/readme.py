"""The README of a folder: how to run it in its harness, and how its scores compare."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from export.harnesses.options import TaskOptions, TaskSummary
from mira.schema.export import ReleaseInfo
from mira.taxonomy.catalogue import taxonomy

_TEMPLATES = Path(__file__).parent / "readmes"


def write_readme(
    root: Path,
    harness: str,
    summary: TaskSummary,
    options: TaskOptions,
    info: ReleaseInfo,
    **more: Any,
) -> None:
    """Write the README.

    Args:
        root: The folder of the harness.
        harness: Name of the template.
        summary: What the folder holds.
        options: What was asked for.
        info: What the release says of itself.
        more: What else the template shows.
    """
    # A README is Markdown, in which HTML escapes would be seen.
    env = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    text = env.get_template(f"{harness}.md.j2").render(
        summary=summary,
        total=sum(summary.questions.values()),
        options=options,
        info=info,
        subtasks={one.id: one.name for one in taxonomy().subtasks},
        version=version("mira-toolkit"),
        score=_score_command(options),
        **more,
    )
    (root / "README.md").write_text(text, "utf-8", newline="\n")


def _score_command(options: TaskOptions) -> str:
    split = f" --split {options.split}" if options.split else ""
    return f"mira eval score RELEASE REPLIES --protocol {options.protocol}{split}"
