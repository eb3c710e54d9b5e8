from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import pytest

from capture.policy import CapturePolicy
from capture.recording.disk_room import DiskFullError
from capture.recording.recorder import Recorded, Recorder
from capture.recording.running_camera import EndOfFramesError
from capture.recording.watching import Command, TakeAtOnce
from capture.sources.frames import CameraFaultError
from mira.errors import CaptureError, MiraError
from mira.schema.capture_plan import CapturePlan, PlannedView
from mira.schema.session import CaptureSettings
from mira.store.session import Session

PLANNED = (PlannedView("bath", "v1"), PlannedView("bath", "v2"), PlannedView("hall", "front"))


class Run(NamedTuple):
    recorded: Recorded
    told: list[str]


@pytest.fixture
def record(
    plan: CapturePlan, policy: CapturePolicy, open_test_session: Callable[..., Session]
) -> Callable[..., Run]:
    """Record a plan from a source, at once."""

    def run(source: Any, **changes: Any) -> Run:
        told: list[str] = []
        settings: dict[str, Any] = {
            "policy": policy,
            "watch": TakeAtOnce(),
            "tell": told.append,
            **changes,
        }
        chosen = settings.pop("plan", plan)
        session = settings.pop("session", None) or open_test_session()
        return Run(Recorder(source, session, chosen, **settings).run(), told)

    return run


def _pixels(session: Session, view: PlannedView, name: str) -> np.ndarray:
    pixels = cv2.imread(str(session.view_folder(*view) / name), cv2.IMREAD_UNCHANGED)
    return pixels[..., ::-1] if pixels.ndim == 3 else pixels


def _events(session: Session, view: PlannedView) -> list[str]:
    return [e.event for e in session.journal() if (e.scene_id, e.view_id) == view]


def _reasons(session: Session) -> list[str]:
    return [entry.reason for entry in session.journal() if entry.reason]


def _stops_short(pair: Callable[..., Any], count: int) -> Iterator[Any]:
    yield from (pair(k) for k in range(1, count + 1))


# What is recorded


def test_a_plan_becomes_a_session_of_whole_views(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
    frame: Callable[..., Any],
) -> None:
    result = record(simulated())

    session = open_test_session()
    assert result.recorded == Recorded(PLANNED, kept=0, failed=(), left=0)
    for view in PLANNED:
        assert session.verify_view(*view) == ()
        assert _events(session, view) == ["planned", "started", "committed"]
        told = session.read_frame(*view)
        assert told.timing is not None
        k = told.timing.color_frame
        assert told.timing.depth_frame == k
        assert told.timing.dt_ms == pytest.approx(1.5)
        np.testing.assert_array_equal(_pixels(session, view, "color.png"), frame(k).color)
        np.testing.assert_array_equal(_pixels(session, view, "depth.png"), frame(k).depth)
        assert _pixels(session, view, "depth_aligned.png").shape == (64, 96)
        assert told.quality is not None
        assert told.depth_unit_m == 0.001


def test_no_colour_frame_is_in_two_views(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
) -> None:
    record(simulated())

    session = open_test_session()
    frames = [session.read_frame(*view).timing.color_frame for view in PLANNED]
    assert len(set(frames)) == len(frames)


def test_the_sharpest_pair_of_the_burst_is_kept(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
    frame: Callable[..., Any],
    plan: CapturePlan,
) -> None:
    def frames() -> Iterator[Any]:
        for k in range(1, 100):
            given = frame(k)
            blurred = cv2.GaussianBlur(given.color, (0, 0), 1 + k % 3)
            yield given if k % 5 == 0 else replace(given, color=blurred)

    record(simulated(frames), plan=plan.model_copy(update={"burst_pairs": 5}))

    session = open_test_session()
    numbers = [session.read_frame(*view).timing.color_frame for view in PLANNED]
    assert all(number % 5 == 0 for number in numbers)


