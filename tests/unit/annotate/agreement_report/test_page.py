"""The page stands alone, takes text as text, and has something to say of every case."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from annotate.agreement_report.disputes import disputes_of
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.words import format_iou, format_share
from annotate.agreement_report.writing import write_agreement_report

HOSTILE = "</script><script>alert(1)</script>\"'<img src=x onerror=alert(2)>&"


class Tags(HTMLParser):
    """Start tags of a page with their attributes, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        return [found for _, found in self.seen if name in (found.get("class") or "").split()]


@pytest.fixture
def page_of(tmp_path: Path, pictures):
    """The text of the page of some rounds."""

    def make(*rounds, policy: ReportPolicy | None = None) -> str:
        written = write_agreement_report(
            tmp_path / "out", rounds, policy=policy or ReportPolicy(), pictures=pictures
        )
        return written.page.read_text("utf-8")

    return make


def test_the_page_loads_nothing_and_its_links_lead_somewhere(page_of, disputed) -> None:
    text = page_of(disputed, disputed._replace(title="again", at=datetime(2026, 1, 1, tzinfo=UTC)))
    tags = Tags(text)
    ids = [str(found["id"]) for _, found in tags.seen if "id" in found]
    assert len(set(ids)) == len(ids)
    for tag, found in tags.seen:
        for name in ("src", "href"):
            link = found.get(name) or "#numbers"
            assert link.startswith("data:image/jpeg;base64,") or link[1:] in ids, (tag, link[:60])
    assert re.findall(r"url\((?!#hatch\))|@import|https?://", text) == []


def test_each_dispute_is_a_row_and_a_card_of_three_panes(page_of, disputed) -> None:
    tags = Tags(page_of(disputed))
    n = len(disputes_of(disputed, policy=ReportPolicy()))
    assert len([found for _, found in tags.seen if "data-reasons" in found]) == n == 6
    assert len(tags.of_class("dispute")) == n
    assert len(tags.of_class("pane")) == 3 * n
    assert "anna: shows 1, ben: out of frame" in tags.words
    assert "only ben drew it" in tags.words


def test_what_is_left_out_is_counted(page_of, disputed) -> None:
    tags = Tags(page_of(disputed, policy=ReportPolicy(cards_per_round=2, rows_per_page=4)))
    assert len(tags.of_class("dispute")) == 2
    assert "4 more are not shown as pictures." in tags.words
    assert "2 more are left out here" in tags.words
    tags = Tags(page_of(disputed, policy=ReportPolicy(cards_per_page=0)))
    assert "6 disputes are not shown as pictures." in tags.words


def test_the_rounds_with_the_lowest_means_have_figures_of_their_own(
    page_of, disputed, draw, compare, box
) -> None:
    drawn = draw({1: box(0, 0)})
    good = compare([(drawn, drawn)], title="good")
    text = page_of(good, disputed, policy=ReportPolicy(sections_per_page=1))
    tags = Tags(text)
    assert [found["id"] for tag, found in tags.seen if tag == "details" and "id" in found] == [
        "round-2"
    ]
    assert "1 round with better means has no own figures" in tags.words
    assert 'href="#round-1"' not in text


def test_hostile_text_stays_text(page_of, draw, compare, box) -> None:
    drawn = draw({1: box(0, 0)}, image_id=HOSTILE), draw({}, image_id=HOSTILE)
    one = compare([drawn], people=(HOSTILE, "ben"), title=HOSTILE)
    text = page_of(one, one._replace(at=datetime(2026, 1, 1, tzinfo=UTC)))
    tags = Tags(text)
    assert [tag for tag, _ in tags.seen].count("script") == 1
    assert not [found for _, found in tags.seen if "onerror" in found]
    assert not [tag for tag, _ in tags.seen if tag == "img"]
    assert HOSTILE in tags.words


def test_no_round_says_that_nothing_was_scored(page_of) -> None:
    assert "Nothing was scored yet." in Tags(page_of()).words


def test_a_round_without_shapes_has_a_page(page_of, draw, compare) -> None:
    words = Tags(page_of(compare([(draw(), draw())], bound=0.85, verdict="passed"))).words
    assert "neither drew anything" in words
    assert "Nothing: each shape is matched" in words


def test_a_round_of_no_picture_has_a_page(page_of, compare) -> None:
    assert "0 pictures drawn twice" in Tags(page_of(compare([]))).words


def test_a_round_in_which_nothing_is_matched_has_a_page(page_of, draw, compare, box) -> None:
    tags = Tags(page_of(compare([(draw({1: box(0, 0)}), draw({2: box(90, 0)}))])))
    assert "0 of 2 shapes are matched" in tags.words
    assert len(tags.of_class("dispute")) == 2


def test_one_picture_has_no_interval(page_of, draw, compare, box) -> None:
    drawn = draw({1: box(0, 0), 2: box(50, 0)}, shows={2: 1})
    words = Tags(page_of(compare([(drawn, drawn)]))).words
    assert "no interval from one picture" in words
    assert "2 of 2 the same;" in words


def test_a_picture_that_is_gone_is_said_on_its_card(page_of, draw, compare, box) -> None:
    tags = Tags(page_of(compare([(draw({1: box(0, 0)}, image_id="gone"), draw(image_id="gone"))])))
    assert "The picture is gone" in tags.words
    assert len(tags.of_class("blank")) == 3


def test_a_mean_just_below_its_bound_is_not_rounded_up_to_it() -> None:
    assert format_iou(0.84999) == "0.849"
    assert format_iou(0.85) == format_iou(0.85 - 1e-12) == "0.850"
    assert format_share(2000, 1999) == "99.9 %"
    assert format_share(0, 0) == format_iou(None) == "–"
