from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from capture.policy import CapturePolicy
from capture.recording.warm_up import warm_up


@pytest.fixture
def brightening(pair: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    """Pairs whose brightness and exposure time grow until the k-th."""

    def make(until: int, *, exposure: bool = False) -> Iterator[Any]:
        for k in range(1, 1000):
            share = min(k, until) / until
            level = 100 if exposure else round(200 * share)
            yield replace(
                pair(k),
                color=np.full((64, 96, 3), level, np.uint8),
                exposure=round(166 * share),
            )

    return make


POLICY = CapturePolicy()


def test_as_many_pairs_go_as_the_policy_wants_though_exposure_holds_still(brightening) -> None:
    assert warm_up(brightening(1).__next__, POLICY) == (30, True)


@pytest.mark.parametrize("exposure", [False, True])
def test_exposure_is_waited_for_by_brightness_and_by_its_time(brightening, exposure) -> None:
    pairs, is_stable = warm_up(brightening(60, exposure=exposure).__next__, POLICY)

    assert is_stable
    # The last of a growing exposure within the tolerance, and a window after it.
    assert 60 <= pairs <= 60 + POLICY.exposure_window_pairs


def test_exposure_that_never_settles_is_not_waited_for_for_ever(brightening) -> None:
    assert warm_up(brightening(900).__next__, POLICY) == (150, False)


def test_noise_in_the_dark_is_no_change(pair) -> None:
    def dark() -> Iterator[Any]:
        for k in range(1, 100):
            yield replace(pair(k), color=np.full((64, 96, 3), k % 2, np.uint8))

    assert warm_up(dark().__next__, POLICY) == (30, True)
