"""`mira export inspect`: what is in a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mira.cli.options import JsonOption, LimitOption, ReleaseArgument
from mira.cli.output import format_count, format_size, print_json, progress

if TYPE_CHECKING:
    from mira.schema.export import ReleaseInfo


def inspect(
    release: ReleaseArgument,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            help="Also write a gallery there, to look through in a browser.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = None,
    limit: LimitOption = None,
    shown: Annotated[
        int, typer.Option("--show", help="Questions to print.", min=0, metavar="N")
    ] = 3,
    as_json: JsonOption = False,
) -> None:
    """What is in a release: counts, a few questions, and if asked a gallery of its pictures."""
    from itertools import islice

    from mira.errors import MiraError
    from mira.release.reader import read_info, read_questions

    if limit is not None and html is None:
        raise MiraError("--limit", "is how many pictures a gallery holds", "give --html too")
    info = read_info(release)
    if as_json:
        print_json(info)
    else:
        _describe(info)
        if any(config.name == "qa" for config in info.configs):
            for row in islice(read_questions(release), shown):
                _print_question(row)
    if html is not None:
        from export.gallery.writing import write_gallery

        with progress("writing the gallery") as advance:
            page = write_gallery(release, html, limit=limit, progress=advance)
        typer.echo(f"Gallery: {page}", err=True)


def _describe(info: ReleaseInfo) -> None:
    typer.echo(f"{info.name}, {info.stage}, digest {info.digest}")
    for config in info.configs:
        for part in config.splits:
            size = format_size(sum(ref.size_bytes for ref in part.files))
            rows = format_count(part.rows, "row")
            typer.echo(f"{config.name:12} {part.split:10} {rows:>13} {size:>10}")
    for table, counts in info.statistics.items():
        cells = ", ".join(f"{name} {count:,}" for name, count in counts.items())
        typer.echo(_printable(f"{table}: {cells}"))
    for reason, count in info.left_out.items():
        typer.echo(f"left out: {count:,}, {reason}")


def _print_question(row: dict[str, Any]) -> None:
    lines = [f"{row['question_id']} about {row['image_id']}", f"  {row['question']}"]
    for option in row["options"]:
        sign = "*" if option["label"] == row["answer"] else " "
        lines.append(f"  {sign} {option['label']}: {option['text']}")
    if all(option["label"] != row["answer"] for option in row["options"]):
        lines.append(f"  * {row['answer']}")
    typer.echo()
    for line in lines:
        typer.echo(_printable(line))


def _printable(line: str) -> str:
    """A line without signs that a terminal would obey: a release may be anybody's."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in line)
