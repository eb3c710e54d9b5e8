"""What authors ask of the app, asked raw; and every route there is, asked by nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from desk_server import HOSTILE, DeskServer, draw_desk, serving
from extras import skip_without

from annotate.desk.desk import Desk
from mira.store.workspace import Workspace

skip_without("gradio", extra="app")
pytestmark = pytest.mark.slow
TOKEN = "t" * 32


def _routes() -> list[tuple[str, str]]:
    """Method and path of every request that the app's own pages may send."""
    from annotate.app.api import api_router
    from annotate.app.author_api import author_router
    from annotate.app.baseline_api import baseline_router
    from annotate.app.guidelines_api import guidelines_router
    from annotate.app.media_routes import media_router
    from annotate.app.remarks_api import remarks_router

    nobody: Any = None
    makers = (api_router, author_router, baseline_router, media_router, remarks_router)
    routers = [*(make(nobody, nobody) for make in makers), guidelines_router()]
    found = [
        (method, re.sub(r"\{\w+\}", "0", route.path))
        for router in routers
        for route in router.routes
        for method in route.methods
    ]
    return sorted(set(found))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    root = tmp_path_factory.mktemp("author") / "w"
    draw_desk(root)
    with serving(root) as found:
        yield found


@pytest.fixture(scope="module")
def cookie(server: DeskServer) -> str:
    return server.sign_in("anna")


@pytest.fixture(scope="module")
def sheet(server: DeskServer, cookie: str) -> Any:
    return _post(server, cookie, "sheet", image_id="i").json["sheet"]


def _post(server: DeskServer, cookie: str, what: str, **body: Any) -> Any:
    return server.ask(f"/api/author/{what}", body, cookie=cookie)


def _of(sheet: Any, template_id: str) -> Any:
    return next(one for one in sheet["questions"] if one["template_id"] == template_id)


def test_there_are_routes_to_try():
    assert len(_routes()) > 20


@pytest.mark.parametrize(("method", "path"), _routes())
def test_every_route_asks_who_is_there(server: DeskServer, method: str, path: str):
    body = {} if method == "POST" else None
    answer = server.ask(path, body, method=method)
    assert answer.status == 401
    assert answer.json["code"] == "sign-in"


@pytest.mark.parametrize(("method", "path"), [one for one in _routes() if one[0] == "POST"])
def test_every_post_has_to_come_from_a_page_of_ours(
    server: DeskServer, cookie: str, method: str, path: str
):
    answer = server.ask(path, {}, cookie=cookie, Origin="http://elsewhere.example")
    assert (answer.status, answer.json["code"]) == (403, "other-origin")


def test_a_sheet_has_its_questions_and_their_words_come_one_by_one(
    server: DeskServer, cookie: str, sheet: Any
):
    question = _of(sheet, "ac_001")
    assert "wordings" not in question
    names = {"image_id": "i", "item_id": question["item_id"]}
    words = _post(server, cookie, "question", **names).json
    assert {one["protocol"] for one in words["wordings"]} >= {"bbox_text", "visual_bbox"}
    assert words["answer"] is None
    asked = _post(server, cookie, "question", **names, answer={"value": "yes"}).json
    assert "yes" in [one["value"] for one in asked["options"]]


@pytest.mark.parametrize(
    ("what", "more", "code"),
    [
        ("answer", {"image_id": "../../etc"}, "no-such-item"),
        ("answer", {"item_id": "ac_001-made-up"}, "no-such-item"),
        ("answer", {"answer": {"value": "perhaps"}}, "bad-answer"),
        ("answer", {"answer": {"value": {"$": 1}}}, "bad-answer"),
        ("answer", {"note": "x" * 20_001}, "too-long"),
        ("answer", {"shown": "0" * 64}, "changed"),
        ("answer", {"token": "short"}, "bad-request"),
        ("answer", {"more": 1}, "bad-request"),
        ("question", {"item_id": "../x"}, "no-such-item"),
        ("question", {"answer": {"value": []}}, "bad-answer"),
        ("sheet", {"image_id": "nothing"}, "no-such-item"),
        ("sheet", {"skipped": ["x"] * 501}, "bad-request"),
        ("description", {"instance_id": -1}, "bad-request"),
        ("description", {"text": "x" * 201}, "bad-answer"),
    ],
)
def test_what_is_no_answer_is_refused_in_one_line(
    server: DeskServer, cookie: str, sheet: Any, what: str, more: dict[str, Any], code: str
):
    question = {"image_id": "i", "item_id": _of(sheet, "ac_001")["item_id"]}
    whole: dict[str, dict[str, Any]] = {
        "sheet": {"image_id": "i"},
        "question": question,
        "answer": {
            **question,
            "answer": {"value": "yes"},
            "shown": sheet["shown"],
            "token": TOKEN,
        },
        "description": {"image_id": "i", "instance_id": 2, "text": "it", "token": TOKEN},
    }
    answer = _post(server, cookie, what, **{**whole[what], **more})
    assert answer.json["code"] == code, answer
    assert "\n" not in answer.json["error"]
    assert str(server.root) not in answer.json["error"]


