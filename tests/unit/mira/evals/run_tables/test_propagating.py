"""Failures of decisions by what is below them, worked out by hand."""

from __future__ import annotations

import pytest

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.run_tables.linking import link_decisions
from mira.evals.run_tables.propagating import propagate
from mira.evals.run_tables.subsets import subsets_of

POLICY = BootstrapPolicy(resamples=100)


def mark(instance, role="slot"):
    return {"label": "X", "instance_id": instance, "role": role, "box_xyxy_px": [0, 0, 1, 1]}


def decision(tiny, k, *, reference=9):
    """A decision on instance 1 of a scene, a visibility triple and a place of the same."""
    keys = {"scene": f"s{k}", "marks": [mark(1)]}
    return [
        tiny.row(f"d{k}", "ac_001", **keys),
        *(
            tiny.row(f"v{k}{place}", template, joint_group=f"v{k}", **keys)
            for place, template in enumerate(("vc_001", "vc_002", "vc_003"))
        ),
        tiny.row(f"p{k}", "mr_001", scene=f"s{k}", marks=[mark(reference), mark(1)]),
    ]


def linked(judged, rows, *, scenes=(), by="instance"):
    found = link_decisions(judged.asked, {row["question_id"]: row for row in rows}, scenes, by=by)
    return propagate(
        judged, found, key="m", subtasks=("re", "as"), linked_by=by, policy=POLICY, seed=0
    )


#         decision, a visibility question, the place
CASES = [
    (False, False, False),
    (True, False, True),
    (False, True, False),
    (False, True, False),
    (True, True, True),
    (False, True, True),
    (True, True, True),
    (True, True, True),
    (False, None, True),
]


def test_rates_are_those_of_a_table_one_can_count(tiny):
    rows = [row for k in range(len(CASES)) for row in decision(tiny, k)]
    right = {}
    for k, (ok, seen, placed) in enumerate(CASES):
        right |= {f"d{k}": ok, f"p{k}": placed, f"v{k}0": True, f"v{k}1": seen, f"v{k}2": True}
    found = linked(tiny.run(rows, right), rows)
    told = {one.outcome: (one.n, one.n_wrong) for one in found.rates}
    assert told == {
        "linked": (8, 4),
        "perception_fails": (2, 1),
        "spatial_fails": (3, 3),
        "any_fails": (4, 3),
        "both_right": (4, 1),
    }
    assert (found.n_unheard, found.n_unlinked) == (1, 0)
    assert found.difference == pytest.approx(3 / 4 - 1 / 4)
    assert found.difference_interval.low <= found.difference <= found.difference_interval.high


def test_what_is_only_an_option_is_not_what_a_question_is_about(tiny):
    rows = decision(tiny, 0)
    rows[-1]["marks"] = [mark(9), mark(1, role="candidate")]
    assert linked(tiny.run(rows, {row["question_id"]: True for row in rows}), rows) is None


def test_another_protocol_and_another_picture_are_not_below(tiny):
    rows = decision(tiny, 0)
    rows[-1]["image_id"] = "elsewhere"
    assert linked(tiny.run(rows, {row["question_id"]: True for row in rows}), rows) is None
    rows = decision(tiny, 0)
    rows[-1]["protocol"] = "bbox_text"
    right = {row["question_id"]: True for row in rows}
    assert linked(tiny.run(rows, right, protocol=None), rows) is None


def test_reflections_of_one_object_are_linked_by_object_alone(tiny):
    rows = decision(tiny, 0)
    rows[-1]["marks"] = [mark(5), mark(8)]
    judged = tiny.run(rows, {row["question_id"]: row["question_id"] != "p0" for row in rows})
    links = [
        {"reflected_id": 4, "real_id": 1, "reflection_of_id": 1, "counterpart": "in_frame"},
        {"reflected_id": 5, "real_id": 1, "reflection_of_id": 4, "counterpart": "in_frame"},
        {"reflected_id": 6, "real_id": None, "reflection_of_id": None, "counterpart": "ambiguous"},
    ]
    scenes = [{"image_id": "s0", "links": links}]
    assert linked(judged, rows, scenes=scenes) is None
    found = linked(judged, rows, scenes=scenes, by="object")
    assert [one.n for one in found.rates] == [1, 0, 1, 1, 0]


def test_a_question_that_points_once_is_of_a_single_region(tiny):
    rows = [
        tiny.row("one", marks=[mark(1)]),
        tiny.row("two", marks=[mark(1), mark(2, role="candidate")]),
        tiny.row("none", scene="s1"),
    ]
    scenes = [{"image_id": "s0", "surfaces": [{}]}, {"image_id": "s1", "surfaces": [{}, {}]}]
    assert subsets_of(rows, scenes) == {
        "single-region": {"one"},
        "single-surface": {"one", "two"},
    }
