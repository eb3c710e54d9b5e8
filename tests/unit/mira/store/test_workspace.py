"""What is put into a workspace comes out as it was, and nothing half ever shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mira.errors import MiraError, RecordError, WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene, View
from mira.schema.qa import Derivation, Drop, Mark, QAItem, QAPolicy, QASummary, Wording, YesNoAnswer
from mira.store.workspace import Workspace, annotation_digest


def item(number: int) -> QAItem:
    return QAItem(
        item_id=f"item-{number}",
        template_id="vc_001",
        image_id="hall-1",
        scene_id="hall",
        marks=(Mark(label="X", instance_id=2, role="slot", box_xyxy_px=(0, 0, 4, 4)),),
        answer=YesNoAnswer(value="yes"),
        wordings=(Wording(protocol="visual_bbox", question="Is X seen directly?"),),
        derivation=Derivation(rule="visibility", annotator="anna", annotation_sha256="0" * 64),
    )


def summary(items: int) -> QASummary:
    return QASummary(
        policy=QAPolicy(),
        items=items,
        questions=items,
        by_template={"vc_001": items},
        drops={},
        gold_positions={},
    )


def put_items(workspace: Workspace, items: int) -> None:
    workspace.put_questions(map(item, range(items)), summary=lambda: summary(items))


def test_created_workspace_opens(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "work")
    workspace = Workspace.open(tmp_path / "work")
    assert list(workspace.scenes()) == []
    assert list(workspace.views()) == []
    assert workspace.qa_summary() is None


def test_creating_a_workspace_again_keeps_its_settings(tmp_path: Path) -> None:
    Workspace.create(tmp_path)
    (tmp_path / "mira.toml").write_text("[export]\n")
    Workspace.create(tmp_path)
    assert (tmp_path / "mira.toml").read_text() == "[export]\n"


def test_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("")
    with pytest.raises(WorkspaceError, match="found other files"):
        Workspace.create(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.doc"]


def test_file_is_no_place_for_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceError, match="expected a new or empty folder"):
        Workspace.create(tmp_path / "file")


def test_opening_another_folder_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match=r"is no workspace \(make one: mira init"):
        Workspace.open(tmp_path)


def test_workspace_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    Workspace.create(tmp_path)
    (tmp_path / "workspace.json").write_text('{"schema_version": 99}')
    with pytest.raises(RecordError, match="this program reads 1 to 1, found 99"):
        Workspace.open(tmp_path)


def test_scene_and_view_come_out_as_they_went_in(
    workspace: Workspace, scene: Scene, view: View, pictures: dict[str, Path]
) -> None:
    workspace.put_scene(scene)
    workspace.put_view(view, pictures)
    assert list(workspace.scenes()) == [scene]
    assert list(workspace.views()) == [view]
    assert workspace.scene("hall") == scene
    assert (workspace.view_folder(view) / "color.png").read_bytes() == b"colour"


def test_rewriting_a_scene_keeps_its_views(
    workspace: Workspace, scene: Scene, view: View, pictures: dict[str, Path]
) -> None:
    workspace.put_scene(scene)
    workspace.put_view(view, pictures)
    workspace.put_scene(scene.model_copy(update={"lighting": "night"}))
    assert workspace.scene("hall").lighting == "night"
    assert list(workspace.views()) == [view]


def test_view_with_a_missing_picture_is_not_written(workspace: Workspace, view: View) -> None:
    with pytest.raises(MiraError, match=r"nowhere\.png: No such file"):
        workspace.put_view(view, {"color.png": Path("nowhere.png")})
    assert list(workspace.views()) == []


def test_views_come_by_scene_and_id(
    workspace: Workspace, view: View, pictures: dict[str, Path]
) -> None:
    for scene_id, image_id in [("b", "b-1"), ("a", "a-2"), ("a", "a-1")]:
        workspace.put_view(
            view.model_copy(update={"scene_id": scene_id, "image_id": image_id}), pictures
        )
    assert [found.image_id for found in workspace.views()] == ["a-1", "a-2", "b-1"]


def test_unknown_scene_is_named(workspace: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="holds no scene 'attic'"):
        workspace.scene("attic")


def test_half_written_view_does_not_show(
    workspace: Workspace, view: View, pictures: dict[str, Path]
) -> None:
    workspace.put_view(view, pictures)
    folder = workspace.view_folder(view)
    folder.rename(folder.parent / f".{folder.name}.partial-x")
    assert list(workspace.views()) == []


def test_damaged_record_is_named_with_its_field(
    workspace: Workspace, view: View, pictures: dict[str, Path]
) -> None:
    workspace.put_view(view, pictures)
    path = workspace.view_folder(view) / "view.json"
    path.write_text(path.read_text().replace('"width_px": 8', '"width_px": 0'))
    with pytest.raises(RecordError, match=r"view\.json: width_px: .*greater than 0"):
        list(workspace.views())


def test_annotation_comes_out_as_it_went_in(
    workspace: Workspace, annotation: ImageAnnotation
) -> None:
    assert workspace.put_annotation(annotation) == annotation
    assert workspace.annotation("hall-1", "anna") == annotation
    assert workspace.annotators("hall-1") == ("anna",)


def test_changed_annotation_is_a_new_revision(
    workspace: Workspace, annotation: ImageAnnotation
) -> None:
    workspace.put_annotation(annotation)
    stored = workspace.put_annotation(annotation.model_copy(update={"status": "done"}))
    assert stored.revision == 2
    assert workspace.annotation("hall-1", "anna") == stored
    folder = workspace.root / "annotations" / "hall-1" / "anna"
    assert sorted(path.name for path in folder.iterdir()) == ["r0001.json", "r0002.json"]


def test_same_annotation_again_is_no_new_revision(
    workspace: Workspace, annotation: ImageAnnotation
) -> None:
    workspace.put_annotation(annotation)
    again = workspace.put_annotation(annotation.model_copy(update={"revision": 7}))
    assert again.revision == 1


def test_annotators_do_not_see_each_other(
    workspace: Workspace, annotation: ImageAnnotation
) -> None:
    workspace.put_annotation(annotation)
    workspace.put_annotation(annotation.model_copy(update={"annotator": "ben", "status": "done"}))
    assert workspace.annotators("hall-1") == ("anna", "ben")
    assert workspace.annotation("hall-1", "anna") == annotation
    assert workspace.annotation("hall-1", "carl") is None


def test_digest_of_an_annotation_follows_what_it_says(annotation: ImageAnnotation) -> None:
    later = annotation.model_copy(update={"revision": 5})
    other = annotation.model_copy(update={"width_px": 9})
    assert annotation_digest(later) == annotation_digest(annotation)
    assert annotation_digest(other) != annotation_digest(annotation)


def test_digest_of_an_annotation_outlives_a_field_that_is_added_later(
    annotation: ImageAnnotation,
) -> None:
    class Later(ImageAnnotation):
        new_field: int = 0

    later = Later.model_validate(annotation.model_dump())
    assert annotation_digest(later) == annotation_digest(annotation)
    assert annotation_digest(later.model_copy(update={"new_field": 1})) != annotation_digest(later)


def test_questions_come_out_in_the_order_they_went_in(workspace: Workspace) -> None:
    put_items(workspace, 3)
    assert list(workspace.items()) == [item(0), item(1), item(2)]
    assert workspace.qa_summary() == summary(3)


def test_new_questions_replace_all_old_ones(workspace: Workspace) -> None:
    put_items(workspace, 3)
    put_items(workspace, 1)
    assert list(workspace.items()) == [item(0)]


def test_generator_that_fails_half_way_keeps_the_old_questions(workspace: Workspace) -> None:
    put_items(workspace, 2)

    def failing() -> Iterator[QAItem]:
        yield item(7)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        workspace.put_questions(failing(), summary=lambda: summary(1))
    assert list(workspace.items()) == [item(0), item(1)]


def test_drops_are_kept_apart_from_items(workspace: Workspace) -> None:
    drop = Drop(template_id="mc_001", image_id="hall-1", instance_ids=(2,), reason="no-partner")
    workspace.put_questions([item(0), drop, item(1)], summary=lambda: summary(2))
    assert list(workspace.items()) == [item(0), item(1)]
    lines = (workspace.root / "qa" / "drops.jsonl").read_text().splitlines()
    assert [Drop.model_validate_json(line) for line in lines] == [drop]


def test_damaged_question_is_named_with_its_line(workspace: Workspace) -> None:
    put_items(workspace, 2)
    path = workspace.root / "qa" / "items.jsonl"
    path.write_text(path.read_text().replace("item-1", "item-1\\"))
    with pytest.raises(RecordError, match=r"items\.jsonl:2: expected one JSON document"):
        list(workspace.items())


def test_questions_that_were_never_made_say_how_to_make_them(workspace: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="run: mira qa generate"):
        list(workspace.items())


def test_locked_workspace_refuses_a_second_writer(workspace: Workspace) -> None:
    with workspace.lock(), pytest.raises(MiraError, match="another process"), workspace.lock():
        pass
