"""All checks of a release, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from export.verify.digests import check_digests
from export.verify.episodes import check_episodes
from export.verify.files import check_files
from export.verify.findings import FindingList
from export.verify.flat import check_flat
from export.verify.leaks import check_leaks
from export.verify.pictures import read_pictures
from export.verify.preview import check_preview
from export.verify.questions import check_questions
from export.verify.tables import check_tables
from mira.release.loadable import require_loadable_path
from mira.release.reader import read_info
from mira.schema.finding import Finding, Severity

Progress = Callable[[int, int], None]
"""Takes pictures decoded and pictures in all."""


def verify_release(
    release: Path, *, final: bool = False, progress: Progress | None = None
) -> tuple[Finding, ...]:
    """Check files, rows and meaning of a release.

    In turn: checksums; every table through `datasets` without network in a fresh cache, with
    every picture decoded; logical digests; paths of the writer's machine; annotations against
    their pictures; questions against the annotations they are about, answers worked out anew;
    episodes against their steps; what is unsettled before publication.

    Args:
        release: The folder.
        final: Hold it to what a final release must be, even if it is a draft: what is open is an
            error.
        progress: Called with pictures decoded and pictures in all.

    Returns:
        What is wrong (`error`) or open (`warning`), nothing for a perfect release.

    Raises:
        ReleaseError: The folder is no release, or lies where `datasets` cannot load from.
        MiraError: The folder for temporary files is full or cannot be written.
    """
    info = read_info(release)
    require_loadable_path(release)
    found = FindingList()
    found.add_all(check_files(release, info))
    if found.all():
        return found.all()
    found.add_all(check_tables(release, info, progress=progress))
    if found.has("config-missing", "load-failed", "columns", "row-count"):
        return found.all()
    found.add_all(check_digests(release, info))
    found.add_all(check_leaks(release, info))
    found.add_all(check_preview(release, info))
    open_matters: Severity = "error" if final or info.stage == "final" else "warning"
    if any(config.name == "qa" for config in info.configs):
        pictures = read_pictures(release, found=found, open_matters=open_matters)
        found.add_all(check_questions(release, pictures, open_matters=open_matters))
    found.add_all(check_flat(release, info, open_matters=open_matters))
    found.add_all(check_episodes(release, info, open_matters=open_matters))
    return found.all()
