"""Authoring in a browser: by clicks and by keys, and nothing that was said is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from desk_server import HOSTILE, PASSWORD, DeskServer, put_back_afterwards, serving
from extras import skip_without

from annotate.desk.desk import Desk
from annotate.importing import import_annotations
from mira.schema.qa import QAPolicy
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import taxonomy
from qa_gen.proposing.policy import stored_policy
from qa_gen.proposing.run import propose_answers

skip_without("gradio", extra="app")
pytestmark = pytest.mark.slow
PICTURE = "room_s28_0000_v0"
NOTHING_UNSENT = (
    "() => !Object.keys(localStorage).some((key) => / (draft|outbox) /.test(` ${key} `))"
)
KEYS = {
    "yes_no": "y",
    "count": "3",
    "spatial_3d_axes": "qdx",
    "single_choice": "2",
    "single_choice_plus_text": "5",
}
Work = Callable[..., Any]
"""Opens the desk as somebody."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    workspace = Workspace.create(tmp_path_factory.mktemp("authoring") / "w")
    import_annotations(packaged_scenes_dir(), workspace, scenes=None, annotator="simulator")
    propose_answers(workspace, policy=stored_policy(workspace), bounds=QAPolicy())
    desk = Desk(workspace)
    for name in ("anna", "bela"):
        desk.people.add(name, PASSWORD, "annotator")
    desk.close()
    with serving(workspace.root) as found:
        yield found


@pytest.fixture
def server(served: DeskServer) -> Iterator[DeskServer]:
    with put_back_afterwards(served.root):
        yield served


@pytest.fixture
def work(chromium: Any, server: DeskServer) -> Iterator[Work]:
    opened, complaints, asked = [], [], set()

    def _work(name: str = "anna", picture: str = PICTURE, *, within: Any = None) -> Any:
        context = within or chromium.new_context(viewport={"width": 1366, "height": 768})
        if within is None:
            opened.append(context)
            cookie, value = server.sign_in(name).split("=", 1)
            context.add_cookies([{"name": cookie, "value": value, "url": server.url}])
        page = context.new_page()
        page.set_default_timeout(12_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.add(request.url.split("/")[2]))
        page.goto(f"{server.url}/desk/#author/{picture}")
        ready(page, picture)
        return page

    yield _work
    for context in opened:
        context.close()
    assert complaints == []
    assert asked <= {f"127.0.0.1:{server.port}", ""}


def ready(page: Any, picture: str = PICTURE) -> None:
    page.wait_for_selector(f".authoring[data-ready='{picture}']")
    page.wait_for_selector(f"[data-stage][data-ready='{picture}']")


def now(page: Any) -> str:
    """The question that is worked on."""
    found: str = page.locator("[data-ask][aria-current]").get_attribute("data-ask")
    return found


def pick(page: Any, template_id: str) -> None:
    """Choose a kind of question."""
    page.select_option("[data-template]", template_id)


def choose(page: Any, *ids: int) -> None:
    """Click instances, one after the other."""
    for one in ids:
        page.locator(f"[data-panel=color] [data-instance='{one}']").first.dispatch_event("click")


def slots(page: Any) -> dict[str, str]:
    """What fills the slots."""
    return dict(text.split("\n") for text in page.locator(".mv-slot").all_inner_texts())


def shown(page: Any, item_start: str) -> str:
    """Wait until a question is there in words; tells its sentence."""
    page.wait_for_selector(f".question[data-shown^='{item_start}']")
    found: str = page.locator("[data-question]").inner_text()
    return found


def sent(page: Any) -> None:
    """Wait until the server has all."""
    page.wait_for_function(NOTHING_UNSENT)


def answers(server: DeskServer, name: str = "anna") -> dict[str, Any]:
    """What the desk knows that a person says now, by item."""
    desk = Desk(Workspace.open(server.root))
    rows = desk.database.connection().execute(
        "select item_id, content from answers where name = ? order by id", (name,)
    )
    found = {row["item_id"]: json.loads(row["content"]) for row in rows}
    desk.close()
    return {key: one["answer"] for key, one in found.items() if one is not None}


