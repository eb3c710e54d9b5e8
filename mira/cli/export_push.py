"""`mira export push`: a release goes to the Hub."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mira.cli.options import JsonOption, ReleaseArgument
from mira.cli.output import format_count, format_size, in_columns, print_json, progress, say_next

if TYPE_CHECKING:
    from export.push.plan import PushPlan


def push(
    release: ReleaseArgument,
    repo: Annotated[
        str, typer.Option("--repo", help="Data set repository of the Hub.", metavar="OWNER/NAME")
    ],
    private: Annotated[
        bool, typer.Option("--private", help="Make a repository that only its owner sees.")
    ] = False,
    revision: Annotated[
        str, typer.Option("--revision", help="Branch to commit to.", metavar="BRANCH")
    ] = "main",
    draft: Annotated[bool, typer.Option("--draft", help="Send a draft too.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Send it; without, only tell what would be sent.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Send a release to the Hugging Face Hub in one commit; without --yes, tell what it would do.

    The release is verified first. The token is that of `hf auth login` or HF_TOKEN.
    """
    from export.push.plan import plan_push

    with progress("verifying") as advance:
        plan = plan_push(
            release, repo, revision=revision, private=private, draft=draft, progress=advance
        )
    if not as_json:
        _show(plan)
    commit = None
    if yes and not plan.changes_nothing:
        from export.push.sending import send_release

        try:
            commit = send_release(release, plan)
        except KeyboardInterrupt:
            say_next("mira", *sys.argv[1:])
            raise
    if as_json:
        print_json(_document(plan, commit))
    elif plan.changes_nothing:
        typer.echo("the Hub holds all of it; nothing was sent")
    else:
        typer.echo(f"sent: {commit}" if commit else "nothing was sent; --yes sends it")


def _show(plan: PushPlan) -> None:
    typer.echo(f"{plan.name}, {plan.stage}, digest {plan.digest}")
    typer.echo(f"to {plan.repository}, branch {plan.revision}: {_place(plan)}")
    typer.echo(f"licence: {plan.licence}")
    for finding in plan.warnings:
        typer.echo(f"open: {finding.message} [{finding.code}]")
    rows: list[tuple[str, ...]] = [
        (one.hub, format_size(one.file.size_bytes), one.file.sha256, one.file.path)
        for one in plan.files
    ]
    for line in in_columns(rows):
        typer.echo(line)
    for path in plan.removed:
        typer.echo(f"of an earlier release, goes: {path}")
    for path in plan.stays_here:
        typer.echo(f"no part of the release, stays here: {path}")
    typer.echo(f"{format_count(len(plan.files), 'file')}, {format_size(plan.total_bytes)}")


def _place(plan: PushPlan) -> str:
    hub = plan.hub
    if not hub.asked:
        return f"the Hub could not be asked ({hub.why_not})"
    seen = "private" if plan.is_private else "public"
    if not hub.exists:
        return f"not there yet, would be made {seen}; or not yours to see"
    gate = "" if hub.gated == "no" else f", gated ({hub.gated})"
    branch = "" if hub.has_revision else ", the branch would be made"
    return f"there, {seen}{gate}{branch}"


def _document(plan: PushPlan, commit: str | None) -> dict[str, Any]:
    shown = plan.model_dump(mode="json", exclude={"hub": {"files"}})
    return {
        **shown,
        "total_bytes": plan.total_bytes,
        "is_private": plan.is_private,
        "changes_nothing": plan.changes_nothing,
        "sent": commit is not None,
        "commit": commit,
    }
