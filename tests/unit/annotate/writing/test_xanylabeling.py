from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from annotate.findings import FindingLog
from annotate.writing.xanylabeling import format_annotation
from mira.schema.annotation import ImageAnnotation, ShapeExtra

Json = dict[str, Any]
Read = Callable[..., tuple[ImageAnnotation, FindingLog]]
Make = Callable[..., ImageAnnotation]


def _written(annotation: ImageAnnotation) -> Json:
    document: Json = orjson.loads(format_annotation(annotation, image_path="a.png"))
    return document


def _shapes(annotation: ImageAnnotation, group_id: int | None = 1) -> list[Json]:
    shapes = _written(annotation)["shapes"]
    return [shape for shape in shapes if shape["group_id"] == group_id]


def test_a_small_drawing_is_written_as_ever(make_annotation: Make, check_golden: Any) -> None:
    written = format_annotation(make_annotation(), image_path="a.png")

    check_golden("annotate/drawing.json", written)
    assert format_annotation(make_annotation(), image_path="a.png") == written


def test_parts_and_holes_are_shapes_of_one_id(read: Read, shape: Any) -> None:
    annotation, _ = read(
        shape(),
        shape(box=(70, 10, 90, 30)),
        shape("hole", (20, 20, 40, 40)),
    )

    labels = [drawn["label"] for drawn in _shapes(annotation)]

    assert labels == ["object", "object", "hole"]


def test_what_nobody_answered_is_written_as_unset(read: Read, shape: Any) -> None:
    annotation, _ = read(shape("surface", gid=9), shape("object_reflection"))

    assert _shapes(annotation, 9)[0]["attributes"] == {"surface_type": "unset"}
    assert _shapes(annotation)[0]["attributes"] == {
        "reflection_of": "",
        "in_mirror": "",
        "counterpart": "unset",
    }


def test_shapes_keep_their_order_and_their_keys(read: Read, shape: Any) -> None:
    annotation, _ = read(
        shape(gid=2, difficult=True, somebody="s"), shape("surface", gid=9), shape(box=(1, 1, 9, 9))
    )

    shapes = _written(annotation)["shapes"]

    assert [drawn["group_id"] for drawn in shapes] == [2, 9, 1]
    assert [drawn.get("somebody") for drawn in shapes] == ["s", None, None]
    assert [drawn["difficult"] for drawn in shapes] == [True, False, False]


def test_attributes_of_others_stay_beside_ours(read: Read, shape: Any) -> None:
    annotation, _ = read(
        shape("surface", attributes={"dusty": "yes", "surface_type": "Planar Mirror"})
    )

    attributes = _shapes(annotation)[0]["attributes"]

    assert attributes == {"dusty": "yes", "surface_type": "planar_mirror"}


@pytest.mark.parametrize(
    ("kind", "points", "after"),
    [
        ("rectangle", [[10, 10], [30, 40]], [[10, 10], [30, 10], [30, 40], [10, 40]]),
        ("circle", [[50, 50], [60, 50]], [[50, 50], [60, 50]]),
        ("circle", [[0, 50], [10, 50]], [[0, 50], [10, 50]]),
        ("rotation", [[20, 10], [30, 20], [20, 30], [10, 20]], None),
        ("quadrilateral", [[20, 10], [30, 20], [20, 35], [10, 20]], None),
    ],
)
def test_a_kind_of_shape_stays(read: Read, shape: Any, kind: str, points: Any, after: Any) -> None:
    annotation, _ = read(shape(shape_type=kind, points=points))

    drawn = _shapes(annotation)[0]

    assert (drawn["shape_type"], drawn["points"]) == (kind, after or points)


@pytest.mark.parametrize(
    ("kind", "points"),
    [
        ("rotation", [[5, -10], [30, 20], [20, 30], [-5, 20]]),
        ("quadrilateral", [[10, 10], [30, 30], [30, 10], [10, 30]]),
    ],
)
def test_a_figure_that_was_cut_or_split_is_a_polygon(
    read: Read, shape: Any, kind: str, points: Any
) -> None:
    annotation, _ = read(shape(shape_type=kind, points=points))

    assert {drawn["shape_type"] for drawn in _shapes(annotation)} == {"polygon"}


def test_a_label_stays_as_somebody_typed_it(read: Read, shape: Any) -> None:
    annotation, _ = read(shape("Mirror", gid=9), shape("CUP "), shape("object", (70, 70, 90, 90)))

    labels = [drawn["label"] for drawn in _written(annotation)["shapes"]]

    assert labels == ["Mirror", "CUP ", "object"]


def test_a_corrected_record_wins_over_its_source(read: Read, shape: Any) -> None:
    annotation, _ = read(shape("CUP"), shape(box=(70, 70, 90, 90), description="x"))
    corrected = tuple(
        instance.model_copy(update={"category": "lamp", "description": "red lamp"})
        for instance in annotation.instances
    )

    shapes = _shapes(annotation.model_copy(update={"instances": corrected}))

    assert [(drawn["label"], drawn["description"]) for drawn in shapes] == [
        ("lamp", "red lamp"),
        ("object", "red lamp"),
    ]


@pytest.mark.parametrize(
    ("pairs", "kept"),
    [
        ([[2, 1]], [[2, 1]]),
        ([[1, 2], [3, 9]], [[1, 2]]),
        ([[2, "1"], [2, True], [2], 5], []),
        ("x", []),
    ],
)
def test_pairs_stay_unless_the_record_or_the_program_refuses_them(
    make_annotation: Make, pairs: Any, kept: Any
) -> None:
    annotation = make_annotation()
    extra = ShapeExtra(shape_index=0, owner_id=2, keys={"kie_linking": pairs})
    source = annotation.source.model_copy(update={"shape_extras": (extra,)})

    drawn = _shapes(annotation.model_copy(update={"source": source}), 2)[0]

    assert drawn["kie_linking"] == kept


def test_one_id_as_link_becomes_a_named_link(read: Read, shape: Any) -> None:
    annotation, _ = read(shape(), shape("object_reflection", (70, 10, 90, 30)), links="shared-gid")

    again, log = read(*_written(annotation)["shapes"])

    assert [link.reflection_of_id for link in again.links] == [1]
    assert {finding.code for finding in log.findings} <= {"surface-missing"}


def test_a_speck_is_not_written(read: Read, shape: Any) -> None:
    # A bow-tie whose right wing holds no pixel's centre.
    ring = [[10, 10], [60, 30.1], [60, 29.9], [10, 50]]
    annotation, _ = read(shape(points=ring))

    again, log = read(*_written(annotation)["shapes"])

    assert len(annotation.instances[0].polygons_px) == 2
    assert len(again.instances[0].polygons_px) == 1
    assert not log.has_errors