@pytest.mark.parametrize("template", taxonomy().templates, ids=lambda one: one.id)
def test_every_kind_of_question_is_put_together_and_answered(
    server: DeskServer, work: Work, template: Any
):
    page = work()
    pick(page, template.id)
    page.check("[data-only]")
    page.select_option("[data-filter]", "all")
    wanted = page.locator(f"[data-ask^='{template.id}']").first.get_attribute("data-ask")
    page.locator(f"[data-ask='{wanted}']").click()
    filled = slots(page)
    assert set(filled) == set(template.slots)
    # The same again, by clicks.
    for place, (slot, instance) in enumerate(filled.items()):
        page.locator(".mv-slot").nth(place).click()
        page.locator("[role=application]").press("Escape")
        assert slots(page)[slot] == "–"
        choose(page, int(instance))
    assert shown(page, wanted)
    for key in KEYS[template.format]:
        page.keyboard.press(key)
    if template.format == "single_choice_plus_text":
        page.keyboard.press("t")
        page.keyboard.type(HOSTILE)
        page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    sent(page)
    said = answers(server)[wanted]
    assert said["format"] == template.format
    if template.format == "spatial_3d_axes":
        assert (said["horizontal"], said["vertical"], said["depth"]) == (
            "left",
            "below",
            "same_depth",
        )
    if template.format == "single_choice_plus_text":
        assert said["text"] == HOSTILE
    assert page.title() == "MIRA"


def test_a_sure_proposal_takes_one_key_and_a_close_call_waits_to_be_looked_at(
    server: DeskServer, work: Work
):
    page = work()
    page.select_option("[data-filter]", "sure")
    page.locator("[data-ask]").first.click()
    sure = now(page)
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    sent(page)
    assert sure in answers(server)
    page.select_option("[data-filter]", "close")
    page.locator("[data-ask]").first.click()
    close = now(page)
    assert page.locator("[data-proposal=close]").is_visible()
    page.keyboard.press("p")
    sent(page)
    assert close not in answers(server)
    page.keyboard.press("Enter")
    sent(page)
    assert close in answers(server)


def test_of_ten_clicks_in_a_moment_the_last_one_holds_and_each_can_be_undone(
    server: DeskServer, work: Work
):
    page = work()
    pick(page, "ac_001")
    before = slots(page)["X"]
    wanted = [n for n in range(2, 19) if str(n) != before][:10]
    page.evaluate(
        """async (ids) => {
          const stage = document.querySelector('.mira-desk-holder').shadowRoot
            .querySelector('[data-stage]').firstElementChild.shadowRoot;
          for (const id of ids) {
            stage.querySelector(`[data-panel=color] [data-instance='${id}']`)
              .dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
            await new Promise((done) => setTimeout(done, 15));
          }
        }""",
        wanted,
    )
    shown(page, "ac_001-")
    sent(page)
    assert slots(page) == {"X": str(wanted[-1])}
    desk = Desk(Workspace.open(server.root))
    (row,) = desk.database.connection().execute("select content from drafts").fetchall()
    desk.close()
    assert json.loads(row["content"])["slots"] == {"X": wanted[-1]}
    for one in [*wanted[-2::-1], before]:
        page.keyboard.press("Control+z")
        assert slots(page) == {"X": str(one)}
    page.keyboard.press("Control+Shift+z")
    assert slots(page) == {"X": str(wanted[0])}


def test_a_refresh_keeps_what_was_begun(server: DeskServer, work: Work):
    page = work()
    pick(page, "mr_001")
    page.check("[data-only]")
    page.locator("[data-ask]").first.click()
    item_id = now(page)
    page.keyboard.press("Escape")
    page.keyboard.press("q")
    page.fill("[data-note]", HOSTILE)
    page.reload()
    ready(page)
    assert now(page) == item_id
    assert page.is_checked("input[type=radio][value=left]")
    assert page.input_value("[data-note]") == HOSTILE
    assert page.title() == "MIRA"


