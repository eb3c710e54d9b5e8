"""`mira capture list`: what a session holds, one line a view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json

if TYPE_CHECKING:
    from capture.selection.listing import ListedSession, ListedView

_WIDTH = 100
"""Columns of text that lines fit into."""
_LEAST_NAME = 8
_HEAD = ("scene", "view", "size", "when (UTC)", "dt ms", "sharp", "black", "white", "depth", "has")
_LETTERS = {"raw": "R", "emitter_pair": "E", "surfaces": "S", "annotation": "A"}
_LEGEND = "has: R raw burst, E picture or depth without the emitter, S surfaces, A annotation"
_GAP = "  "


def list_(
    session: Annotated[
        Path, typer.Argument(help="A capture session.", metavar="SESSION", file_okay=False)
    ],
    as_json: JsonOption = False,
) -> None:
    """List the views of a session, with those planned or failed and not there."""
    from capture.selection.listing import list_session
    from mira.store.session import Session

    listed = list_session(Session.open(session))
    if as_json:
        print_json(listed)
        return
    for line in table_lines(listed.views):
        typer.echo(line)
    if any(view.extras for view in listed.views):
        typer.echo(_LEGEND)
    for fault in listed.faults:
        typer.echo(f"fault: {fault}")
    typer.echo(_totals(listed))


def table_lines(views: Sequence[ListedView]) -> list[str]:
    """Aligned lines, a head and one a view, none of them wider than 100 columns.

    Long names are cut in the middle; what is wrong with a view stands in place of its numbers.
    """
    from rich.cells import cell_len

    if not views:
        return []
    numbers = [_numbers(view) for view in views]
    widths = [
        max(map(len, column))
        for column in zip(_HEAD[2:], *(row for row in numbers if row), strict=True)
    ]
    room = _WIDTH - sum(len(_GAP) + width for width in widths) - len(_GAP)
    scene = max(cell_len(name) for name in ("scene", *(view.scene_id for view in views)))
    name = max(cell_len(name) for name in ("view", *(view.view_id for view in views)))
    name = min(name, max(room - scene, room // 2, _LEAST_NAME))
    scene = min(scene, max(room - name, _LEAST_NAME))
    lines = [_joined(_fitted("scene", scene), _fitted("view", name), _aligned(_HEAD[2:], widths))]
    for view, row in zip(views, numbers, strict=True):
        rest = _aligned(row, widths) if row else _told(view, _WIDTH - scene - name - 2 * len(_GAP))
        lines.append(_joined(_fitted(view.scene_id, scene), _fitted(view.view_id, name), rest))
    return lines


def _numbers(view: ListedView) -> tuple[str, ...] | None:
    """What stands in a view's columns; None for a view that has nothing to show."""
    if view.width_px is None:
        return None
    quality = view.quality
    sharpness, black, white, depth = "–", "–", "–", "–"
    if quality is not None:
        sharpness = f"{quality.sharpness:.0f}"
        black, white = _percent(quality.dark_fraction), _percent(quality.bright_fraction)
        depth = _percent(quality.valid_depth_fraction)
    return (
        f"{view.width_px}x{view.height_px}",
        f"{view.at:%Y-%m-%d %H:%M}" if view.at is not None else "–",
        "–" if view.dt_ms is None else f"{view.dt_ms:.1f}",
        sharpness,
        black,
        white,
        depth,
        "".join(_LETTERS[extra] for extra in view.extras) or "–",
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _told(view: ListedView, width: int) -> str:
    """State and problem of a view in one line."""
    from rich.cells import cell_len, set_cell_size

    text = view.state.replace("_", " ")
    if view.problem is not None:
        text += f": {view.problem}"
    text = " ".join(text.split())
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def _fitted(name: str, width: int) -> str:
    """A name in so many columns, filled up or cut in its middle."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(name) <= width:
        return set_cell_size(name, width)
    head = (width - 1) // 2
    tail = name
    while cell_len(tail) > width - 1 - head:
        tail = tail[1:]
    return set_cell_size(set_cell_size(name, head) + "…" + tail, width)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Numbers to the right, the first two and the last to the left."""
    left = {0, 1, len(cells) - 1}
    return _GAP.join(
        cell.ljust(width) if place in left else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )


def _joined(*parts: str) -> str:
    return _GAP.join(parts).rstrip()


def _totals(listed: ListedSession) -> str:
    states = Counter(view.state for view in listed.views)
    scenes = format_count(len({view.scene_id for view in listed.views}), "scene")
    counts = ", ".join(f"{number:,} {state.replace('_', ' ')}" for state, number in states.items())
    total = format_count(len(listed.views), "view")
    return f"{listed.session_id}: {total} of {scenes}{f': {counts}' if counts else ''}"
