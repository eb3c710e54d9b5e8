"""Whatever people do in whatever order, the ledger only grows and the batch keeps to its way."""

from __future__ import annotations

from itertools import count, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.errors import MiraError
from mira.schema.audit import NEXT_STATES, AuditPolicy

POLICY = AuditPolicy(batch_size=2, sample_fraction=0.5)
ACTS = (
    *("turn well", "turn badly", "score", "decide") * 2,
    *("package", "draw well", "submit", "submit some", "hand"),
)
NAMES = st.sampled_from(("anna", "ben", "chris", "dora", "eve"))
NUMBERS = count()


def act(project, what: str, name: str) -> None:
    now = project.book.batch("b001").now.step
    folder = project.packages / f"b001-{now.state}-{now.people[0] if now.people else name}"
    if what == "package":
        project.package("b001", **({} if now.people else {"to": name}))
    elif what.startswith("turn"):
        project.turn("b001", noise_px=9 if what == "turn badly" else 0.3)
    elif what == "draw well" and (folder / "manifest.json").exists():
        project.draw(folder)
    elif what == "submit":
        project.submit("b001", folder, now.people[0] if now.people else name)
    elif what == "submit some":
        project.submit("b001", folder, name, partial=True)
    elif what == "score":
        project.score("b001")
    elif what == "decide":
        project.decide("b001", adjudicated=now.state == "adjudicating")
    elif what == "hand":
        project.package("b001", to=name)


@pytest.mark.slow
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(acts=st.lists(st.tuples(st.sampled_from(ACTS), NAMES), min_size=10, max_size=30))
def test_any_order_of_acts_keeps_to_the_way_and_what_fails_changes_nothing(make_project, acts):
    project = make_project(2, name=f"project-{next(NUMBERS)}")
    project.plan(policy=POLICY)
    for what, name in acts:
        before = project.ledger()
        try:
            act(project, what, name)
        except MiraError:
            assert what.startswith("turn") or project.ledger() == before
        after = project.ledger()
        assert after.startswith(before)
        states = [step.state for step in project.book.batch("b001").batch.steps]
        assert all(second in NEXT_STATES[first] for first, second in pairwise(states))
