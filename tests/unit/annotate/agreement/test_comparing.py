from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotate.agreement.comparing import compare_images, compare_shapes
from annotate.agreement.matching import match_shapes
from annotate.agreement.overlaps import ENGINES, Method, Overlaps, exact_overlaps, pixel_overlaps
from annotate.agreement.policy import AgreementPolicy
from mira.errors import MiraError
from mira.geometry.outlines import outlines_of
from mira.geometry.polygon import Region
from mira.schema.annotation import ImageAnnotation
from mira.schema.audit import AuditPolicy
from mira.store.drawn_shapes import DrawnShapes, drawn_shapes_of

SHARED = Path(__file__).parents[5] / "shared" / "data" / "mirror_rgbd"
METHODS: tuple[Method, ...] = ("polygon", "pixel")
POLICY = AgreementPolicy()
SIZE = (120, 90)


def _compared(first: ImageAnnotation, second: ImageAnnotation, method: Method = "polygon") -> Any:
    drawings = drawn_shapes_of(first), drawn_shapes_of(second)
    return next(compare_shapes([drawings], method=method, policy=POLICY))


# Engines

numbers = st.integers(-10, 130).map(lambda n: n + 0.37)
rings = st.lists(st.tuples(numbers, numbers), min_size=3, max_size=7).map(tuple)
regions = st.builds(
    lambda parts, holes: Region(tuple(parts), tuple(holes)),
    st.lists(rings, min_size=1, max_size=2),
    st.lists(rings, max_size=1),
)


def _drawn(found: list[Region], size_px: tuple[int, int] = SIZE) -> DrawnShapes:
    ids = tuple(range(1, len(found) + 1))
    labels = ("direct",) * len(found)
    return DrawnShapes("image", "a", size_px, 0, ids, labels, outlines_of(found), ())


HOLE_LEAVING_A_LINE = Region(
    parts=(((0.37, 0.37),) * 3, ((0.37, 51.37), (0.37, 0.37), (-3.63, 53.37), (122.37, -9.63))),
    holes=(((0.37, 0.37), (0.37, 1.37), (1.37, 51.37)),),
)
drawings = st.lists(regions, min_size=1, max_size=4).map(_drawn)


def _as_dict(overlaps: Overlaps) -> dict[tuple[int, int], float]:
    return {
        (i, j): iou
        for i, j, iou in zip(
            overlaps.first.tolist(), overlaps.second.tolist(), overlaps.iou.tolist(), strict=True
        )
    }


@pytest.mark.parametrize("method", METHODS)
@given(first=drawings, second=drawings)
@settings(deadline=None)
def test_iou_is_symmetric_and_between_0_and_1(
    method: Method, first: DrawnShapes, second: DrawnShapes
) -> None:
    one = _as_dict(ENGINES[method]([(first, second)])[0])
    other = _as_dict(ENGINES[method]([(second, first)])[0])

    assert one == pytest.approx({(j, i): iou for (i, j), iou in other.items()}, abs=1e-6)
    assert all(0 < iou <= 1 for iou in one.values())


@pytest.mark.parametrize("method", METHODS)
@given(shapes=drawings)
@example(shapes=_drawn([HOLE_LEAVING_A_LINE]))
@settings(deadline=None)
def test_equal_shapes_share_all(method: Method, shapes: DrawnShapes) -> None:
    overlaps = ENGINES[method]([(shapes, shapes)])[0]
    found = _as_dict(overlaps)

    for k, area in enumerate(overlaps.first_area_px.tolist()):
        assert area < 1e-9 or found[k, k] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
@given(st.lists(st.tuples(drawings, drawings), min_size=1, max_size=4))
@settings(deadline=None, max_examples=30)
def test_pictures_in_one_go_are_compared_as_one_by_one(
    method: Method, found: list[tuple[DrawnShapes, DrawnShapes]]
) -> None:
    together = ENGINES[method](found)

    assert [_as_dict(overlaps) for overlaps in together] == [
        _as_dict(ENGINES[method]([drawings])[0]) for drawings in found
    ]


def test_engines_differ_by_what_rounding_to_pixels_does() -> None:
    rng = np.random.default_rng(5)
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)

    def blob(x: float, y: float, radius: float) -> Region:
        r = radius * (1 + 0.2 * np.sin(3 * angles + rng.uniform(0, 6)))
        ring = tuple(
            zip((x + r * np.cos(angles)).tolist(), (y + r * np.sin(angles)).tolist(), strict=True)
        )
        return Region((ring,), ())

    first = [blob(x, y, 40) for x, y in itertools.product((100, 250, 400), (100, 250))]
    second = [blob(x + 3, y - 4, 40) for x, y in itertools.product((100, 250, 400), (100, 250))]
    exact, pixel = (
        _as_dict(engine([(_drawn(first, (640, 480)), _drawn(second, (640, 480)))])[0])
        for engine in (exact_overlaps, pixel_overlaps)
    )

    assert exact.keys() == pixel.keys()
    assert pixel == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize("method", METHODS)
