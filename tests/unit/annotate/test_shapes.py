from __future__ import annotations

import math

import pytest

from annotate.findings import UnusableFileError
from mira.geometry.mask import area_of_rle, rle_from_polygons
from mira.geometry.polygon import region_area

BOXES = ((10, 90), (20, 80), (30, 70), (40, 60))
TRIANGLE = [[10, 10], [60, 10], [60, 60]]


def area(annotation) -> float:
    instance = (*annotation.instances, *annotation.surfaces)[0]
    return region_area(instance.polygons_px, instance.holes_px).area


@pytest.mark.parametrize(
    ("kind", "points", "expected"),
    [
        ("polygon", TRIANGLE, 1250),
        (None, TRIANGLE, 1250),
        ("rectangle", [[60, 60], [10, 20]], 2000),
        ("rectangle", [[10, 10], [60, 10], [60, 60], [10, 60]], 2500),
        ("rotation", [[50, 20], [80, 50], [50, 80], [20, 50]], 1800),
        ("oriented_rectangle", [[50, 20], [80, 50], [50, 80], [20, 50]], 1800),
        ("quadrilateral", [[10, 10], [60, 10], [60, 60], [20, 60]], 2250),
        ("circle", [[50, 50], [50, 80]], math.pi * 900),
        ("polygon", [*TRIANGLE, TRIANGLE[-1], TRIANGLE[0]], 1250),
        ("polygon", [[10, 10], [50, 50], [50, 10], [10, 50]], 800),
        ("polygon", [[-20, -20], [30, -20], [30, 30], [-20, 30]], 900),
    ],
)
def test_each_kind_of_area_covers_what_was_drawn(read, shape, kind, points, expected):
    annotation, _ = read(shape(points=points, shape_type=kind))
    assert area(annotation) == pytest.approx(expected, rel=2e-3)


def test_a_keyhole_seam_opens_into_a_hole(read, shape, codes):
    outer = [[10, 10], [60, 10], [60, 60], [10, 60], [10, 10]]
    inner = [[25, 25], [25, 45], [45, 45], [45, 25], [25, 25]]
    annotation, log = read(shape(points=outer + inner))
    assert area(annotation) == pytest.approx(2500 - 400)
    assert codes(log.findings) == set()
    assert codes(log.findings, "info") == {("ring-not-simple", "shapes[0].points")}


def test_an_island_in_a_hole_of_one_ring_stays(read, shape):
    rings = [[(x1, x1), (x2, x1), (x2, x2), (x1, x2), (x1, x1)] for x1, x2 in BOXES]
    annotation, _ = read(shape(points=[list(point) for ring in rings for point in ring]))
    (instance,) = annotation.instances
    expected = 80**2 - 60**2 + 40**2 - 20**2
    assert area(annotation) == pytest.approx(expected)
    mask = rle_from_polygons(instance.polygons_px, instance.holes_px, width_px=100, height_px=100)
    assert area_of_rle(mask) == pytest.approx(expected, abs=160)


def test_a_bow_tie_keeps_both_wings_with_a_warning(read, shape, codes):
    annotation, log = read(shape(points=[[10, 10], [50, 50], [50, 10], [10, 50]]))
    assert len(annotation.instances[0].polygons_px) == 2
    assert codes(log.findings) == {("ring-not-simple", "shapes[0].points")}