def test_asked_and_actual_settings_are_kept(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
    plan: CapturePlan,
) -> None:
    asked = plan.camera.model_copy(
        update={"color": (1280, 720), "options": {"depth.emitter_enabled": 2.0}}
    )
    record(simulated(), plan=plan.model_copy(update={"camera": asked}))

    path = open_test_session().view_folder("hall", "front") / "settings.json"
    settings = CaptureSettings.from_json(path.read_bytes(), where=path)
    assert {s.stream: (s.width_px, s.height_px) for s in settings.asked.streams} == {
        "depth": (64, 48),
        "color": (1280, 720),
    }
    assert {s.stream: (s.width_px, s.height_px) for s in settings.actual.streams} == {
        "depth": (64, 48),
        "color": (96, 64),
    }
    assert settings.asked.options["depth.emitter_enabled"] == 2.0
    assert settings.actual.options["depth.emitter_enabled"] == 2.0
    assert settings.actual.preset is None
    assert settings.burst_pairs == 2


def test_an_emitter_pair_is_taken_with_the_projector_off_and_it_is_on_again(
    record: Callable[..., Run],
    fake_camera: Callable[..., Any],
    pair: Callable[..., Any],
    open_test_session: Callable[..., Session],
    plan: CapturePlan,
) -> None:
    camera = fake_camera(pair(k) for k in range(1, 200))

    record(camera, plan=plan.model_copy(update={"emitter_pair": True}))

    session = open_test_session()
    for view in PLANNED:
        folder = session.view_folder(*view)
        names = {path.name for path in folder.glob("*emitter_off*")}
        assert names == {
            "color_emitter_off.png",
            "depth_emitter_off.png",
            "frame_emitter_off.json",
        }
        assert session.verify_view(*view) == ()
    switched = [value for name, value in camera.settings.done if name == "depth.emitter_enabled"]
    assert switched == [1.0] + [0.0, 1.0] * 3


def test_a_raw_burst_goes_along_and_its_frames_are_counted(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
    plan: CapturePlan,
) -> None:
    from capture.recording.raw_file import count_frames

    record(simulated(), plan=plan.model_copy(update={"raw_pairs": 8}))

    session = open_test_session()
    for view in PLANNED:
        assert min(count_frames(session.view_folder(*view) / "raw.db3")) >= 8
        assert session.verify_view(*view) == ()
    assert not list(session.root.rglob(".tmp-*"))


def test_presets_and_advanced_settings_go_to_the_camera(
    record: Callable[..., Run],
    fake_camera: Callable[..., Any],
    pair: Callable[..., Any],
    plan: CapturePlan,
    tmp_path: Path,
) -> None:
    (tmp_path / "d435.json").write_text('{"a": 1}')
    asked = plan.camera.model_copy(
        update={
            "preset": "high_accuracy",
            "advanced_json": "d435.json",
            "options": {"depth.x": 3.0},
        }
    )
    camera = fake_camera(pair(k) for k in range(1, 100))

    record(camera, plan=plan.model_copy(update={"camera": asked}), plan_folder=tmp_path)

    assert camera.settings.done == [
        ("preset", "high_accuracy"),
        ("advanced", '{"a": 1}', "d435.json"),
        ("depth.x", 3.0),
    ]


# Going on


def test_a_plan_goes_on_where_it_stopped(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
    plan: CapturePlan,
) -> None:
    first = plan.model_copy(update={"scenes": plan.scenes[:1]})
    record(simulated(), plan=first)
    before = (open_test_session().view_folder("bath", "v1") / "color.png").read_bytes()

    result = record(simulated())

    assert result.recorded == Recorded(PLANNED[2:], kept=2, failed=(), left=0)
    assert (open_test_session().view_folder("bath", "v1") / "color.png").read_bytes() == before


def test_a_view_is_taken_again_on_demand_alone(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    frame: Callable[..., Any],
) -> None:
    record(simulated())
    other = simulated(lambda: (frame(k) for k in range(500, 600)))

    result = record(other, retake=frozenset({PLANNED[1]}))

    assert result.recorded == Recorded(PLANNED[1:2], kept=2, failed=(), left=0)


def test_what_a_killed_process_left_is_removed(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
    plan: CapturePlan,
) -> None:
    session = open_test_session()
    session.write_scene(plan.scenes[0].scene())
    views = session.view_folder("bath", "v1").parent
    (views / ".tmp-v1-12345678").mkdir(parents=True)
    (views / ".tmp-v1-12345678" / "color.png").write_bytes(b"half")
    (views / ".tmp-raw-v2-12345678.db3").write_bytes(b"half")

    record(simulated())

    assert not list(session.root.rglob(".tmp-*"))
    assert set(session.committed("bath")) == {"v1", "v2"}


