"""A package holds pictures and the label set, and nothing that others drew."""

from __future__ import annotations

import shutil

import cv2
import orjson
import pytest

from mira.errors import MiraError
from mira.schema.audit import AuditPolicy


def names_in(folder):
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def test_a_package_holds_each_picture_as_it_came_and_no_shape(make_project):
    project = make_project(5, depth=True)
    project.plan()
    folder = project.package("b001")
    assert names_in(folder) == sorted(
        [
            *(f"pictures/pic_{k:03d}.png" for k in range(5)),
            *(f"depth/pic_{k:03d}.png" for k in range(5)),
            *("README.txt", "manifest.json", "setup/attributes.json", "setup/classes.txt"),
            *("setup/guide.html", "setup/older/attributes.json", "setup/xanylabelingrc.yaml"),
        ]
    )
    for view in project.book.workspace.views():
        held = project.book.workspace.read_picture(view, view.color)
        assert (folder / f"pictures/{view.image_id}.png").read_bytes() == held
    assert cv2.imread(str(folder / "depth/pic_000.png")).shape == (120, 160, 3)


def test_the_auditor_gets_the_sample_alone_and_no_word_of_who_drew_before(project):
    project.turn("b001")
    folder = project.package("b001")
    sample = project.book.batch("b001").now.step.sample
    pictures = [path.stem for path in sorted((folder / "pictures").iterdir())]
    assert pictures == sorted(sample)
    for path in folder.glob("*.*"):
        assert "anna" not in path.read_text("utf-8")


def test_the_policy_names_labels_beside_ours(make_project):
    project = make_project(2)
    project.plan(policy=AuditPolicy(categories=("Cup",)))
    words = (project.package("b001") / "setup/classes.txt").read_text("utf-8").split()
    assert words == [
        *("surface", "object", "object_reflection", "cup", "cup_reflection", "hole", "ignore")
    ]


def test_a_package_again_in_its_folder_leaves_what_was_drawn_and_mends_the_rest(project):
    folder = project.draw(project.package("b001"))
    drawn = folder / "pictures/pic_000.json"
    before = drawn.read_bytes()
    (folder / "pictures/pic_001.png").unlink()
    ledger = project.ledger()
    project.package("b001")
    assert drawn.read_bytes() == before
    assert (folder / "pictures/pic_001.png").is_file()
    assert project.ledger() == ledger


def test_a_folder_with_other_files_is_left_alone(project):
    folder = project.packages / "b001-annotating-anna"
    folder.mkdir(parents=True)
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(MiraError, match="expected a new or empty folder, found other files"):
        project.package("b001")
    assert names_in(folder) == ["mine.txt"]
    shutil.rmtree(folder)
    folder.write_text("a file")
    with pytest.raises(MiraError, match="expected a new or empty folder, found a file"):
        project.package("b001")


def test_a_turn_can_be_handed_to_somebody_who_may_take_it(project):
    project.package("b001", to="eve")
    assert project.book.batch("b001").now.person == "eve"
    project.turn("b001")
    with pytest.raises(MiraError, match="somebody other than eve while auditing, found eve"):
        project.package("b001", to="eve")
    project.package("b001", to="anna")
    assert project.turn("b001", noise_px=9).by == "anna"
    project.score("b001")
    assert project.decide("b001") == "reannotating"
    for name in ("anna", "eve"):
        with pytest.raises(MiraError, match="expected somebody other than anna, eve"):
            project.package("b001", to=name)
    assert project.book.batch("b001").now.person == "chris"


def test_a_turn_whose_package_cannot_be_written_is_not_handed_over(project):
    folder = project.packages / "b001-annotating-eve"
    folder.mkdir(parents=True)
    (folder / "mine.txt").write_text("mine")
    before = project.ledger()
    with pytest.raises(MiraError, match="expected a new or empty folder"):
        project.package("b001", to="eve")
    assert project.ledger() == before


def test_a_turn_of_which_something_is_done_stays(project):
    folder = project.draw(project.package("b001"))
    (folder / "pictures/pic_000.json").unlink()
    project.submit("b001", folder, "anna", partial=True)
    with pytest.raises(MiraError, match="found 4 images that anna handed in"):
        project.package("b001", to="eve")


def test_of_an_accepted_batch_there_is_nothing_to_package(project):
    project.turn("b001")
    project.turn("b001")
    project.score("b001")
    project.decide("b001")
    with pytest.raises(MiraError, match="expected a batch to draw, found it accepted"):
        project.package("b001", to="eve")


def test_hidden_images_cannot_be_told_from_the_others(make_project, draw_gold):
    project = make_project(6)
    draw_gold(project, ["pic_001", "pic_004"])
    project.plan(
        policy=AuditPolicy(batch_size=4, sample_fraction=0.5, honeypots=1), gold_annotator="gold"
    )
    folder = project.package("b001")
    manifest = orjson.loads((folder / "manifest.json").read_bytes())
    names = [ref["path"] for ref in manifest["pictures"]]
    assert len(names) == 5
    assert names == sorted(names)
    assert not any(b"gold" in path.read_bytes() for path in folder.glob("*.*"))