def test_a_server_that_dies_and_comes_back_has_all(server: DeskServer, work: Work):
    page = work()
    page.select_option("[data-filter]", "sure")
    page.locator("[data-ask]").first.click()
    page.keyboard.press("Escape")
    said = []
    for k in range(6):
        if k == 2:
            server.kill()
        said.append(now(page))
        page.keyboard.press("p")
    page.wait_for_selector("[data-news][data-kind=bad]")
    assert len(set(said)) == 6
    server.start()
    sent(page)
    assert set(answers(server)) == set(said)


def test_answers_left_in_a_closed_window_are_sent_when_it_opens_again(
    server: DeskServer, work: Work
):
    page = work()
    page.select_option("[data-filter]", "sure")
    page.locator("[data-ask]").first.click()
    page.keyboard.press("Escape")
    item_id = now(page)
    server.kill()
    page.keyboard.press("p")
    page.goto("about:blank")
    server.start()
    page.goto(f"{server.url}/desk/#author/{PICTURE}")
    ready(page)
    sent(page)
    assert set(answers(server)) == {item_id}


def test_keys_alone_author_undo_and_turn_to_the_next_picture(server: DeskServer, work: Work):
    page = work()
    page.keyboard.press("?")
    assert "take the proposal" in page.locator("[data-sheet]").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    page.keyboard.type("ct")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    page.keyboard.type("All")
    page.keyboard.press("Escape")
    first = now(page)
    page.keyboard.press("j")
    second = now(page)
    assert second != first
    page.keyboard.press("k")
    assert now(page) == first
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    sent(page)
    assert answers(server)[first]["value"] == 1
    page.keyboard.press("Control+z")
    sent(page)
    assert first not in answers(server)
    page.keyboard.press("Control+y")
    sent(page)
    assert answers(server)[first]["value"] == 1
    page.keyboard.press("]")
    page.wait_for_selector(f".authoring[data-ready]:not([data-ready='{PICTURE}'])")
    page.keyboard.press("[")
    ready(page)


def turn(page: Any, key: str) -> str:
    """Turn to another picture; tells which one it is."""
    before = page.locator(".authoring").get_attribute("data-ready")
    page.keyboard.press(key)
    page.wait_for_selector(f".authoring[data-ready]:not([data-ready='{before}'])")
    found: str = page.locator(".authoring").get_attribute("data-ready")
    return found


def test_turning_on_comes_to_every_picture_and_turning_back_to_where_one_was(work: Work):
    page = work()
    page.keyboard.press("[")
    assert "first picture" in page.inner_text("[data-news]")
    seen = [PICTURE, *(turn(page, "]") for _ in range(3))]
    assert len(set(seen)) == 4
    # What was turned over longest ago comes again first.
    assert [turn(page, "]") for _ in range(4)] == seen
    assert [turn(page, "[") for _ in range(7)] == [*seen[2::-1], *seen[::-1]]


def test_whoever_turns_twice_in_a_moment_has_turned_once(server: DeskServer, work: Work):
    page = work()
    page.keyboard.press("j")
    page.keyboard.press("]")
    page.keyboard.press("]")
    page.wait_for_selector(f".authoring[data-ready]:not([data-ready='{PICTURE}'])")
    sent(page)
    (lent,) = _lent(server)
    assert lent == page.locator(".authoring").get_attribute("data-ready") != PICTURE


def _lent(server: DeskServer) -> set[str]:
    desk = Desk(Workspace.open(server.root))
    rows = desk.database.connection().execute("select work_id from leases").fetchall()
    desk.close()
    return {row["work_id"] for row in rows}


def test_behind_the_list_of_pictures_nothing_is_answered(server: DeskServer, work: Work):
    page = work()
    page.select_option("[data-filter]", "sure")
    page.locator("[data-ask]").first.click()
    page.keyboard.press("/")
    page.locator("[data-picking] h2").click()
    page.keyboard.press("p")
    page.keyboard.press("Escape")
    assert page.locator("[data-picking]").is_hidden()
    sent(page)
    assert answers(server) == {}
    page.keyboard.press("p")
    sent(page)
    assert len(answers(server)) == 1


