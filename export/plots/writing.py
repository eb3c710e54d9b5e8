"""Plots as SVG files in a release."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from export.facts import Facts
from export.plots.choosing import instances_figure, pictures_figure, questions_figure
from export.plots.figure import WIDTH, Figure

PLOTS_PATH = Path("meta") / "plots"
_TEMPLATE = Path(__file__).with_name("plot.svg.j2")


class Plot(NamedTuple):
    """A plot that was written."""

    path: str
    """In the release."""
    label: str
    """What it shows, for who cannot see it."""


def write_plots(
    root: Path, *, facts: Facts, statistics: dict[str, dict[str, int]]
) -> tuple[Plot, ...]:
    """Write the plots of a release; the same counts give the same bytes.

    Args:
        root: The release.
        facts: What is known of it.
        statistics: Counts by table and row.
    """
    figures = {
        "questions": ("Questions by sub-task and template", questions_figure(statistics)),
        "pictures": ("Pictures by place, environment and depth", pictures_figure(facts)),
        "annotation": (
            "Instances by visibility, reflections by counterpart, surfaces by kind",
            instances_figure(statistics),
        ),
    }
    folder = root / PLOTS_PATH
    folder.mkdir(parents=True, exist_ok=True)
    plots = []
    for name, (label, figure) in figures.items():
        if figure is not None:
            path = folder / f"{name}.svg"
            path.write_text(format_svg(figure, label), "utf-8", newline="\n")
            plots.append(Plot(path.relative_to(root).as_posix(), label))
    return tuple(plots)


def format_svg(figure: Figure, label: str) -> str:
    """A figure as SVG; it refers to nothing outside itself."""
    env = Environment(
        loader=FileSystemLoader(_TEMPLATE.parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_printable,
    )
    template = env.get_template(_TEMPLATE.name)
    return template.render(figure=figure, label=label, width=WIDTH)


def _printable(value: object) -> object:
    """Text without control signs, which XML does not take however they are written."""
    if not isinstance(value, str):
        return value
    return "".join(sign if sign.isprintable() else " " for sign in value)
