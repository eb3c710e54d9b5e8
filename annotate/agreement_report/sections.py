"""One set of numbers and figures: of a round, or of all rounds together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from annotate.agreement.comparison import ShapePair
from annotate.agreement.summary import SIZE_BANDS, AgreementSummary, MeanIou
from annotate.agreement_report.figures import plot_histograms, plot_scatter
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.records import mean_of_all
from annotate.agreement_report.words import format_label

CHOICE_WORDS = {
    "correspondence": "what reflections show",
    "visibility": "direct or reflected",
    "surface_type": "type of surface",
    "spatial_label": "spatial label",
}
"""Kinds of choice for people."""
_GROUP_TITLES = {
    "role": "By kind of shape",
    "label": "By label",
    "size": "By size",
    "image": "By picture",
}


class Track(NamedTuple):
    """A mean with its interval on a scale from 0 to 1, in per cent of the scale."""

    low: float
    """Where the interval starts; at the mean where there is none."""
    high: float
    """Where it ends."""
    mean: float
    """The mean."""


class MeanRow(NamedTuple):
    """A mean among others."""

    name: str
    """Of what."""
    mean: MeanIou
    """The numbers."""
    track: Track
    """The same as places."""


class MeanGroup(NamedTuple):
    """Means that belong together."""

    title: str
    """What sets them apart."""
    rows: tuple[MeanRow, ...]
    """Pictures worst first; others in their order."""
    n_left_out: int
    """Means that are not shown."""


class ConfusionCell(NamedTuple):
    """How often two labels met."""

    times: int
    """How often."""
    share: float
    """Share of what the one called so."""
    is_same: bool
    """Whether both labels are the same."""


class ConfusionRow(NamedTuple):
    """What the other called that the one called by one label."""

    label: str
    """The one's label."""
    cells: tuple[ConfusionCell, ...]
    """By the other's label."""


class Confusion(NamedTuple):
    """Labels of two people against each other."""

    title: str
    """Kind of choice."""
    labels: tuple[str, ...]
    """The other's labels."""
    rows: tuple[ConfusionRow, ...]
    """One a label of the one's."""


def section_of(
    summary: AgreementSummary,
    *,
    number: int,
    pairs: Sequence[ShapePair],
    title: str,
    people: tuple[str, str],
    bound: float | None,
    policy: ReportPolicy,
) -> dict[str, Any]:
    """What the template needs to show one set of numbers with its figures.

    Args:
        summary: The numbers.
        number: Of the round, from 1; 0 for all rounds together.
        pairs: The shapes they are of.
        title: What the section is called.
        people: Whose drawings come first, and whose second.
        bound: Mean IoU to reach; None where there is none, or there are several.
        policy: How much figures show.
    """
    mean = mean_of_all(summary)
    return {
        "number": number,
        "title": title,
        "people": people,
        "bound": bound,
        "summary": summary,
        "mean": mean,
        "tracks": tracks_of(mean),
        "groups": _mean_groups(summary, policy),
        "histograms": plot_histograms(pairs),
        "scatter": plot_scatter(pairs, policy=policy),
        "confusions": _confusions(summary),
    }


def tracks_of(mean: MeanIou | None) -> Track | None:
    """A mean's places on a scale from 0 to 1; None without a mean."""
    if mean is None:
        return None
    ends = (mean.interval.low, mean.interval.high) if mean.interval else (mean.mean_iou,) * 2
    low, high, middle = (round(100 * value, 2) for value in (*ends, mean.mean_iou))
    return Track(low, high, middle)


def _mean_groups(summary: AgreementSummary, policy: ReportPolicy) -> tuple[MeanGroup, ...]:
    found = []
    for group, title in _GROUP_TITLES.items():
        means = [mean for mean in summary.means if mean.group == group]
        if group == "image":
            means.sort(key=lambda mean: mean.mean_iou)
        elif group == "size":
            order = [name for name, _ in SIZE_BANDS]
            means.sort(key=lambda mean: order.index(mean.name))
        shown = means[: policy.images_per_plot] if group == "image" else means
        rows = tuple(row for mean in shown if (row := _mean_row(mean)))
        if rows:
            found.append(MeanGroup(title, rows, len(means) - len(rows)))
    return tuple(found)


def _mean_row(mean: MeanIou) -> MeanRow | None:
    track = tracks_of(mean)
    return MeanRow(_name_of(mean), mean, track) if track else None


def _name_of(mean: MeanIou) -> str:
    if mean.group == "label":
        role, _, label = mean.name.partition(" ")
        return f"{role}, {format_label(label)}"
    if mean.group == "size":
        names = [name for name, _ in SIZE_BANDS]
        place = names.index(mean.name)
        sides = [round(least**0.5) for _, least in SIZE_BANDS]
        if place == len(names) - 1:
            return f"{mean.name}, from {sides[place]}² px"
        return f"{mean.name}, below {sides[place + 1]}² px"
    return mean.name


def _confusions(summary: AgreementSummary) -> tuple[Confusion, ...]:
    found = []
    for name, nested in summary.confusions.items():
        columns = sorted({label for row in nested.values() for label in row} | nested.keys())
        rows = tuple(_confusion_row(label, nested[label], columns) for label in sorted(nested))
        if rows:
            words = tuple(format_label(label) for label in columns)
            found.append(Confusion(CHOICE_WORDS.get(name, name), words, rows))
    return tuple(found)


def _confusion_row(label: str, counts: dict[str, int], columns: Sequence[str]) -> ConfusionRow:
    total = sum(counts.values())
    cells = tuple(
        ConfusionCell(counts.get(other, 0), counts.get(other, 0) / total, other == label)
        for other in columns
    )
    return ConfusionRow(format_label(label), cells)
