"""The human baseline asked raw: whoever answers gets what a model gets, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from baseline_desk import GOLD, SECRET, draw_baseline_desk
from desk_server import DeskServer, serving
from extras import skip_without

from annotate.desk.desk import Desk
from mira.questions import question_sha8
from mira.reviews import item_sha8
from mira.store.baseline import BaselineShelf
from mira.store.workspace import Workspace

skip_without("gradio", extra="app")
pytestmark = pytest.mark.slow
WAY = {"protocol": "visual_bbox", "modality": "rgb_d"}
SAID: dict[str, dict[str, Any]] = {
    "yes_no": {"value": "no"},
    "single_choice": {"value": "A"},
    "spatial_3d_axes": {"horizontal": "right", "vertical": "above", "depth": "front"},
    "count": {"value": 3},
    "single_choice_plus_text": {"value": "B", "text": "a lamp"},
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[DeskServer]:
    draw_baseline_desk(tmp_path / "w")
    with serving(tmp_path / "w") as found:
        yield found


def _next(server: DeskServer, cookie: str, **more: Any) -> Any:
    answer = server.ask("/api/baseline/next", {**WAY, **more}, cookie=cookie)
    assert answer.status == 200, answer
    return answer.json


def _reply(question: Any, **more: Any) -> dict[str, Any]:
    names = {name: question[name] for name in ("item_id", "protocol", "modality", "shown")}
    said = {"answer": SAID[question["format"]], "token": f"{'0' * 24}{question['item_id']}"}
    return {**names, **said, **more}


def test_who_answers_is_told_what_a_model_is_told_and_nothing_of_the_answer(server: DeskServer):
    cookie = server.sign_in("berta")
    seen, bodies = {}, []
    for k in range(len(GOLD)):
        answer = server.ask("/api/baseline/next", WAY, cookie=cookie)
        bodies.append(answer.body)
        question, share = answer.json["question"], answer.json["share"]
        assert share == {"mine": k, "items": len(GOLD)}
        assert set(question) == {
            *("item_id", "shown", "protocol", "modality", "pictures", "legend"),
            *("question", "format", "choices", "axes"),
        }
        seen[question["format"]] = question
        kept = server.ask("/api/baseline/reply", _reply(question), cookie=cookie)
        bodies.append(kept.body)
        assert kept.json == {"kept": True}
    assert set(seen) == set(SAID)
    assert _next(server, cookie)["question"] is None
    bodies.append(server.ask("/api/figures", cookie=cookie).body)
    said = b"\n".join(bodies)
    assert SECRET.encode() not in said
    # Digests over the right answer would tell it to who tries all of them.
    for item in Workspace.open(server.root).items():
        for wording in item.wordings:
            assert question_sha8(wording, item).encode() not in said
        assert item_sha8(item).encode() not in said
    choice = seen["single_choice"]
    assert [one["value"] for one in choice["choices"]] == ["A", "B"]
    assert choice["pictures"] == ["rgb", "depth"]
    assert choice["legend"][0].startswith("The first picture shows the scene.")


def test_pictures_are_those_that_a_model_sees(server: DeskServer):
    cookie = server.sign_in("berta")
    for protocol, roles in (("visual_mask", ["rgb", "mask", "depth"]), ("bbox_text", ["rgb"])):
        modality = "rgb_d" if len(roles) > 1 else "rgb"
        question = _next(server, cookie, protocol=protocol, modality=modality)["question"]
        assert question["pictures"] == roles
        address = f"/media/{question['item_id']}/{protocol}/{modality}"
        found = [server.ask(f"{address}/{k}", cookie=cookie).status for k in range(4)]
        assert found == [200] * len(roles) + [404] * (4 - len(roles))


def test_a_reply_needs_a_lease_and_an_answer_of_its_question(server: DeskServer):
    berta, anna = server.sign_in("berta"), server.sign_in("anna")
    question = _next(server, berta)["question"]
    mine = _reply(question)
    for cookie, body, status, code in (
        (anna, mine, 409, "lease-lost"),
        (berta, {**mine, "shown": "00000000"}, 409, "changed"),
        (berta, {**mine, "protocol": "visual_bbox_desc"}, 409, "changed"),
        (berta, {**mine, "item_id": "../x"}, 409, "changed"),
        (berta, {**mine, "answer": {"value": "Z"}}, 422, "bad-answer"),
        (berta, {**mine, "answer": {}}, 422, "bad-answer"),
        (berta, {**mine, "protocol": "telepathy"}, 422, "bad-request"),
        (berta, {**mine, "seconds": -1}, 422, "bad-request"),
        (berta, {**mine, "token": "short"}, 422, "bad-request"),
        (berta, {**mine, "by": "anna"}, 422, "bad-request"),
    ):
        answer = server.ask("/api/baseline/reply", body, cookie=cookie)
        assert (answer.status, answer.json["code"]) == (status, code), body
        assert "\n" not in answer.json["error"]
        assert SECRET not in answer.json["error"]
    for _ in range(3):
        assert server.ask("/api/baseline/reply", mine, cookie=berta).json == {"kept": True}
    assert _next(server, berta)["share"]["mine"] == 1


def test_reviewers_are_asked_nothing_that_they_judged(server: DeskServer):
    cookie = server.sign_in("cora")
    assert _next(server, cookie) == {"question": None, "share": {"mine": 0, "items": 0}}
    wanted = {**WAY, "item_id": "mc_001-0000"}
    answer = server.ask("/api/baseline/next", wanted, cookie=cookie)
    assert (answer.status, answer.json["code"]) == (409, "not-open")


def test_what_cannot_be_drawn_any_more_is_passed_over(server: DeskServer):
    workspace = Workspace.open(server.root)
    annotation = workspace.annotation("i", "ann")
    assert annotation is not None
    workspace.put_annotation(annotation.model_copy(update={"instances": annotation.instances[:2]}))
    assert _next(server, server.sign_in("berta"))["question"] is None
    desk = Desk(workspace)
    left = desk.database.connection().execute("select count(*) from leases").fetchone()[0]
    desk.close()
    assert left == 0


def test_replies_are_exported_as_they_are_scored(server: DeskServer):
    cookie = server.sign_in("berta")
    for _ in GOLD:
        question = _next(server, cookie)["question"]
        server.ask("/api/baseline/reply", _reply(question, seconds=2.04), cookie=cookie)
    desk = Desk(Workspace.open(server.root))
    desk.export()
    desk.close()
    replies = {one.item_id[:4]: one for one in BaselineShelf(desk.workspace).of("berta")}
    assert {key: one.answer for key, one in replies.items()} == {
        "vc_0": "no",
        "mc_0": "A",
        "mr_0": "right,above,front",
        "ct_0": "3",
        "mpac": "B",
    }
    assert replies["mpac"].words == "a lamp"
    assert {one.seconds for one in replies.values()} == {2.0}
    assert {(one.protocol, one.modality) for one in replies.values()} == {("visual_bbox", "rgb_d")}
