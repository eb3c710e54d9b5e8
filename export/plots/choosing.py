"""Which counts of a release are plotted, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from export.building.statistics import NOT_GIVEN
from export.facts import NO_DEPTH, Facts
from export.plots.figure import Figure, Part, Row, Strip, draw
from mira.taxonomy.catalogue import taxonomy

_LEVELS = {"perception": "#0b8068", "spatial": "#2c69cf", "decision": "#bf5a14"}
_ENVIRONMENTS = {"indoor": "#0b8068", "outdoor": "#d9941f", NOT_GIVEN: "#b9c4c0"}
_VISIBILITY = {"direct": "#1d6fd1", "reflected": "#d9640f"}
_OTHERS = ("#0b8068", "#2c69cf", "#d9941f", "#8a4fb0", "#c24a63", "#5d7f2b", "#4f98a8", "#8b6a4b")
_UNKNOWN = "#b9c4c0"
_MOST_PLACES = 14
Counts = Mapping[str, int]


def questions_figure(statistics: Mapping[str, Counts]) -> Figure | None:
    """Questions by level, sub-task and template; None without any."""
    counts = statistics.get("questions by template", {})
    if not counts:
        return None
    rows = []
    for template in taxonomy().templates:
        if count := counts.get(template.id, 0):
            subtask = taxonomy().subtask(template.subtask)
            part = Part("questions", count, _LEVELS[subtask.level])
            rows.append(Row(template.id, (part,), group=subtask.name))
    shown = {taxonomy().subtask(taxonomy().template(row.label).subtask).level for row in rows}
    key = [
        Part(level.name, 0, _LEVELS[level.id]) for level in taxonomy().levels if level.id in shown
    ]
    total = sum(counts.values())
    return draw("Questions", f"{total:,} questions, by sub-task and template", rows=rows, key=key)


def pictures_figure(facts: Facts) -> Figure | None:
    """Pictures by place, environment and depth; None without any."""
    if not facts.places:
        return None
    rows = [Row(_words(place), _environments(counts)) for place, counts in _places(facts)]
    used = {part.name for row in rows for part in row.parts}
    key = [Part(name, 0, color) for name, color in _ENVIRONMENTS.items() if name in used]
    return draw(
        "Pictures",
        f"{facts.pictures:,} pictures, by kind of place",
        rows=rows,
        key=key,
        strips=[Strip("Depth", _parts(facts.depths, {NO_DEPTH: _UNKNOWN}))],
    )


def instances_figure(statistics: Mapping[str, Counts]) -> Figure | None:
    """Instances by visibility, reflections by counterpart, surfaces by kind; None without any."""
    wanted = {
        "Instances, by visibility": "instances by visibility",
        "Reflections, by what is known of the object they show": "reflections by counterpart",
        "Reflective surfaces, by kind": "surfaces by type",
    }
    strips = [
        Strip(title, _parts(statistics[table], _VISIBILITY))
        for title, table in wanted.items()
        if statistics.get(table)
    ]
    if not strips:
        return None
    total = sum(statistics.get("instances by visibility", {}).values())
    return draw("Annotation", f"{total:,} outlined instances", strips=strips)


def _places(facts: Facts) -> Iterator[tuple[str, Counts]]:
    """The most frequent places, and all others as one."""
    places = list(facts.places.items())
    yield from places[:_MOST_PLACES]
    others: dict[str, int] = {}
    for _, counts in places[_MOST_PLACES:]:
        for name, count in counts.items():
            others[name] = others.get(name, 0) + count
    if others:
        yield f"{len(places) - _MOST_PLACES} others", others


def _environments(counts: Counts) -> tuple[Part, ...]:
    return tuple(
        Part(name, counts[name], color) for name, color in _ENVIRONMENTS.items() if name in counts
    )


def _parts(counts: Counts, colors: Mapping[str, str]) -> tuple[Part, ...]:
    """Shares, the largest first and what is not known last."""
    known = sorted(counts, key=lambda name: (name == NOT_GIVEN, -counts[name], name))
    free = iter(_OTHERS * len(known))
    return tuple(
        Part(
            _words(name),
            counts[name],
            colors.get(name) or (_UNKNOWN if name == NOT_GIVEN else next(free)),
        )
        for name in known
    )


def _words(name: str) -> str:
    return name.replace("_", " ")
