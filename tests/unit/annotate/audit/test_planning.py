"""Images come into batches once, in an order that the seed alone decides."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.audit.chance import derive_seed, draw_order, draw_sample
from annotate.audit.roster import ROLES, Assignment
from mira.errors import MiraError
from mira.schema.audit import AuditPolicy

NAMES = st.lists(st.text(st.characters(codec="ascii"), max_size=4), unique=True, max_size=30)
SEEDS = st.integers(0, 2**63 - 1)


@given(NAMES, SEEDS, st.data())
def test_an_order_stays_when_names_are_taken_away(names, seed, data):
    kept = data.draw(st.sets(st.sampled_from(names))) if names else set()
    order = draw_order(names, seed=seed)
    assert sorted(order) == sorted(names)
    assert draw_order(kept, seed=seed) == tuple(name for name in order if name in kept)


@given(NAMES, SEEDS, st.integers(0, 40), st.data())
def test_a_sample_is_disjoint_from_the_earlier_one_where_that_is_possible(names, seed, size, data):
    first = data.draw(st.sets(st.sampled_from(names))) if names else set()
    sample = draw_sample(names, seed=seed, size=size, avoid=first)
    assert len(set(sample)) == len(sample) == min(size, len(names))
    assert len(set(sample) & first) == max(0, len(sample) - (len(names) - len(first)))


@given(SEEDS, st.text(max_size=5), st.text(max_size=5))
def test_seeds_of_different_purposes_differ(seed, one, other):
    assert (derive_seed(seed, one) == derive_seed(seed, other)) == (one == other)
    assert 0 <= derive_seed(seed, one) < 2**63


def test_each_image_is_drawn_for_the_sample_about_as_often_as_another():
    names = [f"i{k}" for k in range(20)]
    counts = dict.fromkeys(names, 0)
    for seed in range(2000):
        for name in draw_sample(names, seed=seed, size=4):
            counts[name] += 1
    assert all(320 < count < 480 for count in counts.values())


def test_known_draws_stay_what_they_are():
    assert "".join(draw_order("abcdefgh", seed=7)) == "acdefghb"
    assert derive_seed(7, "auditing") == 4405488078582538060


def test_a_plan_holds_every_image_once_and_a_rerun_adds_new_ones_alone(
    make_project, add_more_images
):
    project = make_project(12)
    assert project.plan().batch_ids == ("b001", "b002", "b003")
    assert [len(b.batch.image_ids) for b in project.book.batches().values()] == [5, 5, 2]
    before = project.ledger()
    assert project.plan() == ((), 0, 3)
    add_more_images(project.book.workspace, 3, first=12)
    planned = project.plan(policy=AuditPolicy(batch_size=2), seed=8)
    assert planned == (("b004", "b005"), 3, 5)
    assert project.ledger().startswith(before)
    images = [name for b in project.book.batches().values() for name in b.batch.image_ids]
    assert sorted(images) == [f"pic_{k:03d}" for k in range(15)]
    assert images != sorted(images)


def test_a_workspace_without_images_has_no_plan(make_project):
    with pytest.raises(MiraError, match="expected images, found none"):
        make_project(0).plan()


@given(st.integers(3, 6), st.integers(0, 50))
def test_people_take_turns_and_no_part_excludes_another(n_people, number):
    people = [f"p{k}" for k in range(n_people)]
    roster = Assignment(people).of("b", number=number)
    assert roster.annotator == people[number % n_people]
    assert roster.auditor == people[(number + 1) % n_people]
    assert len({roster.annotator, roster.auditor, roster.third}) == 3
    assert (roster.reauditor == roster.auditor) == (n_people == 3)


def test_a_table_says_who_draws_which_batch(tmp_path):
    table = tmp_path / "who.csv"
    table.write_text("batch,third,annotator\nb002,,ben\nb003, eve ,\n", "utf-8")
    assignment = Assignment(("anna", "ben", "chris", "dora"), table)
    rosters = [assignment.of(f"b00{k + 1}", number=k) for k in range(3)]
    assert [roster.annotator for roster in rosters] == ["anna", "ben", "chris"]
    assert rosters[2].third == "eve"
    for roster in rosters:
        assert len({getattr(roster, role) for role in ROLES}) == 4


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected columns among batch, annotator"),
        ("who,annotator\n", "expected columns among batch"),
        ("batch,annotator\nb001,a\nb001,b\n", "who.csv:3: expected b001 once"),
        ("batch,annotator\n,a\n", "who.csv:2: expected a batch and people"),
        ("batch,annotator\nb001,a,b\n", "who.csv:2: expected a batch and people"),
        ("batch,annotator\nb001,../x\n", "expected letters, digits"),
        ("batch,annotator\nb001,a.b\n", "expected a code name without a dot"),
        (
            "batch,annotator,auditor\nb001,ben,ben\n",
            "who.csv: batch b001: .*auditor: expected somebody other than ben",
        ),
        ("batch\0", "who.csv"),
        ("\udcff", "expected UTF-8 text"),
    ],
)
def test_a_table_at_fault_is_named_with_its_line(tmp_path, text, problem):
    table = tmp_path / "who.csv"
    table.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(MiraError, match=problem):
        Assignment(("anna", "ben", "chris"), table).of("b001", number=0)


def test_fewer_than_three_people_cannot_audit_each_other():
    for people in (("anna", "ben"), ("anna", "ben", "anna")):
        with pytest.raises(MiraError, match="--annotators: expected"):
            Assignment(people)
    with pytest.raises(MiraError, match="nowhere.csv: cannot be read"):
        Assignment(("a", "b", "c"), Path("nowhere.csv"))


def test_a_table_that_names_no_batch_of_the_plan_is_refused_before_anything_is_planned(
    make_project, tmp_path
):
    project = make_project(5)
    table = tmp_path / "who.csv"
    table.write_text("batch,annotator\nb1,eve\n", "utf-8")
    with pytest.raises(MiraError, match="batch b1: expected one of 1 batches, found no such"):
        project.plan(assignment=Assignment(("anna", "ben", "chris"), table))
    assert project.book.batches() == {}


def test_who_knows_the_answers_draws_no_batch(make_project, draw_gold):
    project = make_project(3)
    draw_gold(project, ["pic_000"])
    with pytest.raises(MiraError, match="--gold: expected somebody who draws no batch, found gold"):
        project.plan(
            policy=AuditPolicy(honeypots=1),
            gold_annotator="gold",
            assignment=Assignment(("gold", "ben", "chris")),
        )
