"""Of views with one reflection the best is kept; scenes are compared as well."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.selection.candidate import Candidate
from capture.selection.comparing import compare_across_scenes, compare_within_scene
from capture.selection.fingerprints import Fingerprints, distance_between, find_alike
from capture.selection.policy import QualityPolicy, ReflectionPolicy, SelectionPolicy
from capture.selection.records import Verdict, ViewMeasures
from mira.schema.capture import ViewQuality

POLICY = SelectionPolicy()
FLOOR = POLICY.reflections.distance_floor


def palette(*shares: float) -> np.ndarray:
    found = np.zeros(256, np.float32)
    found[: len(shares)] = shares
    return found


def prints_of(*hashes: int, of_surfaces: bool = True, **more) -> Fingerprints:
    return Fingerprints(of_surfaces, hashes, len(hashes), **{"palette": palette(1.0), **more})


def candidate(
    view_id: str, prints: Fingerprints, *, sharpness: float = 300, verdict: Verdict = "keep"
) -> Candidate:
    quality = ViewQuality(sharpness=sharpness, dark_fraction=0, bright_fraction=0)
    measures = ViewMeasures(width_px=8, height_px=6, region="surfaces", quality=quality)
    return Candidate(view_id, verdict, measures, prints)


def codes(found, view_id: str) -> list[str]:
    return [remark.code for remark in found[view_id].remarks]


bases = st.sampled_from([0, 2**64 - 1, 0x0F0F0F0F0F0F0F0F])
hashes = st.builds(
    lambda base, flips: base ^ sum(1 << bit for bit in flips),
    bases,
    st.sets(st.integers(0, 63), max_size=10),
)
views = st.lists(
    st.tuples(
        st.lists(hashes, max_size=2),
        st.integers(1, 999),
        st.sampled_from(["keep", "look"]),
        st.booleans(),
    ),
    max_size=9,
).map(
    lambda drawn: [
        candidate(f"v{k}", prints_of(*found, of_surfaces=of), sharpness=sharpness, verdict=verdict)
        for k, (found, sharpness, verdict, of) in enumerate(drawn)
    ]
)


@settings(deadline=None)
@given(views, st.randoms())
def test_kept_views_differ_and_each_duplicate_is_one_of_a_better_kept_view(views, random) -> None:
    found = compare_within_scene(views, policy=POLICY)
    by_name = {view.view_id: view for view in views}
    kept = [view for view in views if found[view.view_id].twin_of is None]
    for k, first in enumerate(kept):
        for second in kept[:k]:
            distance = distance_between(first.prints, second.prints)
            assert distance is None or distance >= FLOOR.drop_below
    for view in views:
        twin = found[view.view_id].twin_of
        if twin is not None:
            assert found[twin].twin_of is None
            assert distance_between(view.prints, by_name[twin].prints) < FLOOR.drop_below
            assert "near-duplicate" in codes(found, view.view_id)
    random.shuffle(views)
    assert compare_within_scene(views, policy=POLICY) == found


@settings(deadline=None)
@given(views)
def test_alike_pairs_are_those_that_comparing_all_with_all_finds(views) -> None:
    prints = [view.prints for view in views]
    for most in (0, 6, 20):
        expected = [
            (a, b, distance)
            for a in range(len(prints))
            for b in range(a + 1, len(prints))
            if (distance := distance_between(prints[a], prints[b])) is not None and distance <= most
        ]
        assert [tuple(pair) for pair in find_alike(prints, most=most)] == expected


def test_the_better_of_two_is_kept() -> None:
    same = prints_of(7)
    sharp, soft = candidate("b", same, sharpness=400), candidate("a", same, sharpness=300)
    found = compare_within_scene([soft, sharp], policy=POLICY)
    assert (found["a"].twin_of, found["b"].twin_of) == ("b", None)
    assert "the same reflection as b, which is sharper (400 to 300)" in found["a"].remarks[0].text

    doubtful = candidate("b", same, sharpness=400, verdict="look")
    found = compare_within_scene([soft, doubtful], policy=POLICY)
    assert (found["a"].twin_of, found["b"].twin_of) == (None, "a")
    assert "better by the other criteria" in found["b"].remarks[0].text

    found = compare_within_scene([soft, candidate("b", same)], policy=POLICY)
    assert found["b"].twin_of == "a"
    assert "no worse" in found["b"].remarks[0].text


def test_a_view_is_kept_that_differs_a_little_and_a_person_is_asked() -> None:
    near = prints_of((1 << int(FLOOR.drop_below)) - 1)
    found = compare_within_scene(
        [candidate("a", prints_of(0)), candidate("b", near, sharpness=200)], policy=POLICY
    )
    (remark,) = found["b"].remarks
    assert (remark.code, remark.verdict, found["b"].twin_of) == ("much-alike", "look", None)


def test_one_new_surface_makes_a_view_worth_keeping() -> None:
    one, both = prints_of(0), prints_of(0, 2**40 - 1)
    assert distance_between(one, both) == 40
    barely = Fingerprints(True, (0, 2**40 - 1), 1)
    assert distance_between(one, barely) == 0


def test_pictures_are_not_compared_with_surfaces_and_drop_nothing() -> None:
    whole = prints_of(0, of_surfaces=False)
    assert distance_between(whole, prints_of(0)) is None
    found = compare_within_scene(
        [candidate("a", whole), candidate("b", whole), candidate("c", prints_of(0))], policy=POLICY
    )
    assert found["b"].twin_of == "a"
    remarks = {remark.code: remark for remark in found["b"].remarks}
    assert remarks["near-duplicate"].verdict == "look"
    assert "the same picture as a" in remarks["near-duplicate"].text
    assert remarks["compared-whole"].verdict == "keep"
    assert codes(found, "c") == []


def test_a_surface_that_shows_nothing_is_for_a_person_unless_nothing_is_to_compare() -> None:
    plain = Fingerprints(True)
    alone = compare_within_scene([candidate("a", plain)], policy=POLICY)
    assert codes(alone, "a") == []
    two = compare_within_scene([candidate("a", plain), candidate("b", plain)], policy=POLICY)
    assert codes(two, "a") == codes(two, "b") == ["reflection-plain"]


def test_a_view_much_softer_than_the_sharpest_of_its_scene_is_for_a_person() -> None:
    views = [
        candidate("a", prints_of(0), sharpness=1000),
        candidate("b", prints_of(2**64 - 1), sharpness=399),
        candidate("c", prints_of(2**32 - 1), sharpness=400),
    ]
    found = compare_within_scene(views, policy=POLICY)
    assert (codes(found, "b"), codes(found, "c")) == (["soft-in-scene"], [])
    assert "39.9 % as sharp as the sharpest view of its scene" in found["b"].remarks[0].text
    strict = QualityPolicy.model_validate(
        {"scene_sharpness_floor": {"look_below": 1, "drop_below": 0.9}}
    )
    found = compare_within_scene(views, policy=POLICY.model_copy(update={"quality": strict}))
    assert [found[k].remarks[0].verdict for k in "bc"] == ["drop", "drop"]


def test_another_surface_and_other_colours_are_noted_as_another_scene() -> None:
    tall, round_ = frozenset({"tall"}), frozenset({"round"})
    views = [
        candidate("a", prints_of(0, labels=tall)),
        candidate("b", prints_of(2**40 - 1, labels=tall)),
        candidate("c", prints_of(2**64 - 1, labels=round_)),
    ]
    found = compare_within_scene(views, policy=POLICY)
    assert (codes(found, "a"), codes(found, "c")) == ([], ["other-surface"])
    assert found["c"].remarks[0].verdict == "keep"

    views = [
        candidate("a", prints_of(0, palette=palette(0.5, 0.5))),
        candidate("b", prints_of(2**40 - 1, palette=palette(0.4, 0.6))),
        candidate("c", prints_of(2**64 - 1, palette=palette(0.0, 0.2, 0.8))),
    ]
    found = compare_within_scene(views, policy=POLICY)
    assert (codes(found, "b"), codes(found, "c")) == ([], ["other-context"])
    assert "at most 20.0 % of its colours" in found["c"].remarks[0].text


def test_pairs_across_scenes_are_told_and_pairs_within_are_not() -> None:
    same, other = prints_of(0), prints_of(2**64 - 1)
    scenes = {
        "hall": [candidate("v0", same), candidate("v1", same)],
        "shop": [candidate("v0", other), candidate("v1", same)],
    }
    pairs = compare_across_scenes(scenes, policy=ReflectionPolicy())
    assert [(pair.first, pair.second, pair.distance) for pair in pairs] == [
        ("hall/v0", "shop/v1", 0),
        ("hall/v1", "shop/v1", 0),
    ]
