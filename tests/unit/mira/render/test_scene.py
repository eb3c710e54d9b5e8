"""Rendering many questions about one picture gives what rendering each alone gives."""

from __future__ import annotations

import numpy as np
import pytest

from mira.errors import MiraError
from mira.geometry.mask import box_of_rle, rle_from_polygons
from mira.render.pictures import ScenePictures
from mira.render.question import render_question
from mira.render.scene import SceneRenderer
from mira.render.style import RenderStyle
from mira.schema.qa import Mark
from mira.taxonomy.catalogue import taxonomy

WIDTH, HEIGHT = 96, 64
STYLE = RenderStyle()


def rectangle(x1: int, y1: int, x2: int, y2: int):
    ring = ((x1, y1), (x2, y1), (x2, y2), (x1, y2))
    return rle_from_polygons([ring], width_px=WIDTH, height_px=HEIGHT)


def scene(*, depth: bool = True) -> ScenePictures:
    rng = np.random.default_rng(3)
    readings = rng.integers(0, 5000, (HEIGHT, WIDTH), dtype=np.uint16)
    return ScenePictures(
        color_rgb=rng.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8),
        depth=readings if depth else None,
        depth_unit_m=0.001 if depth else None,
        depth_kind="metric" if depth else None,
        surface_masks=(rectangle(4, 4, 50, 40),),
        instance_masks={1: rectangle(10, 10, 30, 30), 2: rectangle(60, 20, 80, 50)},
        image_id="room",
    )


def marks(*labels: str) -> tuple[Mark, ...]:
    masks = scene().instance_masks
    return tuple(
        Mark(label=label, instance_id=k, role="slot", box_xyxy_px=box_of_rle(masks[k]))
        for k, label in enumerate(labels, start=1)
    )


def test_every_protocol_and_modality_is_what_render_question_gives() -> None:
    renderer = SceneRenderer(scene(), style=STYLE)
    for asked in ((), marks("X"), marks("X", "Y"), marks("X")):
        for protocol in taxonomy().protocols:
            for modality in taxonomy().modalities:
                how = {"protocol": protocol.id, "modality": modality.id}
                ours = renderer.render(asked, **how)
                alone = render_question(scene(), asked, **how, style=STYLE)
                assert [one.role for one in ours] == [one.role for one in alone]
                for one, other in zip(ours, alone, strict=True):
                    np.testing.assert_array_equal(one.image_rgb, other.image_rgb)
                    assert one.metadata == other.metadata


def test_depth_that_is_not_there_is_refused() -> None:
    renderer = SceneRenderer(scene(depth=False), style=STYLE)
    with pytest.raises(MiraError, match="expected depth for modality rgb_dm"):
        renderer.render(marks("X"), protocol="visual_bbox", modality="rgb_dm")


@pytest.mark.parametrize("box", [(0, 0, 0, 5), (90, 10, 97, 20), (-1, 0, 5, 5)])
def test_a_box_that_is_empty_or_leaves_the_picture_is_refused(box) -> None:
    mark = marks("X")[0].model_copy(update={"box_xyxy_px": box})
    with pytest.raises(MiraError, match="expected the box of X inside 96 x 64 px"):
        SceneRenderer(scene(), style=STYLE).render(
            (mark,), protocol="visual_bbox", modality="rgb_d"
        )


def test_a_mask_of_an_instance_that_nobody_drew_is_refused() -> None:
    mark = marks("X")[0].model_copy(update={"instance_id": 9})
    with pytest.raises(MiraError, match="expected a mask of instance 9"):
        SceneRenderer(scene(), style=STYLE).render((mark,), protocol="visual_mask", modality="rgb")
