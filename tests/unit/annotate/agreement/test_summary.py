from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from annotate.agreement.comparing import compare_images
from annotate.agreement.policy import AgreementPolicy
from annotate.agreement.summary import near_misses, size_band, summarise
from mira.schema.audit import AuditPolicy

POLICY = AgreementPolicy(resamples=200)


@dataclass
class Project:
    """Two pictures: in one all is the same, in the other one shape is missing and one moved."""

    comparison: Any

    @property
    def summary(self) -> Any:
        return summarise(self.comparison, policy=POLICY)

    def mean(self, group: str, name: str) -> Any:
        return next(m for m in self.summary.means if (m.group, m.name) == (group, name))


@pytest.fixture
def project(draw, box) -> Project:
    same = {1: box(5, 5), 2: box(40, 5)}
    first = draw({1: box(5, 5), 2: box(40, 5), 3: box(80, 5)}, shows={2: 1}, image_id="b")
    second = draw({1: box(5, 5), 2: box(50, 5)}, shows={2: 1}, image_id="b")
    pairs = [
        (draw(same, shows={2: 1}, image_id="a"), draw(same, shows={2: 1}, image_id="a")),
        (first, second),
    ]
    return Project(compare_images(pairs, policy=AuditPolicy(), agreement=POLICY))


def test_means_are_over_shapes_with_and_without_partners(project: Project) -> None:
    whole = project.mean("all", "all")

    assert (whole.n_shapes, whole.n_matched) == (5, 4)
    assert whole.mean_iou == pytest.approx((1 + 1 + 1 + 1 / 3) / 5)
    assert whole.matched_iou == pytest.approx((1 + 1 + 1 + 1 / 3) / 4)
    assert whole.interval.low == pytest.approx(project.mean("image", "b").mean_iou)
    assert whole.interval.high == 1
    assert whole.boundary_iou is not None


def test_means_are_told_by_role_label_size_and_picture(project: Project) -> None:
    groups = {(m.group, m.name) for m in project.summary.means}

    assert groups == {
        ("all", "all"),
        ("role", "instance"),
        ("label", "instance direct"),
        ("label", "instance reflected"),
        ("size", "small"),
        ("image", "a"),
        ("image", "b"),
    }
    assert project.mean("label", "instance reflected").mean_iou == pytest.approx((1 + 1 / 3) / 2)
    assert project.mean("image", "a").interval is None


@pytest.mark.parametrize(
    ("area", "band"), [(0, "small"), (1023, "small"), (1024, "medium"), (9216, "large")]
)
def test_sizes_are_those_of_coco(area: float, band: str) -> None:
    assert size_band(area) == band


def test_links_have_precision_and_recall(project: Project) -> None:
    links = project.summary.links

    assert (links.n_first, links.n_second, links.n_common) == (2, 2, 2)
    assert links.precision == links.recall == links.f1 == 1


def test_confusions_tell_who_chose_what(project: Project) -> None:
    assert project.summary.confusions["visibility"] == {
        "direct": {"direct": 2},
        "reflected": {"reflected": 2},
    }


def test_near_misses_are_listed_with_what_nobody_else_drew(project: Project) -> None:
    found = near_misses(project.comparison, policy=POLICY)

    assert {(p.image_id, p.first_id, p.second_id) for p in found} == {("b", 2, 2), ("b", 3, None)}
    assert project.summary.near_misses == 2


def test_a_summary_survives_json(project: Project) -> None:
    summary = project.summary

    assert type(summary).model_validate_json(summary.model_dump_json()) == summary
