"""The data set card: what the Hub shows and what `load_dataset` is steered by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from export.audited import AuditFigures
from export.facts import Facts
from export.limits import known_limits
from export.plots.writing import Plot
from export.templates import render_template
from mira.release.columns import CONFIGS, features
from mira.schema.export import ConfigInfo, Stage
from mira.store.settings import DatasheetSettings
from mira.taxonomy.catalogue import taxonomy

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

_HUB_LICENCES = frozenset(
    f"cc-by-{kind}{version}"
    for kind in ("", "sa-", "nc-", "nd-", "nc-sa-", "nc-nd-")
    for version in ("2.0", "2.5", "3.0", "4.0")
) | {"apache-2.0", "cc0-1.0", "mit", "odbl", "odc-by", "pddl"}
"""Licences of data that the Hub knows by id; the card of a release names one only if all agree."""


def write_card(
    root: Path,
    *,
    name: str,
    digest: str,
    configs: tuple[ConfigInfo, ...],
    statistics: dict[str, dict[str, int]],
    stage: Stage = "draft",
    left_out: dict[str, int] | None = None,
    jpeg_quality: int | None = None,
    audit: AuditFigures | None = None,
    facts: Facts | None = None,
    owner: DatasheetSettings | None = None,
    plots: tuple[Plot, ...] = (),
) -> Path:
    """Write `README.md` of a release.

    Args:
        root: The release.
        name: Name of the data set.
        digest: Logical digest of the release.
        configs: Its tables.
        statistics: Counts by table and row.
        stage: Whether it may be published.
        left_out: What did not go out, by reason.
        jpeg_quality: Quality at which colour pictures were written anew, if they were.
        audit: What the audit of the annotation found, if there was one.
        facts: What is known of sources, splits and cameras.
        owner: What its makers say of it.
        plots: Pictures of counts.
    """
    limits = known_limits(facts, statistics, audited=audit is not None) if facts else ()
    text = render_template(
        "dataset_card.md.j2",
        metadata=yaml.safe_dump(
            _metadata(name, configs, statistics), sort_keys=False, allow_unicode=True, width=1000
        ),
        name=name,
        digest=digest,
        configs=sorted(configs, key=lambda config: CONFIGS.index(config.name)),
        tables={config.name for config in configs},
        statistics=statistics,
        stage=stage,
        left_out=left_out or {},
        jpeg_quality=jpeg_quality,
        audit=audit,
        facts=facts,
        owner=owner or DatasheetSettings(),
        limits=limits,
        plots=plots,
        taxonomy=taxonomy(),
    )
    path = root / "README.md"
    path.write_text(text, "utf-8", newline="\n")
    return path


def _metadata(
    name: str, configs: tuple[ConfigInfo, ...], statistics: dict[str, dict[str, int]]
) -> dict[str, Any]:
    ordered = sorted(configs, key=lambda config: CONFIGS.index(config.name))
    # "not given" is none that the Hub knows, so that it counts as another.
    licences = {
        name for table, rows in statistics.items() if table.endswith(" by licence") for name in rows
    }
    licence = licences.pop().lower() if len(licences) == 1 else ""
    questions = sum(part.rows for part in ordered[0].splits)
    size = next((label for bound, label in _SIZES if questions < bound), "n>1M")
    return {
        "pretty_name": name,
        **(
            {"license": licence}
            if licence in _HUB_LICENCES
            else {"license": "other", "license_name": "see-the-licence-column"}
        ),
        "language": ["en"],
        "task_categories": _task_categories(ordered),
        "size_categories": [size],
        "tags": _tags(ordered),
        "configs": [_files(config, default=config is ordered[0]) for config in ordered],
        "dataset_info": [_info(config) for config in ordered],
    }


def _task_categories(configs: list[ConfigInfo]) -> list[str]:
    kinds = {
        "qa": "visual-question-answering",
        "flat": "visual-question-answering",
        "episodes": "robotics",
        "tom_qa": "question-answering",
    }
    names = {config.name for config in configs}
    return list(dict.fromkeys(kind for name, kind in kinds.items() if name in names))


def _tags(configs: list[ConfigInfo]) -> list[str]:
    scenes = ("mirror", "reflection", "rgb-d", "spatial-reasoning", "vision-language")
    of_tables = {
        "scenes": scenes,
        "flat": scenes,
        "mirror_steps": ("mirror", "self-recognition", "embodied", "vision-language"),
        "mosaic_steps": ("theory-of-mind", "multi-agent", "embodied"),
        "tom_qa": ("theory-of-mind",),
    }
    names = {config.name for config in configs}
    kept = (tag for name, tags in of_tables.items() if name in names for tag in tags)
    return list(dict.fromkeys(kept))


def _files(config: ConfigInfo, *, default: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "config_name": config.name,
        "data_files": [
            {"split": part.split, "path": [ref.path for ref in part.files]}
            for part in config.splits
        ],
    }
    return {**entry, "default": True} if default else entry


def _info(config: ConfigInfo) -> dict[str, Any]:
    """Columns and sizes; no counts of rows, for with them `datasets` refuses `filters=`.

    It holds what is left of a split to what the card says and raises NonMatchingSplitsSizesError.
    The counts are in `meta/info.json` and in the text of the card.
    """
    size = sum(ref.size_bytes for part in config.splits for ref in part.files)
    return {
        "config_name": config.name,
        "features": features(config.name)._to_yaml_list(),
        "download_size": size,
        "dataset_size": size,
    }
