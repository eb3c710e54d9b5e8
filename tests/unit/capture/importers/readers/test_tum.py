from __future__ import annotations

import pytest

from capture.importers.importing import import_data_set
from capture.importers.settings import ImportSettings
from mira.errors import CaptureError, SceneSourceError

PERIOD_S = 1 / 30


@pytest.fixture
def sequence(write):
    """Writes a sequence whose depth comes some share of a period after its colour."""

    def make(count: int = 4, *, after: float = 0.2, size=(640, 480)) -> None:
        colors, depths = ["# color images", "# timestamp filename"], ["# depth maps", ""]
        for k in range(count):
            color_s = 1305031102.175304 + k * PERIOD_S
            depth_s = color_s + after * PERIOD_S
            write.color(f"rgb/{color_s:.6f}.png", size=size, seed=k)
            write.depth(f"depth/{depth_s:.6f}.png", size=size, seed=k)
            colors.append(f"{color_s:.6f} rgb/{color_s:.6f}.png")
            depths.append(f"{depth_s:.6f} depth/{depth_s:.6f}.png")
        write.text("rgb.txt", "\n".join(colors))
        write.text("depth.txt", "\n".join(depths))

    return make


def test_frames_near_in_time_are_a_view_with_their_numbers_and_times(sequence, run, held):
    sequence(3)
    report = run("tum", keyframes=0)
    assert (report.scenes, report.imported, report.without_depth) == (1, 3, 0)
    frames = [held().session.read_frame("source", view) for view in held().views["source"]]
    assert [frame.timing.color_frame for frame in frames] == [0, 1, 2]
    assert [frame.timing.depth_frame for frame in frames] == [0, 1, 2]
    for frame in frames:
        assert frame.depth_unit_m == 0.0002
        assert frame.timing.dt_ms == pytest.approx(1000 * 0.2 * PERIOD_S, abs=2e-3)
        assert frame.timing.color_domain == "system_time"
    scene = held().session.read_scene("source")
    # Its layout alone does not make a folder that data set.
    assert (scene.source, scene.licence) == ("source", None)


def test_frames_half_a_period_apart_are_no_view_with_depth(sequence, run, write):
    sequence(2, after=0.55)
    text = (write.root / "depth.txt").read_text().splitlines()
    write.text("depth.txt", text[2])
    report = run("tum", keyframes=0)
    # The first depth frame is nearer to the second colour frame than half a period.
    assert (report.imported, report.without_depth) == (2, 1)


def test_keyframes_have_depth_where_any_frame_has(sequence, run, write):
    sequence(6)
    lines = (write.root / "depth.txt").read_text().splitlines()
    write.text("depth.txt", "\n".join(lines[:5]))
    report = run("tum")
    assert (report.imported, report.without_depth) == (2, 0)


@pytest.mark.parametrize(
    ("name", "fx", "coefficients"),
    [
        ("rgbd_dataset_freiburg1_xyz", 517.3, 5),
        ("rgbd_dataset_freiburg2_desk", 520.9, 5),
        ("fr3_office", 535.4, 0),
        ("mine", 525.0, 0),
        ("fr12_x", 525.0, 0),
    ],
)
def test_the_camera_is_that_of_the_folder_s_name(
    sequence, run, held, source, tmp_path, name, fx, coefficients
):
    sequence(1)
    folder = source.rename(tmp_path / name)
    report = import_data_set(folder, tmp_path / "session", settings=ImportSettings(layout="tum"))
    (view,) = held().views[name]
    color = held().session.read_calibration(name, view).color
    assert (color.fx_px, len(color.distortion_coeffs)) == (fx, coefficients)
    assert bool(report.notes) == (fx == 525.0)


def test_a_sequence_of_another_size_has_no_camera(sequence, run):
    sequence(1, size=(24, 16))
    assert run("tum").without_camera == 1


def test_several_sequences_are_imported_one_at_a_time(write, run):
    for name in ("a", "b"):
        write.text(f"{name}/rgb.txt", "1 rgb/1.png")
    with pytest.raises(CaptureError, match="one at a time|one sequence at a time"):
        run("tum")


def test_files_of_the_list_that_are_missing_or_elsewhere_are_told(sequence, run, write):
    sequence(2)
    lines = (write.root / "rgb.txt").read_text()
    write.text("rgb.txt", f"{lines}\n9 rgb/gone.png\n10 ../secret.png\n11 /etc/passwd")
    report = run("tum")
    assert [fault.file for fault in report.left_out] == [
        "rgb/gone.png",
        "../secret.png",
        "/etc/passwd",
    ]


@pytest.mark.parametrize("line", ["nan rgb/1.png", "1.0", "x rgb/1.png", "1e300 rgb/1.png", "1\t"])
def test_a_line_that_is_no_frame_is_refused_with_its_number(write, run, line):
    write.text("rgb.txt", f"# comment\n1 rgb/0.png\n{line}\n")
    with pytest.raises(SceneSourceError, match="rgb.txt:3"):
        run("tum")


def test_a_sequence_of_the_benchmark_is_known_by_its_name() -> None:
    from capture.importers.readers.tum import _SERIES

    assert _SERIES.search("rgbd_dataset_freiburg1_desk")
    assert not _SERIES.search("my_kitchen")
