"""`mira export`: releases that `datasets` reads."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mira.cli.options import JsonOption, LimitOption, SeedOption, WorkspaceOption
from mira.cli.output import format_count, format_size, print_json, progress, say_next
from mira.cli.plain_help import PlainTyper

if TYPE_CHECKING:
    from mira.schema.export import ReleaseInfo

app = PlainTyper()

ReleaseArgument = Annotated[
    Path, typer.Argument(help="A release folder.", metavar="RELEASE", file_okay=False)
]


class ImageFormat(StrEnum):
    """How colour pictures go out."""

    KEEP = "keep"
    JPEG = "jpeg"


@app.command()
def build(
    workspace: WorkspaceOption,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="The release to write or replace.", metavar="DIR"),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            "--name", help="Name of the data set; the folder's by default.", metavar="NAME"
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            "--split",
            help="Split of all scenes; by default as `mira export split` said, or `test`.",
            metavar="NAME",
        ),
    ] = None,
    final: Annotated[
        bool,
        typer.Option(
            "--final",
            help="Only what may be published: accepted questions, scenes with licence and consent.",
        ),
    ] = False,
    image_format: Annotated[
        ImageFormat,
        typer.Option("--image-format", help="Colour files as they came, or PNG files as JPEG."),
    ] = ImageFormat.KEEP,
    quality: Annotated[
        int, typer.Option("--jpeg-quality", help="Of colour files.", min=1, max=100, metavar="N")
    ] = 95,
    as_json: JsonOption = False,
) -> None:
    """Write the workspace's questions and pictures as a release: a draft, or `--final`."""
    from export.build import build_release, release_summary
    from mira.store.workspace import Workspace

    opened = Workspace.open(workspace)
    settings = opened.settings().export
    with progress("writing") as advance:
        info = build_release(
            opened,
            out,
            name=name or settings.name or None,
            split=split,
            unsplit=settings.split or "test",
            stage="final" if final else "draft",
            jpeg_quality=quality if image_format is ImageFormat.JPEG else None,
            progress=advance,
        )
    if as_json:
        print_json(release_summary(info))
    else:
        for config in info.configs:
            for part in config.splits:
                size = format_size(sum(ref.size_bytes for ref in part.files))
                rows = format_count(part.rows, "row")
                typer.echo(f"{config.name:8} {part.split:8} {rows:>12} {size:>12}")
        for reason, count in info.left_out.items():
            typer.echo(f"left out: {count:,}, {reason}")
        typer.echo(f"digest   {info.digest}")
    typer.echo(f"Release: {out}", err=True)
    say_next("mira", "export", "verify", out)


@app.command()
def split(
    workspace: WorkspaceOption,
    shares: Annotated[
        str | None,
        typer.Option(
            "--shares",
            help="Share of the scenes of each split, as in `train=0.8,test=0.2`.",
            metavar="SHARES",
        ),
    ] = None,
    listed: Annotated[
        Path | None,
        typer.Option(
            "--list",
            help="CSV with the columns scene_id and split.",
            metavar="FILE",
            dir_okay=False,
        ),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Forget the splits that scenes were given before.")
    ] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Say which scenes are for training and which for testing; each stays where it is for ever.

    Scenes that have a split keep it, listed ones get theirs, and the others are shared out.
    """
    from export.splits import read_split_list, split_scenes
    from mira.store.workspace import Workspace

    opened = Workspace.open(workspace)
    done = split_scenes(
        opened,
        shares=_shares(shares) if shares else None,
        listed=read_split_list(listed) if listed else None,
        seed=seed,
        anew=anew,
    )
    if as_json:
        print_json({"scenes": done.counts, "new": done.new})
    else:
        for name, count in done.counts.items():
            typer.echo(f"{name:10} {format_count(count, 'scene'):>12}")
        typer.echo(f"new: {done.new:,}")
    typer.echo(f"Splits: {opened.root / 'splits.json'}", err=True)


def _shares(text: str) -> dict[str, float]:
    """Shares of splits, as in `train=0.8,test=0.2`."""
    from mira.errors import MiraError

    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.strip().partition("=")
        try:
            number = float(share)
        except ValueError:
            problem = f"expected split=share, found {part.strip()!r}"
            raise MiraError("--shares", problem) from None
        if name in shares:
            raise MiraError("--shares", f"expected each split once, found {name!r} again")
        shares[name] = number
    return shares


@app.command()
def verify(
    release: ReleaseArgument,
    final: Annotated[
        bool,
        typer.Option("--final", help="Hold a draft to what a final release must be."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check a release as its users will meet it; exit 1 if anything is wrong."""
    from export.verify import verify_release

    with progress("verifying") as advance:
        findings = verify_release(release, final=final, progress=advance)
    failed = any(finding.severity == "error" for finding in findings)
    if as_json:
        print_json({"ok": not failed, "findings": findings})
    else:
        for finding in findings:
            typer.echo(str(finding))
        typer.echo(f"{release}: " + ("does not hold" if failed else "holds what it says"))
    if failed:
        raise typer.Exit(1)


@app.command()
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
            typer.echo(f"{config.name:10} {part.split:10} {rows:>13} {size:>10}")
    for table, counts in info.statistics.items():
        cells = ", ".join(f"{name} {count:,}" for name, count in counts.items())
        typer.echo(f"{table}: {cells}")
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
        # A release of others may hold what a terminal would obey.
        typer.echo("".join(sign if sign.isprintable() else "\ufffd" for sign in line))


@app.command()
def diff(
    old: Annotated[Path, typer.Argument(help="A release folder.", metavar="OLD", file_okay=False)],
    new: Annotated[Path, typer.Argument(help="Another.", metavar="NEW", file_okay=False)],
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if anything differs.")] = False,
    shown: Annotated[
        int, typer.Option("--show", help="Changed rows of a table to print.", min=0, metavar="N")
    ] = 5,
    as_json: JsonOption = False,
) -> None:
    """Rows that one release has more, fewer and others than another, field by field."""
    from export.diff import diff_releases, examples

    found = diff_releases(old, new)
    if as_json:
        print_json(found)
    else:
        for config, table in found.tables.items():
            typer.echo(
                f"{config}: {table.old_rows:,} to {table.new_rows:,} rows; "
                f"{len(table.added):,} added, {len(table.removed):,} removed, "
                f"{len(table.changed):,} changed"
            )
            for name, count in table.by_field().items():
                typer.echo(f"  {name}: {count:,}")
            for one in examples(old, new, config, table, limit=shown):
                typer.echo(f"    {one.key} {one.field}: {_short(one.old)} -> {_short(one.new)}")
        typer.echo("no row differs" if found.is_same else "the releases differ")
    if strict and not found.is_same:
        raise typer.Exit(1)


def _short(value: object, most: int = 60) -> str:
    """A value in a line."""
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."