def test_vertices_are_kept_as_drawn(read, shape):
    points = [[10.125, 10.25], [60.5, 10.75], [60.0625, 60.3]]
    annotation, _ = read(shape(points=points))
    assert annotation.instances[0].polygons_px == (tuple(map(tuple, points)),)


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"points": []}, "points-too-few", "points"),
        ({"points": None}, "points-invalid", "points"),
        ({"points": {"0": [1, 2]}}, "points-invalid", "points"),
        ({"points": TRIANGLE[:2]}, "points-too-few", "points"),
        ({"points": [*TRIANGLE[:2], TRIANGLE[0]]}, "points-too-few", "points"),
        ({"points": [*TRIANGLE, [10, 10, 0]]}, "point-invalid", "points[3]"),
        ({"points": [*TRIANGLE, 4]}, "point-invalid", "points[3]"),
        ({"points": [*TRIANGLE, {"x": 1, "y": 2}]}, "point-invalid", "points[3]"),
        ({"points": [*TRIANGLE, [10, "20"]]}, "point-invalid", "points[3][1]"),
        ({"points": [*TRIANGLE, [None, 20]]}, "point-invalid", "points[3][0]"),
        ({"points": [*TRIANGLE, [True, 20]]}, "point-invalid", "points[3][0]"),
        ({"points": [*TRIANGLE, [1e300, 20]]}, "point-far-outside", "points[3][0]"),
        ({"points": [[200, 200], [250, 200], [250, 250]]}, "shape-outside", "points"),
        ({"points": [[-9, 0], [0, 0], [0, 9]]}, "shape-outside", "points"),
        ({"points": [[10, 10], [20, 20], [30, 30]]}, "area-empty", "points"),
        ({"points": [[10.6, 10.6], [11.4, 10.6], [11, 11.4]]}, "area-empty", "points"),
        ({"shape_type": "rectangle", "points": TRIANGLE}, "points-count", "points"),
        ({"shape_type": "rotation", "points": TRIANGLE}, "points-count", "points"),
        ({"shape_type": "circle", "points": TRIANGLE}, "points-count", "points"),
        ({"shape_type": "circle", "points": [[9, 9], [9, 9]]}, "points-too-few", "points"),
        ({"shape_type": "ellipse"}, "shape-type-unknown", "shape_type"),
        ({"shape_type": 7}, "shape-type-unknown", "shape_type"),
        ({"shape_type": "line", "points": TRIANGLE[:2]}, "shape-without-area", "shape_type"),
        ({"shape_type": "linestrip"}, "shape-without-area", "shape_type"),
        ({"shape_type": "point", "points": [[1, 1]]}, "shape-without-area", "shape_type"),
        ({"shape_type": "cuboid"}, "shape-without-area", "shape_type"),
        ({"label": ""}, "label-invalid", "label"),
        ({"label": None}, "label-invalid", "label"),
        ({"label": 3}, "label-invalid", "label"),
        ({"group_id": 0}, "group-id-invalid", "group_id"),
        ({"group_id": -1}, "group-id-invalid", "group_id"),
        ({"group_id": True}, "group-id-invalid", "group_id"),
        ({"group_id": 2.5}, "group-id-invalid", "group_id"),
        ({"group_id": "seven"}, "group-id-invalid", "group_id"),
        ({"group_id": [1]}, "group-id-invalid", "group_id"),
        ({"group_id": 10**15}, "group-id-invalid", "group_id"),
    ],
)
def test_a_bad_shape_is_left_out_and_named_while_the_good_one_stays(
    read, shape, codes, change, code, field
):
    good = shape(box=(70, 70, 90, 90), gid=9)
    annotation, log = read(good, {**shape(), **change})
    assert [instance.instance_id for instance in annotation.instances] == [9]
    assert codes(log.findings, "error") == {(code, f"shapes[1].{field}")}


def test_every_fault_of_a_shape_is_named(read, shape, codes):
    _, log = read(shape(gid=5), shape(label="", gid=0, points=[]))
    assert {code for code, _ in codes(log.findings)} == {
        "label-invalid",
        "group-id-invalid",
        "points-too-few",
    }


def test_a_file_of_bad_shapes_alone_is_unusable(read, shape):
    with pytest.raises(UnusableFileError, match="found none in 2"):
        read(shape(points=[]), 7)


def test_a_file_without_shapes_is_an_empty_annotation(read):
    annotation, log = read()
    assert annotation.instances == ()
    assert log.findings == ()


@pytest.mark.parametrize(
    ("points", "severity"),
    [
        ([[0.6, -0.4], [50, -0.4], [50, 50]], "info"),
        ([[-20, -20], [30, -20], [30, 30]], "warning"),
    ],
)
def test_leaving_the_picture_by_a_hair_is_noted_and_by_more_is_warned_of(
    read, shape, codes, points, severity
):
    annotation, log = read(shape(points=points))
    assert codes(log.findings, severity) == {("shape-clipped", "shapes[0].points")}
    xs = [x for ring in annotation.instances[0].polygons_px for x, _ in ring]
    assert min(xs) >= 0


def test_a_shape_may_reach_the_last_pixel_s_far_edge(read, shape):
    annotation, log = read(shape(box=(0, 0, 100, 100)))
    assert area(annotation) == 10_000
    assert log.findings == ()


@pytest.mark.parametrize(
    "points",
    [
        [[10, 10], [60, 10.3], [60, 10.6]],
        [[10.2, 10.2], [11.1, 10.2], [11.1, 11.1], [10.2, 11.1]],
    ],
)
def test_slivers_stay_with_a_warning(read, shape, codes, points):
    annotation, log = read(shape(points=points))
    assert len(annotation.instances) == 1
    assert codes(log.findings) == {("shape-sliver", "shapes[0].points")}


def test_twins_of_other_ids_stay_and_of_one_id_become_one(read, shape, codes):
    annotation, log = read(shape(gid=1), shape(gid=2), shape(gid=1))
    assert [len(instance.polygons_px) for instance in annotation.instances] == [1, 1]
    assert codes(log.findings) == {
        ("shape-duplicate", "shapes[1]"),
        ("shape-duplicate", "shapes[2]"),
    }
