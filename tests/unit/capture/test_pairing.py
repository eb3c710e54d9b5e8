from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from capture.pairing import PairRule

MakePair = Callable[..., Any]


def _codes(rule: PairRule, *pairs: Any) -> list[str | None]:
    refusals = [rule.accept(pair) for pair in pairs]
    return [refusal.code if refusal else None for refusal in refusals]


def test_pairs_of_new_frames_close_in_time_are_good(pair: MakePair) -> None:
    assert _codes(PairRule(16.7), pair(1), pair(2), pair(3)) == [None, None, None]


def test_a_frame_is_used_once(pair: MakePair) -> None:
    rule = PairRule(1000)

    again = pair(2, color_frame=1, color_ms=pair(1).timing.color_ms)
    assert _codes(rule, pair(1), again, pair(3, depth_frame=1)) == [
        None,
        "repeated-color",
        "repeated-depth",
    ]


def test_a_refused_pair_uses_no_frame(pair: MakePair) -> None:
    rule = PairRule(16.7)
    late = pair(1, depth_frame=2, depth_ms=pair(2).timing.depth_ms)

    assert _codes(rule, late, pair(1), pair(2)) == ["apart", None, None]


@pytest.mark.parametrize(("dt_ms", "code"), [(16.0, None), (25.0, "apart")])
def test_frames_far_apart_are_refused_with_the_number(
    pair: MakePair, dt_ms: float, code: str | None
) -> None:
    refusal = PairRule(1000 / 60).accept(pair(1, depth_ms=pair(1).timing.color_ms + dt_ms))

    assert (refusal.code if refusal else None) == code
    assert refusal is None or refusal.message == "frames are 25.0 ms apart, more than 16.7"


def test_times_of_two_clocks_are_not_compared(pair: MakePair) -> None:
    assert _codes(PairRule(1000), pair(1, depth_domain="system_time")) == ["clocks-differ"]


def test_depth_without_any_reading_is_refused(pair: MakePair) -> None:
    assert _codes(PairRule(1000), pair(1, blank=True)) == ["no-depth"]
