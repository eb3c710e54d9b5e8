"""Flags, comments and guidelines in a browser, by keys, and with a server that dies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from desk_pages import Work, working
from desk_server import HOSTILE, DeskServer, draw_desk, put_back_afterwards, serving
from extras import skip_without

from annotate.desk.desk import Desk
from mira.store.workspace import Workspace

skip_without("gradio", extra="app")
pytestmark = pytest.mark.slow
FLAGS = ".flags[data-loaded]"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    root = tmp_path_factory.mktemp("remarks") / "w"
    draw_desk(root, items=2)
    with serving(root) as found:
        yield found


@pytest.fixture
def server(served: DeskServer) -> Iterator[DeskServer]:
    with put_back_afterwards(served.root):
        yield served


@pytest.fixture
def work(chromium: Any, server: DeskServer) -> Iterator[Work]:
    with working(chromium, server) as found:
        yield found


def _loaded(page: Any) -> None:
    page.wait_for_selector("[data-remark-card][data-loaded]")


def _said(server: DeskServer) -> list[tuple[str, str, str, str | None]]:
    desk = Desk(Workspace.open(server.root))
    found = [(one.by, one.kind, one.text, one.item_id) for one in desk.remarks.all()]
    desk.close()
    return found


def test_a_flag_by_keys_waits_on_the_dashboard_until_it_is_resolved(server: DeskServer, work: Work):
    cora = work("cora")
    item_id = cora.locator(".judging").get_attribute("data-ready")
    _loaded(cora)
    assert cora.locator("[data-remark-card]").get_attribute("open") is None
    assert cora.inner_text("[data-remark-count]") == "0"
    cora.keyboard.press("f")
    cora.keyboard.type(f"far: {HOSTILE}")
    cora.keyboard.press("Control+Enter")
    cora.wait_for_selector("[data-remarks] [data-state=open]")
    cora.keyboard.press("m")
    cora.select_option("[data-remark-about]", "image")
    cora.fill("[data-remark-text]", "nice light")
    cora.keyboard.press("Control+Enter")
    cora.wait_for_selector("[data-remarks] [data-state=comment]")
    assert cora.inner_text("[data-remark-count]") == "2"
    assert cora.inner_text("[data-open-count]") == "1 open"
    assert _said(server) == [
        ("cora", "flag", f"far: {HOSTILE}", item_id),
        ("cora", "comment", "nice light", None),
    ]
    dora = work("dora")
    _loaded(dora)
    # Another reviewer is told of the picture, and nothing of the question.
    assert dora.locator("[data-remarks] .remark-text").all_text_contents() == ["nice light"]
    root = work("root", "dashboard", ".dashboard")
    row = root.locator(f"{FLAGS} [data-remark]")
    assert HOSTILE in row.inner_text()
    assert row.locator("[data-place]").get_attribute("href") == "#author/i"
    row.locator("[data-resolve]").click()
    root.keyboard.type("drawn anew")
    root.keyboard.press("Enter")
    root.wait_for_selector(".flags[data-loaded='0']")
    assert root.title() == "MIRA"
    cora.reload()
    _loaded(cora)
    closed = cora.locator("[data-remarks] [data-state=closed]")
    assert "drawn anew" not in (closed.text_content() or "")
    assert _said(server)[-1] == ("root", "resolution", "drawn anew", item_id)


def test_what_was_said_while_the_server_was_down_arrives(server: DeskServer, work: Work):
    page = work("cora")
    _loaded(page)
    server.kill()
    page.keyboard.press("f")
    page.keyboard.type("said to nobody")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("[data-news][data-kind=bad]")
    page.goto("about:blank")
    server.start()
    page.goto(f"{server.url}/desk/#review")
    page.wait_for_function(
        "() => !Object.keys(localStorage).some((key) => key.startsWith('mira remark '))"
    )
    assert [text for _, _, text, _ in _said(server)] == ["said to nobody"]


def test_words_that_were_begun_outlive_a_refresh(server: DeskServer, work: Work):
    page = work("cora")
    page.keyboard.press("m")
    page.keyboard.type("half a thou")
    page.reload()
    _loaded(page)
    assert page.input_value("[data-remark-text]") == "half a thou"
    assert page.locator("[data-remark-text]").is_visible()
    assert _said(server) == []


def test_the_guideline_comes_and_goes_by_key_and_stays_for_the_next_question(work: Work):
    page = work("cora")
    panel = page.locator(".guideline")
    assert not panel.is_visible()
    page.keyboard.press("g")
    page.wait_for_selector("[data-guideline=mc_001]")
    assert "Worked example" in page.inner_text("[data-example]")
    page.keyboard.press("n")
    page.wait_for_selector(".judging[data-ready='mc_001-0001']")
    page.wait_for_selector("[data-guideline=mc_001]")
    assert panel.is_visible()
    page.keyboard.press("g")
    assert not panel.is_visible()
    page.click("[data-open-guideline]")
    assert panel.is_visible()
