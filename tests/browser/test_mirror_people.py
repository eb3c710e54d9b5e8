"""Somebody plays the mirror test in a browser: by keys, through a refresh and a killed server."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from extras import skip_without
from people_server import Served
from played_offer import SETUP, shortest_way
from typer.testing import CliRunner

from mira.cli.app import app
from mira.sim.reach.series import reach_slots
from mira.store.episodes import EpisodeStore

skip_without("fastapi", extra="app")
pytestmark = pytest.mark.slow
NAME, SCENE = "anna", "nova_carter-gripper-ring"
KEYS = {
    **{"forward": "w", "backward": "PageDown"},
    **{move: f"Arrow{move.capitalize()}" for move in ("up", "down", "left", "right")},
}


@pytest.fixture
def served(gl: None, tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path / "runs", "--scenes", SCENE, "--levels", "1,3")
    yield found
    found.end(signal.SIGKILL)


@pytest.fixture
def page(chromium: Any, served: Served) -> Iterator[Any]:
    """The page; the test fails if it complains or asks anybody else."""
    complaints: list[str] = []
    asked: set[str] = set()
    context = chromium.new_context(viewport={"width": 1400, "height": 900})
    found = context.new_page()
    found.on("pageerror", lambda error: complaints.append(str(error)))
    found.on("request", lambda request: asked.add(request.url.split("/")[2]))
    found.goto(f"http://127.0.0.1:{served.port}/")
    found.wait_for_selector(".table[data-ready]")
    yield found
    context.close()
    assert complaints == []
    assert asked == {f"127.0.0.1:{served.port}"}


def at(page: Any, place: int, heard: int) -> None:
    """Wait until a turn is shown, with its picture."""
    page.wait_for_selector(f".table[data-busy=no] .board[data-turn='{place}.{heard}']")
    wide = page.evaluate("document.querySelector('.pictures img').naturalWidth")
    assert wide == 1024


def keys_to_the_mark() -> list[str]:
    (slot,) = reach_slots(scenes=(SCENE,), levels=(3,))
    return [KEYS[move] for move in shortest_way(SETUP.play(slot, None))]


def test_episodes_are_played_by_keys_and_nothing_is_lost(served: Served, page: Any) -> None:
    page.fill("input", "<b>Anna</b>")
    page.keyboard.press("Enter")
    assert "found '<b>Anna</b>'" in page.inner_text(".fault:not(:empty)")
    page.fill("input", NAME)
    page.keyboard.press("Enter")
    at(page, 0, 0)
    way = keys_to_the_mark()
    # A key that is held and a button that is clicked twice are one move each.
    for _ in range(5):
        page.keyboard.down("ArrowLeft")
    page.keyboard.up("ArrowLeft")
    at(page, 0, 1)
    page.dblclick("[data-move=right]")
    at(page, 0, 2)
    page.reload()
    page.wait_for_selector(".table[data-ready]")
    assert "You play as anna." in page.inner_text(".sheet")
    page.keyboard.press("Enter")
    at(page, 0, 2)
    assert page.locator("[data-since] b").inner_text() == "2. right: done"
    page.keyboard.press(way[0])
    at(page, 0, 3)
    served.end(signal.SIGKILL)
    page.keyboard.press(way[1])
    page.wait_for_selector(".news[data-kind=bad]")
    served.start()
    at(page, 0, 4)
    for heard, key in enumerate(way[2:], start=5):
        page.keyboard.press(key)
        if heard < len(way) + 2:
            at(page, 0, heard)
    assert page.inner_text("[data-card=done] h1") == "Reached"
    page.keyboard.press("Enter")
    at(page, 1, 0)
    assert "in other words" in page.inner_text(".news")
    page.set_viewport_size({"width": 420, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 420

    assert served.end(signal.SIGINT) == 130
    assert "the same command goes on" in served.said
    run = served.out / NAME
    store = EpisodeStore.open(run)
    (episode_id,) = store.episode_ids()
    episode = store.episode(episode_id)
    assert (episode.success, episode.model, episode.num_steps) == (True, None, len(way) + 2)
    scored = CliRunner().invoke(app, ["eval", "mirror", "score", str(run)])
    assert scored.exit_code == 0
    assert NAME in scored.stdout
