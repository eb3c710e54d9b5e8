"""What a push would send, replace and take away."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from export.push.contents import card_licence, is_same, left_over, release_files, strangers
from export.push.hub import MAIN, HubState, ask_hub, hub_api, require_repository
from export.verify import verify_release
from export.verify.release import Progress
from mira.errors import ExportError, ReleaseError
from mira.release.reader import read_info
from mira.schema.export import Stage
from mira.schema.finding import Finding
from mira.schema.record import FileRef, Record

_MUST_BE_SETTLED = {"licence-open", "consent-open"}


class PlannedFile(Record):
    """A file of the release."""

    file: FileRef
    """Path, digest and size."""
    hub: Literal["new", "changed", "same", "unknown"]
    """What the Hub has under its path."""


class PushPlan(Record):
    """All that a push does, before it does it."""

    repository: str
    """`OWNER/NAME`."""
    revision: str
    """Branch that the commit goes to."""
    private: bool
    """Whether a repository that is made is to be private."""
    name: str
    """Name of the data set."""
    stage: Stage
    """Whether it may be published."""
    digest: str
    """Logical digest of the release."""
    licence: str
    """Licence as the card states it."""
    files: tuple[PlannedFile, ...]
    """All files of the release."""
    removed: tuple[str, ...]
    """Files of an earlier release on the Hub that this one does not have."""
    stays_here: tuple[str, ...]
    """Entries of the folder that are no part of the release, and are not sent."""
    warnings: tuple[Finding, ...]
    """What is open in the release."""
    hub: HubState
    """What the Hub holds now."""

    @property
    def total_bytes(self) -> int:
        """Size of the release."""
        return sum(one.file.size_bytes for one in self.files)

    @property
    def changes_nothing(self) -> bool:
        """Whether the Hub holds the release already."""
        return (
            self.hub.has_revision
            and not self.removed
            and all(one.hub == "same" for one in self.files)
        )

    @property
    def is_private(self) -> bool:
        """Whether others will not see it."""
        return self.private if self.hub.is_private is None else self.hub.is_private


def plan_push(
    release: Path,
    repository: str,
    *,
    revision: str = MAIN,
    private: bool = False,
    draft: bool = False,
    progress: Progress | None = None,
) -> PushPlan:
    """Verify a release, and hold it against what the Hub has; nothing is sent.

    Args:
        release: The folder.
        repository: `OWNER/NAME`.
        revision: Branch that the commit is for.
        private: Whether a repository that has to be made is to be private.
        draft: Whether a draft may go out.
        progress: Called with pictures decoded and pictures in all.

    Raises:
        ReleaseError: The folder is no release, or does not hold what it says.
        ExportError: It is a draft and `draft` is not set, the name is none of the Hub's, or what
            may not be published would be public.
    """
    require_repository(repository)
    info = read_info(release)
    if info.stage == "draft" and not draft:
        raise ExportError(
            release, "is a draft, which is not for publication", "build it with --final, or --draft"
        )
    warnings = _require_holding(release, progress)
    state = ask_hub(hub_api(), repository, revision)
    files = release_files(release, info)
    plan = PushPlan(
        repository=repository,
        revision=revision,
        private=private,
        name=info.name,
        stage=info.stage,
        digest=info.digest,
        licence=card_licence(release / info.card.path),
        files=tuple(PlannedFile(file=ref, hub=_on_hub(release, ref, state)) for ref in files),
        removed=left_over(state, files),
        stays_here=tuple(strangers(release, files)),
        warnings=warnings,
        hub=state,
    )
    _require_seemly(plan)
    return plan


def _on_hub(
    release: Path, ref: FileRef, state: HubState
) -> Literal["new", "changed", "same", "unknown"]:
    if not state.asked:
        return "unknown"
    found = state.files.get(ref.path)
    if found is None:
        return "new"
    return "same" if is_same(release, ref, found) else "changed"


def _require_holding(release: Path, progress: Progress | None) -> tuple[Finding, ...]:
    """What is open in a release that holds."""
    findings = verify_release(release, progress=progress)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
        problem = f"does not hold what it says: {errors[0].message} [{errors[0].code}]{more}"
        raise ReleaseError(release, problem, "see: mira export verify")
    return findings


def _require_seemly(plan: PushPlan) -> None:
    """Raise where something would be seen that may not be."""
    if plan.private and plan.hub.is_private is False:
        problem = "the repository is there and public"
        raise ExportError("--private", problem, "make it private on the Hub, or take another")
    found = sorted({one.code for one in plan.warnings} & _MUST_BE_SETTLED)
    if found and not plan.is_private:
        problem = f"has scenes that may not be published ({', '.join(found)})"
        raise ExportError(plan.name, problem, "push it with --private, or build it with --final")
