"""Drawings that a person hands in: into the workspace and the ledger, and the batch moves on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from annotate.audit.blindness import refuse_copied
from annotate.audit.clock import Clock, utc_now
from annotate.audit.handed_in import (
    Refusal,
    borrowed_pictures,
    find_files,
    put_drawings,
    read_files,
    require_package,
)
from annotate.audit.turns import drawing_turn, stored_as
from mira.errors import MiraError
from mira.schema.annotation import ImageAnnotation
from mira.schema.audit import BatchState
from mira.schema.audit_ledger import AuditEvent, Drawing
from mira.store.atomic import os_faults
from mira.store.audit import AuditBook
from mira.store.audit_progress import BatchProgress
from mira.store.workspace import annotation_digest

_FOLLOWED_BY: Mapping[BatchState, BatchState] = {
    "annotating": "auditing",
    "reannotating": "reauditing",
}
"""States that end with the last drawing."""


class Submission(NamedTuple):
    """What became of drawings that were handed in."""

    batch_id: str
    """The batch."""
    state: BatchState
    """The state it is in now."""
    by: str
    """Who handed in."""
    n_taken: int
    """Drawings that are new or changed."""
    n_unchanged: int
    """Drawings that were handed in before just so."""
    refusals: tuple[Refusal, ...]
    """Files that were not taken, and images without one."""
    is_kept: bool
    """Whether what could be taken was; without `partial` all is taken or nothing."""
    n_left: int
    """Images that the person still has to draw."""


def submit_drawings(
    book: AuditBook,
    batch_id: str,
    folder: Path | None,
    *,
    by: str,
    partial: bool = False,
    now: Clock = utc_now,
) -> Submission:
    """Take the drawings of the person whose turn it is; the last one moves the batch on.

    Repeating a submission changes nothing.

    Args:
        book: The audit.
        batch_id: The batch.
        folder: The package with annotation files in it, or the files alone; None for what the
            workspace holds under the person's name already.
        by: Who drew.
        partial: Whether to keep what is there if some of it is missing or refused.
        now: Gives the time.

    Raises:
        MiraError: It is somebody else's turn, the sample was compared already, or there is no
            such batch or folder.
    """
    with book.lock():
        intake = _Intake(book, book.batch(batch_id), by=by, partial=partial, now=now)
        return intake.take_held() if folder is None else intake.take_folder(folder)


class _Intake:
    """One submission under way; the audit's lock is held."""

    def __init__(
        self, book: AuditBook, progress: BatchProgress, *, by: str, partial: bool, now: Clock
    ) -> None:
        self._book = book
        self._progress = progress
        self._part = progress.now
        self._by = by
        self._partial = partial
        self._now = now
        self._wanted = progress.images_of(self._part) or progress.batch.image_ids

    def take_folder(self, folder: Path) -> Submission:
        paths = find_files(folder)
        with os_faults(folder):
            digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
        if self._is_repeated(digests):
            return self._result(unchanged=len(paths))
        self._require_turn()
        require_package(folder, batch_id=self._progress.batch.batch_id, state=self._part.step.state)
        root = folder if folder.is_dir() else folder.parent
        links = self._progress.batch.policy.links
        with borrowed_pictures(self._book.workspace, self._wanted) as pictures:
            found = read_files(
                paths, root=root, pictures=pictures, wanted=self._wanted, links=links
            )
        copied = refuse_copied(self._book, self._progress, found.drawn)
        good = {name: drawn for name, drawn in found.drawn.items() if name not in copied}
        refusals = (*found.refusals, *copied.values(), *self._missing(found.drawn))
        if refusals and not self._partial:
            return self._result(refusals=refusals, kept=False)
        names = {name: self._stored_as(name) for name in good}
        return self._record(put_drawings(self._book.workspace, good, names=names), refusals)

    def take_held(self) -> Submission:
        if self._is_repeated(None):
            return self._result()
        self._require_turn()
        held = {}
        for name in self._wanted:
            drawn = self._book.workspace.annotation(name, self._stored_as(name))
            if drawn is not None:
                held[name] = drawn
        copied = refuse_copied(self._book, self._progress, held)
        good = {name: drawn for name, drawn in held.items() if name not in copied}
        refusals = (*copied.values(), *self._missing(held))
        if refusals and not self._partial:
            return self._result(refusals=refusals, kept=False)
        return self._record(good, refusals)

    def _is_repeated(self, digests: set[str] | None) -> bool:
        """Whether all this was handed in before, in a state that is over.

        Args:
            digests: Of the files; None where nothing but a name was given.
        """
        acts_now = self._by in self._part.step.people
        for part in self._progress.steps:
            drawn = {drawing.file_sha256 for drawing in part.drawings.values()}
            is_now = part is self._part
            is_over = bool(drawn) and (not is_now or part.score is not None)
            if not is_over or self._by not in part.step.people or self._progress.missing_of(part):
                continue
            if digests is None and (is_now or not acts_now):
                return True
            if digests and digests <= drawn:
                return True
        return False

    def _require_turn(self) -> None:
        batch_id, state = self._progress.batch.batch_id, self._part.step.state
        people = self._part.step.people
        if self._by not in people:
            wanted = f"the drawings of {' or '.join(people)}" if people else "nothing more"
            raise MiraError(batch_id, f"expected {wanted} while {state}, found {self._by}'s")
        if self._part.score is not None:
            raise MiraError(
                batch_id,
                "expected nothing more for this sample, as it was compared, found drawings",
                f"mira annotate audit decide {batch_id}",
            )

    def _stored_as(self, image_id: str) -> str:
        return stored_as(self._progress, self._part, image_id)

    def _missing(self, drawn: Mapping[str, object]) -> tuple[Refusal, ...]:
        message = "expected an annotation file, found none"
        return tuple(
            Refusal(kind="missing", where=name, message=message)
            for name in self._progress.missing_of(self._part)
            if name not in drawn
        )

    def _record(
        self, stored: Mapping[str, ImageAnnotation], refusals: tuple[Refusal, ...]
    ) -> Submission:
        """Note what came in, and the state that follows, in one event."""
        progress, part = self._progress, self._part
        drawings = [_drawing_of(stored[name]) for name in sorted(stored)]
        new = [drawing for drawing in drawings if part.drawings.get(drawing.image_id) != drawing]
        if new:
            at = self._now()
            left = set(progress.missing_of(part)) - {drawing.image_id for drawing in new}
            following = None if left else _FOLLOWED_BY.get(part.step.state)
            turn = following and drawing_turn(self._book, progress, following, at=at)
            event = AuditEvent(
                at=at,
                event="submitted",
                batch_id=progress.batch.batch_id,
                state=part.step.state,
                by=self._by,
                drawings=tuple(new),
                step=turn.step if turn else None,
                hidden=turn.hidden if turn else (),
            )
            progress = self._book.append(event)
        left_now = progress.missing_of(progress.steps[len(self._progress.steps) - 1])
        return Submission(
            progress.batch.batch_id,
            progress.state,
            self._by,
            len(new),
            len(drawings) - len(new),
            refusals,
            is_kept=True,
            n_left=len(left_now),
        )

    def _result(
        self, *, unchanged: int = 0, refusals: tuple[Refusal, ...] = (), kept: bool = True
    ) -> Submission:
        """The outcome where nothing is written."""
        is_on = self._by in self._part.step.people
        return Submission(
            self._progress.batch.batch_id,
            self._progress.state,
            self._by,
            0,
            unchanged,
            refusals,
            is_kept=kept,
            n_left=len(self._progress.missing_of(self._part)) if is_on else 0,
        )


def _drawing_of(annotation: ImageAnnotation) -> Drawing:
    return Drawing(
        image_id=annotation.image_id,
        annotator=annotation.annotator,
        revision=annotation.revision,
        digest=annotation_digest(annotation),
        file_sha256=annotation.source.file.sha256,
    )
