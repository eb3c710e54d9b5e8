"""`mira qa view`: one picture in metres, as a page to walk around in."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import format_count, format_size, print_json

if TYPE_CHECKING:
    from qa_gen.space_page.records import SpaceModel


def view(
    name: Annotated[
        str, typer.Argument(help="A picture, or a scene of one picture.", metavar="IMAGE")
    ],
    workspace: WorkspaceOption,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="The page, one HTML file.", metavar="FILE", dir_okay=False
        ),
    ],
    annotator: Annotated[
        str | None,
        typer.Option("--annotator", help="Whose annotation counts.", metavar="NAME"),
    ] = None,
    rrd: Annotated[
        Path | None,
        typer.Option(
            "--rrd",
            help="The same for the Rerun viewer; needs the extra `rerun`.",
            metavar="FILE",
            dir_okay=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show a picture in 3D: mirrors, what they show, where that really is, and what is proposed.

    The page is one file that needs no network.
    """
    from mira.schema.qa import QAPolicy
    from mira.store.atomic import write_file
    from mira.store.workspace import Workspace
    from qa_gen.proposing.policy import stored_policy
    from qa_gen.space_page.page import space_page
    from qa_gen.space_page.policy import SpacePolicy
    from qa_gen.space_page.reading import read_space
    from qa_gen.space_page.rerun_file import require_rerun, write_rerun_file

    if rrd is not None:
        require_rerun()
    opened = Workspace.open(workspace)
    settings, policy = opened.settings().questions, SpacePolicy()
    space = read_space(
        opened,
        name,
        annotator=annotator or settings.annotator or None,
        proposal_policy=stored_policy(opened),
        bounds=QAPolicy(seed=settings.seed),
        policy=policy,
    )
    page = space_page(space.model, space.color_rgb, policy=policy).encode()
    write_file(out, page)
    if rrd is not None:
        write_rerun_file(space.model, rrd)
    if as_json:
        print_json(_summary(space.model, out, rrd))
        return
    typer.echo(f"{out}: {_said(space.model)}; {format_size(len(page))}")
    if space.model.note:
        typer.echo(f"note: {space.model.note}", err=True)
    if rrd is not None:
        typer.echo(f"Rerun: {rrd}", err=True)


def _said(model: SpaceModel) -> str:
    agreeing = Counter(link.agrees for link in model.links)
    standing = Counter(proposal.standing for proposal in model.proposals)
    return (
        f"{format_count(len(model.links), 'link')}: {agreeing[True]:,} fit, "
        f"{agreeing[False]:,} apart, {agreeing[None]:,} untold; "
        f"{format_count(standing.total(), 'proposal')}: {standing['sure']:,} sure, "
        f"{format_count(standing['close'], 'close call')}, {standing['refused']:,} refused"
    )


def _summary(model: SpaceModel, out: Path, rrd: Path | None) -> dict[str, object]:
    return {
        "page": out,
        "rrd": rrd,
        "image_id": model.image_id,
        "annotator": model.annotator,
        "readings": 0 if model.cloud is None else model.cloud.count,
        "links": [link.model_dump(mode="json") for link in model.links],
        "surfaces": [
            surface.model_dump(mode="json", exclude={"rings_px", "loops_m"})
            for surface in model.surfaces
        ],
        "note": model.note,
    }
