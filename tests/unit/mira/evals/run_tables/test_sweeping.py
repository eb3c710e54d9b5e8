"""Differences between ways of asking, against compare_runs, by hand and by enumeration."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.comparing import compare_runs
from mira.evals.mira_bench.flipping import spread_exchange_p
from mira.evals.mira_bench.tallies import row_keys, row_members, tally
from mira.evals.run_tables.sweeping import sweep_family
from mira.evals.run_tables.variants import families_of

DIGEST = "d" * 64
POLICY = BootstrapPolicy(resamples=200)


def swept(runs, axis="modality"):
    (family,) = families_of(runs, axis, release_digest=DIGEST)
    return sweep_family(family, axis, subset="all", policy=POLICY, seed=0)


def rows_of(sweep):
    return {row.name: row for row in sweep.rows}


@pytest.fixture(scope="module")
def release(tiny):
    """Visibility triples and correspondence in six scenes."""
    rows = []
    for k in range(6):
        for place, template in enumerate(("vc_001", "vc_002", "vc_003")):
            rows.append(tiny.row(f"v{k}{place}", template, scene=f"s{k}", joint_group=f"v{k}"))
        rows += [tiny.row(f"m{k}{j}", "mc_003", scene=f"s{k}") for j in range(3)]
    return rows


@pytest.fixture(scope="module")
def by_modality(tiny, release):
    """Four modalities, each right at random; one was not heard on one question."""
    rng = np.random.default_rng(4)
    runs = []
    for k, modality in enumerate(("rgb", "rgb_m", "rgb_d", "rgb_dm")):
        right = {row["question_id"]: bool(rng.random() < 0.5 + 0.1 * k) for row in release}
        if modality == "rgb_d":
            right["v00"] = None
        runs.append(tiny.run(release, right, modality=modality))
    return runs


def test_two_ways_are_compared_as_two_runs_are(by_modality):
    ours = rows_of(swept(by_modality[:2]))
    theirs = compare_runs(
        *by_modality[:2], release_digest=DIGEST, policy=POLICY, rng=np.random.default_rng(0)
    )
    for row in theirs.rows:
        mine = ours[row.name]
        assert [one.value for one in mine.cells] == pytest.approx([row.first, row.second])
        assert mine.cells[1].difference == pytest.approx(row.difference)
        assert mine.cells[1].difference_interval.low == pytest.approx(row.interval.low)
        assert mine.cells[1].difference_interval.high == pytest.approx(row.interval.high)
        assert mine.cells[1].p_scenes == pytest.approx(row.p_scenes, abs=0.03)
        assert mine.n_units == row.n_units


def test_what_one_way_was_not_heard_on_counts_in_none(by_modality):
    whole, less = swept(by_modality[:2]), swept(by_modality)
    assert (whole.n_questions, whole.n_left_out) == (36, 0)
    assert (less.n_questions, less.n_left_out) == (35, 1)
    assert rows_of(less)["vc"].n_units == rows_of(whole)["vc"].n_units - 1
    assert less.variants == ("rgb", "rgb_m", "rgb_d", "rgb_dm")


def test_each_question_for_itself_is_a_plain_share(by_modality, release):
    row = rows_of(swept(by_modality))["questions"]
    for run, cell in zip(by_modality, row.cells, strict=True):
        heard = [one["question_id"] for one in release if one["question_id"] != "v00"]
        assert cell.value == pytest.approx(
            np.mean([run.outcomes[one].value == "right" for one in heard])
        )


def test_a_spread_is_highest_less_lowest_and_tested_by_dealing_scenes_out_anew(tiny):
    rows = [tiny.row(f"{s}{j}", scene=s) for s in "ab" for j in range(3)]
    right = ({"a0", "a1", "a2", "b0"}, {"a0", "b0", "b1"}, {"b1"})
    runs = [
        tiny.run(rows, {row["question_id"]: row["question_id"] in mine for row in rows}, **kind)
        for mine, kind in zip(
            right, ({"modality": one} for one in ("rgb", "rgb_m", "rgb_d")), strict=True
        )
    ]
    spread = rows_of(swept(runs))["mc"].spread
    assert (spread.value, spread.highest, spread.lowest) == (pytest.approx(0.5), "rgb", "rgb_d")
    # Of all ways to deal out (3, 1, 0) right in scene a and (1, 2, 1) in scene b among three.
    dealt = product(permutations((3, 1, 0)), permutations((1, 2, 1)))
    sums = [np.add(*one) for one in dealt]
    exact = np.mean([one.max() - one.min() >= 3 for one in sums])
    assert spread.p_scenes == pytest.approx(exact, abs=0.03)


def test_ways_that_are_alike_have_a_spread_of_nothing(tiny, release):
    asked = tiny.run(release, {row["question_id"]: True for row in release}).asked
    same = tally(asked, tiny.run(release, {row["question_id"]: True for row in release}).outcomes)
    members = row_members(row_keys(same.subtasks), same.subtasks)
    ps = spread_exchange_p([same] * 5, members, exchanges=50, rng=np.random.default_rng(0))
    assert (ps == 1).all()


def test_a_run_in_all_protocols_is_one_in_each(tiny):
    protocols = ("bbox_text", "visual_bbox", "visual_mask")
    rows = [
        tiny.row(f"{k}-{one}", scene=f"s{k}", item_id=f"i{k}", protocol=one)
        for k in range(4)
        for one in protocols
    ]
    right = {row["question_id"]: row["protocol"] != "visual_mask" for row in rows}
    sweep = swept([tiny.run(rows, right, protocol=None)], axis="protocol")
    assert sweep.variants == protocols
    assert [one.value for one in rows_of(sweep)["overall"].cells] == [1, 1, 0]
    assert sweep.n_questions == 4
    apart = [tiny.run(rows, right, protocol=one) for one in protocols[::-1]]
    assert swept(apart, axis="protocol").rows == sweep.rows


def test_runs_that_differ_in_more_than_one_setting_are_not_held_together(tiny, release):
    right = {row["question_id"]: True for row in release}
    runs = [
        tiny.run(release, right, modality="rgb"),
        tiny.run(release, right, modality="rgb_d", prompt_version="2"),
        tiny.run(release, right, modality="rgb_m", model="other"),
    ]
    assert families_of(runs, "modality", release_digest=DIGEST) == ()
    styled = [tiny.run(release, right, style=one) for one in ({"line_px": 8.0}, {})]
    assert swept(styled, axis="style").variants == ("default", "thickness=8")
