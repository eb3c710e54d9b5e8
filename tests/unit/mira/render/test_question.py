from __future__ import annotations

import hashlib
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from mira.errors import MiraError, SceneSourceError
from mira.geometry.mask import decode_rle, rle_from_mask
from mira.render.question import render_question
from mira.render.style import RenderStyle
from mira.schema.qa import Mark
from mira.taxonomy.catalogue import taxonomy

STYLE = RenderStyle()
PROTOCOLS = [info.id for info in taxonomy().protocols]
MODALITIES = [info.id for info in taxonomy().modalities]


def _render(scene, marks, protocol="bbox_text", modality="rgb", style=STYLE):
    return render_question(scene, marks, protocol=protocol, modality=modality, style=style)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("modality", MODALITIES)
def test_pictures_come_as_rgb_mask_depth(scene, marks, protocol, modality):
    roles = [picture.role for picture in _render(scene, marks, protocol, modality)]
    expected = {"rgb": True, "mask": protocol == "visual_mask", "depth": "_d" in modality}
    assert roles == [role for role, shown in expected.items() if shown]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("modality", MODALITIES)
def test_boxes_and_overlay_are_on_rgb_and_depth_as_asked(scene, marks, protocol, modality):
    plain = {picture.role: picture for picture in _render(scene, marks, modality="rgb_d")}
    just_above_a = (marks[1].box_xyxy_px[1] - 1, 200)
    for picture in _render(scene, marks, protocol, modality):
        if picture.role == "mask":
            assert picture.metadata.marked == ("X", "A", "B")
            continue
        changed = (picture.image_rgb != plain[picture.role].image_rgb).any(axis=-1)
        boxed, tinted = protocol.startswith("visual_bbox"), modality.endswith("m")
        assert changed[just_above_a] == boxed
        assert bool(picture.metadata.marked) == boxed
        assert (changed[20:50, 30:150].mean() > 0.9) == tinted
        assert picture.metadata.mirror_overlay == tinted
        assert changed.any() == (boxed or tinted)


@pytest.mark.parametrize("modality", ["rgb_m", "rgb_dm"])
def test_overlay_stays_inside_the_mirror(scene, slot, modality):
    mirror = decode_rle(scene.surface_masks[0])
    plain = {picture.role: picture for picture in _render(scene, slot, modality="rgb_d")}
    for picture in _render(scene, slot, modality=modality):
        source = plain[picture.role].image_rgb
        np.testing.assert_array_equal(picture.image_rgb[~mirror], source[~mirror])


def test_overlay_is_green_on_rgb_and_white_on_depth(scene, slot):
    mirror = decode_rle(scene.surface_masks[0])
    rgb, depth = _render(scene, slot, modality="rgb_dm")
    plain_rgb, plain_depth = _render(scene, slot, modality="rgb_d")
    shift = [
        (after.image_rgb[mirror].astype(int) - before.image_rgb[mirror]).mean(axis=0)
        for after, before in ((rgb, plain_rgb), (depth, plain_depth))
    ]
    assert shift[0][1] > 0 > shift[0][0]
    assert (shift[1] > 0).all()


def test_box_takes_the_same_pixels_and_color_on_both(scene, marks):
    rgb, depth = _render(scene, marks, "visual_bbox", "rgb_d")
    for mark, color in zip(marks, STYLE.colors_of(marks), strict=True):
        row = mark.box_xyxy_px[3]
        columns = slice(mark.box_xyxy_px[0], mark.box_xyxy_px[2])
        assert (rgb.image_rgb[row, columns] == color).all()
        assert (depth.image_rgb[row, columns] == color).all()


def test_depth_range_is_told_in_metres(scene, slot):
    scale = _render(scene, slot, modality="rgb_d")[1].metadata.depth
    assert scale is not None
    assert scale.unit == "m"
    assert 0.5 < scale.near < 0.6 < 3.9 < scale.far < 4.0


