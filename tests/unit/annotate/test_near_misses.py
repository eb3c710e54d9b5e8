from __future__ import annotations

import pytest

from annotate.reading.near_misses import meant_label, slips


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        ("object_relfection", "object_reflection"),
        ("object_reflectoin", "object_reflection"),
        ("object_reflexion", "object_reflection"),
        ("object_reflections", "object_reflection"),
        ("object_reflection_2", "object_reflection"),
        ("objectReflection", "object_reflection"),
        ("reflected_object", "object_reflection"),
        ("Reflection of the cup", "cup_reflection"),
        ("cup_refl", "cup_reflection"),
        ("cup_rflection", "cup_reflection"),
        ("cupreflection", "cup_reflection"),
        ("mirrored cup", "cup_reflection"),
        ("virtual-cup", "cup_reflection"),
        ("cup in the mirror", "cup_reflection"),
        ("reflections", "object_reflection"),
        ("杯子倒影", "杯子_reflection"),
        ("objcet", "object"),
        ("objects", "object"),
        ("object 2", "object"),
        ("surface_1", "surface"),
        ("suface", "surface"),
        ("mirrors", "surface"),
        ("mirror surface", "surface"),
        ("wall mirror", "surface"),
        ("holes", "hole"),
        ("ignored", "ignore"),
        ("objct_reflection", "object_reflection"),
        ("reflected cup_reflection", "cup_reflection"),
        ("hole_reflection", "hole"),
    ],
)
def test_a_slip_in_our_words_is_asked_about(read, shape, codes, label, meant):
    annotation, log = read(shape(label))
    assert annotation.instances[0].category
    assert ("label-near-miss", "shapes[0].label") in codes(log.findings, "warning")
    (note,) = [item for item in log.findings if item.code == "label-near-miss"]
    assert note.message.endswith(f"is {meant!r} meant?")


@pytest.mark.parametrize(
    "label",
    [
        *(
            "cup",
            "glass",
            "1",
            "镜子",
            "whole",
            "pole",
            "hose",
            "furnace",
            "subject",
            "selection box",
        ),
        *("reflector", "reflective vest", "reflex camera", "mirror cabinet", "work surface"),
        *("cup_reflection", "mirror_reflection", "surface_reflection", "镜子_reflection"),
    ],
)
def test_a_category_like_none_of_our_words_is_taken_in_silence(read, shape, label):
    annotation, log = read(shape(label))
    assert annotation.instances[0].category
    assert log.findings == ()


def test_a_near_miss_is_noted_once_a_file(read, shape, codes):
    boxes = [(10, 10, 20, 20), (30, 10, 40, 20)]
    _, log = read(*(shape("cup_refl", box, gid) for gid, box in enumerate(boxes, start=1)))
    assert codes(log.findings) == {("label-near-miss", "shapes[0].label")}


@pytest.mark.parametrize(
    ("word", "other", "count"),
    [
        ("", "", 0),
        ("ab", "ab", 0),
        ("ab", "ba", 1),
        ("abc", "ac", 1),
        ("", "abc", 3),
        ("ca", "abc", 3),
    ],
)
def test_slips_count_swapped_neighbours_as_one(word, other, count):
    assert slips(word, other) == slips(other, word) == count


def test_nothing_is_meant_by_no_word():
    assert meant_label("", reflected=True) is None
    assert meant_label("12", reflected=False) is None