def test_two_processes_do_not_record_one_session(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
) -> None:
    from mira.store.atomic import exclusive

    session = open_test_session()
    with exclusive(session.root / ".capture.lock", session.root):
        with pytest.raises(MiraError, match="another process is writing it"):
            record(simulated())

    assert record(simulated()).recorded.left == 0


def test_a_person_can_skip_and_quit(
    record: Callable[..., Run], simulated: Callable[..., Any], open_test_session: Any
) -> None:
    class Person:
        commands = (Command.WAIT, Command.SKIP, Command.WAIT, Command.KEEP, Command.QUIT)

        def __init__(self) -> None:
            self._next = iter(self.commands)
            self.seen: list[str] = []

        def show(self, _pair: Any, _state: Any, standing: Any) -> Command:
            self.seen.append(f"{standing.view_id} {standing.number}/{standing.total}")
            return next(self._next)

        def wants_again(self, *_: Any) -> bool:
            return True

    person = Person()
    result = record(simulated(), watch=person)

    assert result.recorded == Recorded(PLANNED[1:2], kept=0, failed=(), left=2)
    assert person.seen == ["v1 1/3", "v1 1/3", "v2 2/3", "v2 2/3", "front 3/3"]


# Faults of frames


def test_dropped_colour_skew_and_doubles_cost_frames_and_no_view(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
    frame: Callable[..., Any],
) -> None:
    def frames() -> Iterator[Any]:
        for k in range(1, 60):
            given = frame(k)
            if k % 4 == 1:
                yield replace(given, color=None)
            elif k % 4 == 2:
                yield replace(given, depth_ms=given.color_ms + 25)
            elif k % 4 == 3:
                yield replace(given, color_number=k - 3 if k > 3 else k)
            else:
                yield given

    result = record(simulated(frames))

    session = open_test_session()
    assert result.recorded.committed == PLANNED
    timings = [session.read_frame(*view).timing for view in PLANNED]
    assert all(t.color_frame % 4 in (0, 3) and t.dt_ms <= 1000 / 60 for t in timings)
    assert len({t.color_frame for t in timings}) == 3


def test_depth_without_readings_fails_the_view_with_the_reason_and_the_plan_goes_on(
    record: Callable[..., Run],
    fake_camera: Callable[..., Any],
    pair: Callable[..., Any],
    open_test_session: Callable[..., Session],
) -> None:
    run = [*(pair(k) for k in range(1, 4)), *(pair(k, blank=True) for k in range(4, 11))]
    camera = fake_camera([*run, *(pair(k) for k in range(20, 60))])

    result = record(camera)

    session = open_test_session()
    assert result.recorded == Recorded(PLANNED[1:], kept=0, failed=PLANNED[:1], left=0)
    assert session.views("bath") == ("v2",)
    assert _events(session, PLANNED[0]) == ["planned", "started", "failed"]
    assert _reasons(session) == [
        "camera: expected 2 good pairs, found 0; refused 7 no-depth; the last: "
        "depth has no reading at all"
    ]
    assert result.told == [f"bath/v1: {_reasons(session)[0]}"]


def test_a_source_that_ends_stops_the_recording_and_keeps_what_it_has(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    frame: Callable[..., Any],
    open_test_session: Callable[..., Session],
) -> None:
    with pytest.raises(EndOfFramesError, match="camera: has no more frames"):
        record(simulated(lambda: (frame(k) for k in range(1, 9))))

    session = open_test_session()
    assert session.committed("bath") == ("v1", "v2")
    assert session.committed("hall") == ()
    assert record(simulated()).recorded == Recorded(PLANNED[2:], kept=2, failed=(), left=0)


# Faults of the camera


def test_a_stalled_camera_is_waited_for_then_started_again(
    record: Callable[..., Run],
    fake_camera: Callable[..., Any],
    pair: Callable[..., Any],
    open_test_session: Callable[..., Session],
) -> None:
    first = [pair(1), pair(2), None, pair(3), pair(4), pair(5), pair(6), None, None]
    camera = fake_camera(first, [pair(k) for k in range(1, 40)])

    result = record(camera)

    assert result.recorded.committed == PLANNED
    assert (camera.starts, camera.resets) == (2, 0)
    assert result.told == ["camera 1: sent no frame for 0.1 s; starting it again"]
    assert _reasons(open_test_session()) == ["camera 1: sent no frame for 0.1 s"]


