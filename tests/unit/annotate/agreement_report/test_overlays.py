"""What the page fills is the exact difference, holes and all."""

from __future__ import annotations

import re

import pytest
import shapely

from annotate.agreement_report.cutouts import Cutout
from annotate.agreement_report.disputes import disputes_of
from annotate.agreement_report.overlays import draw_dispute, overlay_dispute
from annotate.agreement_report.policy import ReportPolicy
from mira.geometry.polygon import even_odd_area

POLICY = ReportPolicy(loose_iou=1)
WHOLE = Cutout(0, 0, 160, 120, 3.0)


def rings_of(path: str) -> list[list[tuple[float, float]]]:
    rings = [re.findall(r"(-?[\d.]+),(-?[\d.]+)", part) for part in path.split("M")[1:]]
    return [[(float(x), float(y)) for x, y in ring] for ring in rings]


def area_of(path: str) -> float:
    """Area of a path under the even-odd rule, in its pixels."""
    area = shapely.Polygon()
    for ring in rings_of(path):
        area = shapely.symmetric_difference(area, even_odd_area(tuple(ring)))
    return float(area.area)


def overlay(compared, cutout=WHOLE, **kwargs):
    (found,) = disputes_of(compared, policy=POLICY)
    return overlay_dispute(draw_dispute(found, compared.drawings_of("image")), cutout, **kwargs)


def test_parts_of_one_alone_and_of_both_add_up_and_a_hole_is_no_part(draw, compare, box) -> None:
    first = draw({1: box(20, 20, 40)}, holes={1: box(30, 30, 10)})
    found = overlay(compare([(first, draw({5: box(25, 20, 40)}))]))
    assert area_of(found.shared) == pytest.approx(9 * (35 * 40 - 100))
    assert area_of(found.only_first) == pytest.approx(9 * 5 * 40)
    assert area_of(found.only_second) == pytest.approx(9 * (5 * 40 + 100))
    assert area_of(found.first.outline) == pytest.approx(9 * 1500)


def test_a_shape_of_one_alone_has_no_other_outline(draw, compare, box) -> None:
    found = overlay(compare([(draw(), draw({3: box(20, 20)}))]))
    assert found.first.outline == found.only_first == found.shared == ""
    assert area_of(found.only_second) == pytest.approx(9 * 400)


def test_paths_are_cut_at_the_cut_out_and_in_its_pixels(draw, compare, box) -> None:
    compared = compare([(draw({1: box(20, 20, 40)}), draw())])
    found = overlay(compared, Cutout(40, 30, 40, 30, 12.0))
    xs, ys = zip(*[point for ring in rings_of(found.only_first) for point in ring], strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == (0, 240, 0, 360)


def test_other_shapes_of_the_kind_are_there_to_see_what_was_drawn_instead(
    draw, compare, box
) -> None:
    drawn = {1: box(20, 20), 2: box(60, 20)}
    surfaces = {9: (box(100, 60, 50), "glass")}
    compared = compare(
        [(draw(drawn, surfaces=surfaces), draw({2: box(60, 20)}, surfaces=surfaces))]
    )
    found = overlay(compared)
    assert area_of(found.first.others) == area_of(found.second.others) == pytest.approx(9 * 400)
    assert overlay(compared, Cutout(0, 0, 45, 45, 8.0)).second.others == ""


def test_links_in_dispute_are_arrows_from_each_one_s_reflection_to_what_they_say(
    draw, compare, box
) -> None:
    rings = {1: box(5, 5), 2: box(50, 5), 3: box(100, 50)}
    compared = compare([(draw(rings, shows={3: 1}), draw(rings, shows={3: 2}))])
    found = overlay(compared)
    for layer, tip in ((found.first, (45, 45)), (found.second, (180, 45))):
        shaft = rings_of(layer.arrow)[0]
        assert shaft[0] == pytest.approx((330, 180))
        assert shaft[1] == pytest.approx(tip)
        assert area_of(layer.outline) == pytest.approx(9 * 800)
    without = compare([(draw(rings, shows={3: 1}), draw(rings, shows={3: "out_of_frame"}))])
    assert overlay(without).second.arrow == ""


def test_a_shape_that_covers_nothing_is_shown_in_the_whole_picture(draw, compare) -> None:
    line = ((5.0, 5.0), (9.0, 9.0), (7.0, 7.0))
    compared = compare([(draw({1: line}), draw())])
    (found,) = disputes_of(compared, policy=POLICY)
    drawn = draw_dispute(found, compared.drawings_of("image"))
    assert drawn.bounds == (0, 0, 160, 120)
    assert overlay_dispute(drawn, WHOLE).first.outline == ""
