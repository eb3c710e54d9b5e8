from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from capture.policy import CapturePolicy
from capture.replay import ReplayTarget, replay
from mira.errors import CaptureError
from mira.schema.capture import Scene
from mira.store.session import Session

MakePair = Callable[..., Any]


class _Ends:
    """A source that ends when its pairs are out."""

    kind, name = "file", "recording"

    def __init__(self, camera: Any) -> None:
        self._camera = camera

    @property
    def control(self) -> Any:
        return self._camera.control

    def start(self) -> Any:
        return self._camera.start()

    def next_pair(self, timeout_s: float) -> Any:
        pair = self._camera.next_pair(timeout_s)
        self.ended = pair is None
        return pair

    def stop(self) -> None:
        self._camera.stop()


@pytest.fixture
def recording(fake_camera: Any, pair: MakePair) -> Callable[[], Any]:
    """Twelve pairs, of which the third repeats a colour frame and the fifth is 25 ms apart."""

    def make() -> Any:
        pairs = [pair(k) for k in range(1, 13)]
        pairs[2] = pair(3, color_frame=2, color_ms=pairs[1].timing.color_ms)
        pairs[4] = pair(5, depth_ms=pairs[4].timing.color_ms + 25)
        return _Ends(fake_camera(pairs))

    return make


def _target(session: Session, **changes: Any) -> ReplayTarget:
    return ReplayTarget(session, Scene(scene_id="lab"), **changes)


def test_every_pair_is_judged_and_nothing_is_written_without_a_target(
    recording: Any, policy: CapturePolicy
) -> None:
    found = replay(recording(), policy=policy)

    assert (found.pairs, found.good, found.views) == (12, 10, ())
    assert found.reasons == {"repeated-color": 1, "apart": 1}


def test_good_pairs_become_views_named_by_their_colour_frames(
    recording: Any, policy: CapturePolicy, open_test_session: Any
) -> None:
    session = open_test_session()

    found = replay(recording(), policy=policy, target=_target(session))

    expected = tuple(f"f{k:06d}" for k in range(1, 13) if k not in (3, 5))
    assert found.views == session.committed("lab") == expected
    for view in found.views:
        assert session.verify_view("lab", view) == ()
        timing = session.read_frame("lab", view).timing
        assert timing is not None
        assert f"f{timing.color_frame:06d}" == view


def test_a_replay_goes_on_where_it_stopped(
    recording: Any, policy: CapturePolicy, open_test_session: Any
) -> None:
    session = open_test_session()
    replay(recording(), policy=policy, target=_target(session, limit=4))

    found = replay(recording(), policy=policy, target=_target(session))

    assert (len(found.views), found.kept) == (6, 4)


def test_one_of_so_many_good_pairs_is_kept(
    recording: Any, policy: CapturePolicy, open_test_session: Any
) -> None:
    session = open_test_session()

    found = replay(recording(), policy=policy, target=_target(session, every=4))

    assert found.views == ("f000001", "f000007", "f000011")


def test_a_recording_that_falls_silent_before_its_end_is_an_error(
    fake_camera: Any, pair: MakePair, policy: CapturePolicy
) -> None:
    with pytest.raises(CaptureError, match="gives no more frames after 2 pairs"):
        replay(fake_camera([pair(1), pair(2)]), policy=policy)
