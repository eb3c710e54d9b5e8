from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.importers.readers.globs import match_files
from mira.errors import MiraError


@pytest.mark.parametrize(
    ("pattern", "path", "stars"),
    [
        ("*.png", "a.png", ("a",)),
        ("*/rgb/*.png", "hall/rgb/1.png", ("hall", "1")),
        ("**/*_rgb.png", "a/b/x_rgb.png", ("a/b/", "x")),
        ("**/*_rgb.png", "x_rgb.png", ("", "x")),
        ("?[ab]*.png", "1a2.png", ("2",)),
        ("[!a]*.png", "b.png", ("",)),
        ("a+(*).png", "a+(1).png", ("1",)),
    ],
)
def test_stars_stand_for_parts_of_paths(pattern, path, stars):
    assert match_files(pattern, [path], flag="--color") == [(stars, path)]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [("[z-a]*.png", "a.png"), ("*.png", "a/b.png"), ("a?.png", "a/.png"), ("[!a]*.png", "a.png")],
)
def test_a_star_is_within_one_name(pattern, path):
    with pytest.raises(MiraError):
        match_files(pattern, [path], flag="--color")


@given(st.text(max_size=20), st.lists(st.text(max_size=10), max_size=4))
def test_any_pattern_finds_files_or_is_refused(pattern, paths):
    try:
        found = match_files(pattern, paths, flag="--color")
    except MiraError:
        return
    assert {path for _, path in found} <= set(paths)
