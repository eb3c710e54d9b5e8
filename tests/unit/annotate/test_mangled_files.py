"""Whatever stands in a file, the reader answers with findings or one of our errors."""

from __future__ import annotations

import base64
import json
from copy import deepcopy
from typing import Any

import cv2
import numpy as np
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shapely.geometry import Point

from annotate.checking import check_file
from annotate.importing import import_annotations
from mira.geometry.polygon import region_area
from mira.schema.annotation import ImageAnnotation
from mira.store.workspace import Workspace

odd_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 12),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(
        ["", "unset", "object", "hole", "surface", "mirror", "reflection", "ignore", "polygon",
         "rectangle", "circle", "in_frame", "out_of_frame", "7", "[]", [], {}, [[]], [1, 2],
         [[1, 2], [30, 40], [5, 60]], [[0, 0]] * 4, [[5, 3]], [["5", "3"], [5, 5]], {"a": [1]},
         "镜子", "\ud800", 2**70, -0.0]
    ),
)  # fmt: skip


def places_of(value: Any, path: tuple = ()) -> list[tuple]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, item in inner:
        found.append((*path, key))
        if isinstance(item, dict | list):
            found += places_of(item, (*path, key))
    return found


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    folder = tmp_path_factory.mktemp("room")
    cv2.imwrite(str(folder / "a.png"), np.zeros((100, 100, 3), np.uint8))
    return folder


@pytest.fixture
def full(document, shape):
    linked = {"reflection_of": "3", "in_mirror": "1", "counterpart": "in_frame"}
    chained = {"reflection_of": 5, "in_mirror": 1}
    return document(
        shape("surface", (50, 0, 100, 100), 1, attributes={"surface_type": "glass"}),
        shape("hole", (60, 10, 70, 20), 1),
        shape("cup", (1, 1, 20, 20), 3),
        shape("cup", (22, 1, 30, 20), 3, shape_type="rectangle"),
        shape("cup_reflection", (60, 60, 80, 80), 5, attributes=linked, kie_linking=[[5, 3]]),
        shape("object_reflection", (82, 82, 90, 90), 6, attributes=chained),
        shape("ignore", (1, 90, 9, 99), None),
    )


@pytest.fixture
def masked(document, shape):
    """A labelme file with masks."""
    pixels = np.ones((11, 11), np.uint8)
    pixels[3:6, 3:6] = 0
    mask = base64.b64encode(cv2.imencode(".png", pixels)[1].tobytes()).decode()
    drawn = {"shape_type": "mask", "points": [[20, 30], [30, 40]], "mask": mask}
    away = {**drawn, "points": [[95.4, 95.4], [105.4, 105.4]]}
    inside = {**drawn, "points": [[65, 65], [75, 75]]}
    shapes = [shape("cup", **drawn), shape("mirror", gid=2, **away), shape("hole", gid=4, **inside)]
    return document(*shapes, shape("bowl", (60, 60, 80, 80), 4), version="7.1.0")


@pytest.fixture
def coco():
    """A COCO file with every kind of outline."""
    linked = {"reflection_of": 2, "in_mirror": 1, "counterpart": "in_frame"}
    rings = [[1, 1, 20, 1, 20, 20, 1, 20], [30, 30, 40, 30, 40, 40]]
    runs = {"size": [100, 100], "counts": [1010, 40, 60, 40, 8850]}
    text = {"size": [100, 100], "counts": "bo04jh8"}
    outlines = [[[50, 0, 99, 0, 99, 99, 50, 99]], rings, runs, text, []]
    own = [{"instance_id": 1, "surface_type": "glass"}, {"instance_id": 2}, linked, {}, {}]
    listed = [
        {"id": n, "image_id": 1, "category_id": n % 3, "segmentation": outline,
         "bbox": [n, n, 9, 9], "area": 5, "iscrowd": n % 2, **keys}
        for n, (outline, keys) in enumerate(zip(outlines, own, strict=True))
    ]  # fmt: skip
    return {
        "info": {},
        "images": [
            {"id": 1, "file_name": "a.png", "width": 100, "height": 100},
            {"id": 2, "file_name": "b.png", "width": 100, "height": 100},
        ],
        "annotations": [*listed, {"image_id": 2, "category_id": 1, "segmentation": rings}],
        "categories": [
            {"id": place, "name": name}
            for place, name in enumerate(["surface", "cup", "cup_reflection"])
        ],
    }


