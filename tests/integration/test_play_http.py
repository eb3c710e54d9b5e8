"""The page of those who play, asked raw: what it tells, to whom, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from extras import skip_without

skip_without("fastapi", extra="app")
pytest.importorskip("httpx", reason="needs httpx, which Gradio brings")

from fastapi.testclient import TestClient  # noqa: E402
from played_offer import make_offer, way_of  # noqa: E402

from annotate.app.playing.server import build_play_app  # noqa: E402
from annotate.playing.players import Players  # noqa: E402

URL = "http://127.0.0.1:7861"
OURS = {"origin": URL}


@pytest.fixture
def players(tmp_path: Path) -> Players:
    return Players(make_offer(), tmp_path / "runs")


@pytest.fixture
def client(players: Players) -> Iterator[TestClient]:
    with TestClient(build_play_app(players), base_url=URL, headers=OURS) as found:
        yield found


def other(players: Players) -> TestClient:
    return TestClient(build_play_app(players), base_url=URL, headers=OURS)


def press(client: TestClient, place: int, heard: int, button: int) -> Any:
    return client.post("/api/reply", json={"place": place, "heard": heard, "button": button})


def test_a_course_is_played_and_nothing_tells_more_than_a_model_is_told(
    players: Players, client: TestClient
) -> None:
    start = client.get("/api/start").json()
    assert (start["player"], start["left"], start["link"]) == (None, 4, None)
    assert client.post("/api/join", json={"name": "anna"}).json()["player"] == "anna"
    sitting = players.sitting("anna")
    labels = [one["label"].lower() for one in start["buttons"]]
    bodies = [json.dumps(start)]
    for place in range(4):
        turn = client.get("/api/turn").json()["turn"]
        shown = client.get(f"/api/pictures/{turn['pictures'][0]}")
        assert shown.headers["content-type"] == "image/png"
        assert "immutable" in shown.headers["cache-control"]
        told = json.dumps({**turn, "task": "", "since": ""})
        for heard, move in enumerate(way_of(sitting, place)):
            said = press(client, place, heard, labels.index(move)).json()
            bodies.append(
                json.dumps(said.get("ended") or {**said["turn"], "task": "", "since": ""})
            )
        bodies.append(told)
        assert said["ended"] == {
            "place": place,
            "success": True,
            "turns": heard + 1,
            "left": 3 - place,
        }
    assert client.get("/api/turn").json() == {"turn": None, "left": 0}
    for planned in sitting.course.planned:
        for word in (planned.episode_id, *planned.episode_id.split("-")[:3], "level", "irror"):
            assert not any(word in body for body in bodies), word


def test_a_link_of_ones_own_opens_the_same_course_elsewhere(
    players: Players, client: TestClient
) -> None:
    link = client.post("/api/join", json={"name": "anna"}).json()["link"]
    press(client, 0, 0, 0)
    elsewhere = other(players)
    assert elsewhere.get("/api/turn").status_code == 403
    answer = elsewhere.get(link, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=strict" in answer.headers["set-cookie"]
    assert elsewhere.get("/api/turn").json()["turn"]["heard"] == 1
    assert "set-cookie" not in other(players).get(f"{link}x", follow_redirects=False).headers


def test_pictures_of_others_and_of_turns_that_are_over_are_not_given(
    players: Players, client: TestClient
) -> None:
    client.post("/api/join", json={"name": "anna"})
    first = client.get("/api/turn").json()["turn"]["pictures"][0]
    press(client, 0, 0, 1)
    assert client.get(f"/api/pictures/{first}").status_code == 404
    berta = other(players)
    assert berta.get(f"/api/pictures/{first}").status_code == 403
    berta.post("/api/join", json={"name": "berta"})
    now = client.get("/api/turn").json()["turn"]["pictures"][0]
    assert berta.get(f"/api/pictures/{now}").status_code == 404


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/join", {"name": "<img src=x>"}, 409),
        ("/api/join", {"name": "../../x"}, 409),
        ("/api/join", {"name": "a" * 101}, 422),
        ("/api/join", {}, 422),
        ("/api/reply", {"place": 0, "heard": 0, "button": 6}, 422),
        ("/api/reply", {"place": 0, "heard": 0, "button": "up"}, 422),
        ("/api/reply", {"place": 0, "heard": 0, "button": 1, "reply": "up"}, 422),
        ("/api/reply", {"place": 3, "heard": 0, "button": 1}, 409),
        ("/api/reply", {"place": 2**31, "heard": 0, "button": 1}, 422),
    ],
)
def test_what_is_wrong_is_refused_and_moves_nothing(
    client: TestClient, path: str, body: dict[str, Any], status: int
) -> None:
    client.post("/api/join", json={"name": "anna"})
    answer = client.post(path, json=body)
    assert answer.status_code == status
    assert set(answer.json()) == {"code", "error"}
    assert client.get("/api/turn").json()["turn"]["heard"] == 0


def test_other_pages_methods_and_long_bodies_are_refused(client: TestClient) -> None:
    join = {"json": {"name": "anna"}}
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        assert client.post("/api/join", headers={"origin": origin}, **join).status_code == 403
    assert client.put("/api/join", **join).status_code == 405
    assert client.post("/api/join", content=b"x" * 200_000).status_code == 413
    assert client.get("/static/../../server.py").status_code == 404
    assert client.get("/docs").status_code == client.get("/openapi.json").status_code == 404


def test_the_page_runs_scripts_of_the_program_alone(client: TestClient) -> None:
    page = client.get("/")
    assert "script-src 'self';" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY"
    assert "irror" not in page.text
    static = client.get("/static/playing/page.js")
    assert static.headers["cache-control"] == "no-cache"
