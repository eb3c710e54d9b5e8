"""Proposals against the truth of simulated rooms, and on the real scene."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from annotate.importing import import_annotations
from mira.schema.capture import View
from mira.schema.proposal import Proposal
from mira.schema.qa import QAPolicy
from mira.schema.spatial import TrueAnswer
from mira.store.workspace import Workspace
from qa_gen.facts import image_facts
from qa_gen.proposing.measured import MeasuredPicture, measure_picture
from qa_gen.proposing.policy import ProposalPolicy
from qa_gen.proposing.proposing import proposals_of

SCENE = Path(__file__).parents[3] / "shared" / "data" / "mirror_rgbd"
CAMERA = {"width": 608, "height": 456, "fx": 518.86, "fy": 519.47, "cx": 309.58, "cy": 241.74}
RULED = {"mr_001", "mr_003", "ct_001", "ac_001", "ac_002", "ac_003", "ac_004"}
ROOMS = 12


def _measured(workspace: Workspace, view: View, annotator: str) -> MeasuredPicture:
    annotation = workspace.annotation(view.image_id, annotator)
    assert annotation is not None
    assert view.depth_aligned is not None
    raw = np.frombuffer(workspace.read_picture(view, view.depth_aligned), np.uint8)
    steps = np.asarray(cv2.imdecode(raw, cv2.IMREAD_UNCHANGED))
    return measure_picture(
        image_facts(view, annotation, QAPolicy()),
        steps * np.float32(view.depth_unit_m),
        policy=ProposalPolicy(),
        rng=np.random.default_rng(0),
    )


# Simulated rooms


@pytest.fixture(scope="module")
def held_against(tmp_path_factory):
    """Proposals on one view of rooms of all kinds, each with the true answer of its question."""
    pytest.importorskip("embreex", reason="needs the extra `sim`")
    from mira.sim.rooms.output.series import make_rooms
    from mira.sim.rooms.policy import RoomPolicy

    folder = tmp_path_factory.mktemp("rooms")
    make_rooms(folder / "rooms", count=ROOMS, seed=5, policy=RoomPolicy(views_per_scene=1))
    workspace = Workspace.create(folder / "workspace")
    import_annotations(folder / "rooms", workspace, scenes=None, annotator="simulator")
    found = []
    for view in workspace.views():
        lines = (folder / "rooms/truth" / view.scene_id / "v0_answers.jsonl").read_bytes()
        answers = map(TrueAnswer.model_validate_json, lines.splitlines())
        truth = {_question(one): one for one in answers}
        for said in proposals_of(_measured(workspace, view, "simulator")):
            if isinstance(said, Proposal) and _question(said) in truth:
                found.append((said, truth[_question(said)]))
    return found


def _question(one: Proposal | TrueAnswer) -> tuple[object, ...]:
    return one.template_id, tuple(sorted(one.slots.items())), one.direction


def _is_right(said: Proposal, true: TrueAnswer) -> bool:
    return said.answer == true.answer or str(getattr(said.answer, "value", "")) in true.also_true


@pytest.mark.slow
def test_sure_proposals_are_right(held_against) -> None:
    sure = [pair for pair in held_against if pair[0].answer and not pair[0].close_call]
    right = sum(_is_right(*pair) for pair in sure)
    assert len(sure) > 150
    assert right / len(sure) >= 0.98


@pytest.mark.slow
def test_close_calls_are_right_more_often_than_the_commonest_answer(held_against) -> None:
    for template in RULED - {"ac_001"}:
        close = [p for p in held_against if p[0].template_id == template and p[0].close_call]
        commonest = Counter(true.answer.model_dump_json() for _, true in close).most_common(1)
        assert sum(_is_right(*pair) for pair in close) >= commonest[0][1], template


@pytest.mark.slow
def test_every_rule_answers_and_every_refusal_has_a_reason(held_against) -> None:
    assert {said.template_id for said, _ in held_against if said.answer} == RULED
    assert all(said.reason for said, _ in held_against)
    refused = {said.refusal for said, _ in held_against if said.refusal}
    assert {"curved-surface", "depth-not-of-reflection"} & refused


# The real scene


@pytest.fixture(scope="module", params=["a", "b"])
def real(request, tmp_path_factory):
    """What one annotation pass of the real scene gives, with the picture it is of."""
    if not SCENE.is_dir():
        pytest.skip("the real scene is not beside the checkout")
    folder = tmp_path_factory.mktemp("real")
    (folder / "camera.json").write_text(json.dumps({**CAMERA, "depth_unit_m": 0.001}))
    workspace = Workspace.create(folder / "workspace")
    import_annotations(
        SCENE / f"annotations_{request.param}",
        workspace,
        scenes=SCENE / "images",
        annotator="ann",
        intrinsics=folder / "camera.json",
    )
    (view,) = workspace.views()
    picture = _measured(workspace, view, "ann")
    return picture, list(proposals_of(picture))


def test_pairs_that_are_placed_have_proposals(real) -> None:
    picture, found = real
    links = {link.reflected_id: link.agrees for link in picture.scene.links}
    relations = [p for p in found if isinstance(p, Proposal) and p.template_id == "mr_001"]
    assert relations
    for k, agrees in links.items():
        asked = [p for p in relations if p.slots["X"] == k]
        if agrees:
            assert any(p.answer for p in asked)
        else:
            assert all(p.refusal or "link_denied" in p.flags for p in asked)


def test_the_photographer_in_the_mirror_collides_with_nothing(real) -> None:
    """He is put back to where he stands: around the camera, which he carries along."""
    _, found = real
    moves = {p.direction: p for p in found if p.template_id == "ac_004"}
    assert all(moves[way].close_call for way in ("left", "right", "backward"))


def test_answers_on_the_real_scene_name_what_they_rest_on_and_are_read_back(real) -> None:
    _, found = real
    answered = [one for one in found if isinstance(one, Proposal) and one.answer]
    assert {"mr_001", "mr_003", "ac_001", "ac_002", "ac_004"} <= {p.template_id for p in answered}
    for one in answered:
        assert Proposal.from_json(one.to_json(), where="here") == one
        assert one.derivation.instance_ids or one.template_id == "ac_004"