def test_two_windows_of_one_person_tell_each_other(server: DeskServer, work: Work):
    page = work()
    other = work(within=page.context)
    for one in (page, other):
        one.select_option("[data-filter]", "sure")
        one.locator("[data-ask]").first.click()
        one.keyboard.press("Escape")
    item_id = now(page)
    assert now(other) == item_id
    page.keyboard.press("p")
    sent(page)
    other.wait_for_selector(f"[data-asks]:not(:has([data-ask='{item_id}']))")
    assert other.locator("[data-mine]").is_visible()
    # What was typed last holds, whichever window it was in.
    for one, text in ((page, "one"), (other, "other")):
        with one.expect_response(partial(_is_kept, text)):
            one.fill("[data-note]", text)
    desk = Desk(Workspace.open(server.root))
    (row,) = desk.database.connection().execute("select content from drafts").fetchall()
    desk.close()
    assert "other" in [one.get("note") for one in json.loads(row["content"])["pending"].values()]


def _is_kept(text: str, response: Any) -> bool:
    """Whether a draft with a text has become the newest."""
    if not response.url.endswith("/api/draft") or text not in response.request.post_data:
        return False
    return bool(json.loads(response.request.post_data)["seq"] == response.json()["seq"])


def test_work_that_lay_longer_than_it_was_lent_for_is_lent_anew(server: DeskServer, work: Work):
    page = work()
    page.select_option("[data-filter]", "sure")
    page.locator("[data-ask]").first.click()
    page.keyboard.press("Escape")
    item_id = now(page)
    _end_leases(server)
    page.keyboard.press("p")
    sent(page)
    assert set(answers(server)) == {item_id}


def test_whoever_was_away_too_long_hears_that_the_picture_is_on_another_desk(
    server: DeskServer, work: Work
):
    page = work()
    page.select_option("[data-filter]", "sure")
    page.locator("[data-ask]").first.click()
    page.keyboard.press("Escape")
    item_id = now(page)
    sent(page)
    _end_leases(server)
    work("bela")
    page.keyboard.press("p")
    page.wait_for_selector("[data-news][data-kind=bad]")
    assert "somebody else's desk" in page.inner_text("[data-news]")
    assert answers(server) == {}
    # It is no answer, and stands in the list again.
    page.wait_for_selector(f"[data-ask='{item_id}']")


def test_of_two_refused_answers_none_is_shown_as_kept(server: DeskServer, work: Work):
    page = work()
    pick(page, "ac_001")
    page.check("[data-only]")
    page.select_option("[data-filter]", "all")
    page.locator("[data-ask]").first.click()
    item_id = now(page)
    sent(page)
    page.route("**/api/author/answer", lambda route: route.abort())
    for key in "12":
        page.locator(f"[data-ask='{item_id}']").click()
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    page.wait_for_selector("[data-news][data-kind=bad]")
    sent_drafts = "() => !Object.keys(localStorage).some((key) => key.startsWith('mira draft'))"
    page.wait_for_function(sent_drafts)
    _end_leases(server)
    work("bela")
    page.unroute("**/api/author/answer")
    sent(page)
    assert answers(server) == {}
    page.wait_for_selector(f".ask:not(.mine)[data-ask='{item_id}']")


def test_an_answer_of_a_window_of_before_is_nobody_else_s(server: DeskServer, work: Work):
    page = work()
    page.select_option("[data-filter]", "sure")
    page.locator("[data-ask]").first.click()
    item_id = now(page)
    sent(page)
    for name, picture in (("bela", "room_s28_0001_v0"), ("anna", PICTURE)):
        cookie, value = server.sign_in(name).split("=", 1)
        page.context.add_cookies([{"name": cookie, "value": value, "url": server.url}])
        if name == "bela":
            page.keyboard.press("p")
            page.wait_for_selector("form[action='/login']")
            assert answers(server, "bela") == answers(server) == {}
        page.goto("about:blank")
        page.goto(f"{server.url}/desk/#author/{picture}")
        ready(page, picture)
    sent(page)
    assert set(answers(server)) == {item_id}
    assert answers(server, "bela") == {}


