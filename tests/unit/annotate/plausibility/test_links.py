from __future__ import annotations

import pytest

REAL = (300, 450, 360, 530)
SMALLER = (310, 200, 350, 255)


@pytest.fixture
def pair(doubts, surface, direct, reflected):
    """Doubts about an object and its reflection in a mirror."""

    def of(real, own, *others, kinds=(None, None), kind="planar_mirror"):
        return doubts(
            surface(9, (0, 50, 800, 400), kind),
            direct(1, real, kinds[0]),
            reflected(2, own, 9, category=kinds[1]),
            *others,
            links={2: 1},
        )

    return of


def test_a_link_to_another_category_is_doubted(pair):
    (doubt,) = pair(REAL, SMALLER, kinds=("bottle", "cup"))
    assert (doubt.code, doubt.severity, doubt.owner_id) == ("link-category", "warning", 2)
    assert "reflection 2 is a cup" in doubt.message
    assert "1 that it is linked to is a bottle" in doubt.message


@pytest.mark.parametrize("kinds", [("cup", "cup"), ("cup", None), (None, "cup"), (None, None)])
def test_one_category_and_none_are_not_doubted(pair, kinds):
    assert pair(REAL, SMALLER, kinds=kinds) == []


def test_a_chain_is_compared_link_by_link(doubts, surface, direct, reflected):
    drawn = [
        surface(9, (0, 50, 400, 400)),
        surface(8, (400, 50, 800, 400)),
        direct(1, REAL, "cup"),
        reflected(2, SMALLER, 9, category="cup"),
        reflected(3, (500, 200, 520, 230), 8, 9, category="bottle"),
    ]
    found = doubts(*drawn, links={2: 1, 3: 2})
    assert [(doubt.code, doubt.owner_id) for doubt in found] == [("link-category", 3)]


@pytest.mark.parametrize("kind", ["planar_mirror", "convex_mirror", None])
def test_a_reflection_larger_than_its_object_is_doubted(pair, kind):
    (doubt,) = pair((310, 450, 350, 500), (300, 200, 360, 280), kind=kind)
    assert (doubt.code, doubt.severity, doubt.owner_id) == ("link-size", "warning", 2)
    assert "reflection 2 is 60x80 px, object 1 that it is linked to 40x50 px" in doubt.message


@pytest.mark.parametrize(
    "own",
    [
        SMALLER,
        (300, 200, 350, 260),
        (300, 200, 500, 255),
        (300, 200, 340, 390),
    ],
    ids=["smaller", "within the bound", "wider alone", "higher alone"],
)
def test_what_turns_or_is_hardly_larger_is_not_doubted(pair, own):
    assert pair((300, 450, 341, 499), own) == []


def test_an_object_cut_off_at_the_picture_s_edge_may_be_smaller(pair):
    assert pair((310, 560, 350, 599), (300, 200, 360, 280)) == []


def test_an_object_that_something_covers_may_be_smaller(pair, direct):
    assert pair((310, 450, 350, 500), (300, 200, 360, 280), direct(3, (349, 440, 420, 590))) == []


def test_small_things_may_be_off_by_a_slip(pair):
    assert pair((300, 450, 305, 455), (300, 200, 308, 208)) == []


def test_a_reflection_of_a_reflection_is_not_measured(doubts, surface, direct, reflected):
    drawn = [surface(9, (0, 50, 800, 400)), direct(1, (310, 450, 350, 500))]
    drawn += [reflected(2, (310, 200, 340, 240), 9), reflected(3, (100, 100, 300, 300), 9, 9)]
    assert doubts(*drawn, links={2: 1, 3: 2}) == []
