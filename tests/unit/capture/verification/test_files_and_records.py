"""Damage to the files and records of a view is found at its file, and nothing else with it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.store.checksums import SUMS_NAME
from mira.store.session import VIEW_NAMES

RECORDS = ("frame.json", "frame_emitter_off.json", "calib.json", "device.json", "settings.json")


def test_a_whole_session_has_no_fault(report) -> None:
    found = report()
    assert (found.views, found.faulty_views, found.faults, found.warnings) == (2, 0, (), ())


def test_every_file_that_a_session_knows_is_in_the_test_session(damage) -> None:
    assert {path.name for path in damage.folder.iterdir()} == VIEW_NAMES


@pytest.mark.parametrize("name", sorted(VIEW_NAMES - {SUMS_NAME}))
def test_a_file_that_is_gone_is_missing(damage, codes, name) -> None:
    (damage.folder / name).unlink()
    found = codes()
    assert found.pop(f"v1/{name}") >= {"file-missing"}
    # Without their depth, records speak of something that is not there.
    assert set(found) <= {"v1/frame_emitter_off.json"}


@pytest.mark.parametrize("name", sorted(VIEW_NAMES - {SUMS_NAME}))
def test_a_file_with_another_byte_is_changed(damage, codes, name) -> None:
    path = damage.folder / name
    path.write_bytes(path.read_bytes() + b"\n")
    assert codes() == {f"v1/{name}": {"file-changed"}}


def test_a_folder_in_place_of_a_file_is_a_fault(damage, codes) -> None:
    (damage.folder / "device.json").unlink()
    (damage.folder / "device.json").mkdir()
    assert codes() == {"v1/device.json": {"file-changed"}}


def test_sums_that_were_cut_off_are_damaged(damage, codes) -> None:
    path = damage.folder / SUMS_NAME
    path.write_bytes(path.read_bytes()[:-7])
    assert codes() == {"v1/SHA256SUMS": {"sums-damaged"}}


def test_a_known_file_beside_the_sums_is_unlisted_and_any_other_is_free_to_be_there(
    damage, codes
) -> None:
    later = (damage.folder / "surfaces.png").read_bytes()
    damage.remove("surfaces.png")
    (damage.folder / "surfaces.png").write_bytes(later)
    (damage.folder / "color.json").write_bytes(b"an annotation")
    assert codes() == {"v1/surfaces.png": {"file-unlisted"}}


def test_a_view_without_its_picture_is_faulty(damage, codes) -> None:
    damage.remove("color.png")
    assert codes() == {"v1/color.png": {"file-missing"}}


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"schema_version": 99}', b"\xff\xfe"])
def test_a_record_that_does_not_parse_is_damaged(damage, codes, name, content) -> None:
    damage.write(name, content)
    assert codes() == {f"v1/{name}": {"record-damaged"}}


def test_a_fault_of_a_record_names_the_field(damage, report) -> None:
    damage.record("calib.json", lambda content: content["color"].update(fx_px=-1))
    (fault,) = report().faults
    assert "color.fx_px" in fault.message
    assert (fault.scene_id, fault.view_id) == ("hall", "v1")
    assert fault.file == "scenes/hall/views/v1/calib.json"


def test_a_recording_that_lost_frames_is_a_fault(
    damage, codes, report, tmp_path, write_recording
) -> None:
    damage.record("settings.json", lambda content: content.update(raw_pairs=4))
    for depth, color in ((4, 3), (0, 4), (0, 0)):
        path = tmp_path / f"{depth}-{color}.db3"
        write_recording(path, depth=depth, color=color)
        damage.write("raw.db3", path.read_bytes())
        assert codes() == {"v1/raw.db3": {"recording-frames"}}
        assert f"{depth} of depth and {color} of color" in report().faults[0].message


def test_sensors_that_start_and_stop_at_different_moments_are_no_fault(
    damage, codes, tmp_path, write_recording
) -> None:
    damage.record("settings.json", lambda content: content.update(raw_pairs=4))
    write_recording(tmp_path / "raw.db3", depth=6, color=4)
    damage.write("raw.db3", (tmp_path / "raw.db3").read_bytes())
    assert codes() == {}


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"#ROSBAG V2.0\n", b"x" * 5000])
def test_a_recording_that_is_none_is_damaged(damage, codes, content) -> None:
    damage.write("raw.db3", content)
    assert codes() == {"v1/raw.db3": {"recording-damaged"}}


def test_a_recording_whose_tables_are_damaged_is_damaged(damage, codes) -> None:
    data = (damage.folder / "raw.db3").read_bytes()
    damage.write("raw.db3", data.replace(b"CREATE TABLE", b"CREATE \xffABLE"))
    assert codes() == {"v1/raw.db3": {"recording-damaged"}}


@given(data=st.data())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_bytes_of_any_kind_are_found_by_their_sums_and_end_nothing(damage, report, data) -> None:
    names = sorted(VIEW_NAMES - {SUMS_NAME, "raw.db3"})
    name = data.draw(st.sampled_from(names))
    path = damage.folder / name
    before = path.read_bytes()
    at = data.draw(st.integers(0, len(before) - 1))
    mangled = before[:at] + data.draw(st.binary(max_size=40)) + before[at + 1 :]
    try:
        path.write_bytes(mangled)
        found = report()
        assert ("file-changed" in {f.code for f in found.faults}) == (mangled != before)
        damage.sum_up()
        report()
    finally:
        path.write_bytes(before)
        damage.sum_up()
