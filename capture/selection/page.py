"""The page on which people look a selection over."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from capture.selection.bounds import in_percent
from capture.selection.policy_rows import policy_rows
from capture.selection.records import (
    CRITERIA,
    VERDICTS,
    RegionSource,
    Selection,
    ViewJudgement,
    ViewMeasures,
)
from capture.selection.selecting import SelectedViews
from mira.report.page import render_page
from mira.schema.capture import Scene
from mira.store.session import COLOR_NAME, Session
from mira.store.version import tool_version

_TEMPLATE = Path(__file__).parent / "templates" / "selection_page.html.j2"
_SOURCES: dict[RegionSource, str] = {
    "annotation": "annotation",
    "surfaces": "surfaces.png",
    "none": "not known",
}
_MOST_PAIRS = 60
"""Pairs across scenes that are shown; there are many where each frame of a video is a scene."""
_IN_NUMBERS = frozenset({"objects-likely"})
"""Notes that a card's numbers make already."""


def selection_page(selected: SelectedViews, *, session: Session, out: Path) -> str:
    """The HTML of the page.

    Args:
        selected: The selection and its small pictures.
        session: Where the views are.
        out: Where the page will be; within the session's folder it links to the full pictures.
    """
    selection = selected.selection
    folder = _way_to(session.root, out)

    def link(view: ViewJudgement) -> str | None:
        if folder is None:
            return None
        color = session.view_folder(view.scene_id, view.view_id) / COLOR_NAME
        return quote(f"{folder}{color.relative_to(session.root).as_posix()}")

    views = selection.views
    return render_page(
        _TEMPLATE,
        session_id=selection.session_id,
        scenes=[
            _scene(scene_id, list(group), selected, link)
            for scene_id, group in groupby(views, key=lambda view: view.scene_id)
        ],
        counts=[{"verdict": verdict, "count": n} for verdict, n in selection.counts().items()],
        total=len(views),
        reasons=_reasons(selection),
        across=selection.across_scenes[:_MOST_PAIRS],
        more_across=max(0, len(selection.across_scenes) - _MOST_PAIRS),
        anchors={view.name: _anchor(view) for view in views},
        uncommitted=selection.uncommitted,
        faults=selection.faults,
        sources=_sources(views),
        policy=policy_rows(selection.policy),
        version=tool_version(),
    )


def _way_to(session: Path, out: Path) -> str | None:
    """From the page's folder up to the session's, as a link has it; None from outside."""
    root, folder = session.resolve(), out.resolve().parent
    if not folder.is_relative_to(root):
        return None
    up = os.path.relpath(root, folder)
    return "" if up == "." else f"{Path(up).as_posix()}/"


def _scene(
    scene_id: str,
    views: list[ViewJudgement],
    selected: SelectedViews,
    link: Callable[[ViewJudgement], str | None],
) -> dict[str, Any]:
    counts = Counter(view.verdict for view in views)
    twins: dict[str, list[ViewJudgement]] = {}
    for view in views:
        if view.twin_of is not None:
            twins.setdefault(view.twin_of, []).append(view)

    def card(view: ViewJudgement) -> dict[str, Any]:
        return _card(view, selected, link(view))

    return {
        "scene_id": scene_id,
        "about": _about(selected.scenes.get(scene_id)),
        "counts": [(verdict, counts[verdict]) for verdict in VERDICTS if counts[verdict]],
        "units": [
            {
                "kept": view.view_id,
                "cards": [card(one) for one in (view, *twins.get(view.view_id, ()))],
            }
            for view in views
            if view.twin_of is None
        ],
    }


def _about(scene: Scene | None) -> str:
    if scene is None:
        return "its record cannot be read"
    words = (scene.place and scene.place.replace("_", " "), scene.environment, scene.lighting)
    return ", ".join(word for word in words if word)


def _card(view: ViewJudgement, selected: SelectedViews, link: str | None) -> dict[str, Any]:
    return {
        "anchor": _anchor(view),
        "name": view.name,
        "view_id": view.view_id,
        "verdict": view.verdict,
        "codes": " ".join(remark.code for remark in view.remarks),
        "remarks": [remark for remark in view.remarks if remark.code not in _IN_NUMBERS],
        "standings": [(criterion, view.standings[criterion]) for criterion in CRITERIA],
        "thumbnail": selected.thumbnails.get(view.name),
        "link": link,
        "numbers": _numbers(view.measures) if view.measures else [],
        "by_picture": any(remark.code == "compared-whole" for remark in view.remarks),
    }


def _numbers(measures: ViewMeasures) -> list[tuple[str, str]]:
    """What a card lists, each with its name."""
    quality, surfaces = measures.quality, measures.surfaces
    rows: list[tuple[str, str]] = []
    if surfaces is None:
        rows.append(("surface", "not known"))
    else:
        wide = f", {_percent(surfaces.width)} wide" if surfaces.count else ""
        rows.append(("surface", f"{_percent(surfaces.share)}{wide}"))
        sides = f"{surfaces.sides_touched} side{'' if surfaces.sides_touched == 1 else 's'}"
        rows.append(("rim", f"{_percent(surfaces.rim_share)}, {sides}"))
    if measures.objects is not None:
        found = measures.objects
        rows.append(("objects", f"{found.direct} direct, {found.reflected} reflected"))
    elif measures.structure is not None:
        cells = measures.structure
        rows.append(("cells", f"{cells.direct_cells} direct, {cells.reflected_cells} reflected"))
    rows.append(("sharpness", f"{quality.sharpness:.0f}"))
    dark, bright = _percent(quality.dark_fraction), _percent(quality.bright_fraction)
    rows.append(("exposure", f"{dark} black, {bright} white"))
    if quality.valid_depth_fraction is not None:
        inside = surfaces.valid_depth_fraction if surfaces is not None else None
        more = f", surface {_percent(inside)}" if inside is not None else ""
        rows.append(("depth", f"{_percent(quality.valid_depth_fraction)}{more}"))
    return rows


def _reasons(selection: Selection) -> list[dict[str, Any]]:
    """Codes of remarks, the frequent ones first."""
    counts = Counter(code for view in selection.views for code in {r.code for r in view.remarks})
    order = sorted(counts, key=lambda code: (-counts[code], code))
    return [
        {"code": code, "words": code.replace("-", " "), "count": counts[code]} for code in order
    ]


def _sources(views: Iterable[ViewJudgement]) -> list[tuple[str, int]]:
    counts = Counter(view.measures.region for view in views if view.measures is not None)
    return [(words, counts[source]) for source, words in _SOURCES.items() if counts[source]]


def _percent(share: float) -> str:
    return in_percent(share, decimals=0)


def _anchor(view: ViewJudgement) -> str:
    return f"view-{view.name}"
