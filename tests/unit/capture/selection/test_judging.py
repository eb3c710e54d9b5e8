"""A view's own numbers ask for what the bounds say, and better numbers for no less."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.selection.bounds import too_little, too_much
from capture.selection.codes import CODES
from capture.selection.judging import remarks_on
from capture.selection.policy import Ceiling, Floor, SelectionPolicy
from capture.selection.records import (
    CRITERIA,
    VERDICTS,
    Remark,
    ViewMeasures,
    standings_of,
    worst,
)

POLICY = SelectionPolicy()
SURFACES = {"count": 1, "share": 0.3, "rim_share": 0.1, "sides_touched": 1, "width": 0.5}
QUALITY = {
    "sharpness": 300,
    "dark_fraction": 0.01,
    "bright_fraction": 0.02,
    "valid_depth_fraction": 0.9,
}


def measures(**given: Any) -> ViewMeasures:
    """A view without a fault, but for what is given."""
    parts: dict[str, Any] = {
        "surfaces": SURFACES,
        "objects": {"direct": 6, "reflected": 5},
        "structure": None,
        "quality": QUALITY,
    }
    for name, value in given.items():
        parts[name] = {**parts[name], **value} if value and parts[name] else value
    region = "none" if parts["surfaces"] is None else "annotation"
    return ViewMeasures.model_validate({"width_px": 8, "height_px": 6, "region": region, **parts})


def asked(*, complete: bool = True, **given: Any) -> dict[str, str]:
    found = remarks_on(measures(**given), complete=complete, policy=POLICY)
    return {remark.code: remark.verdict for remark in found}


def test_a_good_view_needs_no_remark() -> None:
    assert asked() == {}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"surfaces": {"share": 0.01}}, {"surface-small": "look"}),
        ({"surfaces": {"share": 0.001}}, {"surface-small": "drop"}),
        ({"surfaces": {"width": 0.05}}, {"surface-narrow": "look"}),
        ({"surfaces": {"width": 0.01}}, {"surface-narrow": "drop"}),
        ({"surfaces": {"share": 0.7}}, {"surface-fills-view": "look"}),
        ({"surfaces": {"share": 0.9}}, {"surface-fills-view": "drop"}),
        ({"surfaces": {"rim_share": 0.8}}, {"no-margin": "look"}),
        ({"surfaces": {"rim_share": 0.97}}, {"no-margin": "drop"}),
        ({"surfaces": {"sides_touched": 4}}, {"runs-out-everywhere": "look"}),
        ({"surfaces": {"valid_depth_fraction": 0}}, {}),
        ({"objects": {"direct": 2}}, {"few-direct": "look"}),
        ({"objects": {"direct": 1}}, {"few-direct": "drop"}),
        ({"objects": {"reflected": 2}}, {"few-reflected": "look"}),
        ({"objects": {"reflected": 0}}, {"few-reflected": "drop"}),
        ({"quality": {"sharpness": 20}}, {"blurred": "look"}),
        ({"quality": {"sharpness": 5}}, {"blurred": "drop"}),
        ({"quality": {"dark_fraction": 0.6}}, {"dark": "look"}),
        ({"quality": {"bright_fraction": 0.7}}, {"bright": "drop"}),
        ({"quality": {"valid_depth_fraction": 0.2}}, {"little-depth": "look"}),
        ({"quality": {"valid_depth_fraction": None}}, {"no-depth": "look"}),
    ],
    ids=str,
)
def test_each_fault_is_remarked(given: dict[str, Any], expected: dict[str, str]) -> None:
    assert asked(**given) == expected


def test_without_annotation_objects_are_likely_or_doubtful_and_never_certain() -> None:
    rich, poor = {"direct_cells": 90, "reflected_cells": 40}, {"reflected_cells": 3}
    assert asked(objects=None, structure=rich) == {"objects-likely": "keep"}
    assert asked(objects=None, structure={**rich, **poor}) == {"objects-doubtful": "look"}


def test_without_annotation_and_mask_neither_is_measured() -> None:
    found = asked(objects=None, surfaces=None)
    assert found == {"surface-unknown": "look", "objects-unknown": "look"}


def test_a_view_that_shows_no_surface_is_dropped_for_that_alone() -> None:
    nothing = {"count": 0, "share": 0, "rim_share": 0, "sides_touched": 0, "width": 0}
    assert asked(objects=None, surfaces=nothing) == {"surface-absent": "drop"}


def test_too_few_objects_in_an_unfinished_annotation_are_for_a_person() -> None:
    assert asked(objects={"direct": 0}, complete=False) == {"few-direct": "look"}


numbers = st.floats(0, 1e6)


@settings(deadline=None)
@given(numbers, numbers, numbers, numbers)
def test_better_numbers_never_ask_for_more(a: float, b: float, low: float, high: float) -> None:
    worse, better = sorted((a, b))
    low, high = sorted((low, high))
    floor = Floor(look_below=high, drop_below=low)
    ceiling = Ceiling(look_above=low, drop_above=high)

    def rank(remarks: list[Remark]) -> int:
        return VERDICTS.index(worst(remark.verdict for remark in remarks))

    reached = [rank(list(too_little("dark", value, floor, "x"))) for value in (worse, better)]
    passed = [rank(list(too_much("dark", value, ceiling, "x"))) for value in (better, worse)]
    assert reached[0] >= reached[1]
    assert passed[0] >= passed[1]


@settings(deadline=None)
@given(numbers, numbers)
def test_a_number_at_its_bound_is_good_enough(low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert list(too_little("dark", high, Floor(look_below=high, drop_below=low), "x")) == []
    assert list(too_much("dark", low, Ceiling(look_above=low, drop_above=high), "x")) == []


def test_a_remark_says_number_and_bound_in_one_unit() -> None:
    (share,) = remarks_on(measures(surfaces={"share": 0.012}), complete=True, policy=POLICY)
    assert share.text == "1.2 % of the picture is reflective, expected at least 2 %"
    (sharp,) = remarks_on(measures(quality={"sharpness": 20}), complete=True, policy=POLICY)
    assert sharp.text == "blurred: sharpness 20, expected at least 40"
    (few,) = remarks_on(measures(objects={"direct": 1}), complete=True, policy=POLICY)
    assert few.text == "1 object seen directly, expected at least 2"


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(CODES)), st.sampled_from(VERDICTS))))
def test_criteria_stand_as_their_worst_remark(said: list[tuple[str, str]]) -> None:
    remarks = [Remark.model_validate({"code": c, "verdict": v, "text": "x"}) for c, v in said]
    found = standings_of(remarks, compared=True)
    assert tuple(found) == CRITERIA
    for criterion in CRITERIA:
        about = [remark for remark in remarks if remark.criterion == criterion]
        verdict = worst(remark.verdict for remark in about)
        assert (found[criterion] == "failed") == (verdict == "drop")
        if found[criterion] == "met":
            assert verdict == "keep"
    assert standings_of([], compared=False)["reflections"] == "unmeasured"
