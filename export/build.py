"""A workspace becomes a release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from export.building.assembling import assemble
from export.building.cutting import cut_release
from export.building.running import (
    Execution,
    Progress,
    UnfinishedBuildError,
    changed,
    run_build,
)
from export.building.staging import Staging
from export.plan import plan_release
from export.requirements import require_split, require_target, require_title
from mira.errors import MiraError
from mira.schema.export import ReleaseInfo, Stage
from mira.store.atomic import replace_folder
from mira.store.workspace import Workspace


def build_release(
    workspace: Workspace,
    out: Path,
    *,
    name: str | None = None,
    split: str | None = None,
    unsplit: str = "test",
    stage: Stage = "draft",
    jpeg_quality: int | None = None,
    execution: Execution | None = None,
    progress: Progress | None = None,
) -> ReleaseInfo:
    """Write the release of a workspace in place of `out`, in one step.

    Only pictures with questions go out, and no item that review rejected; see `plan_release`. The
    same workspace gives the same bytes, whoever writes them. Files that a build has finished when
    it is killed are taken over by the next one of the same workspace.

    Args:
        workspace: Read only.
        out: The release; an old release there stays whole until the new one is.
        name: Name of the data set; that of the folder by default.
        split: Split of all scenes; only where nobody split them.
        unsplit: Split of all scenes where nobody split them, and none is given.
        stage: `final` for what may be published alone.
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
    release = plan_release(workspace, split=split, unsplit=unsplit, stage=stage)
    plan = cut_release(workspace, release, jpeg_quality=jpeg_quality)
    with replace_folder(out) as root:
        staging = Staging.of(out, plan, workspace.items_path())
        try:
            run_build(workspace, plan, staging, execution or Execution(), progress=progress)
            if plan_release(workspace, split=split, unsplit=unsplit, stage=stage) != release:
                raise changed(workspace)
            info = assemble(root, workspace, plan, staging, name=name)
        except UnfinishedBuildError:
            raise
        except (MiraError, OSError):
            # What is at fault has to change, so that these files would never be asked for again.
            staging.remove()
            raise
        staging.remove()
        return info


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
