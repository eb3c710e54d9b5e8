"""`mira annotate`: annotation files, checked and imported."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import print_json, progress, say_next
from mira.schema.finding import Finding

app = typer.Typer(no_args_is_help=True)

ScenesOption = Annotated[
    Path | None,
    typer.Option(
        "--scenes",
        help="Folder of pictures, depth and intrinsics; beside the annotations by default.",
        metavar="DIR",
    ),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Any error in a file leaves the whole file out.")
]


class Links(StrEnum):
    """How the annotation says which reflection shows which object."""

    attributes = "attributes"
    shared_gid = "shared-gid"


LinksOption = Annotated[
    Links,
    typer.Option("--links", help="How links are written: in attributes, or by one shared id."),
]


@app.command()
def check(
    paths: Annotated[
        list[Path], typer.Argument(help="Annotation files, or folders of them.", metavar="PATH…")
    ],
    scenes: ScenesOption = None,
    links: LinksOption = Links.attributes,
    strict: StrictOption = False,
    as_json: JsonOption = False,
) -> None:
    """Say what is wrong with annotation files; exit 0 clean, 1 findings, 2 unusable input."""
    from annotate.checking import check_paths, checks_as_json, exit_status

    checks = tuple(check_paths(paths, scenes=scenes, links=links.value, strict=strict))
    if as_json:
        print_json(checks_as_json(checks))
    else:
        for entry in checks:
            _show(entry.findings)
        by_status = {
            status: sum(entry.status == status for entry in checks)
            for status in ("ok", "findings", "unusable")
        }
        counts = ", ".join(f"{count} {status}" for status, count in by_status.items() if count)
        typer.echo(f"{len(checks)} files: {counts}")
    raise typer.Exit(exit_status(checks))


@app.command("import")
def import_(
    source: Annotated[
        Path, typer.Argument(help="Annotation file, or folder of them.", metavar="SOURCE")
    ],
    workspace: WorkspaceOption,
    scenes: ScenesOption = None,
    intrinsics: Annotated[
        Path | None,
        typer.Option("--intrinsics", help="One camera file for all pictures.", metavar="FILE"),
    ] = None,
    annotator: Annotated[
        str, typer.Option("--annotator", help="Who drew, as a code name.", metavar="NAME")
    ] = "annotator",
    links: LinksOption = Links.attributes,
    strict: StrictOption = False,
    as_json: JsonOption = False,
) -> None:
    """Read annotations with their pictures into a workspace, which is made if it is missing."""
    from annotate.importing import import_annotations
    from mira.store.workspace import Workspace

    with progress("importing") as advance:
        report = import_annotations(
            source,
            Workspace.create(workspace),
            scenes=scenes,
            intrinsics=intrinsics,
            annotator=annotator,
            links=links.value,
            strict=strict,
            progress=advance,
        )
    if as_json:
        print_json(report)
    else:
        _show(report.findings)
        typer.echo(
            f"{report.files} files: {report.imported} imported, {report.unchanged} unchanged, "
            f"{report.refused} refused"
        )
        counterparts = ", ".join(
            f"{count} {kind.replace('_', ' ')}" for kind, count in report.by_counterpart.items()
        )
        typer.echo(
            f"{report.surfaces} surfaces, {report.instances} instances"
            + (f"; reflections whose object is: {counterparts}" if counterparts else "")
        )
    typer.echo(f"Workspace: {workspace}", err=True)
    say_next("mira", "qa", "generate", "--workspace", workspace)
    if any(finding.severity == "error" for finding in report.findings):
        raise typer.Exit(1)


def _show(findings: Iterable[Finding]) -> None:
    for finding in findings:
        if finding.severity != "info":
            typer.echo(str(finding))
