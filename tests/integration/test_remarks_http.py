"""Flags, comments and guidelines asked raw, as no page of the app would ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from desk_server import HOSTILE, DeskServer, draw_desk, serving
from extras import skip_without

skip_without("gradio", extra="app")
pytestmark = pytest.mark.slow

ITEM = "mc_001-0000"
FLAG = {"kind": "flag", "image_id": "i", "text": "blurred"}
POSTS: dict[str, dict[str, Any]] = {
    "/api/remarks": {**FLAG, "token": "t" * 32},
    "/api/remarks/resolve": {"remark_id": "0" * 16, "token": "t" * 32},
}
GETS = ("/api/remarks?image_id=i&kind=review", "/api/remarks/flags", "/api/guidelines")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    root = tmp_path_factory.mktemp("desk") / "w"
    draw_desk(root, items=2)
    with serving(root) as found:
        yield found


@pytest.fixture(scope="module")
def cookies(server: DeskServer) -> dict[str, str]:
    return {name: server.sign_in(name) for name in ("anna", "cora", "dora", "emil")}


def _add(server: DeskServer, cookie: str, token: str, **more: Any) -> str:
    body = {**FLAG, "token": token.ljust(32, "-"), **more}
    answer = server.ask("/api/remarks", body, cookie=cookie)
    assert answer.status == 200, answer
    return str(answer.json["remark_id"])


def _texts(server: DeskServer, cookie: str, path: str) -> list[str]:
    answer = server.ask(path, cookie=cookie)
    assert answer.headers["cache-control"] == "no-store"
    return [one["text"] for one in answer.json["remarks"]]


@pytest.mark.parametrize("path", GETS)
def test_without_signing_in_nobody_reads(server: DeskServer, path: str):
    assert server.ask(path).status == 401


@pytest.mark.parametrize("path", POSTS)
def test_neither_strangers_nor_other_pages_write(
    server: DeskServer, cookies: dict[str, str], path: str
):
    assert server.ask(path, POSTS[path]).status == 401
    for origin in ("http://elsewhere.example", "null", ""):
        answer = server.ask(path, POSTS[path], cookie=cookies["emil"], Origin=origin)
        assert (answer.status, answer.json["code"]) == (403, "other-origin")


def test_what_is_no_remark_is_refused(server: DeskServer, cookies: dict[str, str]):
    good = POSTS["/api/remarks"]
    for more, status, code in (
        ({"kind": "resolution"}, 422, "bad-request"),
        ({"token": "short"}, 422, "bad-request"),
        ({"by": "dora"}, 422, "bad-request"),
        ({"text": ["x"]}, 422, "bad-request"),
        ({"text": " \n "}, 409, "no-text"),
        ({"text": "x" * 20_001}, 413, "too-long"),
        ({"text": "x" * 200_000}, 413, "too-long"),
        ({"image_id": "../i"}, 404, "no-such-item"),
        ({"image_id": "x" * 201}, 422, "bad-request"),
        ({"item_id": "../../etc"}, 404, "no-such-item"),
    ):
        answer = server.ask("/api/remarks", {**good, **more}, cookie=cookies["anna"])
        assert (answer.status, answer.json["code"]) == (status, code), more
        assert "\n" not in answer.json["error"]
        assert str(server.root) not in answer.json["error"]
    for path in (
        "/api/remarks?image_id=i",
        "/api/remarks?image_id=i&kind=manage",
        "/api/remarks/flags?before=x",
        "/api/remarks/flags?before=99999999999999999999",
    ):
        assert server.ask(path, cookie=cookies["anna"]).status == 422, path


def test_roles_hold_for_raw_requests(server: DeskServer, cookies: dict[str, str]):
    flag = _add(server, cookies["cora"], "roles")
    body = {"remark_id": flag, "token": "r" * 32, "text": "done"}
    answer = server.ask("/api/remarks/resolve", body, cookie=cookies["anna"])
    assert (answer.status, answer.json["code"]) == (403, "not-allowed")
    assert server.ask("/api/remarks/resolve", body, cookie=cookies["dora"]).status == 200
    assert server.ask("/api/remarks/resolve", body, cookie=cookies["dora"]).status == 200
    answer = server.ask("/api/remarks/resolve", body, cookie=cookies["emil"])
    assert (answer.status, answer.json["code"]) == (409, "resolved")


def test_words_of_people_come_back_as_text(server: DeskServer, cookies: dict[str, str]):
    flag = _add(server, cookies["anna"], "hostile", text=HOSTILE)
    for path in (GETS[0], "/api/remarks/flags"):
        answer = server.ask(path, cookie=cookies["cora"])
        assert answer.headers["content-type"] == "application/json"
        (found,) = [one for one in answer.json["remarks"] if one["remark_id"] == flag]
        assert (found["text"], found["by"], found["is_open"]) == (HOSTILE, "anna", True)


def test_one_token_of_two_people_is_two_remarks(server: DeskServer, cookies: dict[str, str]):
    flags = {_add(server, cookies[name], "same", text="same") for name in ("anna", "cora", "cora")}
    assert len(flags) == 2


def test_reviewers_are_not_told_each_other_s_remarks_on_a_question(
    server: DeskServer, cookies: dict[str, str]
):
    _add(server, cookies["dora"], "blind", text="it is B", item_id=ITEM)
    path = f"/api/remarks?image_id=i&item_id={ITEM}&kind="
    assert "it is B" in _texts(server, cookies["dora"], f"{path}review")
    for name, kind, sees in (
        ("cora", "review", False),
        ("cora", "adjudicate", False),
        ("cora", "answer", False),
        ("emil", "review", False),
        ("emil", "adjudicate", True),
    ):
        told = _texts(server, cookies[name], path + kind)
        assert ("it is B" in told) is sees, (name, kind)
    for name, sees in (("cora", False), ("emil", True)):
        told = _texts(server, cookies[name], "/api/remarks/flags")
        assert ("it is B" in told) is sees, name


def test_guidelines_are_sent_once(server: DeskServer, cookies: dict[str, str]):
    answer = server.ask("/api/guidelines", cookie=cookies["anna"])
    assert len(answer.json["guidelines"]) == 14
    tag = answer.headers["etag"]
    again = server.ask("/api/guidelines", cookie=cookies["anna"], If_None_Match=tag)
    assert (again.status, again.body) == (304, b"")
