"""Shapes that somebody drew before are told from shapes that only look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.audit.blindness import find_copied
from mira.schema.annotation import AnnotationSource, ImageAnnotation, Instance
from mira.schema.audit import AuditPolicy
from mira.schema.record import FileRef

POLICY = AuditPolicy()
COORDINATES = st.floats(0.5, 99.5)
RINGS = st.lists(st.tuples(COORDINATES, COORDINATES), min_size=5, max_size=12, unique=True)
EDGE = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))


def drawing(*rings, sha256: str = "a") -> ImageAnnotation:
    return ImageAnnotation(
        image_id="i",
        annotator="x",
        revision=1,
        width_px=100,
        height_px=100,
        instances=tuple(
            Instance(instance_id=k, visibility="direct", polygons_px=(tuple(ring),))
            for k, ring in enumerate(rings, start=1)
        ),
        source=AnnotationSource(
            format="labelme", file=FileRef(path="i.json", sha256=sha256, size_bytes=1)
        ),
    )


def box(x: float) -> list[tuple[float, float]]:
    return [(x, 5.0), (x + 10, 5.0), (x + 10, 30.0), (x, 30.0)]


@given(RINGS, st.integers(0, 11), st.booleans())
def test_an_outline_is_the_same_from_whatever_point_and_whichever_way(ring, start, back):
    turned = [*ring[start % len(ring) :], *ring[: start % len(ring)]]
    copy = drawing(box(3), turned[::-1] if back else turned, sha256="b")
    found = find_copied(copy, [drawing(ring)], policy=POLICY)
    assert found == "1 of 2 outlines are point for point those of an earlier file"


@given(RINGS, st.integers(0, 11))
def test_an_outline_with_a_point_elsewhere_is_drawn_anew(ring, place):
    moved = list(ring)
    x, y = moved[place % len(ring)]
    moved[place % len(ring)] = (x + 0.25 if x < 50 else x - 0.25, y)
    if len(set(moved)) == len(ring):
        assert find_copied(drawing(moved, sha256="b"), [drawing(ring)], policy=POLICY) is None


@pytest.mark.parametrize(
    ("n_equal", "n_other", "is_copied"), [(1, 0, True), (1, 1, False), (2, 1, True)]
)
def test_of_boxes_more_than_half_must_be_equal(n_equal, n_other, is_copied):
    equal = [box(10 * k + 1) for k in range(n_equal)]
    others = [box(10 * k + 1.5) for k in range(n_other)]
    found = find_copied(drawing(*equal, *others, sha256="b"), [drawing(*equal)], policy=POLICY)
    assert (found is not None) == is_copied


def test_the_edge_of_the_picture_and_an_empty_drawing_say_nothing():
    assert find_copied(drawing(EDGE, sha256="b"), [drawing(EDGE)], policy=POLICY) is None
    assert find_copied(drawing(), [drawing()], policy=POLICY) is None


def test_a_file_handed_in_before_is_a_copy_whatever_is_in_it():
    found = find_copied(drawing(EDGE), [drawing(EDGE)], policy=POLICY)
    assert found == "the file is one that was handed in before"


def test_the_policy_says_how_many_points_are_no_coincidence():
    copy, earlier = drawing(box(1), box(40.5), box(70.5), sha256="b"), drawing(box(1))
    assert find_copied(copy, [earlier], policy=POLICY) is None
    assert find_copied(copy, [earlier], policy=AuditPolicy(copied_ring_points=4))
    assert find_copied(copy, [earlier], policy=AuditPolicy(max_copied_fraction=0))
