"""Where the rows of a release are from."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from export.building.records import BuildPlan
from mira.store.episodes import EpisodeStore
from mira.store.workspace import Workspace


class Sources(NamedTuple):
    """What a release is made of; read only.

    Attributes:
        workspace: Pictures and questions, where there are any.
        runs: Episodes, run by run.
    """

    workspace: Workspace | None
    runs: tuple[EpisodeStore, ...] = ()

    @classmethod
    def of(cls, plan: BuildPlan) -> Sources:
        """Those of a build."""
        workspace = None if plan.workspace is None else Workspace.open(Path(plan.workspace))
        return cls(workspace, tuple(EpisodeStore.open(Path(run)) for run in plan.episodes.runs))

    def root(self) -> Path:
        """A folder to name in errors."""
        return self.workspace.root if self.workspace else self.runs[0].root

    def pictures(self) -> Workspace:
        """The workspace, for tables that only it has."""
        if self.workspace is None:
            raise RuntimeError("a release of episodes alone has no pictures")
        return self.workspace
