from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.errors import RecordError
from mira.geometry.outlines import region_of
from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Surface,
)
from mira.schema.record import FileRef
from mira.store import drawn_shapes
from mira.store.drawn_shapes import DrawnShapes, drawn_shapes_of, parse_drawn_shapes

SOURCE = AnnotationSource(format="test", file=FileRef(path="a.json", sha256="0" * 64, size_bytes=1))
RING = ((1.0, 2.0), (30.25, 2.0), (30.0, 40.5))
HOLE = ((2.0, 3.0), (4.0, 3.0), (4.0, 5.0))


def _annotation() -> ImageAnnotation:
    return ImageAnnotation(
        image_id="a picture",
        annotator="anna",
        revision=3,
        width_px=64,
        height_px=48,
        surfaces=(
            Surface(surface_id=9, surface_type="glass", polygons_px=(RING,), holes_px=(HOLE,)),
            Surface(surface_id=10, polygons_px=(RING, HOLE)),
        ),
        instances=(
            Instance(instance_id=1, visibility="direct", polygons_px=(RING,)),
            Instance(instance_id=2, visibility="reflected", seen_in=(9,), polygons_px=(HOLE,)),
            Instance(instance_id=3, visibility="reflected", polygons_px=(HOLE, RING)),
        ),
        links=(
            Correspondence(reflected_id=2, real_id=1, reflection_of_id=1, counterpart="in_frame"),
            Correspondence(reflected_id=3, reflection_of_id=2, counterpart=None),
        ),
        source=SOURCE,
    )


def _same(one: DrawnShapes, other: DrawnShapes) -> bool:
    return (
        one._replace(outlines=other.outlines) == other
        and one.outlines.n_areas == other.outlines.n_areas
        and all(np.array_equal(a, b) for a, b in zip(one.outlines, other.outlines, strict=True))
    )


PARSERS = {"as installed": drawn_shapes._PARSE, "plainly": drawn_shapes._parse_plainly}


@pytest.mark.parametrize("name", PARSERS)
def test_a_record_gives_the_shapes_that_it_has(name: str) -> None:
    annotation = _annotation()

    found = PARSERS[name](annotation.to_json(indent=False))

    assert _same(found, drawn_shapes_of(annotation))
    assert found.labels == ("glass", "unset", "direct", "reflected", "reflected")
    assert [found.is_surface(place) for place in range(5)] == [True, True, False, False, False]
    assert [region_of(found.outlines, k).parts for k in range(5)] == [
        (RING,),
        (RING, HOLE),
        (RING,),
        (HOLE,),
        (HOLE, RING),
    ]
    assert region_of(found.outlines, 0).holes == (HOLE,)
    assert [(link.reflected_id, link.shows, link.counterpart) for link in found.links] == [
        (2, 1, "in_frame"),
        (3, 2, None),
    ]


def test_nothing_drawn_is_no_trouble() -> None:
    empty = _annotation().model_copy(update={"surfaces": (), "instances": (), "links": ()})

    assert _same(parse_drawn_shapes(empty.to_json(), where="a"), drawn_shapes_of(empty))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "expected"),
        (b"[]", "expected"),
        (b"{}", "image_id"),
        (b'{"schema_version": 99}', "reads 1 to 1"),
        (b"\xff", "expected"),
    ],
)
def test_what_is_no_record_is_refused_in_one_line(data: bytes, fault: str) -> None:
    with pytest.raises(RecordError, match=fault) as refusal:
        parse_drawn_shapes(data, where="a file")

    assert "a file" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at] if at else []
    if isinstance(value, dict | list):
        children = value.items() if isinstance(value, dict) else enumerate(value)
        for key, child in children:
            found += _places(child, (*at, key))
    return found


RECORD = json.loads(_annotation().to_json())
VALUES = st.sampled_from([None, 0, -1, 2, 1.5, "", "direct", True, [], {}, [[1, 2]], 10**30, "x"])


@pytest.mark.parametrize("name", PARSERS)
@given(place=st.sampled_from(_places(RECORD)), value=VALUES)
@settings(deadline=None, max_examples=300)
def test_a_changed_record_is_read_as_the_whole_of_it_or_refused(
    name: str, place: tuple[Any, ...], value: Any
) -> None:
    changed = json.loads(json.dumps(RECORD))
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    data = json.dumps(changed).encode()
    try:
        whole = drawn_shapes_of(ImageAnnotation.from_json(data, where="a"))
    except RecordError:
        whole = None

    try:
        found = PARSERS[name](data)
    except drawn_shapes._UNUSUAL:
        return

    # What the whole record is refused for may lie in what comparing does not read.
    assert whole is None or _same(found, whole)
