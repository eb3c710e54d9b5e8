"""The page on which one sees how runs play MOSAIC."""

from __future__ import annotations

from pathlib import Path

from mira.evals.beliefs.records import BeliefScores
from mira.evals.beliefs.section import beliefs_section
from mira.evals.mosaic.conditions import CONDITIONS
from mira.evals.mosaic.failures import TITLES, glossary_of
from mira.evals.mosaic.forms import METRIC_TITLES, format_number
from mira.evals.mosaic.paper_forms import paper_forms
from mira.evals.mosaic.records import MosaicScores
from mira.evals.mosaic.report import figures
from mira.report.page import render_page

TEMPLATES = Path(__file__).parent / "templates"


def mosaic_page(
    scores: MosaicScores,
    *,
    shown: int,
    files: tuple[str, ...],
    beliefs: BeliefScores | None = None,
) -> str:
    """The HTML of the page; equal content gives equal bytes.

    Args:
        scores: The numbers.
        shown: How many trials the page of trials shows.
        files: Names of the other files of the report.
        beliefs: What players said that they believe; None where nobody was asked.
    """
    return render_page(
        TEMPLATES / "mosaic_report.html.j2",
        scores=scores,
        policy=scores.policy,
        conditions=CONDITIONS,
        by_id={one.id: one for one in CONDITIONS},
        titles=METRIC_TITLES,
        number=format_number,
        dots=figures.conformance_dots(scores),
        heat_maps=figures.heat_maps(scores),
        sweep=figures.sweep_lines(scores),
        shares=figures.SHARES,
        signs=figures.SIGNS,
        colours=figures.COLOURS,
        forms=paper_forms(scores),
        failures={(one.run, one.failure, one.condition): one for one in scores.failures},
        failure_titles=TITLES,
        glossary=glossary_of(scores.policy),
        n=sum(run.n for run in scores.runs),
        n_aborted=sum(run.n_aborted for run in scores.runs),
        shown=shown,
        files=files,
        beliefs=beliefs_section(beliefs),
    )
