"""`mira annotate user`: who may work at a workspace's desk."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import in_columns, print_json
from mira.cli.plain_help import PlainTyper

if TYPE_CHECKING:
    from annotate.desk.desk import Desk

app = PlainTyper()

NameArgument = Annotated[
    str, typer.Argument(help="Code name: a-z, 0-9, '-' and '_'.", metavar="NAME")
]


class RoleName(StrEnum):
    """What somebody may do; each may do what those before it do."""

    annotator = "annotator"
    reviewer = "reviewer"
    adjudicator = "adjudicator"
    admin = "admin"


RoleOption = Annotated[RoleName, typer.Option("--role", help="What they may do.")]


@app.callback()
def _users() -> None:
    """Let people in to answer, review and settle questions, and say what they may do."""


@app.command()
def add(name: NameArgument, workspace: WorkspaceOption, role: RoleOption) -> None:
    """Let somebody in; the password is asked for, or read from a pipe."""
    desk = _desk(workspace)
    desk.people.add(name, _password(), role.value)
    typer.echo(f"{name}: {role.value}")


@app.command()
def passwd(name: NameArgument, workspace: WorkspaceOption) -> None:
    """Give somebody another password; what they were signed in with ends."""
    _desk(workspace).people.set_password(name, _password())
    typer.echo(f"{name}: has another password")


@app.command()
def role(
    name: NameArgument,
    new: Annotated[RoleName, typer.Argument(help="What they may do.", metavar="ROLE")],
    workspace: WorkspaceOption,
) -> None:
    """Let somebody do more, or less."""
    _desk(workspace).people.set_role(name, new.value)
    typer.echo(f"{name}: {new.value}")


@app.command("list")
def list_(workspace: WorkspaceOption, as_json: JsonOption = False) -> None:
    """Who may come in, and what they have done."""
    people = _desk(workspace).figures().people
    if as_json:
        print_json(people)
        return
    rows: list[tuple[str, ...]] = [
        ("name", "role", "answers", "verdicts", "rulings", "on desk"),
        *(
            (p.name, p.role, *map(str, (p.answers, p.verdicts, p.rulings, p.on_desk)))
            for p in people
        ),
    ]
    for line in in_columns(rows):
        typer.echo(line)


def _desk(workspace: Path) -> Desk:
    from annotate.desk.desk import Desk
    from mira.store.workspace import Workspace

    return Desk(Workspace.open(workspace))


def _password() -> str:
    """A password that is typed twice, unseen; or the first line of a pipe."""
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\n")
