"""Beliefs as a part of a report's page."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from mira.evals.beliefs.records import BeliefScores
from mira.evals.beliefs.table import ROLES, title_of
from mira.report.page import render_page

_TEMPLATE = Path(__file__).parent / "templates" / "beliefs.html.j2"
NUMBERS_NAME = "beliefs.json"
"""File of a report that holds the same in numbers."""


def beliefs_section(scores: BeliefScores | None) -> Markup:
    """The HTML of the part, on a page of MIRA's design; nothing where nobody was asked."""
    if scores is None:
        return Markup("")
    told = render_page(
        _TEMPLATE,
        scores=scores,
        whole=[row for row in scores.rows if row.cell is None],
        parts=[row for row in scores.rows if row.cell is not None],
        roles=ROLES,
        title_of=title_of,
    )
    # Its texts were escaped as it was filled.
    return Markup(told)
