from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.importers.readers.file_roles import is_aligned, role_of


@pytest.mark.parametrize(
    ("path", "role", "folder", "name"),
    [
        ("room.png", "color", "", "room"),
        ("room_color.png", "color", "", "room"),
        ("room_depth.png", "depth", "", "room"),
        ("RoomDepth01.png", "depth", "", "Room_01"),
        ("image00001.png", "color", "", "00001"),
        ("depth00001.png", "depth", "", "00001"),
        ("a_depth_aligned.png", "depth", "", "a"),
        ("aligned_depth_to_color_7.png", "depth", "", "7"),
        ("sensor_depth_45.png", "depth", "", "45"),
        ("raw_material_color.png", "color", "", "raw_material"),
        ("face_mask_color.png", "color", "", "face"),
        ("a_instance_mask.png", "mask", "", "a"),
        ("color.png", "color", "", ""),
        ("hall/depth/0001.png", "depth", "hall", "0001"),
        ("hall_depth/0001.png", "depth", "hall", "0001"),
        ("depth/hall/rgb_1.png", "color", "hall", "1"),
        ("masks/a/b/1.png", "mask", "a/b", "1"),
        ("镜子_depth.png", "depth", "", "镜子"),
        ("two (1)_color.png", "color", "", "two (1"),
    ],
)
def test_words_tell_what_a_file_is(path, role, folder, name):
    found = role_of(path)
    assert (found.role, found.folder, found.name) == (role, folder, name)


@pytest.mark.parametrize(
    ("color", "depth"),
    [
        ("kinect_mirror_color.png", "kinect_mirror_depth_aligned.png"),
        ("rgb_1.jpg", "depth_0001.png"),
        ("room.png", "room_depth.png"),
        ("IMG-7-rgb.png", "img 7 depth.png"),
        ("hall/color/a.jpg", "hall/depth_aligned/a.png"),
    ],
)
def test_a_picture_and_its_depth_have_one_key(color, depth):
    one, other = role_of(color), role_of(depth)
    assert (one.folder, one.key) == (other.folder, other.key)
    assert (one.role, other.role) == ("color", "depth")


words = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="/.\0"), min_size=1, max_size=12
)


@given(words, st.sampled_from(["color", "rgb", "depth", "mask"]))
def test_adding_a_word_of_a_role_leaves_the_key_alone(stem, word):
    with_word = role_of(f"{stem}_{word}.png")
    # What goes with a word of a role is no word of the picture beside one.
    beside = role_of(f"{stem}_image.png")
    assert with_word.key == beside.key


def test_a_depth_map_may_say_that_it_is_aligned():
    assert is_aligned("x/a_depth_aligned.png")
    assert not is_aligned("aligned/a_depth.png")
