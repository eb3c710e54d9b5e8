"""`mira annotate`: annotation files, checked and imported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli import annotate_app, annotate_audit, annotate_user
from mira.cli.annotate_compare import compare
from mira.cli.annotate_export import export
from mira.cli.annotate_init import init
from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import format_count, print_json, progress, say_next, show_findings
from mira.cli.plain_help import PlainTyper

if TYPE_CHECKING:
    from annotate.importing import ImportReport
    from mira.schema.finding import Finding

app = PlainTyper()
app.command()(init)
app.command()(export)
app.command()(compare)
app.add_typer(annotate_audit.app, name="audit")
app.add_typer(annotate_user.app, name="user")
app.add_typer(annotate_app.app, name="app")

_SHOWN_OF_A_CODE = 5
"""Findings of one code that an import prints; `check` prints all."""
_STATUS_WORDS = {"ok": "ok", "findings": "with findings", "unusable": "unusable"}

ScenesOption = Annotated[
    Path | None,
    typer.Option(
        "--scenes",
        help="Folder of pictures, depth and intrinsics, or a capture session; "
        "beside the annotations by default.",
        metavar="DIR",
    ),
]
IntrinsicsOption = Annotated[
    Path | None,
    typer.Option("--intrinsics", help="One camera file for all pictures.", metavar="FILE"),
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
        list[Path],
        typer.Argument(
            help="Annotation files, folders of them, or capture sessions.", metavar="PATH…"
        ),
    ],
    scenes: ScenesOption = None,
    intrinsics: IntrinsicsOption = None,
    links: LinksOption = Links.attributes,
    strict: StrictOption = False,
    as_json: JsonOption = False,
) -> None:
    """Say what is wrong with annotation files; exit 0 clean, 1 findings, 2 unusable input."""
    from annotate.checking import check_paths, checks_as_json, exit_status

    checks = tuple(
        check_paths(paths, scenes=scenes, intrinsics=intrinsics, links=links.value, strict=strict)
    )
    if as_json:
        print_json(checks_as_json(checks))
    else:
        for entry in checks:
            for finding in _worth_showing(entry.findings):
                typer.echo(str(finding))
        by_status: Counter[str] = Counter(entry.status for entry in checks)
        counts = (f"{by_status[s]:,} {word}" for s, word in _STATUS_WORDS.items() if by_status[s])
        typer.echo(f"{format_count(len(checks), 'file')}: {', '.join(counts)}")
    raise typer.Exit(exit_status(checks))


@app.command("import")
def import_(
    source: Annotated[
        Path,
        typer.Argument(
            help="Annotation file, folder of them, or capture session.", metavar="SOURCE"
        ),
    ],
    workspace: WorkspaceOption,
    scenes: ScenesOption = None,
    intrinsics: IntrinsicsOption = None,
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
        _show_import(report)
    typer.echo(f"Workspace: {workspace}", err=True)
    if report.imported or report.unchanged:
        say_next("mira", "qa", "generate", "--workspace", workspace)
    if any(finding.severity == "error" for finding in report.findings):
        raise typer.Exit(1)


def _show_import(report: ImportReport) -> None:
    findings = tuple(_worth_showing(report.findings))
    severities = Counter(finding.severity for finding in findings)
    show_findings(findings, most_of_a_code=_SHOWN_OF_A_CODE)
    typer.echo(
        f"{format_count(report.files, 'file')}: {report.imported:,} imported, "
        f"{report.unchanged:,} unchanged, {report.refused:,} refused"
    )
    counterparts = ", ".join(
        f"{count:,} {kind.replace('_', ' ')}" for kind, count in report.by_counterpart.items()
    )
    typer.echo(
        f"{format_count(report.surfaces, 'surface')}, {format_count(report.instances, 'instance')}"
        + (f"; reflections whose object is: {counterparts}" if counterparts else "")
    )
    if report.categories:
        labels = ", ".join(f"{label} {count:,}" for label, count in report.categories.items())
        typer.echo(f"labels taken as categories: {labels}")
    if report.views_updated or report.scenes_updated:
        views = format_count(report.views_updated, "picture")
        changes = ", ".join(f"{what} {count:,}" for what, count in report.view_changes.items())
        scenes = format_count(report.scenes_updated, "scene")
        typer.echo(f"updated: {views}{f' ({changes})' if changes else ''}, {scenes}")
    if severities:
        counts = (format_count(severities[s], s) for s in ("error", "warning") if severities[s])
        typer.echo(f"findings: {', '.join(counts)}")


def _worth_showing(findings: Iterable[Finding]) -> Iterable[Finding]:
    return (finding for finding in findings if finding.severity != "info")
