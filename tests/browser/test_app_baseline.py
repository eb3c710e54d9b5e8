"""Answering as a model would, in a browser: by keys alone, and through a server that dies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from baseline_desk import GOLD, SECRET, draw_baseline_desk
from desk_server import DeskServer, put_back_afterwards, serving
from extras import skip_without

from annotate.desk.desk import Desk
from mira.schema.baseline import BaselineReply
from mira.store.workspace import Workspace

skip_without("gradio", extra="app")
pytestmark = pytest.mark.slow
KEYS = {
    "yes_no": "n",
    "single_choice": "2",
    "count": "12",
    "spatial_3d_axes": "qsc",
    "single_choice_plus_text": "1",
}
"""What answers a question of each format."""
SHOWN = """() => {
  const desk = document.querySelector('.mira-desk-holder').shadowRoot;
  const pictures = [...desk.querySelectorAll('.gallery img')];
  return pictures.length > 0 && pictures.every((one) => 'there' in one.dataset);
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    root = tmp_path_factory.mktemp("baseline") / "w"
    draw_baseline_desk(root)
    with serving(root) as found:
        yield found


@pytest.fixture
def server(served: DeskServer) -> Iterator[DeskServer]:
    with put_back_afterwards(served.root):
        yield served


@pytest.fixture
def page(chromium: Any, server: DeskServer) -> Iterator[Any]:
    """Berta's page; the test fails if it complains or asks anybody else."""
    complaints: list[str] = []
    asked: set[str] = set()
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    cookie, value = server.sign_in("berta").split("=", 1)
    context.add_cookies([{"name": cookie, "value": value, "url": server.url}])
    found = context.new_page()
    found.on("pageerror", lambda error: complaints.append(str(error)))
    found.on("request", lambda request: asked.add(request.url.split("/")[2]))
    found.goto(f"{server.url}/desk/#baseline")
    found.wait_for_selector(".baseline[data-ready=start]")
    yield found
    context.close()
    assert complaints == []
    assert asked <= {f"127.0.0.1:{server.port}", ""}


def ready(page: Any, *, after: str = "start") -> str:
    """Wait until a question, or what there is instead, has taken the place of another."""
    page.wait_for_selector(f".baseline[data-ready]:not([data-ready='{after}'])")
    found: str = page.locator(".baseline").get_attribute("data-ready")
    if found != "nothing":
        page.wait_for_function(SHOWN)
    return found


def replies(server: DeskServer) -> dict[str, BaselineReply]:
    """What the desk has, by template."""
    desk = Desk(Workspace.open(server.root))
    rows = desk.database.connection().execute("select content from replies").fetchall()
    desk.close()
    found = [BaselineReply.from_json(row["content"], where="reply") for row in rows]
    assert len(found) == len({one.item_id for one in found})
    return {one.item_id.split("-")[0]: one for one in found}


def test_keys_alone_answer_every_format_and_nobody_is_told_how_well(
    server: DeskServer, page: Any
) -> None:
    page.keyboard.press("Enter")
    last = "start"
    for k in range(len(GOLD)):
        last = ready(page, after=last)
        told = page.locator("[data-progress]").inner_text()
        assert told == f"{k} of {len(GOLD)} answered by you"
        shown = page.locator("[data-format]").get_attribute("data-format")
        page.keyboard.press("Enter")
        assert "first" in page.locator("[data-fault]").inner_text()
        for key in KEYS[shown]:
            page.keyboard.press(key)
        if shown == "single_choice_plus_text":
            page.keyboard.press("t")
            page.keyboard.type("n 12 <b>")
        assert SECRET not in page.locator(".baseline").inner_text()
        page.keyboard.press("Enter")
    assert ready(page, after=last) == "nothing"
    assert page.locator("[data-news]").inner_text() == ""
    found = replies(server)
    assert {key: one.answer for key, one in found.items()} == {
        "vc_001": "no",
        "mc_001": "B",
        "ct_001": "12",
        "mr_001": "left,aligned,behind",
        "mpac_001": "A",
    }
    assert found["mpac_001"].words == "n 12 <b>"
    assert {(one.protocol, one.modality) for one in found.values()} == {("visual_bbox", "rgb_d")}
    assert all(one.seconds is not None and one.seconds < 600 for one in found.values())


def test_an_answer_outlives_the_server_and_the_window(server: DeskServer, page: Any) -> None:
    page.keyboard.press("Enter")
    first = ready(page)
    shown = page.locator("[data-format]").get_attribute("data-format")
    for key in KEYS[shown]:
        page.keyboard.press(key)
    server.kill()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-news][data-kind=bad]")
    server.start()
    second = ready(page, after=first)
    assert set(replies(server)) == {first.split("-")[0]}
    shown = page.locator("[data-format]").get_attribute("data-format")
    for key in KEYS[shown]:
        page.keyboard.press(key)
    server.kill()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-news][data-kind=bad]")
    page.goto("about:blank")
    server.start()
    page.goto(f"{server.url}/desk/#baseline")
    ready(page, after=second)
    assert set(replies(server)) == {first.split("-")[0], second.split("-")[0]}


def test_what_is_shown_is_chosen_once_and_kept_with_the_answer(
    server: DeskServer, page: Any
) -> None:
    page.select_option("[data-choose=protocol]", "visual_mask")
    page.select_option("[data-choose=modality]", "rgb_dm")
    page.click("[data-begin]")
    first = ready(page)
    assert page.locator(".gallery img").count() == 3
    assert page.locator("[data-way]").inner_text() == "Mask picture · RGB-DM"
    assert "tinted green" in page.locator("[data-legend]").all_inner_texts()[-1]
    page.keyboard.press("v")
    assert page.locator(".gallery figure:visible").count() == 1
    page.reload()
    # The same window goes on with the same question.
    assert ready(page) == first
    page.click("[data-change]")
    page.wait_for_selector(".baseline[data-ready=start]")
    assert page.input_value("[data-choose=protocol]") == "visual_mask"
    page.keyboard.press("Enter")
    # What was seen in one way comes later in another.
    second = ready(page)
    assert second != first
    page.click("[data-skip]")
    third = ready(page, after=second)
    shown = page.locator("[data-format]").get_attribute("data-format")
    for key in KEYS[shown]:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    ready(page, after=third)
    (reply,) = replies(server).values()
    assert (reply.item_id, reply.protocol, reply.modality) == (third, "visual_mask", "rgb_dm")
