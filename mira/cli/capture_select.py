"""`mira capture select`: which views of a session are worth annotating."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption, PolicyOption, policy_or
from mira.cli.output import format_count, print_json, progress

if TYPE_CHECKING:
    from capture.selection.records import Selection

PAGE_NAME = "selection.html"
"""The page, in the session's folder, unless another file is asked for."""
_NAMED = 4
"""Views that are named for a remark; the page has all."""


def select(
    session: Annotated[
        Path, typer.Argument(help="A capture session.", metavar="SESSION", file_okay=False)
    ],
    workspace: Annotated[
        Path | None,
        typer.Option(
            "--workspace",
            "-w",
            help="Workspace whose annotation says where surfaces and objects are.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = None,
    annotator: Annotated[
        str | None,
        typer.Option(
            "--annotator", help="Whose annotation counts where there are several.", metavar="NAME"
        ),
    ] = None,
    policy: PolicyOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="The page to write; selection.html in the session by default.",
            metavar="FILE",
            dir_okay=False,
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", help="Also write a table, one row a view.", metavar="FILE", dir_okay=False
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 1 when any view is not to be kept.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure views by the criteria of inclusion: which to keep, to look at, to drop, and why."""
    from capture.selection.annotations import DrawnOn
    from capture.selection.page import selection_page
    from capture.selection.policy import SelectionPolicy
    from capture.selection.selecting import select_views
    from capture.selection.table import format_table
    from mira.store.atomic import write_file
    from mira.store.session import Session
    from mira.store.workspace import Workspace

    opened = Session.open(session)
    bounds = policy_or(SelectionPolicy(), policy)
    drawn_on = (
        None if workspace is None else DrawnOn(Workspace.open(workspace), annotator=annotator)
    )
    with progress("looking at views") as advance:
        selected = select_views(opened, policy=bounds, drawn_on=drawn_on, progress=advance)
    page = session / PAGE_NAME if out is None else out
    text = selection_page(selected, session=opened, out=page)
    write_file(page, text.encode())
    if csv is not None:
        write_file(csv, format_table(selected.selection))
    if as_json:
        print_json({"report": page, **selected.selection.model_dump(mode="json")})
    else:
        _show(selected.selection)
        typer.echo(f"Report: {page}")
    if strict and any(view.verdict != "keep" for view in selected.selection.views):
        raise typer.Exit(1)


def _show(selection: Selection) -> None:
    from capture.selection.records import VERDICTS

    counts = ", ".join(f"{number:,} {verdict}" for verdict, number in selection.counts().items())
    scenes = format_count(len({view.scene_id for view in selection.views}), "scene")
    typer.echo(f"{format_count(len(selection.views), 'view')} of {scenes}: {counts}")
    for verdict in reversed(VERDICTS):
        named: dict[str, list[str]] = {}
        for view in selection.views:
            for code in dict.fromkeys(r.code for r in view.remarks if r.verdict == verdict):
                named.setdefault(code, []).append(view.name)
        word = "note" if verdict == "keep" else verdict
        for code in sorted(named, key=lambda code: (-len(named[code]), code)):
            typer.echo(f"{word}  {len(named[code]):>5,}  {code}: {_some(named[code])}")
    for pair in selection.across_scenes[:_NAMED]:
        typer.echo(
            f"the same reflection in two scenes, may they be one? {pair.first} and {pair.second}"
        )
    if (more := len(selection.across_scenes) - _NAMED) > 0:
        typer.echo(f"and {more:,} more such pairs")
    if selection.uncommitted:
        typer.echo(f"not whole and not judged: {_some(selection.uncommitted)}")
    for fault in selection.faults:
        typer.echo(f"fault: {fault}")


def _some(names: Iterable[str]) -> str:
    """The first of some names, and how many more there are."""
    every = list(names)
    more = len(every) - _NAMED
    return ", ".join(every[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
