"""Rounds in numbers: nothing is counted twice, and a trend is told only where there is one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from annotate.agreement_report.drift import plot_drift
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.records import AgreementReport
from annotate.agreement_report.summarising import CountedRound, summarise_rounds

POLICY = ReportPolicy()
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def summarise(*rounds, policy: ReportPolicy = POLICY) -> AgreementReport:
    return summarise_rounds([CountedRound(compared, 0) for compared in rounds], policy=policy)


@pytest.fixture
def make_round(draw, compare, box):
    """A round of pictures in which each square is so many pixels off."""

    def make(shifts_px, *, people=("anna", "ben"), day=0):
        pairs = [
            (
                draw({1: box(20, 20), 2: box(60, 20)}, shows={2: 1}, image_id=f"p{day}-{k}"),
                draw(
                    {1: box(20 + shift, 20), 2: box(60, 20)}, shows={2: 1}, image_id=f"p{day}-{k}"
                ),
            )
            for k, shift in enumerate(shifts_px)
        ]
        return compare(pairs, people=people, title=f"day {day}", at=START + timedelta(days=day))

    return make


GOOD, BAD = (0, 0.1, 0.2, 0.1, 0.3), (8, 9, 8.5, 9.5, 8.2)


def test_the_total_is_over_all_shapes_of_all_rounds(make_round) -> None:
    rounds = [make_round(GOOD, day=1), make_round((9, 0), day=2)]
    total = summarise(*rounds).total
    assert total is not None
    pairs = [pair for compared in rounds for pair in compared.comparison.pairs]
    assert total.means[0].mean_iou == pytest.approx(sum(p.iou for p in pairs) / len(pairs))
    assert total.n_images == 7
    of_rounds = {mean.name: mean for mean in total.means if mean.group == "round"}
    assert list(of_rounds) == ["day 1", "day 2"]
    assert of_rounds["day 2"].mean_iou == rounds[1].comparison.mean_iou
    assert not [mean for mean in total.means if mean.group == "image"]


def test_of_no_round_there_is_no_number() -> None:
    report = summarise()
    assert report.total is None
    assert report.rounds == report.pairs == report.people == ()


def test_two_people_are_one_pair_whoever_came_first(draw, compare, box) -> None:
    anna = draw({1: box(0, 0), 2: box(40, 0), 3: box(80, 0)}, shows={2: 1, 3: "out_of_frame"})
    ben = draw({5: box(2, 0), 6: box(40, 0), 7: box(80, 0)}, shows={6: 5})
    forth = compare([(anna, ben)], people=("anna", "ben"))
    back = compare([(ben, anna)], people=("ben", "anna"))
    (one,), (other,) = summarise(forth).pairs, summarise(back).pairs
    assert one == other
    assert one.people == ("anna", "ben")
    assert (one.links.n_first, one.links.n_second) == (1, 1)
    (both,) = summarise(forth, back).pairs
    assert (both.n_rounds, both.n_images) == (2, 2)
    assert both.agreements[1].kappa == one.agreements[1].kappa


def test_a_fall_is_told_where_the_intervals_do_not_meet(make_round) -> None:
    anna, ben = summarise(make_round(GOOD, day=1), make_round(BAD, day=5)).people
    assert anna.person == "anna"
    assert anna.trend is not None
    assert anna.trend.direction == "fell"
    assert (anna.trend.first.title, anna.trend.last.title) == ("day 1", "day 5")
    assert ben.trend is None
    rising = summarise(make_round(BAD, day=1), make_round(GOOD, day=5)).people[0].trend
    assert rising is not None
    assert rising.direction == "rose"


def test_time_decides_what_is_first_not_the_order_they_come_in(make_round) -> None:
    trend = summarise(make_round(BAD, day=5), make_round(GOOD, day=1)).people[0].trend
    assert trend is not None
    assert trend.direction == "fell"


@pytest.mark.parametrize(
    ("first", "last"),
    [(GOOD, GOOD), (GOOD, (0, 9, 0, 8, 0)), (GOOD, BAD[:4]), (GOOD[:1], BAD), (GOOD, ())],
    ids=["the same", "intervals meet", "few pictures", "one picture", "no picture"],
)
def test_no_trend_is_told_where_there_may_be_none(make_round, first, last) -> None:
    people = summarise(make_round(first, day=1), make_round(last, day=2)).people
    assert [person.trend for person in people] == [None, None]


def test_a_person_s_rounds_are_by_time_and_both_roles_have_a_mean(make_round) -> None:
    report = summarise(
        make_round(BAD, people=("ben", "anna"), day=3), make_round(GOOD, people=("anna", "ben"))
    )
    anna = report.people[0]
    assert [(step.title, step.role) for step in anna.rounds] == [
        ("day 0", "annotator"),
        ("day 3", "auditor"),
    ]
    assert anna.as_annotator is not None
    assert anna.as_auditor is not None
    assert anna.as_annotator.mean_iou > 0.9 > anna.as_auditor.mean_iou


def test_the_report_survives_dump_and_load(make_round) -> None:
    report = summarise(make_round(GOOD, day=1), make_round(BAD, day=5))
    assert AgreementReport.from_json(report.to_json(), where="report.json") == report


def test_drift_has_a_panel_a_person_and_lies_in_its_frame(make_round) -> None:
    report = summarise(*(make_round(GOOD if k < 3 else BAD, day=k) for k in range(5)))
    figure = plot_drift(report.people)
    assert figure is not None
    anna, ben = figure.panels
    assert "fell from 0.9" in anna.trend
    assert ben.trend == ben.line == ""
    assert len(anna.line.split()) == len(anna.dots) == 5
    assert [dot.x for dot in anna.dots] == sorted(dot.x for dot in anna.dots)
    for dot in anna.dots:
        assert dot.low_y is not None
        assert dot.high_y is not None
        assert 12 <= dot.high_y <= dot.y <= dot.low_y <= 156


def test_without_two_rounds_in_time_there_is_no_drift(make_round, draw, compare, box) -> None:
    assert plot_drift(summarise(make_round(GOOD)).people) is None
    timeless = compare([(draw({1: box(0, 0)}), draw({1: box(0, 0)}))])
    assert plot_drift(summarise(timeless, timeless).people) is None
    assert plot_drift(()) is None
