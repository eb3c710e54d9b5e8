from __future__ import annotations

import shutil

import numpy as np
import pytest

from mira.errors import MiraError, WorkspaceError
from mira.schema.capture import View
from mira.store.workspace import Workspace
from qa_gen.space_page.reading import find_view


@pytest.fixture
def own(rooms, tmp_path) -> Workspace:
    """A copy of the packaged rooms to change."""
    shutil.copytree(rooms.root, tmp_path / "workspace")
    return Workspace.open(tmp_path / "workspace")


def _put_again(workspace: Workspace, view: View, **update) -> None:
    files = {
        ref.path: workspace.view_folder(view) / ref.path
        for ref in (view.color, view.depth_aligned)
        if ref is not None
    }
    workspace.put_view(view.model_copy(update=update), files)


def test_a_scene_of_one_picture_is_found_by_its_own_id(rooms) -> None:
    assert find_view(rooms, "room_s28_0000") == find_view(rooms, "room_s28_0000_v0")


def test_a_scene_of_several_pictures_asks_for_one(own) -> None:
    view = find_view(own, "room_s28_0000")
    _put_again(own, view, image_id="room_s28_0000_v1")
    with pytest.raises(
        WorkspaceError, match=r"found room_s28_0000_v0, room_s28_0000_v1 \(name one"
    ):
        find_view(own, "room_s28_0000")


@pytest.mark.parametrize("name", ["", "..", "nothing", "room_s28"])
def test_an_unknown_picture_is_named(rooms, name) -> None:
    with pytest.raises(WorkspaceError, match="holds no picture and no scene"):
        find_view(rooms, name)


def test_an_annotator_who_drew_nothing_is_named(read) -> None:
    with pytest.raises(WorkspaceError, match="has no annotation by 'nobody'"):
        read("room_s28_0000", annotator="nobody")


@pytest.mark.parametrize(
    ("update", "note"),
    [
        ({"depth_aligned": None, "depth_unit_m": None, "depth_kind": None}, "depth"),
        ({"depth_unit_m": None, "depth_kind": "normalised"}, "normalised|ordinal|depth"),
        ({"intrinsics": None}, "camera"),
    ],
)
def test_a_picture_without_metres_says_why(own, read, update, note) -> None:
    _put_again(own, find_view(own, "room_s28_0000"), **update)
    model = read("room_s28_0000", workspace=own).model
    assert model.cloud is None
    assert model.ground is None
    assert model.note is not None
    assert any(word in model.note for word in note.split("|"))
    assert {one.standing for one in model.proposals} == {"refused"}


def test_a_colour_picture_of_another_size_is_refused(own, read) -> None:
    view = find_view(own, "room_s28_0000")
    other = find_view(own, "room_s28_0001")
    folder = own.view_folder(view)
    small = np.zeros((8, 8, 3), np.uint8)
    import cv2

    from mira.store.atomic import file_ref

    cv2.imwrite(str(folder / view.color.path), small)
    ref = file_ref(folder / view.color.path, relative_to=folder)
    _put_again(own, view, color=ref)
    with pytest.raises(MiraError, match="expected a picture of .* found one of 8 x 8"):
        read("room_s28_0000", workspace=own)
    assert read(other.image_id, workspace=own).model.cloud is not None


def test_a_picture_with_no_reading_at_all_has_an_empty_scene(own, read) -> None:
    import cv2

    from mira.store.atomic import file_ref

    view = find_view(own, "room_s28_0000")
    folder = own.view_folder(view)
    path = folder / view.depth_aligned.path
    cv2.imwrite(str(path), np.zeros((view.height_px, view.width_px), np.uint16))
    _put_again(own, view, depth_aligned=file_ref(path, relative_to=folder))
    model = read("room_s28_0000", workspace=own).model
    assert model.cloud is None
    assert model.ground is None
    assert all(one.real is None and one.refusal for one in model.instances)
