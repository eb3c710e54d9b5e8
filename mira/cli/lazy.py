"""Command groups whose module is imported when one of their verbs is wanted, and not before."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.main import get_group

from mira.cli.plain_help import PlainGroup, PlainTyper


def stage_app(module: str) -> typer.Typer:
    """A group of verbs that stands in for one in a module that is not imported yet.

    Showing the group's name and help imports nothing; listing, completing or running its verbs
    imports the module.

    Args:
        module: Dotted name of a module with a `typer.Typer` called `app`.

    Returns:
        An empty app to add under the stage's name.
    """

    class StageGroup(PlainGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            self._load()
            return super().list_commands(ctx)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            self._load()
            return super().get_command(ctx, cmd_name)

        def _load(self) -> None:
            if not self.commands:
                self.commands.update(get_group(import_module(module).app).commands)

    return PlainTyper(cls=StageGroup)
