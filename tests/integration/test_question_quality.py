"""What a workspace's questions are worth, from the command line and over simulated rooms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mira.cli.app import app
from mira.errors import MiraError
from mira.schema.qa import AxesAnswer, QAItem
from mira.store.workspace import Workspace
from qa_gen.quality.knowing import WorkspaceKnowledge
from qa_gen.quality.policy import QualityPagePolicy, QualityPolicy
from qa_gen.quality.reading import nothing_known
from qa_gen.quality.records import QualityReport
from qa_gen.quality.writing import survey_workspace

POLICY = QualityPolicy()


def stats(workspace: Workspace, *arguments: object) -> Result:
    return CliRunner().invoke(app, ["qa", "stats", "-w", str(workspace.root), *map(str, arguments)])


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def put(workspace: Workspace, items: list[QAItem]) -> None:
    summary = workspace.qa_summary()
    with workspace.lock():
        workspace.put_questions(iter(items), summary=lambda: summary)


def test_the_command_prints_what_there_is_and_what_a_guess_is_worth(make_workspace):
    done = stats(make_workspace())
    assert done.exit_code == 0
    assert "answered by" in done.stdout
    assert "guess" in done.stdout
    assert done.stdout.splitlines()[-1] == "checks: clean"


def test_machines_get_the_summary_and_the_report(make_workspace):
    workspace = make_workspace()
    document = json.loads(stats(workspace, "--json").stdout)
    assert document["items"] == workspace.qa_summary().items
    report = QualityReport.model_validate(document["quality"])
    assert report.items == document["items"]
    assert sum(one.questions for one in report.templates) == document["questions"]


def test_strict_ends_in_status_1_if_there_is_a_warning(make_workspace):
    workspace = make_workspace()
    assert stats(workspace, "--strict").exit_code == 0
    items = list(workspace.items())
    put(workspace, [*items, items[0].model_copy(update={"item_id": "vc_001-again"})])
    done = stats(workspace, "--strict")
    assert done.exit_code == 1
    assert "vc_001-again: " in done.stdout or "[question-repeated]" in done.stdout
    assert stats(workspace).exit_code == 0


def test_somebody_elses_questions_are_not_taken_for_an_earlier_report(make_workspace, tmp_path):
    theirs = tmp_path / "out" / "questions.json"
    theirs.parent.mkdir()
    theirs.write_text("[]")
    done = stats(make_workspace(), "--out", theirs.parent)
    assert isinstance(done.exception, MiraError)
    assert theirs.read_text() == "[]"


def test_a_folder_is_written_and_replaced_with_the_same_bytes(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "out"
    assert stats(workspace, "--out", out).exit_code == 0
    first = files(out)
    assert {"questions.html", "questions.json", "templates.csv", "findings.csv"} <= first.keys()
    assert stats(workspace, "--out", out).exit_code == 0
    assert files(out) == first
    page = first["questions.html"].decode()
    assert page.count('src="data:image/jpeg;base64,') >= 6
    (out / "notes.txt").write_text("mine")
    done = stats(workspace, "--out", out)
    assert isinstance(done.exception, MiraError)
    assert (out / "notes.txt").read_text() == "mine"


def test_pictures_that_are_gone_leave_the_words(make_workspace, tmp_path):
    workspace = make_workspace()
    for path in workspace.root.glob("scenes/*/*/color.png"):
        path.unlink()
    written = survey_workspace(workspace, policy=POLICY, out=tmp_path / "out")
    page = (tmp_path / "out" / "questions.html").read_text("utf-8")
    assert "No picture: " in page
    assert written.report.items == workspace.qa_summary().items


def test_objects_are_those_of_the_annotation_until_it_changes(make_workspace):
    workspace = make_workspace(pictures=1)
    item = next(item for item in workspace.items() if item.template_id == "mc_001")
    (_, real), *_ = item.derivation.links
    reflections = [one for one, of in item.derivation.links if of == real]
    known = WorkspaceKnowledge(workspace).picture(item)
    assert {known.object_of(one) for one in (real, *reflections)} == {min(real, *reflections)}
    annotation = workspace.annotation("pic_000", "ann")
    assert known.countable == len(set(known.objects.values())) + len(annotation.surfaces)
    workspace.put_annotation(annotation.model_copy(update={"links": ()}))
    assert WorkspaceKnowledge(workspace).picture(item) == nothing_known(item)


def test_few_examples_make_a_small_page(make_workspace, tmp_path):
    workspace = make_workspace()
    page = QualityPagePolicy(examples=0)
    survey_workspace(workspace, policy=POLICY, out=tmp_path / "out", page=page)
    text = (tmp_path / "out" / "questions.html").read_text("utf-8")
    assert "data:image" not in text
    assert 'href="#examples"' not in text


# Simulated rooms


@pytest.fixture(scope="module")
def rooms(tmp_path_factory) -> Workspace:
    pytest.importorskip("embreex", reason="needs the extra `sim`")
    from annotate.importing import import_annotations
    from mira.schema.qa import QAPolicy
    from mira.sim.rooms.output.series import make_rooms
    from mira.sim.rooms.policy import CameraPolicy, RoomPolicy
    from qa_gen.generate import generate_questions
    from qa_gen.proposing.policy import ProposalPolicy
    from qa_gen.proposing.run import propose_answers

    folder = tmp_path_factory.mktemp("rooms")
    camera = CameraPolicy(width_px=424, height_px=240, focal_px=305)
    policy = RoomPolicy(camera=camera, views_per_scene=2)
    make_rooms(folder / "rooms", count=4, seed=5, policy=policy, workers=2)
    workspace = Workspace.create(folder / "workspace")
    import_annotations(folder / "rooms", workspace, scenes=None, annotator="simulator")
    propose_answers(workspace, policy=ProposalPolicy(), bounds=QAPolicy())
    generate_questions(workspace, policy=QAPolicy())
    return workspace


@pytest.mark.slow
def test_rooms_hold_no_contradiction_no_close_call_and_no_unclear_option(rooms):
    report = survey_workspace(rooms, policy=POLICY).report
    found = {finding.code for finding in report.findings}
    assert report.relations.pairs > 10
    assert {"mr_001", "mr_003"} <= {one.template_id for one in report.templates}
    assert not found & {
        "relation-contradiction",
        "relation-circle",
        "answer-contradiction",
        "question-repeated",
        "close-call-taken",
        "option-unclear",
        "answer-readable",
    }
    assert report.collection is not None
    assert sum(report.collection.by_source.values()) == report.pictures
    assert all(one.guessing.chance is not None for one in report.templates)
    perception = [one for one in report.templates if one.level == "perception"]
    assert all(one.by_source == {"auto": one.items} for one in perception)


@pytest.mark.slow
def test_an_answer_that_is_turned_round_is_found_in_a_room(rooms):
    items = list(rooms.items())
    opposite = {"left": "right", "right": "left", "aligned": "left"}
    asked = next(item for item in items if isinstance(item.answer, AxesAnswer))
    turned = asked.answer.model_copy(update={"horizontal": opposite[asked.answer.horizontal]})
    # The same two objects again, in other words: what it says of them cannot be true too.
    liar = asked.model_copy(update={"item_id": "mr_001-liar", "answer": turned, "wordings": ()})
    put(rooms, [*items, liar])
    try:
        report = survey_workspace(rooms, policy=POLICY).report
    finally:
        put(rooms, items)
    (finding,) = (f for f in report.findings if f.code == "relation-contradiction")
    assert finding.where == "mr_001-liar"
    assert asked.item_id in finding.message
