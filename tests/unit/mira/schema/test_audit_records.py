"""A batch goes only where the audit allows, and a report cannot contradict its numbers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mira.schema.audit import (
    NEXT_STATES,
    Agreement,
    AuditPolicy,
    AuditReport,
    AuditRow,
    Batch,
    BatchStep,
)
from mira.schema.record import RootRecord

AT = datetime(2026, 1, 2, tzinfo=UTC)
IMAGES = tuple(f"i{i}" for i in range(10))
SAMPLE = ("i3", "i7")
STEPS = {
    "annotating": {"people": ("anna",)},
    "auditing": {"people": ("ben",), "seed": 1, "sample": SAMPLE},
    "reannotating": {"people": ("chris",)},
    "reauditing": {"people": ("dora",), "seed": 2, "sample": SAMPLE},
    "adjudicating": {"people": ("anna", "ben", "chris")},
    "accepted": {},
}


def step(state: str, **changes: Any) -> BatchStep:
    return BatchStep.model_validate({"state": state, "at": AT, **STEPS[state], **changes})


def batch(*steps: BatchStep | str, **changes: Any) -> Batch:
    taken = tuple(step(part) if isinstance(part, str) else part for part in steps)
    return Batch(**{"batch_id": "b", "image_ids": IMAGES, "steps": taken} | changes)


def row(**changes: Any) -> AuditRow:
    fields = {"image_id": "i3", "role": "instance", "label": "direct", "n_matched": 1}
    return AuditRow.model_validate({**fields, "mean_iou": 0.5, **changes})


def report(**changes: Any) -> AuditReport:
    fields = {
        "batch_id": "b",
        "round": 1,
        "annotator": "anna",
        "auditor": "ben",
        "policy": AuditPolicy(),
        "sample": SAMPLE,
        "rows": (row(),),
        "mean_iou": 0.5,
        "verdict": "failed",
    }
    return AuditReport(**fields | changes)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Batches at any point of any way that the audit can take."""
    images = tuple(f"i{i}" for i in range(draw(st.integers(1, 30))))
    policy = AuditPolicy(sample_fraction=draw(st.sampled_from([0.1, 0.2, 0.5, 1.0])))
    state, steps = "annotating", []
    while True:
        changes: dict[str, Any] = {}
        if STEPS[state].get("sample"):
            size = policy.sample_size(len(images))
            changes["sample"] = tuple(draw(st.permutations(images))[:size])
            changes["seed"] = draw(st.integers(0, 2**53))
        steps.append(step(state, **changes))
        if not NEXT_STATES[state] or draw(st.integers(0, 5)) == 0:
            return Batch(batch_id="b", image_ids=images, policy=policy, steps=tuple(steps))
        state = draw(st.sampled_from(NEXT_STATES[state]))


@st.composite
def reports(draw: st.DrawFn) -> AuditReport:
    """Reports whose numbers fit each other."""
    rows = []
    for image_id in SAMPLE[: draw(st.integers(0, 2))]:
        matched, first, second = (draw(st.integers(low, 50)) for low in (0, 0, 1))
        iou = draw(st.floats(0, 1)) * matched / (matched + first + second)
        counts = {"n_matched": matched, "n_only_annotator": first, "n_only_auditor": second}
        rows.append(row(image_id=image_id, mean_iou=iou, **counts))
    mean_iou = draw(st.floats(0, 1)) if rows else None
    n = draw(st.integers(0, 100))
    agreement = Agreement(
        name="visibility",
        n=n,
        n_agreed=draw(st.integers(0, n)),
        kappa=draw(st.none() | st.floats(-1, 1)),
    )
    return report(
        rows=tuple(rows),
        mean_iou=mean_iou,
        agreements=(agreement,),
        verdict="passed" if mean_iou is None or mean_iou >= 0.85 else "failed",
    )


@given(st.one_of(batches(), reports()))
def test_record_survives_dump_and_load(record: RootRecord) -> None:
    assert type(record).from_json(record.to_json(), where="record.json") == record


@pytest.mark.parametrize(
    ("n_images", "size"), [(100, 20), (1, 1), (15, 3), (35, 7), (36, 8), (5, 1), (6, 2)]
)
def test_a_fifth_of_a_batch_is_drawn_rounded_up(n_images: int, size: int) -> None:
    assert AuditPolicy().sample_size(n_images) == size


def test_batch_is_in_the_state_it_came_to_last() -> None:
    assert batch("annotating", "auditing").state == "auditing"
    assert batch("annotating", "auditing", "accepted").state == "accepted"
    way = ("annotating", "auditing", "reannotating", "reauditing", "adjudicating", "accepted")
    assert batch(*way).state == "accepted"