def test_shapes_of_two_roles_share_nothing(method: Method, draw, box) -> None:
    first = draw({}, surfaces={9: (box(10, 10), "glass")})
    second = draw({1: box(10, 10)})

    found = _compared(first, second, method)

    assert [(p.role, p.is_matched) for p in found.pairs] == [
        ("surface", False),
        ("instance", False),
    ]


# Matching


def test_numbering_does_not_matter(draw, box) -> None:
    first = draw({1: box(5, 5), 2: box(40, 5), 3: box(80, 5)})
    second = draw({30: box(81, 5), 10: box(41, 5), 20: box(5, 6)})

    found = _compared(first, second)

    assert [(p.first_id, p.second_id) for p in found.pairs] == [(1, 20), (2, 10), (3, 30)]


def test_the_pairing_has_the_greatest_sum_not_the_greatest_pair(draw, box) -> None:
    first = draw({1: box(10, 10), 2: box(18, 10)})
    second = draw({7: box(16, 10), 8: box(2, 10)})

    found = _compared(first, second)

    # 2 and 7 share most; were 1 to take what is left, the sum would still be greatest so.
    assert {(p.first_id, p.second_id) for p in found.pairs} == {(1, 8), (2, 7)}


@given(st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_no_other_pairing_has_a_greater_sum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    iou = np.where(rng.random((4, 4)) < 0.7, rng.random((4, 4)), 0)
    first, second = np.nonzero(iou)
    none = np.zeros(4)

    matches = match_shapes(Overlaps(first, second, iou[first, second], none, none))

    best = max(
        sum(iou[i, j] for i, j in enumerate(order)) for order in itertools.permutations(range(4))
    )
    assert sum(match.iou for match in matches) == pytest.approx(best)
    assert len({m.first for m in matches}) == len({m.second for m in matches}) == len(matches)


def test_shapes_that_share_little_are_not_of_one_thing(draw, box) -> None:
    found = _compared(draw({1: box(10, 10)}), draw({2: box(28, 10)}))

    assert [p.iou for p in found.pairs] == [0, 0]


def test_mean_iou_counts_shapes_without_a_partner_as_0_on_either_side(draw, box) -> None:
    first = draw({1: box(5, 5), 2: box(40, 5)})
    second = draw({1: box(5, 5), 3: box(80, 5)})

    comparison = compare_images([(first, second)], policy=AuditPolicy())

    assert comparison.mean_iou == pytest.approx(1 / 3)
    (row,) = comparison.rows
    assert (row.n_matched, row.n_only_annotator, row.n_only_auditor) == (1, 1, 1)
    assert row.mean_iou == pytest.approx(1 / 3)
    assert row.mean_boundary_iou == pytest.approx(1 / 3)


def test_rows_are_a_picture_role_and_label(draw, box) -> None:
    first = draw(
        {1: box(5, 5), 2: box(40, 5)}, shows={2: 1}, surfaces={9: (box(35, 1, 40), "glass")}
    )

    comparison = compare_images([(first, first)], policy=AuditPolicy())

    assert [(row.role, row.label) for row in comparison.rows] == [
        ("surface", "glass"),
        ("instance", "direct"),
        ("instance", "reflected"),
    ]
    assert comparison.mean_iou == 1


def test_nothing_drawn_is_no_number(draw) -> None:
    comparison = compare_images([(draw({}), draw({}))], policy=AuditPolicy())

    assert comparison.mean_iou is None
    assert comparison.rows == ()
    assert all(agreement.n == 0 for agreement in comparison.agreements)


def test_annotations_of_two_pictures_or_sizes_are_not_compared(draw) -> None:
    with pytest.raises(MiraError, match="found 'other'"):
        _compared(draw({}), draw({}, image_id="other"))
    with pytest.raises(MiraError, match="120x90 by a and 60x90 by b"):
        _compared(draw({}), draw({}, annotator="b", width_px=60))


# Links and labels


def test_links_are_compared_through_the_match(draw, box) -> None:
    places = {1: box(5, 5), 2: box(40, 5), 3: box(80, 5), 4: box(5, 50), 5: box(40, 50)}
    numbers = {1: 11, 2: 12, 3: 13, 4: 14, 5: 15}
    other = {numbers[k]: ring for k, ring in places.items()}
    first = draw(places, shows={2: 1, 3: "out_of_frame", 5: 4})
    second = draw(other, shows={12: 11, 13: "out_of_frame", 15: 11})

    links = _compared(first, second).links

    assert {(c.first_id, c.second_id): c.agrees for c in links.choices} == {
        (2, 12): True,
        (3, 13): True,
        (5, 15): False,
    }
    assert (links.n_first, links.n_second, links.n_common) == (2, 2, 1)


def test_an_undecided_link_is_no_disagreement(draw, box) -> None:
    places = {1: box(5, 5), 2: box(40, 5)}

    links = _compared(draw(places, shows={2: None}), draw(places, shows={2: 1})).links

    assert links.choices == ()
    assert links.undecided == ((2, 2),)


def test_a_link_to_what_the_other_did_not_draw_is_another(draw, box) -> None:
    first = draw({1: box(5, 5), 2: box(40, 5)}, shows={2: 1})
    second = draw({2: box(40, 5), 3: box(80, 5)}, shows={2: 3})

    (choice,) = _compared(first, second).links.choices

    assert not choice.agrees


def test_agreement_on_labels_is_told_beyond_chance(draw, box) -> None:
    places = {k: box(5 + 25 * (k % 4), 5 + 25 * (k // 4)) for k in range(1, 9)}
    shows = dict.fromkeys((1, 2, 3, 4), "out_of_frame")
    first = draw(places, shows=shows)
    second = draw(places, shows={k: shows[k] for k in (1, 2, 3)} | {5: "out_of_frame"})

    comparison = compare_images([(first, second)] * 3, policy=AuditPolicy())

    visibility = next(a for a in comparison.agreements if a.name == "visibility")
    assert (visibility.n, visibility.n_agreed) == (24, 18)
    # Half of either is reflected: chance agrees on half, and 0.75 is half the way from there to 1.
    assert visibility.kappa == pytest.approx(0.5)
    assert visibility.kappa_interval is not None
    assert visibility.kappa_interval.low == pytest.approx(visibility.kappa_interval.high)


def test_types_that_one_left_unset_are_left_out(draw, box) -> None:
    def surfaces(*kinds: str | None) -> Any:
        return {k: (box(5 + 30 * k, 5), kind) for k, kind in enumerate(kinds, start=1)}

    first = draw({}, surfaces=surfaces("glass", None, "water"))
    second = draw({}, surfaces=surfaces("glass", "glass", "glass"))

    comparison = compare_images([(first, second)], policy=AuditPolicy())

    types = next(a for a in comparison.agreements if a.name == "surface_type")
    assert (types.n, types.n_agreed) == (2, 1)


# A real scene


def test_two_passes_of_a_real_scene_agree_as_full_masks_say(tmp_path: Path) -> None:
    if not SHARED.is_dir():
        pytest.skip("the real scene is not here")
    from annotate.importing import import_annotations
    from mira.store.workspace import Workspace

    workspace = Workspace.create(tmp_path / "work")
    for name in "ab":
        import_annotations(
            SHARED / f"annotations_{name}", workspace, scenes=SHARED / "images", annotator=name
        )
    (view,) = workspace.views()
    first, second = (workspace.annotation(view.image_id, name) for name in "ab")
    assert first is not None
    assert second is not None

    for method in METHODS:
        found = _compared(first, second, method)
        assert all(pair.is_matched for pair in found.pairs)
        assert len(found.pairs) == 19
        assert any(pair.first_id != pair.second_id for pair in found.pairs)
        assert found.links.n_first == found.links.n_second == found.links.n_common == 6
        assert all(choice.agrees for choice in found.links.choices)
        for pair in found.pairs:
            # At centres of pixels as the pixel engine counts, or twice as fine.
            scale = 1 if method == "pixel" else 2
            expected = _iou_of_full_masks(first, second, pair.first_id, pair.second_id, scale)
            assert pair.iou == pytest.approx(expected, abs=1e-9 if scale == 1 else 0.01)


def _iou_of_full_masks(
    first: ImageAnnotation, second: ImageAnnotation, first_id: int, second_id: int, scale: int
) -> float:
    masks = [
        _full_mask(annotation, wanted, scale)
        for annotation, wanted in ((first, first_id), (second, second_id))
    ]
    return float((masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum())


def _full_mask(annotation: ImageAnnotation, wanted: int, scale: int) -> np.ndarray:
    """A shape's mask on the whole picture, ring by ring and edge by edge."""
    shapes: dict[int, Any] = {s.surface_id: s for s in annotation.surfaces}
    shapes |= {i.instance_id: i for i in annotation.instances}
    shape = shapes[wanted]
    columns = (np.arange(annotation.width_px * scale) + 0.5) / scale
    rows = (np.arange(annotation.height_px * scale) + 0.5) / scale
    mask = np.zeros((len(rows), len(columns)), bool)
    for keep, rings in ((True, shape.polygons_px), (False, shape.holes_px)):
        for ring in rings:
            inside = np.zeros_like(mask)
            for (x0, y0), (x1, y1) in itertools.pairwise((*ring, ring[0])):
                crossed = np.flatnonzero((min(x0, x1) <= columns) & (columns < max(x0, x1)))
                if len(crossed):
                    height = y0 + (columns[crossed] - x0) * (y1 - y0) / (x1 - x0)
                    inside[:, crossed] ^= rows[:, None] >= height - 1e-9
            mask = mask | inside if keep else mask & ~inside
    return mask
