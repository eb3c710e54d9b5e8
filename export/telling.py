"""All that a release says of itself in words and pictures, written once its tables are."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from export.audited import audit_figures
from export.card import write_card
from export.datasheet import write_datasheet
from export.facts import gather_facts
from export.plan import ReleasePlan
from export.plots.writing import write_plots
from mira.schema.export import ConfigInfo
from mira.schema.record import FileRef
from mira.store.atomic import file_ref
from mira.store.settings import DatasheetSettings
from mira.store.workspace import Workspace


class Told(NamedTuple):
    """Files that were written."""

    card: FileRef
    datasheet: FileRef
    plots: tuple[FileRef, ...]


def tell(
    root: Path,
    workspace: Workspace | None,
    plan: ReleasePlan,
    *,
    name: str,
    digest: str,
    configs: tuple[ConfigInfo, ...],
    statistics: dict[str, dict[str, int]],
    left_out: dict[str, int],
    jpeg_quality: int | None,
) -> Told:
    """Write the card, its plots and the datasheet.

    Args:
        root: The release.
        workspace: What its pictures are of; its settings hold what its makers say. None for a
            release of episodes alone.
        plan: What of the workspace went out.
        name: Name of the data set.
        digest: Logical digest of the release.
        configs: Its tables.
        statistics: Counts by table and row.
        left_out: What did not go out, by reason.
        jpeg_quality: Quality at which colour pictures were written anew, if they were.
    """
    facts = gather_facts(workspace, plan, root, configs)
    owner = DatasheetSettings() if workspace is None else workspace.settings().datasheet
    audit = None if workspace is None else audit_figures(workspace)
    plots = write_plots(root, facts=facts, statistics=statistics)
    card = write_card(
        root,
        name=name,
        digest=digest,
        configs=configs,
        statistics=statistics,
        stage=plan.stage,
        left_out=left_out,
        jpeg_quality=jpeg_quality,
        audit=audit,
        facts=facts,
        owner=owner,
        plots=plots,
    )
    datasheet = write_datasheet(
        root,
        name=name,
        digest=digest,
        facts=facts,
        owner=owner,
        statistics=statistics,
        stage=plan.stage,
        left_out=left_out,
        jpeg_quality=jpeg_quality,
        audit=audit,
    )
    return Told(
        card=file_ref(card, relative_to=root),
        datasheet=file_ref(datasheet, relative_to=root),
        plots=tuple(file_ref(root / plot.path, relative_to=root) for plot in plots),
    )
