"""The datasheet: how a data set came to be, what it is for, and what only its makers can say.

Its sections are those of Gebru et al., "Datasheets for Datasets" (https://arxiv.org/abs/1803.09010).
"""

from __future__ import annotations

from pathlib import Path

from export.audited import AuditFigures
from export.facts import Facts
from export.limits import known_limits
from export.templates import DATASHEET_NAME, render_template
from mira.schema.export import Stage
from mira.store.settings import DatasheetSettings


def write_datasheet(
    root: Path,
    *,
    name: str,
    digest: str,
    facts: Facts,
    owner: DatasheetSettings,
    statistics: dict[str, dict[str, int]],
    stage: Stage,
    left_out: dict[str, int],
    jpeg_quality: int | None = None,
    audit: AuditFigures | None = None,
) -> Path:
    """Write `DATASHEET.md` of a release.

    Args:
        root: The release.
        name: Name of the data set.
        digest: Logical digest of the release.
        facts: What is known of it.
        owner: What its makers say of it.
        statistics: Counts by table and row.
        stage: Whether it may be published.
        left_out: What did not go out, by reason.
        jpeg_quality: Quality at which colour pictures were written anew, if they were.
        audit: What the audit of the annotation found, if there was one.
    """
    text = render_template(
        "datasheet.md.j2",
        name=name,
        digest=digest,
        facts=facts,
        owner=owner,
        limits=known_limits(facts, statistics, audited=audit is not None),
        statistics=statistics,
        stage=stage,
        left_out=left_out,
        jpeg_quality=jpeg_quality,
        audit=audit,
    )
    path = root / DATASHEET_NAME
    path.write_text(text, "utf-8", newline="\n")
    return path