def test_a_camera_that_stalls_again_is_reset(
    record: Callable[..., Run], fake_camera: Callable[..., Any], pair: Callable[..., Any]
) -> None:
    camera = fake_camera([pair(1)], [], [pair(k) for k in range(1, 40)])

    result = record(camera)

    assert result.recorded.committed == PLANNED
    assert camera.resets == 1
    assert [line.rpartition("; ")[2] for line in result.told] == [
        "starting it again",
        "resetting it",
    ]


def test_a_camera_that_nothing_brings_back_is_a_clear_error_and_nothing_is_lost(
    record: Callable[..., Run],
    fake_camera: Callable[..., Any],
    pair: Callable[..., Any],
    open_test_session: Callable[..., Session],
) -> None:
    gone = CaptureError("camera 1", "is not plugged in; found none")
    unplugged = [*(pair(k) for k in range(1, 7)), CameraFaultError("camera 1", "failed: gone")]
    camera = fake_camera(unplugged, gone, gone)

    with pytest.raises(CaptureError) as caught:
        record(camera)

    session = open_test_session()
    assert str(caught.value) == (
        "camera 1: is not plugged in; found none; starting it again and resetting it did not help "
        "(plug it into a USB 3 port again and run the same command)"
    )
    assert session.committed("bath") == ("v1",)
    assert _events(session, PLANNED[1])[-1] == "failed"
    again = record(fake_camera([pair(k) for k in range(1, 40)]))
    assert again.recorded == Recorded(PLANNED[1:], kept=1, failed=(), left=0)


def test_a_camera_that_is_not_there_at_first_is_the_users_to_mend(
    record: Callable[..., Run],
    fake_camera: Callable[..., Any],
    open_test_session: Callable[..., Session],
) -> None:
    with pytest.raises(CaptureError, match="is not plugged in"):
        record(fake_camera(CaptureError("camera 7", "is not plugged in; found none")))

    assert _reasons(open_test_session()) == []


# Faults of the disk


def test_without_room_nothing_is_begun(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    policy: CapturePolicy,
    open_test_session: Callable[..., Session],
) -> None:
    beyond = shutil.disk_usage("/").total * 4
    full = policy.model_copy(update={"reserve_bytes": beyond})

    with pytest.raises(DiskFullError, match=r"expected [\d,]+ MB of free disk to take bath/v1"):
        record(simulated(), policy=full)

    session = open_test_session()
    assert session.views("bath") == ()
    assert record(simulated()).recorded.committed == PLANNED


def test_a_disk_that_fills_up_while_writing_fails_the_view_and_keeps_the_others(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
    monkeypatch: pytest.MonkeyPatch,
    policy: CapturePolicy,
) -> None:
    import mira.store.folder_commit as folder_commit

    write_new, calls = folder_commit.write_new, []

    def write(path: Path, data: bytes, *, durable: bool) -> None:
        calls.append(path)
        if len(calls) > 9:
            raise OSError(28, "No space left on device", str(path))
        write_new(path, data, durable=durable)

    monkeypatch.setattr(folder_commit, "write_new", write)
    one = policy.model_copy(update={"writers": 1, "waiting_views": 1})
    with pytest.raises(MiraError, match="the disk is full"):
        record(simulated(), policy=one)
    monkeypatch.undo()

    session = open_test_session()
    assert session.committed("bath") == ("v1",)
    assert _events(session, PLANNED[1])[-1] == "failed"
    assert not list(session.root.rglob(".tmp-*"))
    assert record(simulated()).recorded == Recorded(PLANNED[1:], kept=1, failed=(), left=0)


# What a second run must not spoil


def test_a_rehearsal_does_not_count_as_the_recording(
    tmp_path: Path, policy: CapturePolicy, sdk: Any
) -> None:
    from capture.recording.opening import open_session
    from mira.errors import SessionError

    open_session(tmp_path / "s", "lab", source="simulated", policy=policy)

    with pytest.raises(SessionError, match="expected 'live', found 'simulated'"):
        open_session(tmp_path / "s", "lab", source="live", policy=policy)


