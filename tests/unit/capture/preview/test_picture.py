from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from capture.policy import CapturePolicy
from capture.preview.picture import PREVIEW_WIDTH_PX, preview_picture
from capture.recording.watching import Standing

STANDING = Standing("hall", "v2", 2, 9, "hall/v1 taken")
POLICY = CapturePolicy()


@pytest.fixture
def state(fake_camera: Any) -> Any:
    return fake_camera().start()


def _shown(pair: Any, state: Any, **changes: Any) -> np.ndarray:
    return preview_picture(pair, state, STANDING, policy=POLICY, **changes)


def test_the_preview_shows_colour_and_depth_side_by_side_over_a_strip_of_words(
    pair: Callable[..., Any], state: Any
) -> None:
    shown = _shown(pair(1), state)

    height = round(PREVIEW_WIDTH_PX / 2 * 64 / 96)
    assert shown.shape[1] == PREVIEW_WIDTH_PX
    assert shown.dtype == np.uint8
    assert shown[height + 8 : height + 30, 14:200].max() > 180


def test_colour_is_tinted_where_depth_has_no_reading(pair: Callable[..., Any], state: Any) -> None:
    grey = np.full((64, 96, 3), 128, np.uint8)
    whole = np.full((48, 64), 1500, np.uint16)
    half = whole.copy()
    half[:, 32:] = 0

    def colour(depth: np.ndarray, **changes: Any) -> np.ndarray:
        shown = _shown(replace(pair(1), color=grey, depth=depth), state, **changes)
        return shown[150:260, :640].astype(int)

    plain = colour(half, show_holes=False)
    tinted = colour(half)
    assert (plain == 128).all()
    assert (tinted[:, 40:200] == 128).all()
    assert (tinted[:, 420:560, 0] > tinted[:, 420:560, 1]).all()


def test_what_is_wrong_is_told_in_the_colour_of_a_warning(
    pair: Callable[..., Any], state: Any
) -> None:
    def orange(shown: np.ndarray) -> int:
        strip = shown[-92:].astype(int)
        return int(((strip[..., 0] - strip[..., 2]) > 120).sum())

    good = pair(1)
    late = pair(2, depth_ms=pair(2).timing.color_ms + 25)
    assert orange(_shown(late, state)) > orange(_shown(good, state))
    blank = pair(3, blank=True)
    assert orange(_shown(blank, state)) > orange(_shown(good, state))