def test_a_key_that_is_held_down_takes_one_proposal(server: DeskServer, work: Work):
    page = work()
    page.select_option("[data-filter]", "sure")
    page.locator("[data-ask]").first.click()
    for _ in range(5):
        page.keyboard.down("p")
    page.keyboard.up("p")
    sent(page)
    assert len(answers(server)) == 1


def test_questions_that_were_looked_at_leave_nothing_behind(work: Work):
    page = work()
    pick(page, "mr_001")
    page.check("[data-only]")
    page.select_option("[data-filter]", "all")
    page.keyboard.press("Escape")
    found = []
    for _ in range(2):
        for _ in range(12):
            page.keyboard.press("j")
        found.append(_listeners(page))
    # Each question has nine words to choose from.
    assert found[1] - found[0] < 9 * 12


def _listeners(page: Any) -> int:
    asking = page.context.new_cdp_session(page)
    asking.send("Performance.enable")
    asking.send("HeapProfiler.collectGarbage")
    told = asking.send("Performance.getMetrics")["metrics"]
    return int(next(one["value"] for one in told if one["name"] == "JSEventListeners"))


def test_no_question_stands_under_the_words_of_another(work: Work):
    page = work()
    pick(page, "ac_001")
    words = shown(page, "ac_001-")
    page.route("**/api/author/question", lambda route: route.abort())
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.wait_for_selector(".question:not([data-shown])")
    assert page.locator("[data-question]").inner_text() != words
    page.unroute("**/api/author/question")
    page.keyboard.press("k")
    assert shown(page, "ac_001-") == words


def test_an_answer_that_is_written_is_saved_by_enter(server: DeskServer, work: Work):
    page = work()
    pick(page, "ct_001")
    page.check("[data-only]")
    page.locator("[data-ask]").first.click()
    item_id = now(page)
    page.locator("[data-count]").fill("12")
    page.keyboard.press("Enter")
    sent(page)
    assert answers(server)[item_id]["value"] == 12


def _end_leases(server: DeskServer) -> None:
    desk = Desk(Workspace.open(server.root))
    with desk.database.write() as writing:
        writing.execute("delete from leases")
    desk.close()


def test_an_instance_that_is_described_is_asked_for_in_these_words(server: DeskServer, work: Work):
    page = work()
    pick(page, "ac_001")
    page.select_option("[data-protocol]", "visual_bbox_desc")
    instance = slots(page)["X"]
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    field = page.locator(f"[data-describe='{instance}']")
    assert field.evaluate("(one) => one === one.getRootNode().activeElement")
    page.keyboard.press("Control+a")
    page.keyboard.type(f"the {HOSTILE}")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "(words) => document.querySelector('.mira-desk-holder').shadowRoot"
        ".querySelector('[data-question]').textContent.includes(words)",
        arg=HOSTILE,
    )
    assert page.title() == "MIRA"


def test_depth_under_the_pointer_is_told_and_a_zoomed_click_chooses(work: Work):
    page = work()
    pick(page, "ac_001")
    panel = page.locator("[data-panel=color]")
    box = panel.bounding_box()
    told = []
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] * 0.6)
        told.append(page.locator("[data-stage][data-depth]").get_attribute("data-depth"))
    assert sum(one.endswith(" m") for one in told) > 2
    page.mouse.wheel(0, -400)
    page.wait_for_function(
        "() => document.querySelector('.mira-desk-holder').shadowRoot"
        ".querySelector('[data-stage]').firstElementChild.shadowRoot"
        ".querySelector('[data-zoom=fit]').textContent !== '100 %'"
    )
    shape = page.locator("[data-panel=color] [data-instance='1']").first.bounding_box()
    page.mouse.move(shape["x"] + shape["width"] / 2, shape["y"] + shape["height"] / 2)
    met = page.locator("[data-stage][data-hover]").get_attribute("data-hover")
    page.mouse.down()
    page.mouse.up()
    assert slots(page) == {"X": met}