@pytest.mark.parametrize(
    ("states", "problem"),
    [
        (["auditing"], r"steps\.0\.state: expected annotating, found auditing"),
        (["annotating", "accepted"], r"steps\.1\.state: expected auditing, found accepted"),
        (["annotating", "auditing", "adjudicating"], "expected accepted or reannotating, found"),
        (
            ["annotating", "auditing", "reannotating", "reauditing", "reannotating"],
            r"steps\.4\.state: expected accepted or adjudicating, found reannotating",
        ),
        (["annotating", "auditing", "accepted", "reannotating"], "expected nothing more, found"),
    ],
)
def test_batch_that_leaves_the_way_is_refused(states: list[str], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        batch(*states)


@pytest.mark.parametrize("auditor", ["anna", "chris"])
def test_nobody_audits_a_batch_that_they_annotated(auditor: str) -> None:
    audit = step("reauditing", people=(auditor,))
    match = rf"steps\.3\.people: expected somebody other than anna, chris, found {auditor}"
    with pytest.raises(ValidationError, match=match):
        batch("annotating", "auditing", "reannotating", audit)


def test_second_annotator_may_audit_the_third_one_s_work() -> None:
    audited = batch("annotating", "auditing", "reannotating", step("reauditing", people=("ben",)))
    assert audited.state == "reauditing"


@pytest.mark.parametrize("third", ["anna", "ben"])
def test_third_annotator_has_drawn_none_of_the_batch(third: str) -> None:
    with pytest.raises(ValidationError, match=r"steps\.2\.people: expected somebody other than"):
        batch("annotating", "auditing", step("reannotating", people=(third,)))


@pytest.mark.parametrize(
    "sample", [("i3",), ("i3", "i3"), ("i3", "j1"), ("i1", "i2", "i3")], ids=str
)
def test_sample_is_a_fifth_of_the_batch_s_images(sample: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError, match=r"steps\.1\.sample: expected 2 images of the batch"):
        batch("annotating", step("auditing", sample=sample))


@pytest.mark.parametrize(
    ("state", "changes", "field"),
    [
        ("auditing", {"seed": None}, "seed"),
        ("auditing", {"sample": ()}, "sample"),
        ("annotating", {"seed": 1}, "seed"),
        ("annotating", {"sample": SAMPLE}, "sample"),
        ("annotating", {"people": ()}, "people"),
        ("annotating", {"people": ("anna", "ben")}, "people"),
        ("adjudicating", {"people": ()}, "people"),
        ("accepted", {"people": ("anna",)}, "people"),
    ],
)
def test_step_has_what_its_state_asks_for(state: str, changes: Any, field: str) -> None:
    with pytest.raises(ValidationError, match=f"{field}: expected .* while {state}"):
        step(state, **changes)


def test_images_of_a_batch_are_counted_and_each_there_once() -> None:
    with pytest.raises(ValidationError, match="image_ids: expected each image once"):
        batch("annotating", image_ids=("i1", "i1"))
    with pytest.raises(ValidationError, match="image_ids: expected at most 9, found 10"):
        batch("annotating", policy=AuditPolicy(batch_size=9))


def test_mean_iou_counts_shapes_without_a_partner_as_zero() -> None:
    row(n_matched=3, n_only_auditor=1, mean_iou=0.75)
    match = "mean_iou: expected at most 0.75 with 3 of 4 matched, found 0.76"
    with pytest.raises(ValidationError, match=match):
        row(n_matched=3, n_only_auditor=1, mean_iou=0.76)
    with pytest.raises(ValidationError, match="n_matched: expected a shape"):
        row(n_matched=0, mean_iou=0.0)


def test_iou_lies_between_nought_and_one() -> None:
    for value in (-0.01, 1.01):
        with pytest.raises(ValidationError, match="mean_iou"):
            row(mean_iou=value)
        with pytest.raises(ValidationError, match="mean_iou"):
            report(mean_iou=value)


def test_exactly_the_bound_passes() -> None:
    assert report(mean_iou=0.85, verdict="passed").verdict == "passed"
    with pytest.raises(ValidationError, match=r"expected passed with a mean IoU of 0\.86"):
        report(mean_iou=0.86, verdict="failed")
    with pytest.raises(ValidationError, match=r"expected failed with a mean IoU of 0\.84"):
        report(mean_iou=0.84, verdict="passed")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"auditor": "anna"}, "auditor"),
        ({"rows": (row(image_id="i5"),)}, "rows"),
        ({"rows": (row(), row(mean_iou=0.25))}, "rows"),
        ({"mean_iou": None}, "mean_iou"),
        ({"round": 3}, "round"),
        ({"sample": (), "rows": ()}, "sample"),
    ],
)
def test_report_that_contradicts_itself_is_refused(changes: Any, field: str) -> None:
    with pytest.raises(ValidationError, match=rf"\b{field}(: expected|\n)"):
        report(**changes)


def test_more_agreements_than_choices_are_refused() -> None:
    with pytest.raises(ValidationError, match="n_agreed: expected at most n = 2, found 3"):
        Agreement(name="visibility", n=2, n_agreed=3)