def test_what_people_wrote_about_a_scene_stays_where_the_plan_says_nothing(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    open_test_session: Callable[..., Session],
    plan: CapturePlan,
) -> None:
    first = plan.model_copy(update={"operator": "op1"})
    record(simulated(), plan=first)
    session = open_test_session()
    scene = session.read_scene("hall")
    session.write_scene(scene.model_copy(update={"consent": "granted", "notes": "bright"}))

    record(simulated(), plan=plan.model_copy(update={"operator": "op2"}))

    held = session.read_scene("hall")
    assert (held.consent, held.notes, held.operator) == ("granted", "bright", "op1")


def test_only_views_that_are_named_are_replaced(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    frame: Callable[..., Any],
    open_test_session: Callable[..., Session],
) -> None:
    record(simulated())
    later = simulated(lambda: (frame(k) for k in range(500, 600)))

    record(later, retake=frozenset({PLANNED[1]}))

    session = open_test_session()
    frames = [session.read_frame(*view).timing.color_frame for view in PLANNED]
    assert [number >= 500 for number in frames] == [False, True, False]


# Faults in the middle


def test_a_camera_that_once_ran_and_does_not_start_again_is_given_its_chances(
    record: Callable[..., Run], fake_camera: Callable[..., Any], pair: Callable[..., Any]
) -> None:
    busy = CaptureError("camera 1", "cannot be started: failed to set power state")
    first = [*(pair(k) for k in range(1, 7)), None, None]
    camera = fake_camera(first, busy, [pair(k) for k in range(1, 40)])

    result = record(camera)

    assert result.recorded.committed == PLANNED
    assert camera.starts == 3


def test_a_projector_that_does_not_come_on_again_is_a_fault_of_the_camera(
    record: Callable[..., Run],
    fake_camera: Callable[..., Any],
    pair: Callable[..., Any],
    plan: CapturePlan,
    open_test_session: Callable[..., Session],
) -> None:
    camera = fake_camera([pair(k) for k in range(1, 60)], [pair(k) for k in range(1, 200)])
    set_option, refused = camera.settings.set_option, []

    def refuse_once(name: str, value: float) -> None:
        if value == 1.0 and camera.settings.values["depth.emitter_enabled"] == 0.0 and not refused:
            refused.append(name)
            raise CaptureError(name, "cannot be set to 1: busy")
        set_option(name, value)

    camera.settings.set_option = refuse_once

    result = record(camera, plan=plan.model_copy(update={"emitter_pair": True}))

    assert result.recorded.committed == PLANNED
    assert camera.starts == 2
    assert "the projector may be off; starting it again" in result.told[0]
    for view in PLANNED:
        path = open_test_session().view_folder(*view) / "settings.json"
        settings = CaptureSettings.from_json(path.read_bytes(), where=path)
        assert settings.actual.options["depth.emitter_enabled"] == 1.0


def test_a_smaller_mode_than_asked_is_told(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    plan: CapturePlan,
) -> None:
    asked = plan.camera.model_copy(update={"color": (1280, 720)})

    result = record(simulated(), plan=plan.model_copy(update={"camera": asked}))

    assert result.told == ["color runs 96x64@30, not 1280x720@30"]


def test_an_option_that_a_simulated_camera_lacks_is_told_and_left_out(
    record: Callable[..., Run],
    simulated: Callable[..., Any],
    plan: CapturePlan,
) -> None:
    asked = plan.camera.model_copy(update={"options": {"depth.laser_power": 150.0}})

    result = record(simulated(), plan=plan.model_copy(update={"camera": asked}))

    assert result.recorded.committed == PLANNED
    assert result.told == ["depth.laser_power: a simulated camera has no such option; going on"]


def test_a_recording_of_a_take_that_is_given_up_is_removed(
    open_test_session: Callable[..., Session], tmp_path: Path
) -> None:
    from capture.recording.taking import Take
    from capture.recording.writer import ViewWriter

    raw = tmp_path / "left.db3"
    raw.write_bytes(b"frames")
    nothing: Any = None
    take = Take("bath", "v1", (), (), nothing, nothing, raw)
    writer = ViewWriter(open_test_session(), waiting=1, writers=1, written=lambda *_: None)
    with writer:
        failed: Any = writer._pool.submit(lambda: 1 / 0)
        failed.exception()
        writer._futures.append(failed)
        with pytest.raises(ZeroDivisionError):
            writer.submit(take)

    assert not raw.exists()
