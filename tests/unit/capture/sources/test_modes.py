from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.sources.modes import Mode, choose_modes
from mira.errors import CaptureError
from mira.schema.capture_plan import CameraRequest

USB3_DEPTH = [Mode((848, 480), f) for f in (90, 60, 30, 15)] + [Mode((640, 480), 30)]
USB3_COLOR = [Mode((1280, 720), f) for f in (30, 15)] + [Mode((848, 480), 30)]
USB2_DEPTH = [Mode((640, 480), 15), Mode((480, 270), 30), Mode((848, 480), 6)]
USB2_COLOR = [Mode((640, 480), 15), Mode((424, 240), 30), Mode((1280, 720), 6)]


def _chosen(request: CameraRequest, depth: list[Mode], color: list[Mode]) -> tuple[str, str]:
    modes = choose_modes(request, depth=depth, color=color, where="camera 1")
    return str(modes.depth), str(modes.color)


def test_modes_that_the_camera_has_are_taken_as_asked() -> None:
    assert _chosen(CameraRequest(), USB3_DEPTH, USB3_COLOR) == ("848x480@30", "1280x720@30")


def test_on_a_slow_cable_the_rate_is_held_and_the_size_steps_down() -> None:
    assert _chosen(CameraRequest(), USB2_DEPTH, USB2_COLOR) == ("480x270@30", "424x240@30")


def test_without_a_common_rate_as_high_the_next_lower_is_taken() -> None:
    color = [Mode((1280, 720), 15), Mode((1280, 720), 6)]

    assert _chosen(CameraRequest(), USB3_DEPTH, color) == ("848x480@15", "1280x720@15")


def test_a_mode_that_may_not_step_down_is_refused_and_the_modes_are_named() -> None:
    with pytest.raises(CaptureError) as caught:
        _chosen(CameraRequest(step_down=False), USB2_DEPTH, USB2_COLOR)

    text = str(caught.value)
    assert "expected depth 848x480@30 and color 1280x720@30" in text
    assert "found depth 848x480@6 640x480@15 480x270@30" in text
    assert "color 1280x720@6 640x480@15 424x240@30" in text


def test_a_camera_without_modes_is_refused() -> None:
    with pytest.raises(CaptureError, match="found depth none and color none"):
        _chosen(CameraRequest(), [], [])


modes = st.lists(
    st.builds(
        Mode,
        st.tuples(st.sampled_from([424, 640, 848, 1280]), st.sampled_from([240, 480, 720])),
        st.sampled_from([6, 15, 30, 60]),
    ),
    min_size=1,
)


@given(modes, modes)
def test_what_is_chosen_is_offered_at_one_rate_and_never_more_than_asked(
    depth: list[Mode], color: list[Mode]
) -> None:
    request = CameraRequest()
    try:
        chosen = choose_modes(request, depth=depth, color=color, where="camera")
    except CaptureError:
        return
    assert chosen.depth in depth
    assert chosen.color in color
    assert chosen.depth.fps == chosen.color.fps <= request.fps
    assert chosen.depth.size <= request.depth
    assert chosen.color.size[0] <= request.color[0]