def test_normalised_depth_is_told_raw_even_with_a_unit(scene, slot):
    scale = _render(replace(scene, depth_kind="normalised"), slot, modality="rgb_d")[
        1
    ].metadata.depth
    assert scale is not None
    assert scale.unit == "raw"
    assert scale.far > 3900


def test_question_without_marks_has_no_mask_picture(scene):
    assert [picture.role for picture in _render(scene, (), "visual_mask", "rgb_d")] == [
        "rgb",
        "depth",
    ]


@pytest.mark.parametrize("modality", ["rgb_d", "rgb_dm"])
def test_depth_modality_without_depth_is_refused_in_one_line(scene, slot, modality):
    with pytest.raises(
        MiraError, match=f"^room_1: expected depth for modality {modality}"
    ) as error:
        _render(replace(scene, depth=None), slot, modality=modality)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("box", [(5, 5, 5, 9), (9, 9, 5, 5), (-1, 0, 5, 5), (0, 0, 321, 5)])
def test_box_that_is_empty_or_leaves_the_picture_is_refused(scene, box):
    mark = Mark(label="X", instance_id=1, role="slot", box_xyxy_px=box)
    with pytest.raises(MiraError, match="room_1: expected the box of X inside 320 x 240"):
        _render(scene, (mark,), "visual_bbox")


@pytest.mark.parametrize(
    "parts",
    [
        {"color_rgb": np.zeros((240, 320), np.uint8)},
        {"color_rgb": np.zeros((240, 320, 3), np.float32)},
        {"depth": np.zeros((120, 160), np.uint16)},
        {"depth": np.zeros((240, 320), np.float32)},
        {"surface_masks": (rle_from_mask(np.ones((4, 4), bool)),)},
        {"instance_masks": {1: rle_from_mask(np.ones((4, 4), bool))}},
    ],
)
def test_parts_that_do_not_fit_are_refused(scene, parts):
    with pytest.raises(SceneSourceError, match=r"^room_1: expected"):
        replace(scene, **parts)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_sources_stay_as_they_are(scene, marks, protocol):
    color, depth = scene.color_rgb.copy(), scene.depth.copy()
    for picture in _render(scene, marks, protocol, "rgb_dm"):
        picture.image_rgb[:] = 0
    np.testing.assert_array_equal(scene.color_rgb, color)
    np.testing.assert_array_equal(scene.depth, depth)


def test_png_holds_the_pixels_of_the_picture(scene, marks):
    for picture in _render(scene, marks, "visual_mask", "rgb_dm"):
        stored = cv2.imdecode(np.frombuffer(picture.png(), np.uint8), cv2.IMREAD_UNCHANGED)
        np.testing.assert_array_equal(stored[..., ::-1], picture.image_rgb)


_DIGEST_SCRIPT = """
import sys, hashlib, pickle, cv2
from mira.render.question import render_question
from mira.render.style import RenderStyle
cv2.setNumThreads(int(sys.argv[2]))
scene, marks = pickle.load(open(sys.argv[1], "rb"))
for protocol in ("visual_mask", "visual_bbox"):
    for picture in render_question(
        scene, marks, protocol=protocol, modality="rgb_dm", style=RenderStyle()
    ):
        print(hashlib.sha256(picture.png()).hexdigest())
"""


@pytest.mark.parametrize("threads", ["1", "4"])
def test_bytes_are_the_same_in_another_process(scene, marks, threads, tmp_path):
    (tmp_path / "case.pickle").write_bytes(pickle.dumps((scene, marks)))
    run = subprocess.run(
        [sys.executable, "-c", _DIGEST_SCRIPT, str(tmp_path / "case.pickle"), threads],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[4],
    )
    here = [
        hashlib.sha256(picture.png()).hexdigest()
        for protocol in ("visual_mask", "visual_bbox")
        for picture in _render(scene, marks, protocol, "rgb_dm")
    ]
    assert run.stdout.split() == here
