"""The audit in a workspace: its ledger, and the reports of comparisons.

audit/ledger.jsonl                              AuditEvent, one a line: all states follow from it
audit/reports/<batch>-<round>.json              AuditReport
audit/reports/<batch>-<round>-gold-<person>-<state>.json
                                                GoldReport: hidden images with a known answer
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from mira.errors import MiraError, WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.schema.audit import AuditReport
from mira.schema.audit_ledger import AuditEvent, Drawing, GoldReport
from mira.store.atomic import exclusive, os_faults, write_file
from mira.store.audit_ledger import Ledger
from mira.store.audit_progress import BatchProgress, progress_of
from mira.store.names import require_name
from mira.store.workspace import Workspace, annotation_digest


class AuditBook:
    """Reads and writes the audit of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        """Name the audit of a workspace, which may not have begun."""
        self.workspace = workspace
        self._folder = workspace.root / "audit"
        self._ledger = Ledger(self._folder / "ledger.jsonl")

    def lock(self) -> AbstractContextManager[None]:
        """Hold the audit for writing; a second writer gets one line and ends."""
        with os_faults(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        return exclusive(self._folder / ".lock", self._folder)

    # Ledger

    def append(self, event: AuditEvent) -> BatchProgress:
        """Add an event to the ledger; the lock must be held.

        Returns:
            Where its batch stands now.

        Raises:
            RecordError: The event does not follow from those before it; nothing is written.
        """
        after = progress_of([*self._ledger.events(), ("the new event", event)])
        self._ledger.append(event)
        return after[event.batch_id]

    def events(self) -> tuple[AuditEvent, ...]:
        """All events, in order."""
        return tuple(event for _, event in self._ledger.events())

    def batches(self) -> dict[str, BatchProgress]:
        """All batches by id, in the order they were planned.

        Raises:
            RecordError: The ledger is damaged; the error names the line.
        """
        return progress_of(self._ledger.events())

    def batch(self, batch_id: str) -> BatchProgress:
        """One batch.

        Raises:
            MiraError: There is none of that id.
        """
        batches = self.batches()
        if batch_id not in batches:
            known = ", ".join(list(batches)[:10]) or "none: plan some first"
            raise MiraError(batch_id, f"expected a batch, found no such one (there are: {known})")
        return batches[batch_id]

    def stamp(self) -> Hashable:
        """Another value once anything has happened; reads no file."""
        return self._ledger.stamp()

    def counting_annotators(self) -> dict[str, str]:
        """Whose annotation counts, by image, of all batches that are accepted."""
        return {
            image_id: progress.batch.annotator
            for progress in self.batches().values()
            if progress.state == "accepted"
            for image_id in progress.batch.image_ids
        }

    # Drawings

    def read_drawing(self, drawing: Drawing) -> ImageAnnotation:
        """An annotation as it was when it was submitted, whatever was imported since.

        Raises:
            WorkspaceError: The revision is gone, or is no longer what was submitted.
        """
        folder = self.workspace.root / "annotations" / require_name(drawing.image_id)
        path = folder / require_name(drawing.annotator) / f"r{drawing.revision:04d}.json"
        if not path.is_file():
            raise WorkspaceError(path, "expected the annotation that was submitted, found no file")
        annotation = ImageAnnotation.from_json(path.read_bytes(), where=path)
        if annotation_digest(annotation) != drawing.digest:
            raise WorkspaceError(path, "is no longer the annotation that was submitted")
        return annotation

    # Reports

    def write_report(self, report: AuditReport | GoldReport, *, round_: int) -> str:
        """Write a report in place of an earlier one of the same comparison.

        Returns:
            Digest of its bytes.
        """
        data = report.to_json()
        write_file(self._report_path(report, round_), data)
        return hashlib.sha256(data).hexdigest()

    def read_report(self, batch_id: str, *, round_: int) -> AuditReport | None:
        """The report of a round; None where there is none."""
        path = self._reports / f"{require_name(batch_id)}-{round_}.json"
        if not path.is_file():
            return None
        return AuditReport.from_json(path.read_bytes(), where=path)

    def gold_reports(self, batch_id: str, *, round_: int) -> Iterator[GoldReport]:
        """Reports of hidden images of a round, by person."""
        for path in sorted(self._reports.glob(f"{require_name(batch_id)}-{round_}-gold-*.json")):
            yield GoldReport.from_json(path.read_bytes(), where=path)

    @property
    def _reports(self) -> Path:
        return self._folder / "reports"

    def _report_path(self, report: AuditReport | GoldReport, round_: int) -> Path:
        name = f"{require_name(report.batch_id)}-{round_}"
        if isinstance(report, GoldReport):
            name += f"-gold-{require_name(report.score.person)}-{report.score.state}"
        return self._reports / f"{name}.json"
