from __future__ import annotations

import pytest

MIRROR = (100, 100, 500, 400)


def codes(found):
    return [(doubt.code, doubt.owner_id) for doubt in found]


@pytest.fixture
def mirror(surface):
    return surface(9, MIRROR)


def test_a_reflection_in_its_mirror_is_not_doubted(doubts, mirror, reflected):
    assert doubts(mirror, reflected(1, (200, 200, 260, 260), 9)) == []


def test_a_reflection_over_the_edge_is_doubted_from_half_on(doubts, mirror, reflected):
    assert doubts(mirror, reflected(1, (70, 200, 130, 260), 9)) == []
    (doubt,) = doubts(mirror, reflected(1, (64, 200, 124, 260), 9))
    assert codes([doubt]) == [("reflection-outside-surface", 1)]
    assert doubt.severity == "warning"
    assert "40% of reflection 1 lies inside surface 9, expected 50% or more" in doubt.message


def test_the_surface_that_holds_the_reflection_is_named(doubts, mirror, surface, reflected):
    other = surface(8, (550, 100, 700, 400))
    shown = reflected(2, (120, 120, 160, 160), 9)
    found = doubts(mirror, other, shown, reflected(1, (600, 200, 640, 240), 9))
    assert codes(found)[0] == ("reflection-outside-surface", 1)
    assert "100% lies in surface 8" in found[0].message


def test_what_is_cut_out_of_a_surface_is_not_inside(doubts, surface, reflected):
    mirror = surface(9, MIRROR, "planar_mirror", (200, 200, 300, 300))
    found = doubts(mirror, reflected(1, (210, 210, 290, 290), 9))
    assert codes(found) == [("reflection-outside-surface", 1)]


def test_the_first_surface_of_a_chain_is_the_one_on_the_picture(
    doubts, mirror, surface, reflected, direct
):
    far = surface(8, (550, 100, 700, 400))
    drawn = [mirror, far, direct(3, (600, 500, 640, 540)), reflected(2, (600, 200, 630, 230), 8)]
    second = (200, 200, 220, 220)
    assert doubts(*drawn, reflected(1, second, 9, 8), links={2: 3, 1: 2}) == []
    found = doubts(*drawn, reflected(1, second, 8, 9), links={2: 3, 1: 2})
    assert ("reflection-outside-surface", 1) in codes(found)


def test_a_reflection_without_a_named_surface_may_lie_in_any(doubts, mirror, surface, reflected):
    halves = [surface(9, (100, 100, 300, 400)), surface(8, (300, 100, 500, 400))]
    assert doubts(*halves, reflected(1, (270, 200, 330, 260))) == []
    doubt, _ = found = doubts(mirror, reflected(1, (600, 200, 660, 260)))
    assert codes(found) == [("reflection-without-surface", 1), ("surface-without-reflection", 9)]
    assert "0% of reflection 1 lies inside a surface (9)" in doubt.message


def test_without_any_surface_nothing_can_be_outside(doubts, reflected):
    assert doubts(reflected(1, (600, 200, 660, 260))) == []


@pytest.mark.parametrize("kind", ["planar_mirror", "convex_mirror", "screen", "water", None])
def test_an_object_inside_a_surface_is_doubted(doubts, surface, direct, kind):
    (doubt,) = doubts(surface(9, MIRROR, kind), direct(1, (200, 200, 260, 260)))
    assert codes([doubt]) == [("direct-in-surface", 9)]
    assert "inside surface 9, found 1 (100%)" in doubt.message
    assert ("glass" in doubt.message) == (kind is None)


def test_things_behind_glass_are_seen_directly(doubts, surface, direct):
    assert doubts(surface(9, MIRROR, "glass"), direct(1, (200, 200, 260, 260))) == []


def test_an_object_that_is_cut_out_of_the_surface_is_not_inside(doubts, surface, direct):
    hole = (200, 200, 260, 260)
    assert doubts(surface(9, MIRROR, "planar_mirror", hole), direct(1, hole)) == []


def test_an_object_that_stands_before_the_lower_edge_is_not_inside(doubts, mirror, direct):
    assert doubts(mirror, direct(1, (200, 371, 260, 431))) == []
    assert codes(doubts(mirror, direct(1, (200, 369, 260, 429)))) == [("direct-in-surface", 9)]


def test_a_thing_that_holds_the_surface_is_not_inside(doubts, mirror, direct):
    television = direct(1, (90, 90, 510, 410))
    assert doubts(mirror, television) == []
    assert doubts(mirror, direct(1, (100, 100, 500, 330))) != []


def test_all_objects_inside_a_surface_make_one_doubt(doubts, mirror, direct):
    drawn = [direct(k, (40 * k + 100, 200, 40 * k + 130, 230)) for k in range(1, 9)]
    (doubt,) = doubts(mirror, *drawn)
    assert "1 (100%)" in doubt.message
    assert "and 2 more" in doubt.message


def test_a_surface_that_alone_shows_nothing_is_noted(doubts, mirror, surface, reflected):
    other = surface(8, (550, 100, 700, 400))
    (doubt,) = doubts(mirror, other, reflected(1, (200, 200, 260, 260), 9))
    assert (doubt.code, doubt.severity, doubt.owner_id) == ("surface-without-reflection", "info", 8)


@pytest.mark.parametrize(("box", "lost"), [((600, 200, 660, 260), 0), ((200, 200, 260, 260), 1)])
def test_where_a_reflection_may_be_undecided_or_lost_nothing_is_noted(
    doubts, mirror, surface, reflected, box, lost
):
    other = surface(8, (550, 100, 700, 400))
    shown = reflected(2, (300, 300, 330, 330), 9)
    assert doubts(mirror, other, shown, reflected(1, box), lost=lost) == []


def test_a_picture_without_reflections_has_a_finding_of_its_own(doubts, mirror):
    assert doubts(mirror) == []
