"""Reviewing and settling questions in a browser, with hands, keys and a server that dies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from desk_pages import Work, working
from desk_server import HOSTILE, PASSWORD, DeskServer, draw_desk, put_back_afterwards, serving
from extras import skip_without

from annotate.desk.desk import Desk
from mira.store.workspace import Workspace

skip_without("gradio", extra="app")
pytestmark = pytest.mark.slow
NOTHING_UNSENT = "() => !Object.keys(localStorage).some((key) => key.includes(' draft '))"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    root = tmp_path_factory.mktemp("review") / "w"
    draw_desk(root, items=2)
    with serving(root) as found:
        yield found


@pytest.fixture
def server(served: DeskServer) -> Iterator[DeskServer]:
    with put_back_afterwards(served.root):
        yield served


@pytest.fixture
def work(chromium: Any, server: DeskServer) -> Iterator[Work]:
    """Opens the desk as somebody; the test fails if a page complains or asks anybody else."""
    with working(chromium, server) as found:
        yield found


def ready(page: Any, item_id: str | None = None) -> str:
    """Wait until a question, or what there is instead, can be worked on; tells which."""
    wanted = "[data-ready]" if item_id is None else f"[data-ready='{item_id}']"
    found: str = page.locator(f".judging{wanted}").get_attribute("data-ready")
    return found


def past(page: Any, item_id: str) -> None:
    """Wait until a question has given way to what comes next."""
    page.wait_for_selector(f".judging[data-ready]:not([data-ready='{item_id}'])")


def drafts(server: DeskServer) -> list[dict[str, Any]]:
    """What the desk keeps of what people have begun."""
    desk = Desk(Workspace.open(server.root))
    rows = desk.database.connection().execute("select content from drafts").fetchall()
    desk.close()
    return [json.loads(row["content"]) for row in rows]


def verdicts(server: DeskServer) -> list[tuple[str, str, str]]:
    """Who said what of which question."""
    desk = Desk(Workspace.open(server.root))
    rows = desk.database.connection().execute("select content from verdicts order by id").fetchall()
    desk.close()
    found = [json.loads(row["content"]) for row in rows]
    return [(one["item_id"], one["reviewer"], one["verdict"]) for one in found]


def test_two_reviewers_and_an_adjudicator_settle_a_question(server: DeskServer, work: Work):
    cora, dora = work("cora"), work("dora")
    item_id = ready(cora)
    assert ready(dora) == item_id
    cora.click("[data-verdict=accepted]")
    cora.click("[data-submit]")
    past(cora, item_id)
    dora.click("[data-verdict=accepted]")
    dora.click("[data-correct]")
    dora.click("input[type=radio][value=B]")
    dora.fill("[data-reason]", "the other one")
    dora.click("[data-submit]")
    past(dora, item_id)
    emil = work("emil", "adjudicate")
    assert ready(emil) == item_id
    said = emil.locator("[data-verdicts] [data-reviewer=dora]")
    assert "the other one" in said.inner_text()
    said.get_by_text("Take over").click()
    emil.click("[data-submit]")
    past(emil, item_id)
    workspace = Workspace.open(server.root)
    desk = Desk(workspace)
    exported = desk.export()
    desk.close()
    assert (exported.verdicts, exported.standing.accepted, exported.standing.corrected) == (3, 1, 1)
    settled = next(one for one in workspace.items() if one.item_id == item_id)
    assert settled.review == "accepted"
    assert settled.answer.value == "B"


def test_keys_alone_judge_skip_and_show_what_they_do(server: DeskServer, work: Work):
    page = work("cora")
    first = ready(page)
    page.keyboard.press("?")
    assert page.locator("[data-sheet]").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("[data-sheet]").is_visible()
    page.keyboard.press("Enter")
    assert page.locator("[data-fault]").inner_text() == "Accept or reject first."
    page.keyboard.press("n")
    past(page, first)
    second = ready(page)
    page.keyboard.press("r")
    page.keyboard.press("1")
    page.keyboard.press("4")
    page.keyboard.press("w")
    page.keyboard.type("a1n? no")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    past(page, second)
    assert verdicts(server) == [(second, "cora", "rejected")]
    assert ready(page) == first
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.wait_for_selector(".judging[data-ready=nothing]")
    assert "2 judged by you" in page.locator("[data-progress]").inner_text()


def test_a_refresh_keeps_what_was_begun(server: DeskServer, work: Work):
    page = work("cora")
    item_id = ready(page)
    page.keyboard.press("r")
    page.keyboard.press("3")
    page.fill("[data-reason]", HOSTILE)
    page.reload()
    assert ready(page) == item_id
    assert page.input_value("[data-reason]") == HOSTILE
    assert page.is_checked("[data-doubt=options]")
    assert page.locator("[data-verdict=rejected]").get_attribute("aria-pressed") == "true"


def test_ten_clicks_in_a_moment_are_one_verdict(server: DeskServer, work: Work):
    page = work("cora")
    item_id = ready(page)
    page.evaluate(
        """() => {
          const desk = document.querySelector('.mira-desk-holder').shadowRoot;
          const press = (name) => desk.querySelector(name).click();
          for (let k = 0; k < 5; k += 1) {
            press('[data-verdict=rejected]');
            press('[data-verdict=accepted]');
          }
          for (let k = 0; k < 10; k += 1) press('[data-submit]');
        }"""
    )
    past(page, item_id)
    assert verdicts(server) == [(item_id, "cora", "accepted")]


def test_fast_changes_all_reach_the_draft(server: DeskServer, work: Work):
    page = work("cora")
    page.evaluate(
        """async () => {
          const desk = document.querySelector('.mira-desk-holder').shadowRoot;
          for (let k = 0; k < 10; k += 1) {
            desk.querySelector(`[data-doubt=${['wording', 'answer', 'options'][k % 3]}]`).click();
            await new Promise((done) => setTimeout(done, 20));
          }
        }"""
    )
    page.wait_for_function(
        "() => !Object.keys(localStorage).some((key) => key.includes(' draft '))"
    )
    # Four clicks on the first, three on the others.
    assert [one["doubts"] for one in drafts(server)] == [["answer", "options"]]


def test_a_server_that_dies_and_comes_back_has_all(server: DeskServer, work: Work):
    page = work("cora")
    item_id = ready(page)
    page.keyboard.press("a")
    server.kill()
    page.fill("[data-reason]", "written while nobody listened")
    page.wait_for_selector("[data-news][data-kind=bad]")
    page.click("[data-submit]")
    server.start()
    past(page, item_id)
    assert verdicts(server) == [(item_id, "cora", "accepted")]


def test_work_that_lay_longer_than_it_was_lent_for_is_not_lost(server: DeskServer, work: Work):
    page = work("cora")
    item_id = ready(page)
    _end_leases(server)
    page.fill("[data-reason]", "after lunch")
    page.wait_for_function(NOTHING_UNSENT)
    assert [one["reason"] for one in drafts(server)] == ["after lunch"]
    _end_leases(server)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    past(page, item_id)
    assert verdicts(server) == [(item_id, "cora", "accepted")]


def _end_leases(server: DeskServer) -> None:
    desk = Desk(Workspace.open(server.root))
    with desk.database.write() as writing:
        writing.execute("delete from leases")
    desk.close()


def test_who_has_to_sign_in_again_loses_nothing(server: DeskServer, work: Work):
    page = work("cora")
    item_id = ready(page)
    page.keyboard.press("a")
    page.wait_for_function(NOTHING_UNSENT)
    desk = Desk(Workspace.open(server.root))
    desk.people.set_password("cora", PASSWORD)
    desk.close()
    page.keyboard.press("Enter")
    page.fill("[name=name]", "cora")
    page.fill("[name=password]", PASSWORD)
    page.click("button")
    past(page, item_id)
    assert verdicts(server) == [(item_id, "cora", "accepted")]


def test_a_verdict_left_in_a_closed_window_is_sent_when_it_opens_again(
    server: DeskServer, work: Work
):
    page = work("cora")
    item_id = ready(page)
    page.keyboard.press("a")
    server.kill()
    page.click("[data-submit]")
    page.wait_for_selector("[data-news][data-kind=bad]")
    page.goto("about:blank")
    server.start()
    page.goto(f"{server.url}/desk/#review")
    past(page, item_id)
    assert verdicts(server) == [(item_id, "cora", "accepted")]


def test_words_of_people_stay_words(server: DeskServer, work: Work):
    page = work("cora")
    assert HOSTILE in page.locator("[data-question]").inner_text()
    assert HOSTILE in page.locator("[data-options]").inner_text()
    assert HOSTILE in page.locator("[data-reasons]").inner_text()
    for protocol in ("bbox_text", "visual_mask"):
        page.select_option("[data-protocol]", protocol)
        assert HOSTILE in page.locator("[data-question]").inner_text()
    assert page.title() == "MIRA"


def test_a_question_is_shown_in_the_viewer_and_as_a_model_sees_it(work: Work):
    page = work("cora")
    page.wait_for_selector("[data-stage][data-ready=i]")
    assert page.locator("[data-panel=color] [data-instance='1']").count() == 1
    slots = page.locator(".mv-slot").all_inner_texts()
    page.locator("[data-panel=color] [data-instance='3']").dispatch_event("click")
    assert page.locator(".mv-slot").all_inner_texts() == slots == ["X\n1", "A\n2", "B\n3"]
    page.select_option("[data-protocol]", "visual_mask")
    page.keyboard.press("v")
    for k in range(3):
        image = page.locator(f"[data-seen='{k}']")
        image.wait_for()
        page.wait_for_function(
            "(one) => one.complete && one.naturalWidth > 0", arg=image.element_handle()
        )


def test_people_sign_in_see_figures_and_go(chromium: Any, server: DeskServer):
    page = chromium.new_page()
    page.goto(server.url)
    page.fill("[name=name]", "root")
    page.fill("[name=password]", "another word")
    page.click("button")
    assert "The name or the password is another" in page.inner_text("[role=alert]")
    page.fill("[name=password]", PASSWORD)
    page.click("button")
    ready(page)
    page.click("[data-mode=dashboard]")
    page.wait_for_selector(".dashboard[data-ready]")
    assert page.inner_text("[data-count=waiting]") == "2 waiting"
    page.select_option("[data-invite-role]", "reviewer")
    page.click("[data-invite]")
    page.wait_for_function(
        "() => document.querySelector('.mira-desk-holder').shadowRoot"
        ".querySelector('[data-invitation]').textContent.includes('/invitation/')"
    )
    page.get_by_text("Sign out").click()
    page.wait_for_selector("[name=password]")
    page.close()