mangling = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def finish(room, raw: bytes, links: str) -> None:
    path = room / "a.json"
    path.write_bytes(raw)
    result = check_file(path, links=links)
    assert result.status in {"ok", "findings", "unusable"}
    assert (result.status == "ok") == all(item.severity == "info" for item in result.findings)
    orjson.dumps([item.model_dump() for item in result.findings])


@pytest.mark.parametrize(("kind", "shapes"), [("full", 2), ("masked", 2), ("coco", 4)])
def test_the_files_that_are_mangled_are_good_ones(tmp_path, request, kind, shapes):
    (tmp_path / "a.json").write_text(json.dumps(request.getfixturevalue(kind)))
    result = check_file(tmp_path / "a.json")
    assert {item.code for item in result.findings if item.severity == "error"} == set()
    assert sum(result.categories.values()) == shapes


@mangling
@pytest.mark.parametrize("kind", ["full", "masked", "coco"])
@given(data=st.data())
def test_any_value_anywhere_ends_in_findings(room, request, kind, data):
    whole = deepcopy(request.getfixturevalue(kind))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(places_of(whole)))
        holder = whole
        for key in place[:-1]:
            holder = holder[key]
        if data.draw(st.booleans()):
            holder[place[-1]] = deepcopy(data.draw(odd_values))
        elif len(holder) > 1:
            del holder[place[-1]]
    links = data.draw(st.sampled_from(["attributes", "shared-gid"]))
    finish(room, json.dumps(whole).encode(), links)


@mangling
@pytest.mark.parametrize("kind", ["full", "masked", "coco"])
@given(data=st.data())
def test_any_bytes_anywhere_end_in_findings(room, request, kind, data):
    raw = bytearray(json.dumps(request.getfixturevalue(kind)).encode())
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(raw)))
        end = start + data.draw(st.integers(0, 4))
        raw[start:end] = data.draw(st.binary(max_size=4))
    if data.draw(st.booleans()):
        del raw[data.draw(st.integers(0, len(raw))) :]
    finish(room, bytes(raw), "attributes")


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@pytest.mark.parametrize("kind", ["full", "masked", "coco"])
@given(data=st.data())
def test_what_is_imported_of_a_mangled_file_can_be_read_again(
    room, request, kind, tmp_path_factory, data
):
    whole = deepcopy(request.getfixturevalue(kind))
    if kind == "coco":
        del whole["images"][1]
    place = data.draw(st.sampled_from(places_of(whole)))
    holder = whole
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = deepcopy(data.draw(odd_values))
    (room / "a.json").write_bytes(json.dumps(whole).encode())
    workspace = Workspace.create(tmp_path_factory.mktemp("ws"))
    report = import_annotations(room / "a.json", workspace, scenes=room, annotator="x")
    assert report.imported + report.refused == 1
    again = import_annotations(room / "a.json", workspace, scenes=room, annotator="x")
    assert again.unchanged == report.imported
    held = workspace.annotation("a", "x")
    assert isinstance(held, ImageAnnotation) == (report.imported == 1)


@mangling
@given(
    points=st.lists(
        st.tuples(st.floats(-50, 150), st.floats(-50, 150)).map(list), min_size=3, max_size=12
    )
)
def test_any_ring_gives_rings_inside_the_picture_or_a_refusal(read, shape, points):
    good = shape(box=(70, 70, 90, 90), gid=9)
    annotation, log = read(good, shape(points=points))
    for instance in annotation.instances:
        for ring in (*instance.polygons_px, *instance.holes_px):
            assert len(ring) >= 3
            assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in ring)
    assert len(annotation.instances) == 2 or log.has_errors


@mangling
@given(seed=st.integers(0, 2**32), count=st.integers(3, 14))
def test_a_point_is_covered_when_a_ray_from_it_crosses_the_ring_an_odd_number_of_times(
    read, shape, seed, count
):
    rng = np.random.default_rng(seed)
    ring = rng.uniform(-20, 120, (count, 2))
    good = shape(box=(0, 0, 3, 3), gid=9)
    annotation, _ = read(good, shape(points=ring.tolist()))
    drawn = [instance for instance in annotation.instances if instance.instance_id == 1]
    region = [region_area(item.polygons_px, item.holes_px) for item in drawn]
    for x, y in rng.uniform(0, 100, (60, 2)):
        x1, y1 = ring.T
        x2, y2 = np.roll(ring, -1, axis=0).T
        crossing = ((y1 > y) != (y2 > y)) & (x < x1 + (y - y1) / (y2 - y1) * (x2 - x1))
        assert any(area.contains(Point(x, y)) for area in region) == bool(crossing.sum() % 2)