def test_a_note_of_a_megabyte_is_refused(server: DeskServer, cookie: str, sheet: Any):
    item_id = _of(sheet, "ac_001")["item_id"]
    said = {"answer": {"value": "yes"}, "note": "x" * 1_000_000, "shown": "0", "token": TOKEN}
    answer = _post(server, cookie, "answer", image_id="i", item_id=item_id, **said)
    assert answer.status == 413


def test_words_of_authors_come_back_as_text(server: DeskServer, cookie: str, sheet: Any):
    question = {"image_id": "i", "item_id": _of(sheet, "ac_001")["item_id"]}
    note = HOSTILE + "${x}{{ 7 * 7 }}"
    more = {"shown": sheet["shown"], "note": note, "token": "n" * 32}
    said = {**question, "answer": {"value": "yes"}, **more}
    assert _post(server, cookie, "answer", **said).status == 200
    again = _post(server, cookie, "sheet", image_id="i")
    assert _of(again.json["sheet"], "ac_001")["mine"]["note"] == note
    assert again.headers["content-type"] == "application/json"
    (instance,) = _of(sheet, "ac_001")["slots"].values()
    described = {"instance_id": instance, "text": "${x}{{ 7 * 7 }}<img>", "token": "d" * 32}
    assert _post(server, cookie, "description", image_id="i", **described).status == 200
    words = _post(server, cookie, "question", **question).json["wordings"]
    assert any("${x}{{ 7 * 7 }}<img>" in one["question"] for one in words)


def test_somebody_elses_picture_is_not_answered(server: DeskServer, cookie: str, sheet: Any):
    other = server.sign_in("cora")
    assert _post(server, other, "sheet", image_id="i").json["code"] == "lent"
    question = {"image_id": "i", "item_id": _of(sheet, "ac_001")["item_id"]}
    said = {**question, "answer": {"value": "no"}, "shown": sheet["shown"], "token": "o" * 32}
    assert _post(server, other, "answer", **said).json["code"] == "lease-lost"
    # A token of one person is no token of another.
    said |= {"token": "n" * 32}
    assert _post(server, other, "answer", **said).json["code"] == "lease-lost"


@pytest.mark.parametrize(
    ("way", "kinds"),
    [
        ("visual_bbox/rgb", ["image/jpeg"]),
        ("visual_mask/rgb_d", ["image/jpeg", "image/png", "image/png"]),
    ],
)
def test_what_a_model_would_see_of_an_open_question_is_shown(
    server: DeskServer, cookie: str, sheet: Any, way: str, kinds: list[str]
):
    address = f"/media/i/asked/{_of(sheet, 'ac_001')['item_id']}/{way}"
    found = [server.ask(f"{address}/{k}", cookie=cookie) for k in range(4)]
    assert [one.headers["content-type"] for one in found if one.status == 200] == kinds
    assert {one.status for one in found} == {200, 404}
    small = server.ask("/media/i/thumbnail", cookie=cookie)
    assert small.headers["content-type"] == "image/jpeg"


def _describe(server: DeskServer, cookie: str, text: str, **more: Any) -> int:
    told = {"image_id": "i", "instance_id": 2, "text": text, "token": f"{text[:16]:_<16}", **more}
    return server.ask("/api/author/description", told, cookie=cookie).status


def test_a_description_that_was_exported_and_is_taken_back_is_shown_no_longer(
    server: DeskServer, cookie: str
):
    assert _describe(server, cookie, "the cup") == 200
    desk = Desk(Workspace.open(server.root))
    assert desk.export().descriptions
    desk.close()
    assert _describe(server, cookie, "") == 200
    sheet = _post(server, cookie, "sheet", image_id="i").json["sheet"]
    assert sheet["described"]["2"] == ""
    (drawn,) = (one for one in sheet["scene"]["instances"] if one["instance_id"] == 2)
    assert drawn["description"] is None


def test_a_window_of_somebody_else_who_signed_in_before_says_nothing_in_this_name(
    server: DeskServer, cookie: str
):
    asked = {"cookie": cookie, "X_Mira_Person": "cora"}
    answer = server.ask("/api/author/sheet", {"image_id": "i"}, **asked)
    assert (answer.status, answer.json["code"]) == (401, "sign-in")
    assert server.ask("/api/me", **asked).status == 401
    assert server.ask("/api/me", cookie=cookie, X_Mira_Person="anna").status == 200


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"image_id": "../.."}, 409),
        ({"image_id": "j"}, 409),
        ({"instance_id": 0}, 422),
        ({"instance_id": 10**12}, 422),
        ({"text": "one \u202e other"}, 422),
        ({"text": "x" * 100_000}, 422),
    ],
)
def test_what_is_no_description_of_a_picture_on_the_desk_is_refused(
    server: DeskServer, cookie: str, more: dict[str, Any], status: int
):
    _post(server, cookie, "sheet", image_id="i")
    assert _describe(server, cookie, **{"text": "another", **more}) == status
