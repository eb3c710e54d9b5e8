"""A workspace becomes a release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from export.building.assembling import assemble
from export.building.cutting import cut_release
from export.building.episodes import plan_episodes
from export.building.records import EpisodePlan, FlatForm
from export.building.running import (
    Execution,
    Progress,
    UnfinishedBuildError,
    require_runnable,
    run_build,
)
from export.building.sources import Sources
from export.building.staging import Staging
from export.plan import ReleasePlan, plan_release, records_digest
from export.requirements import require_split, require_target, require_title
from mira.errors import (
    EpisodeError,
    ExportError,
    RecordError,
    SceneSourceError,
    WorkspaceError,
)
from mira.schema.export import ReleaseInfo, Stage
from mira.store.atomic import replace_folder
from mira.store.episodes import EpisodeStore
from mira.store.workspace import Workspace


def build_release(
    workspace: Workspace | None,
    out: Path,
    *,
    runs: Sequence[EpisodeStore] = (),
    name: str | None = None,
    split: str | None = None,
    unsplit: str = "test",
    stage: Stage = "draft",
    flat: FlatForm | None = None,
    raw_depth: bool = False,
    jpeg_quality: int | None = None,
    execution: Execution | None = None,
    progress: Progress | None = None,
) -> ReleaseInfo:
    """Write the release of a workspace, of episodes, or of both in place of `out`, in one step.

    Only pictures with questions go out, and no item that review rejected; see `plan_release`. The
    same workspace gives the same bytes, whoever writes them. Files that a build has finished when
    it is killed are taken over by the next one of the same workspace.

    Args:
        workspace: Read only; None for episodes alone.
        out: The release; an old release there stays whole until the new one is.
        runs: Folders of episodes, in the order they go out.
        name: Name of the data set; that of the folder by default.
        split: Split of all scenes; only where nobody split them.
        unsplit: Split of all scenes where nobody split them, and none is given.
        stage: `final` for what may be published alone.
        flat: To write the questions of one protocol with their pictures rendered, as one table that
            needs no other, and neither all questions nor pictures as they are.
        raw_depth: To write depth on the sensor's own grid too, as a table of its own.
        jpeg_quality: From 1 to 100, to write colour pictures that are PNG files as JPEG; by default
            all files go out as they came, and depth always does.
        execution: Who writes it; by default this process.
        progress: Called with rows done and rows in all.

    Returns:
        What was written.

    Raises:
        ExportError: `out` holds anything but a release, a name cannot be used, nothing goes out, a
            picture would be turned by its readers, a question misses its picture, or somebody
            wrote the workspace meanwhile.
        MissingExtraError: What runs the processes is not installed.
    """
    name = name or out.absolute().name
    require_target(out)
    require_split(unsplit if split is None else split)
    require_title(name)
    execution = execution or Execution()
    require_runnable(execution)
    sources = Sources(workspace, tuple(runs))
    release, episodes = _plan(sources, split, unsplit, stage)
    plan = cut_release(
        sources,
        release,
        episodes,
        flat=flat,
        raw_depth=raw_depth,
        jpeg_quality=jpeg_quality,
    )
    if not plan.shards:
        raise ExportError("--episodes", "nothing may go out: the runs are empty")
    with replace_folder(out) as root:
        staging = Staging.of(out, plan)
        try:
            run_build(plan, staging, execution, progress=progress)
        except _OF_INPUT as fault:
            if not isinstance(fault, UnfinishedBuildError):
                # What is at fault has to change: these files would never be asked for again.
                staging.remove()
            raise
        info = assemble(root, Sources.of(plan), plan, staging, name=name)
        if not _is_as_planned(sources, release, episodes):
            staging.remove()
            problem = "changed while the release was being written"
            raise ExportError(sources.root(), problem, "run it again")
        # Somebody may have put something there since.
        require_target(out)
        staging.remove()
        return info


_OF_INPUT = (ExportError, WorkspaceError, SceneSourceError, RecordError, EpisodeError)
"""Faults of what goes in. Others, such as a full disk, leave what is finished for the next time."""


def _plan(
    sources: Sources, split: str | None, unsplit: str, stage: Stage
) -> tuple[ReleasePlan, EpisodePlan]:
    if sources.workspace is None:
        release = ReleasePlan.of_nothing(stage)
    else:
        release = plan_release(sources.workspace, split=split, unsplit=unsplit, stage=stage)
    episodes = plan_episodes(sources.runs, split=split or unsplit, stage=stage)
    if not release.pictures and not episodes.runs:
        raise ExportError("--episodes", f"nothing may go out: {episodes.left_out or 'none given'}")
    return release, episodes


def _is_as_planned(sources: Sources, release: ReleasePlan, episodes: EpisodePlan) -> bool:
    """Whether what a release is made of is what it was when it was planned."""
    if sources.workspace is not None:
        pictures = [one for some in release.pictures.values() for one in some]
        if records_digest(sources.workspace, pictures) != release.records_sha256:
            return False
    again = plan_episodes(sources.runs, split=episodes.split, stage=release.stage)
    return again == episodes


def release_summary(info: ReleaseInfo) -> dict[str, Any]:
    """Name, digest and rows a table and split, for people and machines."""
    return {
        "name": info.name,
        "stage": info.stage,
        "digest": info.digest,
        "left_out": info.left_out,
        "rows": {
            config.name: {part.split: part.rows for part in config.splits}
            for config in info.configs
        },
    }
