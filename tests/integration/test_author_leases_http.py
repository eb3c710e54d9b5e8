"""The page of authors asked raw, as no page of it would ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from desk_server import DeskServer, draw_desk, serving

from annotate.desk.desk import Desk
from mira.store.workspace import Workspace

pytest.importorskip("gradio", reason="needs the extra `app`")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    root = tmp_path_factory.mktemp("desk") / "w"
    draw_desk(root)
    with serving(root) as found:
        yield found


@pytest.fixture(scope="module")
def anna(server: DeskServer) -> str:
    return server.sign_in("anna")


def _sheet(server: DeskServer, cookie: str) -> Any:
    return server.ask("/api/author/sheet", {"image_id": "i"}, cookie=cookie).json["sheet"]


def _describe(server: DeskServer, cookie: str, text: str, **more: Any) -> int:
    told = {"image_id": "i", "instance_id": 2, "text": text, "token": f"{text[:16]:_<16}", **more}
    return server.ask("/api/author/description", told, cookie=cookie).status


def test_a_description_that_was_exported_and_is_taken_back_is_shown_no_longer(
    server: DeskServer, anna: str
):
    assert _sheet(server, anna)["described"] == {}
    assert _describe(server, anna, "the cup") == 200
    desk = Desk(Workspace.open(server.root))
    assert desk.export().descriptions == 1
    desk.close()
    assert _describe(server, anna, "") == 200
    sheet = _sheet(server, anna)
    assert sheet["described"] == {"2": ""}
    (drawn,) = (one for one in sheet["scene"]["instances"] if one["instance_id"] == 2)
    assert drawn["description"] is None


def test_a_window_of_somebody_else_who_signed_in_before_says_nothing_in_this_name(
    server: DeskServer, anna: str
):
    asked = {"cookie": anna, "X_Mira_Person": "cora"}
    answer = server.ask("/api/author/sheet", {"image_id": "i"}, **asked)
    assert (answer.status, answer.json["code"]) == (401, "sign-in")
    assert server.ask("/api/me", **asked).status == 401
    assert server.ask("/api/me", cookie=anna, X_Mira_Person="anna").status == 200


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
    server: DeskServer, anna: str, more: dict[str, Any], status: int
):
    _sheet(server, anna)
    assert _describe(server, anna, **{"text": "another", **more}) == status
