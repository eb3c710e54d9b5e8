"""The annotation app asked raw, as no page of it would ask."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from desk_server import HOSTILE, PASSWORD, DeskServer, draw_desk, serving
from extras import skip_without

skip_without("gradio", extra="app")
pytestmark = pytest.mark.slow

ITEM = "mc_001-0000"
FORM = "application/x-www-form-urlencoded"
PRIVATE = (
    "/",
    "/desk/",
    "/desk/config",
    "/desk/gradio_api/info",
    "/desk/theme.css",
    "/desk/assets/nothing.js",
    "/api/me",
    "/api/figures",
    "/api/baseline/ways",
    "/api/author/catalogue",
    "/api/author/pictures",
    "/media/i/color",
    "/media/i/depth",
    "/media/i/depth-packed",
    "/media/i/thumbnail",
    f"/media/i/asked/{ITEM}/visual_bbox/rgb/0",
    f"/media/{ITEM}/visual_bbox/rgb/0",
    "/static/desk.js",
    "/docs",
    "/openapi.json",
    "/nothing",
)
POSTS: dict[str, dict[str, Any]] = {
    "/api/task": {"kind": "review"},
    "/api/draft": {"kind": "review", "item_id": ITEM, "content": "{}", "seq": 1},
    "/api/verdict": {
        "kind": "review",
        "item_id": ITEM,
        "shown": "0",
        "token": "t" * 32,
        "verdict": "accepted",
    },
    "/api/leave": {"kind": "review", "item_id": ITEM},
    "/api/author/sheet": {},
    "/api/author/question": {"image_id": "i", "item_id": ITEM},
    "/api/author/answer": {"image_id": "i", "item_id": ITEM, "answer": None, "token": "t" * 32},
    "/api/author/description": {
        "image_id": "i",
        "instance_id": 1,
        "text": "a cup",
        "token": "t" * 32,
    },
    "/api/invitation": {"role": "admin"},
    "/api/baseline/next": {"protocol": "visual_bbox", "modality": "rgb"},
    "/api/baseline/reply": {
        "item_id": ITEM,
        "protocol": "visual_bbox",
        "modality": "rgb",
        "shown": "0",
        "token": "t" * 32,
        "answer": {"value": "A"},
    },
    "/api/baseline/leave": {"item_id": ITEM},
    "/desk/gradio_api/queue/join": {"data": [], "fn_index": 0, "session_hash": "x"},
    "/desk/gradio_api/run/predict": {"data": []},
    "/desk/gradio_api/upload": {},
    "/desk/login": {},
    "/logout": {},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    root = tmp_path_factory.mktemp("desk") / "w"
    draw_desk(root, items=40)
    with serving(root) as found:
        yield found


@pytest.fixture(scope="module")
def cookies(server: DeskServer) -> dict[str, str]:
    return {name: server.sign_in(name) for name in ("anna", "cora", "dora", "emil", "root")}


def _task(server: DeskServer, cookie: str, kind: str = "review", **more: Any) -> Any:
    answer = server.ask("/api/task", {"kind": kind, **more}, cookie=cookie)
    assert answer.status == 200, answer
    return answer.json["task"]


def _verdict(task: Any, **more: Any) -> dict[str, Any]:
    names = {"kind": task["kind"], "item_id": task["item_id"], "shown": task["shown"]}
    return {**names, "verdict": "accepted", "token": "0" * 32, **more}


@pytest.mark.parametrize("path", PRIVATE)
def test_without_signing_in_there_is_the_login_page_or_nothing(server: DeskServer, path: str):
    assert server.ask(path).status == 401
    as_page = server.ask(path, Accept="text/html")
    assert (as_page.status, as_page.body) == (303, b"")
    assert as_page.headers["location"].startswith("/login")
    assert server.ask(path, cookie="mira_desk=nobodys").status == 401


@pytest.mark.parametrize("path", POSTS)
def test_nobody_posts_without_signing_in(server: DeskServer, path: str):
    assert server.ask(path, POSTS[path]).status == 401


@pytest.mark.parametrize("path", [*POSTS, "/login", "/invitation/x"])
@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null", ""])
def test_another_page_posts_nothing(
    server: DeskServer, cookies: dict[str, str], path: str, origin: str
):
    answer = server.ask(path, POSTS.get(path, {}), cookie=cookies["root"], Origin=origin)
    assert (answer.status, answer.json["code"]) == (403, "other-origin")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_refused(server: DeskServer, cookies: dict[str, str], method: str):
    assert server.ask("/api/me", method=method, cookie=cookies["root"]).status == 405


def test_what_gradio_offers_beside_the_page_is_not_there(
    server: DeskServer, cookies: dict[str, str]
):
    for path in (
        "config",
        "gradio_api/info",
        "gradio_api/queue/data",
        "gradio_api/file=/etc/hosts",
    ):
        assert server.ask(f"/desk/{path}", cookie=cookies["root"]).status == 404, path
    for path in ("gradio_api/queue/join", "gradio_api/upload", "gradio_api/run/predict", "login"):
        assert server.ask(f"/desk/{path}", {}, cookie=cookies["root"]).status == 404, path
    for path in ("/docs", "/redoc", "/openapi.json", "/desk/docs", "/desk/openapi.json"):
        assert server.ask(path, cookie=cookies["root"]).status == 404, path


def test_websockets_are_closed(server: DeskServer, cookies: dict[str, str]):
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    key = {"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    answer = server.ask("/desk/gradio_api/ws", cookie=cookies["root"], **headers, **key)
    assert answer.status in (403, 404)


@pytest.mark.parametrize(
    "path",
    [
        "/media/../../workspace.json/color",
        "/media/..%2f..%2fworkspace.json/color",
        "/media/%2e%2e/color",
        "/media/i/../../../etc/passwd",
        "/media/i/color/../../../../etc/passwd",
        "/media//etc/passwd/color",
        "/static/../api.py",
        "/static/..%2fapi.py",
        "/static/%2e%2e/%2e%2e/desk/schema.sql",
        "/desk/assets/../../config",
        "/desk/static/%2e%2e/%2e%2e/__init__.py",
        f"/media/{ITEM}/visual_bbox/rgb/99",
        f"/media/{ITEM}/visual_bbox/rgb/-1",
        f"/media/{ITEM}/visual_bbox/nothing/0",
        f"/media/{ITEM}/..%2f/rgb/0",
    ],
)
def test_no_path_leads_out(server: DeskServer, cookies: dict[str, str], path: str):
    answer = server.ask(path, cookie=cookies["cora"])
    assert answer.status in (404, 422), answer
    assert b"root:" not in answer.body
    assert str(server.root).encode() not in answer.body


def test_pictures_are_the_files_of_the_workspace_and_kept_by_digest(
    server: DeskServer, cookies: dict[str, str]
):
    folder = server.root / "scenes" / "s" / "i"
    for name in ("color", "depth"):
        answer = server.ask(f"/media/i/{name}?v=1", cookie=cookies["cora"])
        assert answer.body == (folder / f"{name}.png").read_bytes()
        assert "immutable" in answer.headers["cache-control"]
        assert "private" in answer.headers["cache-control"]
        tag = answer.headers["etag"]
        again = server.ask(f"/media/i/{name}", cookie=cookies["cora"], If_None_Match=tag)
        assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    ("way", "kinds"),
    [
        ("visual_bbox/rgb", ["image/jpeg"]),
        ("visual_bbox/rgb_dm", ["image/jpeg", "image/png"]),
        ("visual_mask/rgb_d", ["image/jpeg", "image/png", "image/png"]),
    ],
)
def test_what_a_model_sees_is_shown(
    server: DeskServer, cookies: dict[str, str], way: str, kinds: list[str]
):
    ask = [server.ask(f"/media/{ITEM}/{way}/{k}", cookie=cookies["cora"]) for k in range(4)]
    assert [one.headers["content-type"] for one in ask if one.status == 200] == kinds


def test_roles_hold_for_raw_requests(server: DeskServer, cookies: dict[str, str]):
    for name, path, more in (
        ("anna", "/api/task", {}),
        ("cora", "/api/task", {"kind": "adjudicate"}),
        ("anna", "/api/draft", {}),
        ("anna", "/api/verdict", {}),
        ("cora", "/api/verdict", {"kind": "adjudicate"}),
        ("emil", "/api/invitation", {}),
    ):
        answer = server.ask(path, {**POSTS[path], **more}, cookie=cookies[name])
        assert (answer.status, answer.json["code"]) == (403, "not-allowed"), path


def test_a_verdict_without_a_lease_or_on_something_else_is_refused(
    server: DeskServer, cookies: dict[str, str]
):
    task = _task(server, cookies["cora"])
    mine = _verdict(task)
    for name, body, code in (
        ("emil", mine, "lease-lost"),
        ("cora", {**mine, "shown": "00000000"}, "changed"),
        ("cora", {**mine, "item_id": "../x"}, "no-such-item"),
        ("cora", {**mine, "edit": {"answer": {"value": "Z"}}}, "bad-edit"),
        ("cora", {**mine, "edit": {"answer": {"value": {"a": 1}}}}, "bad-edit"),
        ("cora", {**mine, "edit": {"wordings": {"visual_bbox": "  "}}}, "bad-edit"),
        ("cora", {**mine, "edit": {"wordings": {"nothing": "x"}}}, "bad-edit"),
        ("cora", {**mine, "verdict": "perhaps"}, "bad-request"),
        ("cora", {**mine, "doubts": ["everything"]}, "bad-request"),
        ("cora", {**mine, "token": "short"}, "bad-request"),
        ("cora", {**mine, "more": 1}, "bad-request"),
        ("cora", {**mine, "reason": "x" * 20_001}, "too-long"),
    ):
        answer = server.ask("/api/verdict", body, cookie=cookies[name])
        assert answer.json["code"] == code, answer
        assert "\n" not in answer.json["error"]


def test_a_note_of_a_megabyte_is_refused_whatever_it_says_of_its_length(
    server: DeskServer, cookies: dict[str, str]
):
    task = _task(server, cookies["cora"])
    body = _verdict(task, reason="x" * 1_000_000)
    assert server.ask("/api/verdict", body, cookie=cookies["cora"]).status == 413
    head = (
        f"POST /api/draft HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.url}\r\n"
        f"Cookie: {cookies['cora']}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(head.encode())
        try:
            for _ in range(64):
                line.sendall(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")
            line.sendall(b"0\r\n\r\n")
        except ConnectionError:
            pass
        assert line.recv(200).startswith(b"HTTP/1.1 413")


def test_what_people_write_comes_back_as_text(server: DeskServer, cookies: dict[str, str]):
    kept = {"kind": "review", "content": HOSTILE, "seq": 1}
    task = _task(server, cookies["cora"])
    answer = server.ask("/api/draft", {**kept, "item_id": task["item_id"]}, cookie=cookies["cora"])
    assert answer.json == {"seq": 1}
    answer = server.ask("/api/task", {"kind": "review"}, cookie=cookies["cora"])
    assert answer.json["task"]["draft"] == HOSTILE
    assert HOSTILE in answer.json["task"]["wordings"][0]["question"]
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    form = urlencode({"name": HOSTILE, "password": "x", "next": HOSTILE}).encode()
    page = server.ask("/login", form, Content_Type=FORM)
    assert page.status == 401
    assert b"<img" not in page.body
    assert b"&lt;img" in page.body


def test_a_login_leads_to_pages_of_ours_alone(server: DeskServer):
    for following, leads in (
        ("/desk/", "/desk/"),
        ("//elsewhere.example", "/desk/"),
        ("/\\elsewhere.example", "/desk/"),
        ("https://elsewhere.example", "/desk/"),
    ):
        form = urlencode({"name": "cora", "password": PASSWORD, "next": following}).encode()
        answer = server.ask("/login", form, Content_Type=FORM)
        assert answer.headers["location"] == leads
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie


def test_the_page_runs_no_inline_script_but_its_own(server: DeskServer, cookies: dict[str, str]):
    page = server.ask("/desk/", cookie=cookies["cora"], Accept="text/html")
    policy = page.headers["content-security-policy"]
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "unsafe" not in scripts
    assert "'sha256-" in scripts
    assert "frame-ancestors 'none'" in policy
    assert page.headers["cache-control"] == "no-store"


def test_signing_out_ends_the_login(server: DeskServer):
    cookie = server.sign_in("dora")
    assert server.ask("/api/me", cookie=cookie).json["name"] == "dora"
    assert server.ask("/logout", b"", cookie=cookie).status == 303
    assert server.ask("/api/me", cookie=cookie).status == 401


def test_wrong_passwords_are_slowed_down(server: DeskServer):
    form = urlencode({"name": "nobody-here", "password": "x"}).encode()
    found = [server.ask("/login", form, Content_Type=FORM).status for _ in range(9)]
    assert found == [401] * 8 + [429]


def test_an_invitation_lets_one_person_in(server: DeskServer, cookies: dict[str, str]):
    path = server.ask("/api/invitation", {"role": "reviewer"}, cookie=cookies["root"]).json["path"]
    assert b"<form" in server.ask(path).body
    bad = urlencode({"name": "gus", "password": "short"}).encode()
    assert server.ask(path, bad, Content_Type=FORM).status == 400
    good = urlencode({"name": "gus", "password": PASSWORD}).encode()
    answer = server.ask(path, good, Content_Type=FORM)
    cookie = answer.headers["set-cookie"].split(";")[0]
    me = server.ask("/api/me", cookie=cookie).json
    assert (me["name"], me["role"], me["may"]) == ("gus", "reviewer", ["answer", "review"])
    other = urlencode({"name": "ida", "password": PASSWORD}).encode()
    assert server.ask(path, other, Content_Type=FORM).status == 410


def test_skipped_questions_come_last(server: DeskServer, cookies: dict[str, str]):
    task = _task(server, cookies["emil"])
    left = {"kind": "review", "item_id": task["item_id"]}
    assert server.ask("/api/leave", left, cookie=cookies["emil"]).status == 200
    again = _task(server, cookies["emil"], skipped=[task["item_id"]])
    assert again["item_id"] != task["item_id"]


def test_reviewers_learn_nothing_of_each_other(server: DeskServer, cookies: dict[str, str]):
    task = _task(server, cookies["emil"], item_id="mc_001-0030")
    body = _verdict(task, verdict="rejected", reason="mine", token="e" * 32)
    assert server.ask("/api/verdict", body, cookie=cookies["emil"]).json == {"state": "kept"}
    other = _task(server, cookies["cora"], item_id="mc_001-0030")
    assert other["verdicts"] == []
    assert "mine" not in str(other)
    body = _verdict(other, token="c" * 32)
    assert server.ask("/api/verdict", body, cookie=cookies["cora"]).json == {"state": "kept"}


def test_one_desk_has_one_server(server: DeskServer):
    with pytest.raises(AssertionError, match="desk.sqlite3: is in use"):
        DeskServer(server.root)


def test_the_first_admin_is_let_in_by_a_link(tmp_path, make_workspace):
    root = make_workspace().root
    with serving(root) as found:
        for _ in range(100):
            if "/invitation/" in found.said:
                break
            found.ask("/login")
        path = found.said.split(found.url)[-1].strip()
        form = urlencode({"name": "ada", "password": PASSWORD}).encode()
        cookie = found.ask(path, form, Content_Type=FORM).headers["set-cookie"].split(";")[0]
        assert found.ask("/api/me", cookie=cookie).json["role"] == "admin"


def test_pictures_come_whole_to_many_at_once(server: DeskServer, cookies: dict[str, str]):
    paths = [f"/media/{ITEM}/visual_mask/rgb_dm/{k}" for k in range(3)]
    paths += ["/media/i/color", "/media/i/depth-packed"]
    alone = {path: server.ask(path, cookie=cookies["cora"]).body for path in paths}
    with ThreadPoolExecutor(16) as pool:
        found = pool.map(lambda path: (path, server.ask(path, cookie=cookies["cora"])), paths * 8)
        assert all((one.status, one.body) == (200, alone[path]) for path, one in found)


def test_what_was_drawn_anew_since_is_told_and_not_shown(tmp_path: Path):
    workspace = draw_desk(tmp_path / "w", items=1)
    drawn = workspace.annotation("i", "ann")
    assert drawn is not None
    workspace.put_annotation(drawn.model_copy(update={"instances": drawn.instances[:2]}))
    with serving(workspace.root) as found:
        cookie = found.sign_in("cora")
        scene = _task(found, cookie)["scene"]
        assert (scene["is_stale"], scene["instances"]) == (True, [])
        answer = found.ask(f"/media/{ITEM}/visual_bbox/rgb/0", cookie=cookie)
        assert answer.status == 409
        assert "changed after its questions were made" in answer.json["error"]
        assert str(tmp_path) not in answer.json["error"]
