"""Finished files become a release, with all that it says of itself."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from export.building.records import BuildPlan, FinishedShard, Shard
from export.building.sources import Sources
from export.building.staging import Staging
from export.building.statistics import Statistics, licences_of
from export.croissant import write_croissant
from export.row_schema import write_row_schema
from export.telling import tell
from mira.release.digest import RULE, TableDigest, combined_digest
from mira.release.reader import INFO_PATH
from mira.schema.export import ConfigInfo, ReleaseInfo, SplitFiles
from mira.schema.record import FileRef
from mira.store.atomic import file_ref


def assemble(
    root: Path, sources: Sources, plan: BuildPlan, staging: Staging, *, name: str
) -> ReleaseInfo:
    """Fill the folder of a release from finished files.

    Args:
        root: An empty folder.
        sources: What it is made of.
        plan: The build.
        staging: Holds all files of it.
        name: Name of the data set.
    """
    configs = tuple(_tables(root, plan, staging))
    digest = combined_digest((config.name, config.digest) for config in configs)
    counted = Statistics()
    for shard in plan.shards:
        counted.add(_finished(staging, shard).statistics)
    statistics = counted.plain()
    release = plan.release
    left_out = {**release.left_out, **plan.episodes.left_out}
    if plan.flat is not None and plan.flat.without_depth:
        left_out["questions about pictures without depth"] = plan.flat.without_depth
    if plan.raw_depth:
        bare = sum(not one.raw_bytes for some in release.pictures.values() for one in some)
        left_out |= {"raw depth of pictures that have none": bare} if bare else {}
    told = tell(
        root,
        sources.workspace,
        release,
        name=name,
        digest=digest,
        configs=configs,
        statistics=statistics,
        left_out=left_out,
        jpeg_quality=plan.jpeg_quality,
    )
    licences = licences_of(statistics)
    croissant = write_croissant(root, name=name, digest=digest, configs=configs, licences=licences)
    info = ReleaseInfo(
        name=name,
        digest=digest,
        digest_rule=RULE,
        configs=configs,
        card=told.card,
        croissant=file_ref(croissant, relative_to=root),
        datasheet=told.datasheet,
        plots=told.plots,
        stage=release.stage,
        left_out=left_out,
        jpeg_quality=plan.jpeg_quality,
        statistics=statistics,
        versions=plan.versions,
    )
    write_row_schema(root)
    (root / INFO_PATH).write_bytes(info.to_json())
    return info


def _tables(root: Path, plan: BuildPlan, staging: Staging) -> Iterator[ConfigInfo]:
    for table, shards in groupby(plan.shards, key=lambda shard: shard.table):
        digest = TableDigest()
        splits: list[SplitFiles] = []
        for split, some in groupby(shards, key=lambda shard: shard.split):
            rows, files = 0, []
            for shard in some:
                digest.add_digests(staging.row_digests(shard))
                files.append(_put(root, staging, shard))
                rows += shard.rows
            splits.append(SplitFiles(split=split, rows=rows, files=tuple(files)))
        yield ConfigInfo(name=table, splits=tuple(splits), digest=digest.hexdigest())


def _put(root: Path, staging: Staging, shard: Shard) -> FileRef:
    """Link a finished file into the release, under a name with a hash of its content.

    `load_dataset` keys its cache by the folder's base name and the card; with the content's hash in
    the names that the card lists, other content is never served from it.
    """
    ref = _finished(staging, shard).file
    path = f"{shard.name}-{ref.sha256[:8]}.parquet"
    source, target = staging.path_of(shard), root / path
    target.parent.mkdir(exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
    return ref.model_copy(update={"path": path})


def _finished(staging: Staging, shard: Shard) -> FinishedShard:
    done = staging.finished(shard)
    if done is None:
        raise RuntimeError(f"{shard.name} is not written")
    return done
