"""The page stands alone and takes text as text; the table has a row a view."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np
import pytest

from capture.selection.page import selection_page
from capture.selection.policy import SelectionPolicy
from capture.selection.records import Remark
from capture.selection.selecting import SelectedViews, select_views
from capture.selection.table import COLUMNS, format_table
from capture.selection.thumbnails import make_thumbnail
from mira.store.session import Session

HOSTILE = "</script><script>alert(1)</script>\"'<img src=x onerror=alert(2)>&"


class Tags(HTMLParser):
    """Start tags of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        return [found for _, found in self.seen if name in (found.get("class") or "").split()]


@pytest.fixture
def session(make_session: Callable[..., Session], drawn) -> Session:
    base = drawn()
    return make_session(
        {
            "hall": {
                "v0": base,
                "v1": replace(base, shift_px=1, blur_px=0.4),
                "v2": replace(base, masked=False),
            },
            "shop": {"w": replace(base, wall=5)},
        }
    )


@pytest.fixture
def selected(session: Session) -> SelectedViews:
    return select_views(session, policy=SelectionPolicy())


def test_the_page_loads_nothing_and_links_to_the_pictures_beside_it(session, selected) -> None:
    text = selection_page(selected, session=session, out=session.root / "selection.html")
    tags = Tags(text)
    assert [found["src"] for tag, found in tags.seen if tag == "img"]
    for tag, found in tags.seen:
        assert (found.get("src") or "data:").startswith("data:"), tag
        link = found.get("href") or "#"
        assert link.startswith("#") or (session.root / link).is_file()
    assert re.findall(r"url\(|@import|https?://", text) == []


def test_a_page_outside_the_session_links_to_no_picture(session, selected, tmp_path) -> None:
    text = selection_page(selected, session=session, out=tmp_path / "page.html")
    links = [found["href"] for _, found in Tags(text).seen if "href" in found]
    assert links
    assert all(link is not None and link.startswith("#view-") for link in links)


def test_each_view_is_a_card_that_filters_know_and_duplicates_lie_together(
    session, selected
) -> None:
    text = selection_page(selected, session=session, out=session.root / "selection.html")
    tags = Tags(text)
    cards = tags.of_class("view")
    by_name = {view.name: view for view in selected.selection.views}
    assert {card["data-name"] for card in cards} == set(by_name)
    for card in cards:
        view = by_name[str(card["data-name"])]
        assert card["data-verdict"] == view.verdict
        assert card["data-codes"] == " ".join(remark.code for remark in view.remarks)
    assert len(tags.of_class("twins")) == 1
    assert "One reflection, 2 times: <b>v0</b> is the best." in text
    assert len(tags.of_class("pair")) == 1
    anchors = {str(card["id"]) for card in cards}
    for _, found in tags.seen:
        if str(found.get("href")).startswith("#"):
            assert str(found["href"])[1:] in anchors


def test_hostile_text_stays_text(session, selected: SelectedViews) -> None:
    view = selected.selection.views[0]
    remark = Remark(code="damaged", verdict="drop", text=HOSTILE)
    selection = selected.selection.model_copy(
        update={
            "session_id": HOSTILE,
            "faults": (HOSTILE,),
            "views": (view.model_copy(update={"remarks": (remark,)}),),
            "across_scenes": (),
        }
    )
    scene = selected.scenes["hall"].model_copy(update={"place": HOSTILE})
    hostile = selected._replace(selection=selection, scenes={"hall": scene})
    text = selection_page(hostile, session=session, out=session.root / "selection.html")
    tags = Tags(text).seen
    assert [tag for tag, _ in tags].count("script") == 1
    assert not [found for _, found in tags if "onerror" in found]


@pytest.mark.parametrize("size", [(480, 848), (848, 480), (64, 64), (1, 400)])
def test_a_thumbnail_is_small_and_outlines_where_the_surface_is(size: tuple[int, int]) -> None:
    height, width = size
    mask = np.zeros(size, np.bool_)
    mask[height // 4 : height // 2 + 1, width // 4 : width // 2] = True
    found = make_thumbnail(np.zeros((*size, 3), np.uint8), (mask,))
    assert max(found.width_px, found.height_px) == 240
    points = np.array(re.findall(r"([\d.]+) ([\d.]+)", found.outline), np.float64)
    if min(size) > 1:
        low, high = points.min(axis=0), points.max(axis=0)
        expected = np.array((found.width_px, found.height_px))
        assert np.allclose(low, expected / 4, atol=2)
        assert np.allclose(high, expected / 2, atol=4)
    assert make_thumbnail(np.zeros((*size, 3), np.uint8), ()).outline == ""


def test_five_hundred_views_make_a_page_of_less_than_fifteen_megabytes() -> None:
    rng = np.random.default_rng(0)
    busy = rng.integers(0, 255, (27, 48, 3), dtype=np.uint8)
    picture = np.asarray(cv2.resize(busy, (848, 480), interpolation=cv2.INTER_CUBIC), np.uint8)
    mask = np.zeros((480, 848), np.bool_)
    mask[100:300, 200:500] = True
    found = make_thumbnail(picture, (mask,))
    assert 500 * (len(found.uri) + 2 * len(found.outline) + 2500) < 15e6


def test_the_table_has_a_row_a_view_with_all_numbers(selected: SelectedViews) -> None:
    rows = list(csv.DictReader(io.StringIO(format_table(selected.selection).decode())))
    assert tuple(rows[0]) == COLUMNS
    views = selected.selection.views
    assert [(row["scene_id"], row["view_id"]) for row in rows] == [
        (view.scene_id, view.view_id) for view in views
    ]
    for row, view in zip(rows, views, strict=True):
        assert row["verdict"] == view.verdict
        assert row["twin_of"] == (view.twin_of or "")
        assert float(row["sharpness"]) == view.measures.quality.sharpness
        assert row["codes"].split() == [remark.code for remark in view.remarks]
        assert (row["surface_share"] == "") == (view.measures.surfaces is None)


def test_the_guide_lists_every_remark_and_every_default() -> None:
    from capture.selection.codes import CODES
    from capture.selection.policy_rows import policy_rows

    guide = (Path(__file__).parents[4] / "docs" / "capture" / "select.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \| (.*) \|$", guide, re.MULTILINE)
    assert rows == [(code, found.criterion, found.meaning) for code, found in CODES.items()]
    settings = re.findall(r"^\| `(\w+\.\w+)` \| ([^|]*) \|", guide, re.MULTILINE)
    assert settings == [(row.field, row.value) for row in policy_rows(SelectionPolicy())]
