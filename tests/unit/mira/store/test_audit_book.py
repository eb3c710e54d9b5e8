"""All states follow from the ledger, which only grows, whatever was cut off at its end."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from mira.errors import MiraError, RecordError
from mira.schema.audit import AuditPolicy, AuditReport, BatchStep
from mira.schema.audit_ledger import (
    AuditEvent,
    BatchPlan,
    Drawing,
    GoldReport,
    GoldScore,
    Roster,
    RoundScore,
)
from mira.store.audit import AuditBook
from mira.store.workspace import Workspace

AT = datetime(2026, 1, 2, tzinfo=UTC)
IMAGES = ("i1", "i2")
ROSTER = Roster(annotator="anna", auditor="ben", third="chris", reauditor="ben")


def event(kind: str, state: str = "annotating", **details: Any) -> AuditEvent:
    return AuditEvent.model_validate(
        {"at": AT, "event": kind, "batch_id": "b001", "state": state, **details}
    )


def drawn(*names: str, by: str = "anna") -> tuple[Drawing, ...]:
    return tuple(
        Drawing(image_id=name, annotator=by, revision=1, digest="d", file_sha256="f")
        for name in names
    )


PLANNED = event(
    "planned",
    plan=BatchPlan(image_ids=IMAGES, policy=AuditPolicy(batch_size=2), roster=ROSTER, seed=1),
    step=BatchStep(state="annotating", at=AT, people=("anna",)),
)
AUDITING = BatchStep(state="auditing", at=AT, people=("ben",), seed=3, sample=("i2",))
FAILED = RoundScore(round=1, mean_iou=None, verdict="failed", report_sha256="e")
WAY = (
    PLANNED,
    event("packaged", by="anna", package_sha256="p"),
    event("submitted", by="anna", drawings=drawn("i1")),
    event("submitted", by="anna", drawings=drawn("i2"), step=AUDITING),
    event("submitted", "auditing", by="ben", drawings=drawn("i2", by="ben")),
    event("scored", "auditing", score=FAILED),
    event(
        "decided", "reannotating", step=BatchStep(state="reannotating", at=AT, people=("chris",))
    ),
)


@pytest.fixture
def book(tmp_path: Path) -> AuditBook:
    return AuditBook(Workspace.create(tmp_path / "workspace"))


def ledger_of(book: AuditBook) -> Path:
    return book.workspace.root / "audit" / "ledger.jsonl"


def test_events_read_as_they_were_appended(book):
    for one in WAY:
        book.append(one)
    assert book.events() == WAY


def test_where_a_batch_stands_follows_from_its_events(book):
    for one in WAY[:3]:
        book.append(one)
    progress = book.batch("b001")
    assert (progress.state, progress.now.packages) == ("annotating", {"anna": "p"})
    assert progress.images_of(progress.now) == IMAGES
    assert progress.missing_of(progress.now) == ("i2",)
    for one in WAY[3:]:
        progress = book.append(one)
    assert [part.step.state for part in progress.steps] == [
        "annotating",
        "auditing",
        "reannotating",
    ]
    assert progress.steps[1].score == FAILED
    assert (progress.round, progress.batch.annotator) == (2, "chris")
    assert progress.audited(1) == progress.steps[:2]
    assert progress.audited(2) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.integers(1, 6), st.data())
def test_half_a_line_is_no_event_and_makes_way_for_the_next(book, count, data):
    path = ledger_of(book)
    path.unlink(missing_ok=True)
    for one in WAY[:count]:
        book.append(one)
    whole = path.read_bytes()
    last = whole[whole[:-1].rfind(b"\n") + 1 :]
    path.write_bytes(whole + last[: data.draw(st.integers(1, len(last) - 1))])
    assert book.events() == WAY[:count]
    book.append(WAY[count])
    assert book.events() == WAY[: count + 1]


def test_an_event_that_does_not_follow_is_refused_and_nothing_is_written(book):
    book.append(PLANNED)
    before = ledger_of(book).read_bytes()
    with pytest.raises(RecordError, match="the new event: expected one plan for 'b001'"):
        book.append(PLANNED)
    step = BatchStep(state="accepted", at=AT)
    with pytest.raises(RecordError, match="expected auditing, found accepted"):
        book.append(event("decided", "accepted", step=step))
    own = AUDITING.model_copy(update={"people": ("anna",)})
    with pytest.raises(RecordError, match="expected somebody other than anna"):
        book.append(event("submitted", by="anna", drawings=drawn(*IMAGES), step=own))
    assert ledger_of(book).read_bytes() == before


def test_a_damaged_line_is_named(book):
    for one in WAY[:3]:
        book.append(one)
    path = ledger_of(book)
    lines = path.read_bytes().splitlines(keepends=True)
    for damage, problem in (
        (b"{}\n", "at: "),
        (b"\n", "expected an event, found an empty line"),
        (b"\xff\n", "expected one JSON document"),
        (lines[0], "expected one plan for 'b001', found one again"),
        (lines[1].replace(b'"packaged"', b'"handed"'), "people: expected one for 'handed'"),
    ):
        path.write_bytes(b"".join([lines[0], damage, lines[2]]))
        with pytest.raises(RecordError, match=rf"ledger\.jsonl:2: .*{problem}"):
            book.batches()
    path.write_bytes(lines[1])
    with pytest.raises(RecordError, match="expected one plan for 'b001', found 'packaged' first"):
        book.batches()


def test_an_event_of_a_newer_program_is_refused(book):
    book.append(PLANNED)
    path = ledger_of(book)
    path.write_bytes(path.read_bytes().replace(b'{"schema_version":1', b'{"schema_version":99', 1))
    with pytest.raises(RecordError, match="this program reads 1 to 1, found 99"):
        book.events()


@pytest.mark.parametrize(
    ("kind", "details", "problem"),
    [
        ("planned", {}, "step: expected one for 'planned', found none"),
        ("scored", {}, "score: expected one"),
        ("packaged", {"package_sha256": "p", "score": FAILED}, "score: expected none"),
        ("submitted", {}, "drawings: expected one"),
    ],
)
def test_an_event_has_what_its_kind_asks_for(kind, details, problem):
    with pytest.raises(ValidationError, match=problem):
        event(kind, **details)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"auditor": "anna"}, "auditor: expected somebody other than anna, found anna"),
        ({"third": "ben"}, "third: expected somebody other than anna and ben, found ben"),
        ({"reauditor": "chris"}, "reauditor: expected somebody other than anna and chris"),
    ],
)
def test_a_roster_keeps_parts_apart(changes, problem):
    with pytest.raises(ValidationError, match=problem):
        Roster.model_validate(ROSTER.model_dump() | changes)


def test_a_workspace_without_an_audit_has_no_batches(book):
    assert book.batches() == {}
    assert book.counting_annotators() == {}
    with pytest.raises(MiraError, match=r"b001: expected a batch.*none: plan some first"):
        book.batch("b001")
    assert book.read_report("b001", round_=1) is None


def test_reports_are_found_by_batch_and_round(book):
    report = AuditReport(
        batch_id="b001",
        round=1,
        annotator="anna",
        auditor="ben",
        policy=AuditPolicy(),
        sample=("i2",),
        rows=(),
        mean_iou=None,
        verdict="passed",
    )
    gold = GoldReport(
        batch_id="b001",
        score=GoldScore(person="anna", state="annotating", n_images=1, mean_iou=None),
        gold_annotator="gold",
        image_ids=("k",),
        rows=(),
    )
    book.write_report(report, round_=1)
    book.write_report(gold, round_=1)
    assert book.read_report("b001", round_=1) == report
    assert list(book.gold_reports("b001", round_=1)) == [gold]
    assert list(book.gold_reports("b001", round_=2)) == []
