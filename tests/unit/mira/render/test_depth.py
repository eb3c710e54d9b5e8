from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mira.render.depth import color_table, render_depth
from mira.render.style import RenderStyle

STYLE = RenderStyle()
MAPS = ("jet", "turbo", "viridis", "cividis", "plasma", "parula", "gray")
depth_maps = hnp.arrays(np.uint16, hnp.array_shapes(min_dims=2, max_dims=2, max_side=12))


def test_near_is_blue_and_far_is_red():
    ramp = np.arange(1, 2001, dtype=np.uint16).reshape(40, 50)
    image_rgb = render_depth(ramp, unit_m=0.001, style=STYLE).image_rgb
    assert image_rgb[0, 0].tolist() == [0, 0, 128]
    assert image_rgb[-1, -1].tolist() == [128, 0, 0]


def test_hue_runs_from_blue_over_cyan_and_yellow_to_red():
    table = color_table("jet")
    for place, color in ((32, [0, 1, 255]), (96, [2, 255, 253]), (159, [253, 255, 2])):
        assert np.abs(table[place].astype(int) - color).max() <= 2


def test_jet_looks_like_the_jet_of_opencv():
    steps = np.arange(256, dtype=np.uint8)[:, None]
    theirs = cv2.applyColorMap(steps, cv2.COLORMAP_JET)[:, 0, ::-1]
    assert np.abs(color_table("jet").astype(int) - theirs).max() <= 4


@pytest.mark.parametrize("name", MAPS)
def test_no_map_uses_the_black_of_no_reading(name):
    assert color_table(name).max(axis=1).min() > 0


def test_tables_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        color_table("turbo")[0] = 0


@given(depth_maps, st.sampled_from(MAPS))
def test_black_exactly_where_nothing_was_read(depth, name):
    style = RenderStyle(depth_map=name)
    image_rgb = render_depth(depth, unit_m=None, style=style).image_rgb
    np.testing.assert_array_equal((image_rgb == 0).all(axis=-1), depth == 0)


@given(depth_maps)
def test_range_is_that_of_numpy_percentiles_of_valid_pixels(depth):
    scale = render_depth(depth, unit_m=None, style=STYLE).scale
    valid = depth[depth > 0]
    if valid.size == 0:
        assert scale.near is None
        assert scale.far is None
    else:
        np.testing.assert_allclose((scale.near, scale.far), np.percentile(valid, [2, 98]))
    assert scale.valid_fraction == valid.size / depth.size


@given(depth_maps)
def test_farther_never_takes_an_earlier_color(depth):
    gray = render_depth(depth, unit_m=None, style=RenderStyle(depth_map="gray")).image_rgb[..., 0]
    order = np.argsort(depth[depth > 0], kind="stable")
    assert (np.diff(gray[depth > 0][order].astype(int)) <= 0).all()


def test_range_is_in_metres_when_metric_and_raw_otherwise():
    ramp = np.arange(1000, 3001, dtype=np.uint16)[None]
    metric = render_depth(ramp, unit_m=0.001, style=STYLE).scale
    raw = render_depth(ramp, unit_m=None, style=STYLE).scale
    assert (metric.near, metric.far, metric.unit) == (pytest.approx(1.04), pytest.approx(2.96), "m")
    assert (raw.near, raw.far, raw.unit) == (1040.0, 2960.0, "raw")


def test_outliers_do_not_move_the_range():
    depth = np.full((100, 100), 1000, dtype=np.uint16)
    depth[50:] = 2000
    depth[0, :50] = 65535
    assert render_depth(depth, unit_m=None, style=STYLE).scale.far == 2000


@pytest.mark.parametrize("reading", [1, 777, 65535])
def test_one_single_depth_is_near(reading):
    depth = np.full((4, 5), reading, dtype=np.uint16)
    picture = render_depth(depth, unit_m=None, style=STYLE)
    assert (picture.image_rgb == [0, 0, 128]).all()
    assert picture.scale.near == picture.scale.far == reading


def test_picture_without_readings_is_black_and_has_no_range():
    picture = render_depth(np.zeros((4, 5), dtype=np.uint16), unit_m=0.001, style=STYLE)
    assert not picture.image_rgb.any()
    assert picture.scale.near is None
    assert picture.scale.valid_fraction == 0


def test_whole_span_of_uint16_fits_the_table():
    depth = np.array([[1, 32768, 65535]], dtype=np.uint16)
    style = RenderStyle(depth_low_percentile=0, depth_high_percentile=100)
    near, middle, far = render_depth(depth, unit_m=None, style=style).image_rgb[0].tolist()
    assert near == [0, 0, 128]
    assert middle == color_table("jet")[128].tolist()
    assert far == [128, 0, 0]
