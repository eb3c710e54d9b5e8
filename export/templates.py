"""The texts that go with a release are filled in here."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from textwrap import indent
from typing import Any

from mira.report.document import as_cell, render_document

DATASHEET_NAME = "DATASHEET.md"


def render_template(template: str, /, **content: Any) -> str:
    """A Markdown text from its template.

    Args:
        template: File in `data_cards/`.
        content: What it shows.
    """
    text = render_document(
        cards_folder() / template,
        filters={"citation": as_citation, "source_citation": as_source_citation},
        **content,
    )
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def cards_folder() -> Path:
    """Where the templates are: in a wheel inside this package, in a checkout at the top."""
    inside = Path(str(resources.files("export"))) / "data_cards"
    return inside if inside.is_dir() else inside.parents[1] / "data_cards"


def as_citation(text: str) -> str:
    """A citation; BibTeX as a block of code, so that it keeps its lines and signs."""
    text = text.strip()
    return f"```bibtex\n{text}\n```" if text.startswith("@") else text


def as_source_citation(text: str, source: str) -> str:
    """An entry of a list: a source, and how to cite it."""
    cited = as_citation(text) or "*how to cite it is not stated*"
    if "\n" not in cited:
        return f"- {as_cell(source)}: {cited}"
    return f"- {as_cell(source)}:\n\n{indent(cited, '  ')}\n"
