"""`mira eval table`: one table of runs, to look at, to compute with, or to print."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.eval_options import ControlOption, ProtocolOption, ReleaseOption, SplitOption
from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json

if TYPE_CHECKING:
    from mira.evals.run_tables.sheets import Sheet


class TableName(StrEnum):
    """Tables of MIRA-Bench, and those of ours."""

    main = "main"
    modality = "modality"
    protocol = "protocol"
    style = "style"
    control = "control"
    propagation = "propagation"
    subset = "subset"


class TableFormat(StrEnum):
    """What a table is printed as."""

    text = "text"
    csv = "csv"
    latex = "latex"


class LinkedByName(StrEnum):
    """What a decision shares with the questions below it."""

    instance = "instance"
    object = "object"


def table(
    name: Annotated[TableName, typer.Argument(help="Which table.", metavar="TABLE")],
    runs: Annotated[
        list[Path], typer.Argument(help="Runs, and files of predictions.", metavar="RUN")
    ],
    control: ControlOption = None,
    release: ReleaseOption = None,
    protocol: ProtocolOption = None,
    split: SplitOption = None,
    linked_by: Annotated[
        LinkedByName,
        typer.Option(
            "--linked-by", help="For propagation: the same appearance, or the same object."
        ),
    ] = LinkedByName.instance,
    form: Annotated[
        TableFormat, typer.Option("--format", "-f", help="What is printed.")
    ] = TableFormat.text,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Print a table: main, modality, protocol, style, control, propagation or subset.

    Exits 1 where the runs give no such table.
    """
    from mira.evals.run_tables.printing import printed_tables

    found = printed_tables(
        name.value,
        runs,
        control=control or (),
        release=release,
        protocol=protocol,
        split=split,
        linked_by=linked_by.value,
        seed=seed,
    )
    if as_json:
        print_json(found.numbers)
    else:
        _show(found.sheets, form)
    if not found.sheets:
        typer.echo(f"The runs give no such table: {found.needs}", err=True)
        raise typer.Exit(1)


def _show(sheets: tuple[Sheet, ...], form: TableFormat) -> None:
    from mira.evals.run_tables.formats import sheets_csv, sheets_latex

    if form is TableFormat.csv:
        typer.echo(sheets_csv(sheets).decode(), nl=False)
    elif form is TableFormat.latex:
        typer.echo(sheets_latex(sheets), nl=False)
    else:
        from mira.cli.terminal import print_view
        from mira.evals.run_tables.terminal import SheetView

        for sheet in sheets:
            print_view(SheetView(sheet))
