from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pycocotools.coco import COCO

from mira.geometry.mask import decode_rle, rle_from_polygons
from mira.schema.annotation import AnnotationSource, ImageAnnotation, Instance
from mira.schema.record import FileRef
from mira.store.coco import CocoWriter

Json = dict[str, Any]
Make = Callable[..., ImageAnnotation]
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
_FILE = FileRef(path="color.png", sha256="0", size_bytes=1)


def _image(annotation: ImageAnnotation) -> Json:
    return {
        "file_name": f"{annotation.image_id}.png",
        "width": annotation.width_px,
        "height": annotation.height_px,
        "name": annotation.image_id,
        "scene_id": "s",
        "annotated_by": {annotation.annotator: annotation.status},
    }


def _write(path: Path, annotations: Iterable[ImageAnnotation]) -> Json:
    with CocoWriter(path) as writer:
        for one in annotations:
            licence = "CC0-1.0" if one.image_id == "a" else None
            writer.write_image(_image(one), [one], licence=licence)
    document: Json = orjson.loads(path.read_bytes())
    return document


def _opened(path: Path) -> COCO:
    with contextlib.redirect_stdout(io.StringIO()):
        return COCO(str(path))


def test_a_small_drawing_is_written_as_ever(
    make_annotation: Make, tmp_path: Path, check_golden: Any
) -> None:
    _write(tmp_path / "a.json", [make_annotation()])

    check_golden("annotate/coco.json", (tmp_path / "a.json").read_bytes())


def test_the_document_is_what_coco_readers_expect(make_annotation: Make, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    _write(path, [make_annotation(), make_annotation(image_id="b")])
    opened = _opened(path)

    assert sorted(opened.imgs) == [1, 2]
    assert sorted(opened.anns) == list(range(1, 19))
    assert opened.getCatIds(catNms=["cup_reflection"]) == [6]
    for entry in opened.anns.values():
        mask = opened.annToMask(entry)
        assert mask.sum() == entry["area"]
        ys, xs = np.nonzero(mask)
        x, y, width, height = entry["bbox"]
        assert (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1) == (x, y, x + width, y + height)


def test_links_and_answers_stand_in_fields_of_their_own(
    make_annotation: Make, tmp_path: Path
) -> None:
    document = _write(tmp_path / "a.json", [make_annotation()])
    entries = {entry.get("instance_id"): entry for entry in document["annotations"]}
    names = {category["id"]: category["name"] for category in document["categories"]}

    assert entries[100]["surface_type"] == "planar_mirror"
    assert entries[101]["surface_type"] is None
    assert names[entries[3]["category_id"]] == "cup_reflection"
    assert {key: entries[3][key] for key in ("reflection_of", "in_mirror", "counterpart")} == {
        "reflection_of": 2,
        "in_mirror": 101,
        "counterpart": "in_frame",
    }
    assert entries[4]["reflection_of"] is entries[4]["in_mirror"] is None
    assert "reflection_of" not in entries[1]
    assert document["images"][0]["annotated_by"] == {"ann": "done"}


def test_fields_of_a_picture_s_own_end_the_entries_of_their_instances(
    make_annotation: Make, tmp_path: Path
) -> None:
    one = make_annotation()
    info = {"description": "mine"}
    with CocoWriter(tmp_path / "a.json", info=info, categories={"cup": "direct"}) as writer:
        writer.write_image(_image(one), [one], more={1: {"visibility": "direct"}})
    document = orjson.loads((tmp_path / "a.json").read_bytes())
    named = {entry.get("instance_id"): entry.get("visibility") for entry in document["annotations"]}

    assert document["info"] == info
    assert document["categories"][0] == {"id": 1, "name": "cup", "supercategory": "direct"}
    assert named[1] == "direct"
    assert named[2] is None


def test_ignored_regions_are_crowds(make_annotation: Make, tmp_path: Path) -> None:
    document = _write(tmp_path / "a.json", [make_annotation()])

    crowds = [entry for entry in document["annotations"] if entry["iscrowd"]]

    assert len(crowds) == 2
    assert all("counts" in entry["segmentation"] for entry in crowds)


def test_only_known_licences_are_listed(make_annotation: Make, tmp_path: Path) -> None:
    document = _write(tmp_path / "a.json", [make_annotation(), make_annotation(image_id="b")])

    assert document["licenses"] == [{"id": 1, "name": "CC0-1.0"}]
    assert [image.get("license") for image in document["images"]] == [1, None]


def test_a_document_that_fails_leaves_no_spool(make_annotation: Make, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), CocoWriter(tmp_path / "a.json"):
        raise ZeroDivisionError

    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_workspace_without_pictures_is_a_document(tmp_path: Path) -> None:
    document = _write(tmp_path / "a.json", [])

    assert (document["images"], document["annotations"], document["licenses"]) == ([], [], [])


_POINT = st.tuples(st.floats(0, 40, width=32), st.floats(0, 30, width=32))
_RINGS = st.lists(st.lists(_POINT, min_size=3, max_size=6).map(tuple), min_size=1, max_size=3)


@given(parts=_RINGS.map(tuple), holes=st.one_of(st.just(()), _RINGS.map(tuple)))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_readers_see_the_mask_that_we_see(tmp_path: Path, parts: Any, holes: Any) -> None:
    instance = Instance(instance_id=1, visibility="direct", polygons_px=parts, holes_px=holes)
    annotation = ImageAnnotation(
        image_id="a",
        annotator="ann",
        revision=1,
        width_px=40,
        height_px=30,
        instances=(instance,),
        source=AnnotationSource(format="x-anylabeling", file=_FILE),
    )
    _write(tmp_path / "a.json", [annotation])
    opened = _opened(tmp_path / "a.json")

    expected = decode_rle(rle_from_polygons(parts, holes, width_px=40, height_px=30))

    np.testing.assert_array_equal(opened.annToMask(opened.anns[1]), expected)
