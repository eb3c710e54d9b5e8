"""`mira qa render`: what a model would see of a workspace's questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption, ModalityName, ProtocolName, StyleOption
from mira.cli.output import format_count, print_json, progress

if TYPE_CHECKING:
    from mira.schema.qa import Protocol

_ITEMS_SHOWN = 24
"""How many are rendered where none is named: a page to look through in some minutes."""


def render(
    workspace: Annotated[
        Path, typer.Argument(help="The workspace.", metavar="WORKSPACE", file_okay=False)
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="New folder, or renderings to replace.", metavar="DIR"),
    ],
    items: Annotated[
        list[str] | None,
        typer.Argument(help="Items by id; some of every template by default.", metavar="ITEM"),
    ] = None,
    protocol: Annotated[
        ProtocolName, typer.Option("--protocol", help="How the questions point at objects.")
    ] = ProtocolName.visual_bbox,
    modality: Annotated[
        ModalityName, typer.Option("--modality", help="Which pictures go along.")
    ] = ModalityName.rgb_dm,
    style: StyleOption = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            "--sweep",
            help="A setting and its values, such as color=red,lime; repeated, all combinations.",
            metavar="NAME=A,B,…",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            help=f"At most N items, in turn from each template; {_ITEMS_SHOWN} if none is named.",
            min=1,
            metavar="N",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the pictures and the text that a model would be given, and a page to look through.

    Earlier renderings are replaced in one step.
    """
    from mira.item_pictures import WorkspacePictures
    from mira.render.style_settings import parse_style, parse_sweep
    from mira.store.workspace import Workspace
    from qa_gen.rendering.choice import choose_items
    from qa_gen.rendering.records import RenderPagePolicy
    from qa_gen.rendering.writing import write_renders

    opened = Workspace.open(workspace)
    styles = parse_sweep(sweep or (), base=parse_style(style or ()))
    pointing: Protocol = protocol.value
    chosen = choose_items(
        opened.items(),
        protocol=pointing,
        item_ids=items or (),
        limit=limit or (None if items else _ITEMS_SHOWN),
    )
    with progress("rendering") as advance:
        summary = write_renders(
            chosen.items,
            WorkspacePictures(opened),
            out,
            protocol=pointing,
            modality=modality.value,
            styles=styles,
            policy=RenderPagePolicy(),
            progress=advance,
        )
    if as_json:
        print_json({**summary._asdict(), "available": chosen.available})
    else:
        looks = f" in {format_count(summary.styles, 'style')}" if summary.styles > 1 else ""
        typer.echo(
            f"{summary.out}: {format_count(summary.pictures, 'picture')} of "
            f"{summary.items:,} of {format_count(chosen.available, 'item')}{looks}"
        )
        if chosen.without_wording:
            wordless = format_count(chosen.without_wording, "item")
            typer.echo(f"note: {wordless} cannot be asked in {pointing}", err=True)
    typer.echo(f"Page: {summary.page}", err=True)
