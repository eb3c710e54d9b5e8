"""Surfaces come from the annotation, else from the mask, else they are not known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from capture.selection.pictures import ViewPictures
from capture.selection.regions import find_regions
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene, SceneSurface

RING = ((1.0, 1.0), (5.0, 1.0), (5.0, 4.0), (1.0, 4.0))
HOLE = ((2.0, 2.0), (3.0, 2.0), (3.0, 3.0), (2.0, 3.0))
SCENE = Scene(
    scene_id="s", surfaces=(SceneSurface(surface_id="tall", surface_type="planar_mirror"),)
)


def pictures(labels: NDArray[np.uint8] | None = None) -> ViewPictures:
    return ViewPictures(np.zeros((6, 8, 3), np.uint8), None, False, labels)


def annotation(**given: Any) -> ImageAnnotation:
    def instance(number: int, **more: Any) -> dict[str, Any]:
        return {"instance_id": number, "visibility": "direct", "polygons_px": (RING,), **more}

    reflected = [instance(k, visibility="reflected") for k in (3, 4, 5)]
    content = {
        "image_id": "s_v",
        "annotator": "anna",
        "revision": 1,
        "status": "done",
        "width_px": 8,
        "height_px": 6,
        "surfaces": ({"surface_id": 1, "polygons_px": (RING,), "holes_px": (HOLE,)},),
        "instances": (instance(2), *reflected),
        "source": {
            "format": "labelme",
            "file": {"path": "a", "sha256": "0" * 64, "size_bytes": 1},
        },
    }
    return ImageAnnotation.model_validate({**content, **given})


LABELS = np.zeros((6, 8), np.uint8)
LABELS[:, :2], LABELS[:, 6:] = 1, 3


def test_an_annotation_wins_and_is_counted() -> None:
    found = find_regions(pictures(LABELS), annotation(), SCENE)
    expected = np.zeros((6, 8), np.bool_)
    expected[1:4, 1:5] = True
    expected[2, 2] = False
    assert found.source == "annotation"
    assert found.complete
    assert np.array_equal(found.masks[0], expected)
    assert found.objects is not None
    assert (found.objects.direct, found.objects.reflected) == (1, 3)
    assert found.remarks == ()


def test_a_mask_tells_surfaces_by_the_scene_s_names() -> None:
    found = find_regions(pictures(LABELS), None, SCENE)
    assert (found.source, found.labels) == ("surfaces", ("tall", "surface 3"))
    assert [int(mask.sum()) for mask in found.masks] == [12, 12]
    assert found.objects is None
    assert find_regions(pictures(LABELS), None, None).labels == ("surface 1", "surface 3")


def test_nothing_said_is_other_than_said_that_there_is_none() -> None:
    assert not find_regions(pictures(), None, SCENE).known
    empty = find_regions(pictures(np.zeros((6, 8), np.uint8)), None, SCENE)
    bare = find_regions(pictures(LABELS), annotation(surfaces=()), SCENE)
    assert (empty.known, empty.masks) == (bare.known, bare.masks) == (True, ())
    assert (empty.source, bare.source) == ("surfaces", "annotation")


@pytest.mark.parametrize(
    ("status", "code", "verdict"),
    [("draft", "annotation-draft", "keep"), ("failed", "annotation-given-up", "look")],
)
def test_an_unfinished_annotation_is_told_and_counts_for_what_it_has(
    status: str, code: str, verdict: str
) -> None:
    found = find_regions(pictures(LABELS), annotation(status=status), SCENE)
    assert (found.source, found.complete) == ("annotation", False)
    assert [(remark.code, remark.verdict) for remark in found.remarks] == [(code, verdict)]
    bare = find_regions(pictures(LABELS), annotation(status=status, surfaces=()), SCENE)
    assert (bare.source, [remark.code for remark in bare.remarks]) == ("surfaces", [code])


def test_lost_reflections_leave_an_annotation_incomplete() -> None:
    assert not find_regions(pictures(), annotation(lost_reflections=1), SCENE).complete


def test_an_annotation_of_another_size_is_left_aside_and_told() -> None:
    found = find_regions(pictures(LABELS), annotation(width_px=9), SCENE)
    assert found.source == "surfaces"
    assert [remark.code for remark in found.remarks] == ["annotation-unusable"]
    assert "9 x 6 and 8 x 6" in found.remarks[0].text
