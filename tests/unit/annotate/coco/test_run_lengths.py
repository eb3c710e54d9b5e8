"""COCO's run lengths, with COCO's own program as the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from pycocotools import mask as coco

from annotate.coco.outline import Outline
from annotate.coco.run_lengths import columns_of_counts, parse_counts
from annotate.findings import FindingLog, Refused
from annotate.policy import AnnotationPolicy
from mira.geometry.mask import decode_rle, rle_from_polygons

masks = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=40))


def compressed(mask):
    return coco.encode(np.asfortranarray(mask, dtype=np.uint8))["counts"]


def runs_of(mask):
    """Lengths of the runs down the columns, of empty pixels first."""
    flat = np.concatenate(([False], mask.ravel(order="F")))
    edges = np.flatnonzero(flat[1:] != flat[:-1])
    return np.diff(edges, prepend=0, append=mask.size).tolist()


@settings(deadline=None)
@given(mask=masks)
def test_compressed_text_gives_the_lengths_that_it_was_made_of(mask):
    text = compressed(mask)
    assert parse_counts(text.decode(), "c") == runs_of(mask)
    assert parse_counts(str(text), "c") == runs_of(mask)


@settings(deadline=None)
# COCO's program has room for six letters a length, and writes behind it where all take that many.
@given(counts=st.lists(st.integers(0, 2**24 - 1), min_size=1, max_size=9))
def test_any_lengths_survive_coco_s_compression(counts):
    total = sum(counts)
    text = coco.frPyObjects({"counts": counts, "size": [total, 1]}, total, 1)["counts"]
    assert parse_counts(text.decode(), "c") == counts


@settings(deadline=None)
@given(mask=masks, as_text=st.booleans())
def test_run_lengths_give_the_pixels_that_they_were_made_of(mask, as_text):
    height, width = mask.shape
    counts = compressed(mask).decode() if as_text else runs_of(mask)
    outline = Outline({"size": [height, width], "counts": counts}, None)
    given_to = ("a", (width, height), AnnotationPolicy(), FindingLog("a.json"))
    if not mask.any():
        with pytest.raises(Refused, match="area-empty"):
            outline.region(*given_to)
        return
    region = outline.region(*given_to)
    drawn = rle_from_polygons(region.parts, region.holes, width_px=width, height_px=height)
    assert (decode_rle(drawn) == mask).all()


def test_only_the_columns_that_are_reached_are_unpacked():
    found = columns_of_counts([7_000_000, 3, 1, 2, 2_999_994], height_px=1000)
    assert (found.left, found.mask.shape) == (7000, (1000, 1))
    assert np.flatnonzero(found.mask[:, 0]).tolist() == [0, 1, 2, 4, 5]


def test_runs_of_no_length_change_nothing():
    plain = columns_of_counts([2, 3, 4], height_px=3)
    found = columns_of_counts([0, 0, 2, 1, 0, 2, 4, 0, 0], height_px=3)
    assert (found.left, found.mask.tolist()) == (plain.left, plain.mask.tolist())


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (None, "c"),
        (5, "c"),
        ({}, "c"),
        ([1, -1], "c[1]"),
        ([1, 2.0], "c[1]"),
        ([True], "c[0]"),
        (["5"], "c[0]"),
        ("镜", "c"),
        ("05d0 ", "c"),
        ("o" * 9, "c"),
        ("05do", "c"),
        ("N", "c"),
    ],
)
def test_what_is_no_run_length_is_refused_with_its_place(value, field):
    with pytest.raises(Refused) as caught:
        parse_counts(value, "c")
    assert (caught.value.code, caught.value.where) == ("rle-invalid", field)


@settings(deadline=None)
@given(text=st.text(st.characters(min_codepoint=40, max_codepoint=115), max_size=30))
def test_any_text_gives_lengths_or_a_refusal(text):
    try:
        counts = parse_counts(text, "c")
    except Refused:
        return
    assert all(count >= 0 for count in counts)
