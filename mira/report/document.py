"""Fill a document: one Markdown file, such as the README of a folder that goes out."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def render_document(
    template: Path, /, *, filters: Mapping[str, Callable[..., str]] | None = None, **content: Any
) -> str:
    """The text of a document.

    Args:
        template: A Jinja file; it may include others of its folder. Text from elsewhere goes
            through its filter `cell` in a table.
        filters: More filters, by name.
        content: What the template shows.
    """
    env = Environment(
        loader=FileSystemLoader(template.parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.filters |= {"cell": as_cell, "thousands": "{:,}".format, **(filters or {})}
    return env.get_template(template.name).render(**content)


def as_cell(text: str) -> str:
    """Text that stays within one cell of a Markdown table."""
    return html.escape(" ".join(text.split()), quote=False).replace("|", "\\|")
